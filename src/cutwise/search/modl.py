"""The cheapest partition under MODL: the best of all where that is possible, else by merging."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from cutwise import kernels
from cutwise.counts import ColumnCounts, SparseCounts, thin
from cutwise.kernels.inputs import TIE_RELATIVE, margin_of
from cutwise.search.confirming import with_confirmed_cuts
from cutwise.search.in_order import N_MARGINS, first_gaps
from cutwise.search.result import NO_LIMITS, BinLimits, SearchResult, nothing_to_cut
from cutwise.search.shaped import cheapest_in_shape, most_values

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.criteria import ModlCriterion
    from cutwise.kernels.inputs import FactorialTerms


# Merging keeps a count for each value and class; a larger table is thinned.
MAX_MERGED = 1 << 21
MAX_CELLS = 1 << 24
# With unlabelled rows, the exact search shares out the rows of every bin to the classes.
MAX_SHARES = 1 << 28


@dataclass(frozen=True)
class ModlSearch:
    """Find the partition of the lowest MODL cost.

    Neighbouring values of one and the same class are joined first, which loses nothing. If
    at most max_values are left, the result is the best of all partitions. Otherwise values
    are merged into bins step by step, the best way to join the last max_values bins is
    found, and its cuts are moved, joined and split as long as that lowers the cost.

    With a direction or with unlabelled rows the search is always exact; a column with too
    many values for that is searched on a grid, and the result says how many gaps were left.

    Parameters
    ----------
    max_values : int
        The largest number of values for the exact search; with a direction at most 500.

    Examples
    --------
    >>> from cutwise.counts import ColumnCounts
    >>> from cutwise.criteria import ModlCriterion
    >>> from cutwise.search import ModlSearch
    >>> table = ColumnCounts.from_dense([1, 2, 3], [[9, 0], [0, 9], [1, 8]])
    >>> ModlSearch().run(ModlCriterion(), table).gaps
    array([0])
    """

    knows_limits: ClassVar[bool] = True

    max_values: int = 1000

    def run(self, criterion: ModlCriterion, table: ColumnCounts, limits: BinLimits = NO_LIMITS) -> SearchResult:
        """Search the gaps of one column."""
        found = _nothing_to_cut(criterion, table)
        if found is not None:
            return found
        labelled = _without_last_class(table) if criterion.unlabelled else table
        return with_confirmed_cuts(lambda limits: self._run(criterion, table, limits), labelled, limits)

    def _run(self, criterion: ModlCriterion, table: ColumnCounts, limits: BinLimits) -> SearchResult:
        """Search under limits, whether the cuts are confirmed or not."""
        if limits.direction or criterion.unlabelled or not limits.are_plain:
            return self._search_grid(criterion, table, limits)
        joined, lasts = table, np.arange(table.n_values)
        if limits.min_count(table) <= 1:
            joined, lasts = _join_pure_runs(table)
        n_classes = int(np.count_nonzero(joined.by_class.totals()))
        grid, gap_of_grid = thin(joined, min(MAX_MERGED, max(2, MAX_CELLS // n_classes)))
        if grid.n_values <= self.max_values:
            terms = criterion.terms(grid)
            gaps, stop = cheapest(grid.by_class, terms, limits.min_count(grid), limits.max_cuts(grid)), "optimum"
        else:
            gaps, stop = merge(criterion, grid, limits, self.max_values), "no_change"
        n_candidates = grid.n_values - 1 if grid.n_values < joined.n_values else None
        gaps = lasts[gap_of_grid[gaps]]
        return SearchResult(gaps, stop, score=criterion.score(table, gaps), n_candidates=n_candidates)

    def _search_grid(self, criterion: ModlCriterion, table: ColumnCounts, limits: BinLimits) -> SearchResult:
        """Search all gaps, or those of a grid, exactly."""
        max_values = self.max_values
        if criterion.unlabelled:
            max_values = min(max_values, max(2, math.isqrt(int(2 * MAX_SHARES / table.n_classes**1.5))))
        if not limits.are_plain:
            grid, gap_of_grid = thin(table, min(max_values, most_values(limits)))
            gaps = gap_of_grid[cheapest_in_shape(criterion, grid, limits)]
        elif limits.direction:
            grid, gap_of_grid = thin(table, min(max_values, kernels.bins.monotone.MAX_VALUES))
            gaps = gap_of_grid[cheapest_in_order(criterion, grid, limits)]
        else:
            grid, gap_of_grid = thin(table, max_values)
            gaps = gap_of_grid[cheapest_with_unlabelled(criterion, grid, limits)]
        n_candidates = grid.n_values - 1 if grid.n_values < table.n_values else None
        return SearchResult(gaps, "optimum", score=criterion.score(table, gaps), n_candidates=n_candidates)


def _nothing_to_cut(criterion: ModlCriterion, table: ColumnCounts) -> SearchResult | None:
    """Return the answer for a table on which no search is needed, else None."""
    found = nothing_to_cut(table)
    if found is None and criterion.unlabelled and np.count_nonzero(table.by_class.totals()[:-1]) <= 1:
        found = SearchResult(np.empty(0, dtype=np.int64), "one_class")
    return found


def _without_last_class(table: ColumnCounts) -> ColumnCounts:
    """Return the same values with the rows of the other classes alone; some may have none."""
    entries = table.by_class
    kept = entries.labels < entries.n_labels - 1
    starts = np.append(0, np.cumsum(kept))[entries.starts]
    by_class = SparseCounts(starts, entries.labels[kept], entries.counts[kept], entries.n_labels - 1)
    return replace(table, by_class=by_class, by_part=None)


def _join_pure_runs(table: ColumnCounts) -> tuple[ColumnCounts, NDArray[np.int64]]:
    """Return the table of the runs of one class, and the last value of each run."""
    entries = table.by_class
    lasts, starts, labels, counts = kernels.modl.merging.join_pure_runs(entries.starts, entries.labels, entries.counts)
    by_class = SparseCounts(starts, labels, counts, entries.n_labels)
    return replace(table, values=table.values[lasts], by_class=by_class, by_part=None, lows=None), lasts


def cheapest(entries: SparseCounts, terms: FactorialTerms, min_count: int, max_cuts: int) -> NDArray[np.int64]:
    """Return the gaps of the cheapest partition of fully labelled rows, whatever the order of the rates."""
    n_values = entries.starts.size - 1
    scores = kernels.modl.modl.fill_scores(entries.labelled, terms, min_count)
    offsets = kernels.modl.modl.fill_offsets(min(max_cuts, n_values - 1), terms)
    gaps: NDArray[np.int64] = kernels.bins.exact.best_cuts_with_offsets(scores, offsets, n_values)
    return gaps


def cheapest_with_unlabelled(criterion: ModlCriterion, table: ColumnCounts, limits: BinLimits) -> NDArray[np.int64]:
    """Return the gaps of the cheapest partition where the last class stands for rows without one."""
    terms = criterion.terms(table)
    scores = kernels.modl.modl.fill_unlabelled_scores(table.by_class.labelled, terms, limits.min_count(table), 0)
    offsets = kernels.modl.modl.fill_offsets(limits.max_cuts(table), terms)
    gaps: NDArray[np.int64] = kernels.bins.exact.best_cuts_with_offsets(scores, offsets, table.n_values)
    return gaps


def cheapest_in_order(criterion: ModlCriterion, table: ColumnCounts, limits: BinLimits) -> NDArray[np.int64]:
    """Return the gaps of the cheapest partition whose rates go in one direction.

    A bin of unlabelled rows has no rate, and is not allowed.
    """
    terms = criterion.terms(table)
    labelled, min_count = table.by_class.labelled, limits.min_count(table)
    if criterion.unlabelled:
        scores = kernels.modl.modl.fill_unlabelled_scores(labelled, terms, min_count, 1)
    else:
        scores = kernels.modl.modl.fill_scores(labelled, terms, min_count)
    offsets = kernels.modl.modl.fill_offsets(limits.max_cuts(table), terms)
    ends = np.zeros((table.n_values + 1, 2), dtype=np.int64)
    np.cumsum(table.class_counts[:, :2], axis=0, out=ends[1:])
    zeros, ones = ends.T.copy() if limits.direction == 1 else ends.T[::-1].copy()
    near = np.arange(table.n_values - 1)
    if not criterion.unlabelled:
        near = _near_gaps(zeros, ones, scores, offsets, terms)
    return near[_cheapest_of(near, zeros, ones, scores, offsets)]


def _cheapest_of(
    gaps: NDArray[np.int64],
    zeros: NDArray[np.int64],
    ones: NDArray[np.int64],
    scores: NDArray[np.float64],
    offsets: NDArray[np.float64],
) -> NDArray[np.int64]:
    """Return which of some gaps are those of the cheapest partition of rising rates."""
    edges = np.concatenate([[0], gaps + 1, [zeros.size - 1]])
    stops, starts = np.tril_indices(edges.size, -1)
    bins = kernels.bins.layers.triangle(edges[stops]) + edges[starts]
    by_rate, places = kernels.bins.monotone.rank_bins(zeros[edges], ones[edges])
    found: NDArray[np.int64] = kernels.bins.monotone.best_cuts(
        scores[bins], by_rate, places, offsets[: edges.size - 1], edges.size - 1
    )
    return found


def _near_gaps(
    zeros: NDArray[np.int64],
    ones: NDArray[np.int64],
    scores: NDArray[np.float64],
    offsets: NDArray[np.float64],
    terms: FactorialTerms,
) -> NDArray[np.int64]:
    """Return the gaps that may be in the cheapest partition of rising rates.

    A bin of two classes costs at least its rows times their entropy: the mean probability of its classes over all
    rates is at most that at the best one.
    """
    n_values = zeros.size - 1
    edges = kernels.bins.monotone.pool_falling(zeros, ones)
    few = first_gaps(zeros, edges)
    found = few[_cheapest_of(few, zeros, ones, scores, offsets)]
    best = float(kernels.bins.exact.sum_terms(found, scores, n_values)) + offsets[found.size]
    # Scores are rounded.
    floor = best - N_MARGINS * margin_of(best) - n_values
    per_bit = terms.unit * terms.scale / kernels.elementary.PER_LN_2
    bounds = kernels.bins.monotone.rising_scores(
        zeros, ones, edges, per_bit, np.zeros(scores.size, dtype=np.int64), scores > -np.inf
    )
    near: NDArray[np.int64] = kernels.bins.monotone.near_gaps(bounds, n_values, np.ones(offsets.size), offsets, floor)
    return np.union1d(near, found)


def merge(criterion: ModlCriterion, table: ColumnCounts, limits: BinLimits, max_values: int) -> NDArray[np.int64]:
    """Return the gaps that merging, the exact search on what is left and small changes lead to.

    The exact search runs twice: on the last max_values bins of the merging, and on half as
    many together with the gaps around the cuts that were found first.
    """
    terms = criterion.terms(table)
    min_count, max_bins = limits.min_count(table), limits.max_cuts(table) + 1
    entries = table.by_class.without_absent_labels()
    counts = entries.to_dense()
    n_left, best = kernels.modl.merging.merge_bins(counts, counts.sum(axis=1), terms, min_count, max_bins)
    least = max(int(TIE_RELATIVE * terms.scale * criterion.cost(table, [])), 0)

    def polish(gaps: NDArray[np.int64]) -> NDArray[np.int64]:
        polished: NDArray[np.int64] = kernels.modl.merging.polish(
            gaps, entries.labelled, terms, min_count, max_bins, least
        )
        return polished

    def cheapest_of(gaps: NDArray[np.int64]) -> NDArray[np.int64]:
        bins = SparseCounts.from_dense(entries.by_bin(table.bin_ends(gaps)))
        return polish(gaps[cheapest(bins, terms, min_count, max_bins - 1)])

    if best > max_values:
        return polish(np.flatnonzero(n_left <= best))
    first = cheapest_of(np.flatnonzero(n_left <= max_values))
    around = _around(first, n_left.size, max_values // 2)
    second = cheapest_of(np.union1d(around, np.flatnonzero(n_left <= max_values // 2)))
    is_cheaper = criterion.cost(table, second) < (1 - TIE_RELATIVE) * criterion.cost(table, first)
    return second if is_cheaper else first


def _around(gaps: NDArray[np.int64], n_gaps: int, room: int) -> NDArray[np.int64]:
    """Return about `room` gaps, as many to the left and right of each of some."""
    reach = room // (2 * max(gaps.size, 1))
    near = gaps[:, None] + np.arange(-reach, reach + 1)
    return np.unique(np.clip(near, 0, n_gaps - 1))
