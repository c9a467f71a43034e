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

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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
    """

    kind: ClassVar[str]

    name: str
    class_counts: tuple[tuple[float, ...], ...]
    missing_by_class: tuple[float, ...]
    score: float
    relevance: float
    divergence: float
    stop: str

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
    edited : bool
        Whether the cuts were set by hand. Counts and scores are then those of the edited
        cuts and how sure they are is not known; steps, refused and stop still tell of the search.
    """

    kind: ClassVar[str] = "numeric"

    cuts: tuple[float, ...]
    minimum: float | None
    maximum: float | None
    n_values: int
    n_candidates: int
    steps: tuple[CutTrial, ...] = ()
    refused: CutTrial | None = None
    p_values: tuple[float, ...] = ()
    expected_losses: tuple[float, ...] = ()
    refused_p_value: float | None = None
    special_values: tuple[float, ...] = ()
    edited: bool = False

    @property
    def labels(self) -> tuple[str, ...]:
        """The interval of each bin, such as "(37.5, 42]", and the special values, such as "-999"."""
        edges = [-math.inf, *self.cuts, math.inf]
        intervals = [interval_label(low, high) for low, high in itertools.pairwise(edges)]
        return (*intervals, *map(number_text, self.special_values))


@dataclass(frozen=True, kw_only=True)
class NominalAttribute(Attribute):
    """A column of categories: code i stands for ``categories[i]``."""

    kind: ClassVar[str] = "nominal"

    categories: tuple[Category, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The categories as text."""
        return tuple(str(category) for category in self.categories)


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
            f"Attribute {attribute.name!r} is nominal: its bins are categories and have no cuts. Name a numeric one."
        )
    chosen = checked_cuts(cuts, f"attribute {attribute.name!r}")
    counts = _joined_counts(attribute, chosen)
    edited = replace(attribute, cuts=chosen, class_counts=counts, edited=True)
    return with_scores_of_counts(edited, criterion)


def with_scores_of_counts(attribute: AnyAttribute, criterion: str) -> AnyAttribute:
    """Return the attribute with the relevance that its counts give; scores that follow from no counts are 0.

    How sure the cuts are follows from no counts of bins, and is not known any more.
    """
    intervals = attribute.class_counts
    if isinstance(attribute, NumericAttribute):
        intervals = intervals[: len(attribute.cuts) + 1]
        attribute = replace(attribute, p_values=(), expected_losses=())
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


def _added(counts: Counts) -> tuple[float, ...]:
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
