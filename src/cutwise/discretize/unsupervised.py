"""Discretizers that do not look at the class."""

from __future__ import annotations

import warnings
from dataclasses import field
from functools import partial
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar

from cutwise.criteria import Relevance
from cutwise.discretize.attributes import Plan
from cutwise.discretize.base import BaseDiscretizer
from cutwise.discretize.limits import checked_by_column, listed_by_column, named_columns
from cutwise.errors import ColumnWarning
from cutwise.estimator import estimator
from cutwise.scheme import NominalAttribute, NumericAttribute
from cutwise.scikit_learn import Interval
from cutwise.search import EqualFrequencySearch, EqualWidthSearch, FixedSizeSearch, ProportionalSearch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cutwise.discretize.seen import SeenTable
    from cutwise.scheme import Attribute

N_BINS = 10


@estimator
class UnsupervisedDiscretizer(BaseDiscretizer):
    """The base of the discretizers that do not look at the class; a method says in ``_plan`` how columns are cut."""

    needs_classes: ClassVar[bool] = False


@estimator
class CountedBinsDiscretizer(UnsupervisedDiscretizer):
    """The base of the discretizers that are told how many bins to make; a method names its search."""

    search_of: ClassVar[type[EqualWidthSearch | EqualFrequencySearch]]
    # Whether columns with fewer bins are told.
    tells_fewer: ClassVar[bool] = True

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_bins": [Interval(Integral, 2, None, closed="left"), "array-like", dict]
    }

    n_bins: Any = field(default=N_BINS, kw_only=False)

    def _plan(self, seen: SeenTable) -> list[Plan]:
        wanted = checked_by_column(self, "n_bins", seen.names, N_BINS)
        listed = listed_by_column("n_bins", self.n_bins, seen.names)
        settings = {**self._settings(), **({"n_bins": listed} if isinstance(listed, dict) else {})}
        check = partial(self._tell, wanted) if self.tells_fewer else None
        return [Plan(Relevance(), self.search_of(int(one)), settings=settings, check=check) for one in wanted]

    def _tell(self, wanted: Sequence[int], attributes: Sequence[Attribute]) -> None:
        """Warn of the columns that do not get the number of bins that they should."""
        of_name = {one.name: (one, n_bins) for one, n_bins in zip(attributes, wanted, strict=True)}
        numeric = [(one, n_bins) for one, n_bins in of_name.values() if isinstance(one, NumericAttribute)]
        constant = [one for one, _ in numeric if one.n_values <= 1 and not any(one.rows[len(one.cuts) + 1 :])]
        if constant:
            value = f"the value {constant[0].minimum:.15g} only" if constant[0].n_values else "no values"
            _warn(
                f"Column {constant[0].name!r} has {value}, so that all rows are in one bin", constant, "Leave it out."
            )
        fewer = [(one, n_bins) for one, n_bins in numeric if one.n_values > 1 and len(one.cuts) + 1 < n_bins]
        if fewer:
            (first, n_bins), found = fewer[0], len(fewer[0][0].cuts) + 1
            what = f"Column {first.name!r} has {found} bins, not {n_bins}: its values allow no more"
            _warn(what, fewer, f"Ask for fewer, such as n_bins={{{first.name!r}: {max(found, 2)}}}.")
        named = named_columns("n_bins", self.n_bins, list(of_name)) if isinstance(self.n_bins, dict) else {}
        nominal = [name for name in named if isinstance(of_name[name][0], NominalAttribute)]
        if nominal:
            what = f"'n_bins' names the column {nominal[0]!r}, which holds categories: each of them is a bin"
            _warn(what, nominal, "Take it out of 'n_bins'.")


def _warn(what: str, columns: Sequence[Any], advice: str) -> None:
    """Warn of the first of some columns, and tell how many more there are."""
    more = f" (so it is with {len(columns) - 1} more)" if len(columns) > 1 else ""
    warnings.warn(f"{what}{more}. {advice}", ColumnWarning, stacklevel=2)


@estimator
class EqualWidthDiscretizer(CountedBinsDiscretizer):
    """Cut the range of each numeric column into bins of equal width.

    The cuts are where the widths put them, whatever ``place`` says. Bins may be empty, and
    one value far from the others leaves nearly all rows in one bin.

    Parameters
    ----------
    n_bins : int, array-like of int or dict, default=10
        The number of bins; one for each column, in their order, or a dict by column.
    {common}

    {attributes}

    Examples
    --------
    >>> from cutwise import EqualWidthDiscretizer
    >>> EqualWidthDiscretizer(4).fit([[1], [2], [3], [9]]).cuts_
    [array([3., 5., 7.])]
    """

    method_name: ClassVar[str] = "EqualWidth"
    search_of: ClassVar[type[EqualWidthSearch | EqualFrequencySearch]] = EqualWidthSearch


@estimator
class EqualFrequencyDiscretizer(CountedBinsDiscretizer):
    """Cut each numeric column into bins with about the same number of rows.

    Equal values stay together: where many rows share a value, bins differ in size, and
    there may be fewer of them than asked for.

    Parameters
    ----------
    n_bins : int, array-like of int or dict, default=10
        The largest number of bins; one for each column, in their order, or a dict by column.
    {common}

    {attributes}

    Examples
    --------
    >>> from cutwise import EqualFrequencyDiscretizer
    >>> EqualFrequencyDiscretizer(2).fit([[1], [2], [3], [9]]).cuts_
    [array([2.5])]
    """

    method_name: ClassVar[str] = "EqualFrequency"
    search_of: ClassVar[type[EqualWidthSearch | EqualFrequencySearch]] = EqualFrequencySearch


class FrequencyGrid(EqualFrequencyDiscretizer):
    """Bins of equal frequency for other methods to go on from: as many as the values allow, and no word about it."""

    tells_fewer: ClassVar[bool] = False


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
