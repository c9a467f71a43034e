"""One attribute of a scheme: its bins and where they come from; cuts set by hand in place of those found."""

from __future__ import annotations

import contextlib
import itertools
import math
from bisect import bisect_left
from dataclasses import dataclass, replace
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

from cutwise import kernels
from cutwise.errors import SchemeError
from cutwise.scheme.frozen import FrozenMapping

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Category = str | bool | int | float


class CutTrial(NamedTuple):
    """A cut that the search tried, and the score of the scheme with it."""

    cut: float
    score: float
    relevance: float
    divergence: float


@dataclass(frozen=True, kw_only=True)
class Attribute:
    """What numeric and nominal attributes share.

    Parameters
    ----------
    name : str
    class_counts : tuple of tuple of numbers
        Training rows by bin and class; with fractional sample weights, their weight. NaN in all of
        a bin whose rows are not known, because a cut was set by hand: see `Scheme.recount`.
    missing_by_class : tuple of numbers
        Training rows without a value, by class.
    score : float
        The value of the method's criterion.
    relevance, divergence : float
        The mutual information between bins and class, and the divergence, in bits.
    stop : str
        Why there are no more cuts; a key of STOP_REASONS.
    p_values : tuple of float
        How often chance does as well as what parts each bin from the one before, if that was tested (``confirm``), else
        empty.
    edited : bool
        Whether the bins were set by hand. Counts and scores are then those of the edited bins and how sure they are is
        not known; what else there is still tells of the search.
    """

    kind: ClassVar[str]

    name: str
    class_counts: tuple[tuple[float, ...], ...]
    missing_by_class: tuple[float, ...]
    score: float
    relevance: float
    divergence: float
    stop: str
    p_values: tuple[float, ...] = ()
    edited: bool = False

    @property
    def n_bins(self) -> int:
        """The number of bins, the one for missing values not counted."""
        return len(self.class_counts)

    @property
    def rows(self) -> tuple[float, ...]:
        """Training rows in each bin; NaN where they are not known."""
        return tuple(sum(counts) for counts in self.class_counts)

    @property
    def is_counted(self) -> bool:
        """Whether the training rows of all bins are known."""
        return not any(map(math.isnan, itertools.chain.from_iterable(self.class_counts)))

    @property
    def labels(self) -> tuple[str, ...]:
        """The text for each bin."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        from cutwise.scheme.notebook import attribute_html  # noqa: PLC0415  # which needs this file

        return attribute_html(self)


@dataclass(frozen=True, kw_only=True)
class NumericAttribute(Attribute):
    """A column cut into intervals: code i stands for ``cuts[i - 1] < x <= cuts[i]``.

    Special values come after the intervals, each with a code of its own.

    Parameters
    ----------
    cuts : tuple of float
        Strictly ascending and finite.
    minimum, maximum : float or None
        The smallest and the largest training value; None if there is none.
    n_values : int
        The number of distinct training values; of cells, where a grid was counted.
    n_candidates : int
        The number of gaps that the search looked at.
    steps : tuple of CutTrial
        The accepted cuts in the order of their acceptance (greedy search).
    refused : CutTrial or None
        The best cut that was not good enough.
    p_values, expected_losses : tuple of float
        How sure each cut is, if the cuts were tested (``confirm``), else empty: how often the best cut of the bin that
        it split would be as good by chance, and how much of its information, in bits for each row, new rows will not
        show.
    refused_p_value : float or None
        The p-value of the refused cut, if it was tested.
    special_values : tuple of float
        Values that are codes of their own, in ascending order.
    trend : str or None
        The trend that the rate of the event had to follow (``monotonic``): the one that was asked for, or chosen.
    trend_costs : mapping of str to float
        With ``monotonic="auto"``, how much relevance each trend costs against bins without one, in bits; below 0 where
        a search that is not exact found more with the trend.
    stopped_by : tuple of str
        The limits that forbid the further cut that would add most to the relevance, by the names of the parameters.
    """

    kind: ClassVar[str] = "numeric"

    cuts: tuple[float, ...]
    minimum: float | None
    maximum: float | None
    n_values: int
    n_candidates: int
    steps: tuple[CutTrial, ...] = ()
    refused: CutTrial | None = None
    expected_losses: tuple[float, ...] = ()
    refused_p_value: float | None = None
    special_values: tuple[float, ...] = ()
    trend: str | None = None
    trend_costs: Mapping[str, float] = FrozenMapping()
    stopped_by: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.trend_costs, FrozenMapping):
            object.__setattr__(self, "trend_costs", FrozenMapping(self.trend_costs))

    @property
    def labels(self) -> tuple[str, ...]:
        """The interval of each bin, such as "(37.5, 42]", and the special values, such as "-999"."""
        edges = [-math.inf, *self.cuts, math.inf]
        intervals = [interval_label(low, high) for low, high in itertools.pairwise(edges)]
        return (*intervals, *map(number_text, self.special_values))


@dataclass(frozen=True, kw_only=True)
class NominalAttribute(Attribute):
    """A column of categories: code i stands for those of ``groups[i]``.

    Parameters
    ----------
    groups : tuple of tuple of str, bool or number
        The categories of each bin: one, or several that share it.
    """

    kind: ClassVar[str] = "nominal"

    groups: tuple[tuple[Category, ...], ...]

    @property
    def categories(self) -> tuple[Category, ...]:
        """All categories, in the order of their codes."""
        return tuple(itertools.chain.from_iterable(self.groups))

    @property
    def codes(self) -> tuple[int, ...]:
        """The code of each category."""
        return tuple(code for code, group in enumerate(self.groups) for _ in group)

    @property
    def is_grouped(self) -> bool:
        """Whether categories share a bin."""
        return any(len(group) > 1 for group in self.groups)

    @property
    def labels(self) -> tuple[str, ...]:
        """The categories as text; those that share a bin in braces, such as "{Bonn, Köln}"."""
        return tuple(map(group_label, self.groups))


# Of a group of more categories, its label names so many.
MOST_NAMED = 5


def group_label(group: Sequence[Category]) -> str:
    """Return the text for a group of categories.

    Examples
    --------
    >>> group_label(["Bonn"]), group_label(["Bonn", "Ulm"]), group_label(range(40))
    ('Bonn', '{Bonn, Ulm}', '{0, 1, 2, 3, 4, … 35 more}')
    """
    if len(group) == 1:
        return str(group[0])
    more = [f"… {len(group) - MOST_NAMED:,} more"] if len(group) > MOST_NAMED else []
    return "{" + ", ".join([*map(str, group[:MOST_NAMED]), *more]) + "}"


def number_text(number: float) -> str:
    """Return the shortest text that reads back as the same number."""
    text = repr(float(number))
    return text.removesuffix(".0")


def interval_label(low: float, high: float) -> str:
    """Return the text for ``low < x <= high``.

    Examples
    --------
    >>> interval_label(37.5, 42.0)
    '(37.5, 42]'
    >>> interval_label(42.0, float("inf"))
    '(42, inf)'
    """
    close = ")" if high == math.inf else "]"
    return f"({number_text(low)}, {number_text(high)}{close}"


Counts = tuple[tuple[float, ...], ...]
AnyAttribute = TypeVar("AnyAttribute", bound=Attribute)


def attribute_with_cuts(attribute: Attribute, cuts: Iterable[float], criterion: str) -> NumericAttribute:
    """Return the attribute with other cuts, marked as edited.

    Between cuts that were there before, the counts of the new bins are sums of the old ones. A new
    cut divides a bin whose rows are no longer at hand: those of both halves are not known.
    """
    if not isinstance(attribute, NumericAttribute):
        raise SchemeError(
            f"Attribute {attribute.name!r} is nominal: its bins are categories and have no cuts. Name a numeric one, "
            "or see Scheme.with_groups."
        )
    chosen = checked_cuts(cuts, f"attribute {attribute.name!r}")
    counts = _joined_counts(attribute, chosen)
    edited = replace(attribute, cuts=chosen, class_counts=counts, edited=True)
    return with_scores_of_counts(edited, criterion)


def attribute_with_groups(
    attribute: Attribute, groups: Iterable[Iterable[Category]], criterion: str
) -> NominalAttribute:
    """Return the attribute with its categories in other groups, marked as edited.

    The counts of groups that were joined are sums. A group of which a part goes elsewhere has rows that are no longer
    at hand: those of all its parts are not known.
    """
    if not isinstance(attribute, NominalAttribute):
        raise SchemeError(
            f"Attribute {attribute.name!r} is numeric: its bins are intervals and hold no categories. Name a nominal "
            "one, or see Scheme.with_cuts."
        )
    chosen = checked_groups(attribute, groups)
    codes = dict(zip(attribute.categories, attribute.codes, strict=True))
    unknown = (math.nan,) * len(attribute.missing_by_class)
    counts = []
    for group in chosen:
        parts = sorted({codes[one] for one in group})
        whole = sum(len(attribute.groups[part]) for part in parts) == len(group)
        counts.append(_added([attribute.class_counts[part] for part in parts]) if whole else unknown)
    edited = replace(attribute, groups=chosen, class_counts=tuple(counts), edited=True)
    return with_scores_of_counts(edited, criterion)


def checked_groups(
    attribute: NominalAttribute, groups: Iterable[Iterable[Category]]
) -> tuple[tuple[Category, ...], ...]:
    """Return groups as tuples, or raise SchemeError unless they hold each category once."""
    where = f"The groups of attribute {attribute.name!r}"
    chosen = tuple(tuple(group) if not isinstance(group, str) else (group,) for group in groups)
    left = dict.fromkeys(attribute.categories)
    for group in chosen:
        if not group:
            raise SchemeError(f"{where} must not be empty, but one is.")
        for one in group:
            if one not in left:
                known = "twice in them" if one in attribute.categories else "no category of it"
                raise SchemeError(f"{where} must hold each of its categories once, but {one!r} is {known}.")
            del left[one]
    if left:
        raise SchemeError(f"{where} must hold each of its categories once, but {next(iter(left))!r} is in none.")
    return chosen


def with_scores_of_counts(attribute: AnyAttribute, criterion: str) -> AnyAttribute:
    """Return the attribute with the relevance that its counts give; scores that follow from no counts are 0.

    How sure the cuts are follows from no counts of bins, and is not known any more.
    """
    intervals = attribute.class_counts
    attribute = replace(attribute, p_values=())
    if isinstance(attribute, NumericAttribute):
        intervals = intervals[: len(attribute.cuts) + 1]
        attribute = replace(attribute, expected_losses=())
    relevance = _mutual_information(intervals) if attribute.is_counted else 0.0
    score = relevance if criterion == "relevance" else 0.0
    return replace(attribute, score=score, relevance=relevance, divergence=0.0)


def without_unknown_rows(attribute: AnyAttribute) -> AnyAttribute:
    """Return the attribute for a picture: without rows if those of some bin are not known."""
    if attribute.is_counted:
        return attribute
    nothing = tuple(0 for _ in attribute.missing_by_class)
    return replace(attribute, class_counts=(nothing,) * attribute.n_bins, missing_by_class=nothing)


def checked_cuts(cuts: Any, where: str) -> tuple[float, ...]:
    """Return cuts as doubles, or raise SchemeError if they are not finite and strictly ascending."""
    if isinstance(cuts, str) or not hasattr(cuts, "__iter__"):
        raise SchemeError(f"The cuts of {where} must be a list of numbers, such as [1.5, 3], not {cuts!r}.")
    numbers = [_double(cut, where) for cut in cuts]
    for left, right in itertools.pairwise(numbers):
        if not left < right:
            raise SchemeError(
                f"The cuts of {where} must ascend, but {right!r} follows {left!r}. Sort them and drop repeated ones."
            )
    return tuple(numbers)


def _double(cut: Any, where: str) -> float:
    number = math.inf
    if not isinstance(cut, bool) and isinstance(cut, Real):
        with contextlib.suppress(OverflowError):
            number = float(cut) + 0.0
    if not math.isfinite(number):
        raise SchemeError(f"The cuts of {where} must be finite numbers, but one of them is {cut!r}.")
    return number


def _joined_counts(attribute: NumericAttribute, cuts: Sequence[float]) -> Counts:
    """Return the counts of the bins between cuts; not known on both sides of a new one."""
    old = attribute.cuts
    known = set(old)
    ends = [bisect_left(old, cut) + 1 if cut in known else None for cut in cuts]
    edges = [0, *ends, len(old) + 1]
    unknown = (math.nan,) * len(attribute.missing_by_class)
    joined = [
        unknown if start is None or end is None else _added(attribute.class_counts[start:end])
        for start, end in itertools.pairwise(edges)
    ]
    return (*joined, *attribute.class_counts[len(old) + 1 :])


def _added(counts: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
    totals = tuple(map(sum, zip(*counts, strict=True)))
    # One object for what is not known, so that equal schemes are equal.
    return (math.nan,) * len(totals) if any(map(math.isnan, totals)) else totals


def _mutual_information(counts: Counts) -> float:
    """Return the mutual information of bins and class, in bits."""
    rows, by_class = [sum(row) for row in counts], _added(counts)
    total = sum(rows)
    terms = (
        count * kernels.elementary.log2(count * total / (rows[b] * by_class[c]))
        for b, row in enumerate(counts)
        for c, count in enumerate(row)
        if count
    )
    return max(math.fsum(terms) / total, 0.0) if total else 0.0
