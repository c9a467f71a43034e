"""What the discretizers share that learn one column at a time from the class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from cutwise.discretize.attributes import Method
from cutwise.discretize.base import BaseDiscretizer
from cutwise.discretize.limits import MONOTONIC_CONSTRAINTS, SIZE_CONSTRAINTS, limits_of
from cutwise.fitting import Rows, read_rows

if TYPE_CHECKING:
    from cutwise.criteria import Criterion
    from cutwise.discretize.attributes import Search
    from cutwise.search import Limits


@dataclass(eq=False, repr=False, kw_only=True)
class SupervisedDiscretizer(BaseDiscretizer):
    """The base of the discretizers that learn one column at a time from the class.

    A subclass adds its parameters as fields and names its criterion and its search.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {**SIZE_CONSTRAINTS, **MONOTONIC_CONSTRAINTS}

    min_bin_size: float | None = None
    max_bins: int | None = None
    monotonic: str | None = None

    def _criterion(self) -> Criterion:
        """Return how a partition is judged."""
        raise NotImplementedError

    def _search(self) -> Search:
        """Return how the best partition is sought."""
        raise NotImplementedError

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> Self:
        rows = read_rows(self, X, y, sample_weight)
        method = Method(self._criterion(), self._search(), self._limits(rows))
        return self._learn(rows, rows.groups(), [method] * rows.table.n_features, self._settings())

    def _limits(self, rows: Rows) -> tuple[Limits, ...]:
        """Return the limits to search under, one for each direction to try."""
        return limits_of(rows, self.min_bin_size, self.max_bins, self.monotonic)
