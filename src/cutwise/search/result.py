"""What a search gives back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cutwise.kernels.inputs import SearchBounds, margin_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from cutwise.counts import ColumnCounts
    from cutwise.criteria import Score


class CutTest(NamedTuple):
    """How sure a cut is.

    Parameters
    ----------
    p_value : float
        How often the best cut of the same bin is as good if the classes of its rows are dealt at random.
    expected_loss : float
        The information of the cut, in bits for each row of the column, that new rows will not show.
    """

    p_value: float
    expected_loss: float


class SearchStep(NamedTuple):
    """One cut that the search tried, the score of the scheme with it, and how sure it is, if it was tested."""

    gap: int
    score: Score
    test: CutTest | None = None


@dataclass(frozen=True)
class SearchResult:
    """The gaps that get a cut, from left to right, and how they were found.

    Parameters
    ----------
    gaps : ndarray of int
        Gap u lies between the distinct values u and u + 1.
    stop : str
        Why the search ended; a key of ``cutwise.scheme.STOP_REASONS``.
    score : Score or None
        The score of the scheme, if the search knows it.
    steps : tuple of SearchStep
        The accepted cuts in the order of their acceptance.
    refused : SearchStep or None
        The best cut that was not good enough.
    n_candidates : int or None
        The number of gaps that were looked at, if not all of them were.
    cuts : ndarray or None
        The cuts themselves, for methods that do not put them by the values beside them.
    tests : mapping
        How sure each cut is, by its gap; empty if they were not tested.
    """

    gaps: NDArray[np.int64]
    stop: str
    score: Score | None = None
    steps: tuple[SearchStep, ...] = ()
    refused: SearchStep | None = None
    n_candidates: int | None = None
    cuts: NDArray[np.float64] | None = None
    tests: Mapping[int, CutTest] = field(default_factory=dict)


def no_gap(table: ColumnCounts) -> SearchResult | None:
    """Return the answer for a table without a gap, else None."""
    if table.n_values > 1:
        return None
    return SearchResult(np.empty(0, dtype=np.int64), "one_value" if table.n_values else "no_values")


def nothing_to_cut(table: ColumnCounts) -> SearchResult | None:
    """Return the answer for a table without a gap or with a single class, else None."""
    found = no_gap(table)
    labels = table.by_class.labels
    if found is None and labels[0] == labels[-1] and (labels == labels[0]).all():
        return SearchResult(np.empty(0, dtype=np.int64), "one_class")
    return found


@dataclass(frozen=True)
class BinLimits:
    """The limits of one search.

    Parameters
    ----------
    max_bins : int or None
        The largest number of bins.
    min_rows : float
        The smallest weight of a bin; without weights its number of rows.
    direction : {-1, 0, 1}
        Whether the rate of the second class must never rise (-1) or never fall (1) from
        bin to bin; 0 if it may do both. Only for two classes.
    either : bool
        Whether the other direction is tried, too.
    confirm : float or None
        The largest p-value of a cut.
    min_bins : int
        The least number of bins.
    max_rows : float
        The largest weight of a bin.
    min_events : float
        The least weight of the event in a bin, and of the other classes.
    max_pvalue : float or None
        The largest p-value of the difference between the rates of neighbouring bins.
    trend : str or None
        The shape of the rate of the event over the bins: a key of `cutwise.search.limited.SHAPES`.
    event : int or None
        The place of the event among the classes.
    categories : ndarray of int or None
        For a nominal column in the order of its class rates, the counts [category, class] in that order: its cuts are
        tested by how much the categories of a bin differ.
    """

    max_bins: int | None = None
    min_rows: float = 0.0
    direction: int = 0
    either: bool = False
    confirm: float | None = None
    categories: NDArray[np.int64] | None = field(default=None, compare=False, repr=False)
    min_bins: int = 1
    max_rows: float = math.inf
    min_events: float = 0.0
    max_pvalue: float | None = None
    trend: str | None = None
    event: int | None = None

    @property
    def are_plain(self) -> bool:
        """Whether every search knows all of them."""
        others = self.min_bins > 1 or self.max_rows < math.inf or self.min_events > 0 or self.max_pvalue is not None
        return not others and (self.trend is None or self.direction != 0)

    @property
    def are_none(self) -> bool:
        """Whether they forbid no bins, whatever tests of the cuts may do."""
        return self.are_plain and self.max_bins is None and self.min_rows <= 0 and self.direction == 0

    def scaled(self, share: float) -> BinLimits:
        """Return the limits for a share of the rows."""
        sizes = {name: getattr(self, name) * share for name in ("min_rows", "max_rows", "min_events")}
        return replace(self, **sizes)

    def max_cuts(self, table: ColumnCounts) -> int:
        """Return the largest number of cuts in a table."""
        gaps = max(table.n_values - 1, 0)
        return gaps if self.max_bins is None else min(gaps, self.max_bins - 1)

    def min_count(self, table: ColumnCounts) -> int:
        """Return the smallest count of a bin, in the units of the table."""
        if self.min_rows <= 0:
            return 0
        # More than all rows have is as good as any larger number, which may be too large to count with.
        return math.ceil(min(self.min_rows / table.unit, float(table.n_rows + 1)))

    @property
    def riser(self) -> int:
        """The class whose share must not fall from bin to bin; -1 if there is none."""
        return -1 if self.direction == 0 else (self.direction + 1) // 2

    def bounds(self, table: ColumnCounts) -> SearchBounds:
        """Return the limits as the compiled searches take them."""
        return SearchBounds(self.max_cuts(table), self.min_count(table), self.riser)


NO_LIMITS = BinLimits()
# The limits of all columns, or of each one.
ColumnLimits = BinLimits | Sequence[BinLimits]


def limits_by_column(limits: ColumnLimits, n_columns: int) -> list[BinLimits]:
    """Return the limits of each column."""
    return [limits] * n_columns if isinstance(limits, BinLimits) else list(limits)


def is_better(value: float, other: float) -> bool:
    """Return whether a score is higher than another by more than rounding."""
    return value - other > margin_of(value)


def first_of_best(values: NDArray[np.float64]) -> int:
    """Return the place of the first score that is as good as the best."""
    best = float(values.max())
    return int(np.argmax(values >= best - margin_of(best)))
