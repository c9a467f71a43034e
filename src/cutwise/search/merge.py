"""Bottom-up searches: merge neighbours until the bins differ."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels
from cutwise.counts import SparseCounts
from cutwise.criteria import ColumnFreedom, KeptPurity, RowGrouping, critical_values
from cutwise.search.result import NO_LIMITS, BinLimits, SearchResult, limits_by_column, nothing_to_cut
from cutwise.search.unsupervised import equal_frequency_gaps

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from cutwise.counts import ColumnCounts, JointTable
    from cutwise.criteria import Alikeness, CairCriterion, ChiSquare, ConsistencyTest
    from cutwise.search.result import ColumnLimits

# Chi-square is compared in units of 2**-30, or larger ones if a column weighs more than 2**30.
UNIT_BITS = 30
ROOM_BITS = 60


@dataclass(frozen=True, eq=False)
class MergingBins:
    """The bins of one column, which can only be merged further.

    Parameters
    ----------
    table : ColumnCounts
        The counts of the single values.
    counts : SparseCounts
        The counts of the bins.
    lasts : ndarray of int
        The place of the largest value of each bin.
    """

    table: ColumnCounts
    counts: SparseCounts
    lasts: NDArray[np.int64]

    @classmethod
    def of_values(cls, table: ColumnCounts) -> MergingBins:
        """Make a bin of every value."""
        return cls(table, table.by_class, np.arange(table.n_values))

    @property
    def n_bins(self) -> int:
        """The number of bins."""
        return self.lasts.size

    @property
    def gaps(self) -> NDArray[np.int64]:
        """The gaps between the bins."""
        return self.lasts[:-1]

    def merged(self, alikeness: Alikeness, level: float, limits: BinLimits = NO_LIMITS) -> MergingBins:
        """Merge neighbours that are alike at a level of significance, then meet the limits."""
        alike = kernels.bins.merging.PROPORTIONAL if alikeness.shares_decide else kernels.bins.merging.PURE
        return self._merge(alikeness, level, limits, alike, 0)

    def limited(self, alikeness: Alikeness, level: float, limits: BinLimits) -> MergingBins:
        """Merge only what the limits demand, the most alike bins first."""
        return self._merge(alikeness, level, limits, kernels.bins.merging.NOTHING, -kernels.bins.merging.NEVER)

    def _merge(self, alikeness: Alikeness, level: float, limits: BinLimits, alike: int, below: int) -> MergingBins:
        weight = self.table.n_rows * self.table.unit
        scale = math.ldexp(1.0, min(UNIT_BITS, ROOM_BITS - math.frexp(weight)[1]))
        tables = alikeness.tables(level, int(np.count_nonzero(np.bincount(self.counts.labels))))
        thresholds = np.minimum(np.rint(tables.thresholds * scale), math.ldexp(1.0, ROOM_BITS)).astype(np.int64)
        most = self.table.n_values if limits.max_bins is None else limits.max_bins
        lasts, starts, labels, counts = kernels.bins.merging.merge_values(
            self.counts.starts,
            self.counts.labels,
            self.counts.counts,
            (self.table.unit * scale, thresholds, tables.factors),
            alike,
            below,
            (limits.min_count(self.table), limits.direction, most),
        )
        return MergingBins(self.table, SparseCounts(starts, labels, counts, self.counts.n_labels), self.lasts[lasts])


@dataclass(frozen=True)
class MergeSearch:
    """Begin with a bin for each value and merge the two neighbours that are most alike.

    Merging ends when all neighbours differ significantly. Of pairs that are equally
    alike up to rounding, the leftmost is merged.

    Parameters
    ----------
    alpha : float
        The level of significance. Smaller values give fewer cuts.
    alikeness : Alikeness
        How alike two neighbours are.

    Examples
    --------
    >>> from cutwise.counts import ColumnCounts
    >>> from cutwise.criteria import ChiSquare
    >>> from cutwise.search import MergeSearch
    >>> table = ColumnCounts.from_dense([1, 2, 3], [[4, 0], [0, 4], [1, 3]])
    >>> MergeSearch(alpha=0.1).run(ChiSquare(), table).gaps
    array([0])
    """

    alpha: float = 0.1
    alikeness: Alikeness = field(default_factory=ColumnFreedom)

    def run(self, criterion: ChiSquare, table: ColumnCounts, limits: BinLimits = NO_LIMITS) -> SearchResult:
        """Search the gaps of one column."""
        found = nothing_to_cut(table)
        if found is not None:
            return found
        bins = MergingBins.of_values(table).merged(self.alikeness, self.alpha, limits)
        stop = "significant" if bins.n_bins > 1 else "all_merged"
        if bins.n_bins == limits.max_bins:
            stop = "limit"
        return SearchResult(bins.gaps, stop, score=criterion.score(table, bins.gaps))


@dataclass(frozen=True)
class LevelSearch:
    """Merge at lower and lower levels of significance, first all columns, then each one.

    In the first phase all columns are merged at one level after the other, until the
    bins are no longer consistent enough. That level is undone. In the second phase the
    columns take turns, each with a level of its own; a column whose next level would
    break the consistency stays as it is.

    Parameters
    ----------
    alikeness : Alikeness
        How alike two neighbouring bins are.
    test : ConsistencyTest
        What the bins must satisfy.
    first_level, factor, last_level : float
        The levels: the first one, what the next one is multiplied by, and the lowest.

    Examples
    --------
    >>> import numpy as np
    >>> from cutwise.counts import ColumnCounts, JointTable
    >>> from cutwise.search import LevelSearch
    >>> table = ColumnCounts.from_dense([1, 2, 3, 4], [[1, 0], [1, 0], [0, 1], [0, 1]])
    >>> ranks = np.array([[0, 1, 2, 3]], dtype=np.int32)
    >>> no_nominal = np.empty((0, 4), dtype=np.int32)
    >>> joint = JointTable((table,), ranks, no_nominal, np.array([0, 0, 1, 1]), 2)
    >>> LevelSearch().run(joint)[0].gaps
    array([1])
    """

    alikeness: Alikeness = field(default_factory=ColumnFreedom)
    test: ConsistencyTest = field(default_factory=KeptPurity)
    first_level: float = 0.5
    factor: float = 0.9
    last_level: float = 1e-7

    def run(self, joint: JointTable, limits: ColumnLimits = NO_LIMITS) -> list[SearchResult]:
        """Search the gaps of all numeric columns."""
        state = _State(joint, self)
        level = self.first_level
        while level >= self.last_level and state.merge(range(len(joint.tables)), level):
            level *= self.factor
        levels = [level] * len(joint.tables)
        taking_turns = list(range(len(joint.tables)))
        while taking_turns:
            for column in tuple(taking_turns):
                if levels[column] >= self.last_level and state.merge([column], levels[column]):
                    levels[column] *= self.factor
                else:
                    taking_turns.remove(column)
        own = limits_by_column(limits, len(levels))
        return [state.found(column, level, own[column]) for column, level in enumerate(levels)]


class _State:
    """The bins of all columns and the groups of rows that they make."""

    def __init__(self, joint: JointTable, search: LevelSearch) -> None:
        self._search = search
        self._nothing = [nothing_to_cut(table) for table in joint.tables]
        self._bins = [MergingBins.of_values(table) for table in joint.tables]
        self._rows = RowGrouping(joint)
        self._at_first = self._rows.consistency()

    def merge(self, columns: Iterable[int], level: float) -> bool:
        """Merge some columns at a level; return whether the test holds, else change nothing."""
        changed = {}
        for column in columns:
            old = self._bins[column]
            if self._nothing[column] is None and old.n_bins > 1:
                new = old.merged(self._search.alikeness, level)
                if new.n_bins < old.n_bins:
                    changed[column] = new
        if not changed:
            return True
        rows = self._rows
        for column, new in changed.items():
            rows = rows.with_bins(column, new.lasts)
        if not self._search.test.holds(rows.consistency(), self._at_first):
            return False
        self._rows = rows
        for column, new in changed.items():
            self._bins[column] = new
        return True

    def found(self, column: int, level: float, limits: BinLimits) -> SearchResult:
        """Return the result for one column, with the limits met."""
        nothing = self._nothing[column]
        if nothing is not None:
            return nothing
        bins = self._bins[column]
        stop = "consistency" if level >= self._search.last_level else "last_level"
        if limits.max_bins is not None or limits.min_rows > 0 or limits.direction:
            limited = bins.limited(self._search.alikeness, level, limits)
            stop = stop if limited.n_bins == bins.n_bins else "limit"
            bins = limited
        return SearchResult(bins.gaps, stop if bins.n_bins > 1 else "all_merged")


# The first bins have this many rows for each class, as many as a table of counts should have.
ROWS_PER_CELL = 3


@dataclass(frozen=True)
class CaddSearch:
    """Start with equal frequencies, move cuts while CAIR rises, and join bins that do not differ.

    The first bins have three rows for each class or more. One cut at a time is moved by one
    value, always the move that raises CAIR most. Then the neighbours that differ least
    are joined, as long as their difference is not significant.

    Parameters
    ----------
    alpha : float
        The level of significance: bins of the same classes stay apart with this probability.

    Examples
    --------
    >>> from cutwise.counts import ColumnCounts
    >>> from cutwise.criteria import CairCriterion
    >>> from cutwise.search import CaddSearch
    >>> table = ColumnCounts.from_dense([1, 2, 3], [[9, 0], [0, 9], [1, 8]])
    >>> CaddSearch().run(CairCriterion(), table).gaps
    array([0])
    """

    alpha: float = 0.01

    def run(self, criterion: CairCriterion, table: ColumnCounts, limits: BinLimits = NO_LIMITS) -> SearchResult:
        """Search the gaps of one column."""
        found = nothing_to_cut(table)
        if found is not None:
            return found
        entries = table.by_class.without_absent_labels()
        # Weights that sum to a whole number but for rounding stand for that number of rows.
        n_bins = int(table.n_rows * table.unit * (1.0 + 1e-9) / (ROWS_PER_CELL * entries.n_labels))
        if n_bins < 2:
            return SearchResult(np.empty(0, dtype=np.int64), "few_rows", score=criterion.score(table, []))
        terms, scale = _count_terms(table)
        beyond = None if terms.size > table.n_rows else scale
        ends = table.bin_ends(equal_frequency_gaps(table, n_bins))
        counts = entries.by_bin(ends)
        rows = counts.sum(axis=1)
        if ends.size > 1:
            kernels.bins.cadd.climb(entries.labelled, ends, counts, rows, terms, beyond)
            # Rows times bits, in the units of the terms.
            bits = critical_values(self.alpha, entries.n_labels)[-1] * kernels.elementary.PER_LN_2
            least = scale * bits / (2.0 * table.unit)
            is_left = kernels.bins.cadd.merge_alike(counts, rows, terms, beyond, limits.bounds(table), least)
            ends = ends[np.append(is_left, True)]
        gaps = ends[:-1] - 1
        stop = "significant" if gaps.size else "all_merged"
        if ends.size == limits.max_bins:
            stop = "limit"
        return SearchResult(gaps, stop, score=criterion.score(table, gaps))


def _count_terms(table: ColumnCounts) -> tuple[NDArray[np.int64], float]:
    """Return a table of n log n, as whole numbers, and their scale."""
    n_rows = table.n_rows
    scale = kernels.bins.terms.choose_scale(n_rows)
    # Fractional weights have large counts that hardly ever meet.
    largest = n_rows if table.unit == 1.0 else min(n_rows, 1 << 16)
    return kernels.bins.terms.fill_count_terms(largest, scale), scale
