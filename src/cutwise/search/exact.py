"""Exact search by dynamic programming."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cutwise import kernels
from cutwise.counts import CountTable, thin
from cutwise.search.exact_in_order import best_in_order
from cutwise.search.limits import NO_LIMITS, Limits
from cutwise.search.result import Found, nothing_to_cut

if TYPE_CHECKING:
    from cutwise.criteria import Psi


@dataclass(frozen=True)
class ExactSearch:
    """Find the scheme with the highest Psi of all.

    Time grows with the square of the number of values, so a column with more than
    max_values distinct values is searched on a grid: neighbouring values are joined into
    groups of about equal size, and the result says how many gaps were left. Where the class
    rate must never fall, at most 500 values are searched.

    Parameters
    ----------
    max_values : int
        The largest number of values to search.

    Examples
    --------
    >>> from cutwise.counts import CountTable
    >>> from cutwise.criteria import Psi
    >>> from cutwise.search import ExactSearch
    >>> table = CountTable.from_dense([1, 2, 3], [[4, 0], [0, 4], [1, 3]])
    >>> ExactSearch().run(Psi(n_d=5.0), table).gaps
    array([0])
    """

    max_values: int = 2000

    def run(self, criterion: Psi, table: CountTable, limits: Limits = NO_LIMITS) -> Found:
        """Search the gaps of one column."""
        found = nothing_to_cut(table)
        if found is not None:
            return found
        most = min(self.max_values, kernels.monotone.MAX_VALUES) if limits.direction else self.max_values
        grid, gap_of_grid = thin(table, most)
        inputs = criterion.inputs(grid)
        bounds = limits.bounds(grid)
        if limits.direction:
            gaps, gain, loss = best_in_order(criterion, inputs, bounds)
        else:
            gaps, gain, loss = kernels.exact.best_cuts(*inputs, float(criterion.n_d), bounds)
        score = criterion.score_of_units(gaps.size, gain, loss, inputs[2])
        n_candidates = grid.n_values - 1 if grid.n_values < table.n_values else None
        return Found(gap_of_grid[gaps], "optimum", score=score, n_candidates=n_candidates)
