"""Discretizers that do not look at the class."""

from __future__ import annotations

from dataclasses import field
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar

from cutwise.criteria import Relevance
from cutwise.discretize.attributes import Plan
from cutwise.discretize.base import BaseDiscretizer
from cutwise.estimator import estimator
from cutwise.scikit_learn import Interval
from cutwise.search import EqualFrequencySearch, EqualWidthSearch, FixedSizeSearch, ProportionalSearch

if TYPE_CHECKING:
    from cutwise.discretize.seen import SeenTable

N_BINS: list[Any] = [Interval(Integral, 2, None, closed="left")]


@estimator
class UnsupervisedDiscretizer(BaseDiscretizer):
    """The base of the discretizers that do not look at the class; a method says in ``_plan`` how columns are cut."""

    needs_classes: ClassVar[bool] = False


@estimator
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

    def _plan(self, seen: SeenTable) -> Plan:  # noqa: ARG002
        return Plan(Relevance(), EqualWidthSearch(int(self.n_bins)))


@estimator
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

    def _plan(self, seen: SeenTable) -> Plan:  # noqa: ARG002
        return Plan(Relevance(), EqualFrequencySearch(int(self.n_bins)))


@estimator
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

    def _plan(self, seen: SeenTable) -> Plan:  # noqa: ARG002
        return Plan(Relevance(), FixedSizeSearch(int(self.size)))


@estimator
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

    def _plan(self, seen: SeenTable) -> Plan:  # noqa: ARG002
        return Plan(Relevance(), ProportionalSearch(int(self.extra)))
