"""What the discretizers share that learn one column at a time from the class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from sklearn.base import _fit_context
from sklearn.callback import with_callbacks

from cutwise.discretize.attributes import Method
from cutwise.discretize.base import BaseDiscretizer
from cutwise.discretize.limits import MONOTONIC_CONSTRAINTS, SIZE_CONSTRAINTS, limits_of
from cutwise.discretize.rows import Rows, read_rows

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

    @with_callbacks
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the cuts.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            A numpy array or a pandas, polars or pyarrow table. Numeric columns are cut;
            texts, categories and booleans become one bin for each category.
        y : array-like of shape (n_samples,)
            The class of each row.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts. A weight of 2 is the same as the row twice, a weight
            of 0 the same as no row.

        Returns
        -------
        self
        """
        rows = read_rows(self, X, y, sample_weight)
        method = Method(self._criterion(), self._search(), self._limits(rows))
        return self._learn(rows, rows.groups(), [method] * rows.table.n_features, self._settings())

    def _limits(self, rows: Rows) -> tuple[Limits, ...]:
        """Return the limits to search under, one for each direction to try."""
        return limits_of(rows, self.min_bin_size, self.max_bins, self.monotonic)
