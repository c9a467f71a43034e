"""What the discretizers share that learn one column at a time from the class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from cutwise.discretize.attributes import Method
from cutwise.discretize.counted import CountedDiscretizer
from cutwise.discretize.limits import MONOTONIC_CONSTRAINTS, SIZE_CONSTRAINTS, limits_of
from cutwise.validation import read_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cutwise.criteria import Criterion
    from cutwise.discretize.attributes import Search
    from cutwise.discretize.limits import Seen
    from cutwise.search import BinLimits


@dataclass(eq=False, repr=False, kw_only=True)
class SupervisedDiscretizer(CountedDiscretizer):
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
        return self._learn(rows, rows.groups(), self._methods(rows, rows.table.names), self._settings())

    def _methods(self, seen: Seen, names: Sequence[str]) -> list[Method]:
        return [Method(self._criterion(), self._search(), self._limits(seen))] * len(names)

    def _limits(self, seen: Seen) -> tuple[BinLimits, ...]:
        """Return the limits to search under, one for each direction to try."""
        return limits_of(seen, self.min_bin_size, self.max_bins, self.monotonic)
