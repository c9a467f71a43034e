"""Discretizers that do not look at the class."""

from __future__ import annotations

from dataclasses import dataclass, field
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from sklearn.base import _fit_context
from sklearn.callback import with_callbacks
from sklearn.utils import check_consistent_length
from sklearn.utils._param_validation import Interval

from cutwise.counts import ALL_ROWS, TableCounts
from cutwise.criteria import Relevance
from cutwise.discretize.attributes import Method
from cutwise.discretize.counted import CountedDiscretizer
from cutwise.search import EqualFrequencySearch, EqualWidthSearch, FixedSizeSearch, ProportionalSearch
from cutwise.table import plain_vector
from cutwise.validation import CheckedRows, check_table, check_target, weigh_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sklearn.utils import Tags

    from cutwise.discretize.attributes import Search
    from cutwise.discretize.base import BaseDiscretizer
    from cutwise.discretize.limits import Seen

# A target with more labels than this is taken for a measurement.
MOST_CLASSES = 100
N_BINS: list[Any] = [Interval(Integral, 2, None, closed="left")]


@dataclass(eq=False, repr=False, kw_only=True)
class UnsupervisedDiscretizer(CountedDiscretizer):
    """The base of the discretizers that do not look at the class."""

    def _search(self) -> Search:
        """Return how the cuts are found."""
        raise NotImplementedError

    def _searches(self, names: Sequence[str]) -> list[Search]:
        """Return how the cuts of each column are found, by default all in the same way."""
        return [self._search()] * len(names)

    @with_callbacks
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the cuts.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            A numpy array or a pandas, polars or pyarrow table. Numeric columns are cut;
            texts, categories and booleans become one bin for each category.
        y : array-like of shape (n_samples,), optional
            The class of each row. It is counted for the scheme and never moves a cut. Anything
            but at most 100 class labels is passed over.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts. A weight of 2 is the same as the row twice, a weight
            of 0 the same as no row.

        Returns
        -------
        self
        """
        rows = _read_rows(self, X, y, sample_weight)
        return self._learn(rows, rows.groups(), self._methods(rows, rows.table.names), self._settings())

    def _methods(self, seen: Seen, names: Sequence[str]) -> list[Method]:  # noqa: ARG002
        return [Method(Relevance(), search) for search in self._searches(names)]

    def _check_target_column(self, target: str | None) -> None:
        """Take tables without classes, too."""

    def _used_counts(self, counts: TableCounts) -> TableCounts:
        counts = counts.without_parts()
        return counts if len(counts.classes) <= MOST_CLASSES else counts.of_one_class()

    def _read_chunk(self, X: Any, y: Any, sample_weight: Any, *, reset: bool) -> CheckedRows:
        if y is not None:
            return super()._read_chunk(X, y, sample_weight, reset=reset)
        return _read_rows(self, X, y, sample_weight, reset=reset, meaning="count")

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = False
        return tags


def _read_rows(
    estimator: BaseDiscretizer, X: Any, y: Any, sample_weight: Any, *, reset: bool = True, meaning: str | None = None
) -> CheckedRows:
    """Check what is passed to fit; without class labels all rows are of one class."""
    table = check_table(estimator, X, reset=reset)
    n_rows = table.data.shape[0]
    rows = CheckedRows(table, np.array([ALL_ROWS]), np.zeros(n_rows, dtype=np.int64), n_rows)
    if y is not None:
        check_consistent_length(table.data, plain_vector(y))
        try:
            classes, codes = check_target(estimator, table.data, y)
        except (TypeError, ValueError):
            classes, codes = rows.classes, rows.codes
        if classes.size <= MOST_CLASSES:
            rows = CheckedRows(table, classes, codes, n_rows)
    return weigh_rows(rows, sample_weight, meaning or estimator.weights)


@dataclass(eq=False, repr=False, kw_only=True)
class EqualWidthDiscretizer(UnsupervisedDiscretizer):
    """Cut the range of each numeric column into bins of equal width.

    The cuts are where the widths put them, whatever ``place`` says. Bins may be empty, and
    one value far from the others leaves nearly all rows in one bin.

    Parameters
    ----------
    n_bins : int, default=10
        The number of bins.
    {common}

    {attributes}

    Examples
    --------
    >>> from cutwise import EqualWidthDiscretizer
    >>> EqualWidthDiscretizer(4).fit([[1], [2], [3], [9]]).cuts_
    [array([3., 5., 7.])]
    """

    method_name: ClassVar[str] = "EqualWidth"
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"n_bins": N_BINS}

    n_bins: int = field(default=10, kw_only=False)

    def _search(self) -> EqualWidthSearch:
        return EqualWidthSearch(int(self.n_bins))


@dataclass(eq=False, repr=False, kw_only=True)
class EqualFrequencyDiscretizer(UnsupervisedDiscretizer):
    """Cut each numeric column into bins with about the same number of rows.

    Equal values stay together: where many rows share a value, bins differ in size, and
    there may be fewer of them than asked for.

    Parameters
    ----------
    n_bins : int, default=10
        The largest number of bins.
    {common}

    {attributes}

    Examples
    --------
    >>> from cutwise import EqualFrequencyDiscretizer
    >>> EqualFrequencyDiscretizer(2).fit([[1], [2], [3], [9]]).cuts_
    [array([2.5])]
    """

    method_name: ClassVar[str] = "EqualFrequency"
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"n_bins": N_BINS}

    n_bins: int = field(default=10, kw_only=False)

    def _search(self) -> EqualFrequencySearch:
        return EqualFrequencySearch(int(self.n_bins))


@dataclass(eq=False, repr=False, kw_only=True)
class FixedFrequencyDiscretizer(UnsupervisedDiscretizer):
    """Cut each numeric column into bins with a given number of rows.

    Fixed-frequency discretization (FFD) of Yang and Webb: enough rows in a bin for a
    reliable estimate, and as many bins as the rows allow. A bin is closed once it has that
    many rows and the next value differs; the last one takes what is left.

    Parameters
    ----------
    size : int, default=30
        The number of rows in a bin.
    {common}

    {attributes}

    References
    ----------
    Yang and Webb, "Discretization for naive-Bayes learning: managing discretization bias
    and variance", Machine Learning 74, 2009.

    Examples
    --------
    >>> from cutwise import FixedFrequencyDiscretizer
    >>> FixedFrequencyDiscretizer(2).fit([[1], [2], [3], [9]]).cuts_
    [array([2.5])]
    """

    method_name: ClassVar[str] = "FixedFrequency"
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"size": [Interval(Integral, 1, None, closed="left")]}

    size: int = field(default=30, kw_only=False)

    def _search(self) -> FixedSizeSearch:
        return FixedSizeSearch(int(self.size))


@dataclass(eq=False, repr=False, kw_only=True)
class PKIDDiscretizer(UnsupervisedDiscretizer):
    """Cut each numeric column into about as many bins as each of them has rows.

    Proportional k-interval discretization (PKID) of Yang and Webb: n rows with a value give
    about sqrt(n) bins of sqrt(n) rows, so that more rows make both finer and more reliable
    bins. It suits naive Bayes; trees do badly with so many bins.

    Parameters
    ----------
    extra : int, default=0
        How many more rows a bin has than there are bins. 30 gives the weighted variant WPKID,
        which is better on small tables.
    {common}

    {attributes}

    References
    ----------
    Yang and Webb, "Proportional k-interval discretization for naive-Bayes classifiers",
    ECML 2001; "Weighted proportional k-interval discretization for naive-Bayes classifiers",
    PAKDD 2003.

    Examples
    --------
    >>> from cutwise import PKIDDiscretizer
    >>> PKIDDiscretizer().fit([[1], [2], [3], [4], [5], [6], [7], [8], [9]]).cuts_
    [array([3.5, 6.5])]
    """

    method_name: ClassVar[str] = "PKID"
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"extra": [Interval(Integral, 0, None, closed="left")]}

    extra: int = field(default=0, kw_only=False)

    def _search(self) -> ProportionalSearch:
        return ProportionalSearch(int(self.extra))
