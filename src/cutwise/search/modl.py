"""The cheapest partition under MODL: the best of all where that is possible, else by merging."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels
from cutwise.counts import CountTable, Entries, thin
from cutwise.search.limits import NO_LIMITS, Limits
from cutwise.search.modl_exact import cheapest, cheapest_in_order, cheapest_with_unlabelled
from cutwise.search.modl_merge import merge
from cutwise.search.result import Found, nothing_to_cut

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.criteria import ModlCriterion

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
    >>> from cutwise.counts import CountTable
    >>> from cutwise.criteria import ModlCriterion
    >>> from cutwise.search import ModlSearch
    >>> table = CountTable.from_dense([1, 2, 3], [[9, 0], [0, 9], [1, 8]])
    >>> ModlSearch().run(ModlCriterion(), table).gaps
    array([0])
    """

    max_values: int = 1000

    def run(self, criterion: ModlCriterion, table: CountTable, limits: Limits = NO_LIMITS) -> Found:
        """Search the gaps of one column."""
        found = _nothing_to_cut(criterion, table)
        if found is not None:
            return found
        if limits.direction or criterion.unlabelled:
            return self._search_grid(criterion, table, limits)
        joined, lasts = table, np.arange(table.n_values)
        if limits.min_count(table) <= 1:
            joined, lasts = _join_pure_runs(table)
        grid, gap_of_grid = thin(joined, _most_merged(joined))
        if grid.n_values <= self.max_values:
            terms = criterion.terms(grid)
            gaps, stop = cheapest(grid.by_class, terms, limits.min_count(grid), limits.max_cuts(grid)), "optimum"
        else:
            gaps, stop = merge(criterion, grid, limits, self.max_values), "no_change"
        n_candidates = grid.n_values - 1 if grid.n_values < joined.n_values else None
        gaps = lasts[gap_of_grid[gaps]]
        return Found(gaps, stop, score=criterion.score(table, gaps), n_candidates=n_candidates)

    def _search_grid(self, criterion: ModlCriterion, table: CountTable, limits: Limits) -> Found:
        """Search all gaps, or those of a grid, exactly."""
        max_values = self.max_values
        if criterion.unlabelled:
            max_values = min(max_values, max(2, math.isqrt(int(2 * MAX_SHARES / table.n_classes**1.5))))
        if limits.direction:
            grid, gap_of_grid = thin(table, min(max_values, kernels.monotone.MAX_VALUES))
            gaps = gap_of_grid[cheapest_in_order(criterion, grid, limits)]
        else:
            grid, gap_of_grid = thin(table, max_values)
            gaps = gap_of_grid[cheapest_with_unlabelled(criterion, grid, limits)]
        n_candidates = grid.n_values - 1 if grid.n_values < table.n_values else None
        return Found(gaps, "optimum", score=criterion.score(table, gaps), n_candidates=n_candidates)


def _nothing_to_cut(criterion: ModlCriterion, table: CountTable) -> Found | None:
    """Return the answer for a table on which no search is needed, else None."""
    found = nothing_to_cut(table)
    if found is None and criterion.unlabelled and np.count_nonzero(table.by_class.totals()[:-1]) <= 1:
        found = Found(np.empty(0, dtype=np.int64), "one_class")
    return found


def _most_merged(table: CountTable) -> int:
    """Return how many values can be merged in the memory that is allowed."""
    n_classes = int(np.count_nonzero(table.by_class.totals()))
    return min(MAX_MERGED, max(2, MAX_CELLS // n_classes))


def _join_pure_runs(table: CountTable) -> tuple[CountTable, NDArray[np.int64]]:
    """Return the table of the runs of one class, and the last value of each run."""
    entries = table.by_class
    lasts, starts, labels, counts = kernels.modl_merge.join_pure_runs(entries.starts, entries.labels, entries.counts)
    by_class = Entries(starts, labels, counts, entries.n_labels)
    return replace(table, values=table.values[lasts], by_class=by_class, by_part=None, lows=None), lasts
