"""Cuts that do not look at the class: equal widths, equal numbers of rows."""

from __future__ import annotations

import itertools
import math
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cutwise.search.result import NO_LIMITS, BinLimits, SearchResult, no_gap

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.counts import ColumnCounts
    from cutwise.criteria import Criterion


DONE = "shared_out"
# It stands for infinity.
LARGEST = sys.float_info.max


@dataclass(frozen=True)
class EqualWidthSearch:
    """Cut the range of the values into bins of equal width; some of them may be empty.

    Examples
    --------
    >>> from cutwise.counts import ColumnCounts
    >>> from cutwise.criteria import Relevance
    >>> table = ColumnCounts.from_dense([1, 2, 12], [[4], [4], [4]])
    >>> EqualWidthSearch(4).run(Relevance(), table).cuts
    array([3.75, 6.5 , 9.25])
    """

    n_bins: int

    def run(self, criterion: Criterion, table: ColumnCounts, limits: BinLimits = NO_LIMITS) -> SearchResult:  # noqa: ARG002
        """Return the cuts of one column."""
        found = no_gap(table)
        if found is not None:
            return found
        low, high = _finite_range(table)
        shares = np.arange(1, self.n_bins) / self.n_bins
        with np.errstate(over="ignore"):
            width = high - low
        cuts = low + shares * width if np.isfinite(width) else low * (1.0 - shares) + high * shares
        cuts = np.unique(cuts[(cuts >= low) & (cuts < high)] + 0.0)
        gaps = np.unique(np.searchsorted(table.values, cuts, side="right") - 1)
        return SearchResult(gaps, DONE, cuts=cuts, n_candidates=0)


def _finite_range(table: ColumnCounts) -> tuple[float, float]:
    """Return the smallest and the largest value; without infinities, unless there is nothing else."""
    lows, highs = table.first_values, table.values
    low, high = lows[lows > -LARGEST], highs[highs < LARGEST]
    if low.size and high.size and low[0] < high[-1]:
        return float(low[0]), float(high[-1])
    return float(lows[0]), float(highs[-1])


@dataclass(frozen=True)
class EqualFrequencySearch:
    """Cut where the rows below come nearest to each multiple of the n_bins-th part of all rows.

    Equal values stay together, so bins differ in size where values repeat, and two cuts may
    fall into one. Of two gaps equally near, the left one is taken.
    """

    n_bins: int

    def run(self, criterion: Criterion, table: ColumnCounts, limits: BinLimits = NO_LIMITS) -> SearchResult:  # noqa: ARG002
        """Return the gaps of one column."""
        found = no_gap(table)
        if found is not None:
            return found
        return SearchResult(equal_frequency_gaps(table, self.n_bins), DONE, n_candidates=0)


@dataclass(frozen=True)
class FixedSizeSearch:
    """Close a bin once it has `size` rows and the next value differs.

    Parameters
    ----------
    size : int
        The number of rows in a bin; the last bin takes what is left.
    """

    size: int

    def run(self, criterion: Criterion, table: ColumnCounts, limits: BinLimits = NO_LIMITS) -> SearchResult:  # noqa: ARG002
        """Return the gaps of one column."""
        found = no_gap(table)
        return _close_bins(table, self.size, None) if found is None else found


@dataclass(frozen=True)
class ProportionalSearch:
    """Let the size of the bins and their number grow together with the rows.

    n rows make t bins of s rows with s * t = n and s = t + extra.

    Parameters
    ----------
    extra : int
        How many more rows a bin has than there are bins.
    """

    extra: int = 0

    def run(self, criterion: Criterion, table: ColumnCounts, limits: BinLimits = NO_LIMITS) -> SearchResult:  # noqa: ARG002
        """Return the gaps of one column."""
        found = no_gap(table)
        if found is not None:
            return found
        n_rows = table.n_whole
        # The largest whole t with t * (t + extra) <= n.
        n_bins = max(1, (math.isqrt(self.extra**2 + 4 * n_rows) - self.extra) // 2)
        return _close_bins(table, n_rows // n_bins, n_bins)


def _close_bins(table: ColumnCounts, size: int, max_bins: int | None) -> SearchResult:
    """Walk through the values and close a bin whenever it is full."""
    below = table.rows_up_to
    least = math.ceil(min(size / table.unit, float(below[-1])))
    gaps: list[int] = []
    closed = 0
    while max_bins is None or len(gaps) < max_bins - 1:
        gap = int(np.searchsorted(below, closed + least))
        if gap >= table.n_values - 1:
            break
        gaps.append(gap)
        closed = int(below[gap])
    return SearchResult(np.array(gaps, dtype=np.int64), DONE, n_candidates=0)


def equal_frequency_gaps(table: ColumnCounts, n_bins: int) -> NDArray[np.int64]:
    """Return the gaps with nearest to 1, 2, … of n_bins equal parts of the rows below; of two, the left one.

    There may be fewer gaps than asked for, where one is the nearest to several parts.
    """
    below = table.rows_up_to
    if n_bins > below.size:
        return _gaps_near_parts(below, n_bins)
    whole, rest = divmod(int(below[-1]), n_bins)
    parts = np.arange(1, n_bins)
    # part / n_bins of the rows, as a whole number and n_bins-ths of a row.
    rows, fractions = parts * whole + parts * rest // n_bins, parts * rest % n_bins
    right = np.minimum(np.searchsorted(below[:-1], rows + (fractions > 0)), below.size - 2)
    left = np.maximum(right - 1, 0)
    # By how many rows the left gap must be nearer than the whole number says: twice the fraction, rounded up.
    lead = -(-2 * fractions // n_bins)
    is_left = (below[right] - rows) - (rows - below[left]) >= lead
    return np.unique(np.where(is_left, left, right))


def _gaps_near_parts(below: NDArray[np.int64], n_bins: int) -> NDArray[np.int64]:
    """Do as equal_frequency_gaps for more parts than values, gap by gap: its memory does not follow the parts."""
    counts = below.tolist()
    twice = 2 * counts[-1]
    # How many parts lie before the middle between a gap and the next one.
    ends = [(here + there) * n_bins // twice for here, there in itertools.pairwise(counts[:-1])]
    parts_before = np.array([0, *ends, n_bins - 1])
    return np.flatnonzero(np.diff(parts_before) > 0)


@dataclass(frozen=True)
class FixedCutsSearch:
    """Take the cuts that are given, whatever the values; some bins may be empty.

    Examples
    --------
    >>> from cutwise.counts import ColumnCounts
    >>> from cutwise.criteria import Relevance
    >>> table = ColumnCounts.from_dense([1, 2, 12], [[4], [4], [4]])
    >>> FixedCutsSearch((1.5, 20.0)).run(Relevance(), table).gaps
    array([0])
    """

    cuts: tuple[float, ...]

    def run(self, criterion: Criterion, table: ColumnCounts, limits: BinLimits = NO_LIMITS) -> SearchResult:  # noqa: ARG002
        """Return the cuts, and the gaps in which they lie."""
        cuts = np.array(self.cuts, dtype=np.float64)
        gaps = np.unique(np.searchsorted(table.values, cuts, side="right") - 1)
        inner = gaps[(gaps >= 0) & (gaps < table.n_values - 1)]
        return SearchResult(inner, "by_hand", cuts=cuts, n_candidates=0)
