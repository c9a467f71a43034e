"""Greedy top-down search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels
from cutwise.criteria import Psi, Score
from cutwise.search.result import NO_LIMITS, BinLimits, SearchResult, SearchStep, nothing_to_cut

if TYPE_CHECKING:
    from cutwise.counts import ColumnCounts

_STOPS = ("no_gain", "limit", "all_cut", "no_room")


@dataclass(frozen=True)
class GreedySearch:
    """Add the cut that raises the criterion most, as long as it rises.

    Of cuts that are equally good up to rounding, the leftmost is taken.

    Parameters
    ----------
    max_cuts : int or None
        The largest number of cuts.

    Examples
    --------
    >>> from cutwise.counts import ColumnCounts
    >>> from cutwise.criteria import Psi
    >>> from cutwise.search import GreedySearch
    >>> table = ColumnCounts.from_dense([1, 2, 3], [[4, 0], [0, 4], [1, 3]])
    >>> GreedySearch().run(Psi(), table).gaps
    array([0, 1])
    """

    max_cuts: int | None = None

    def run(self, criterion: Psi, table: ColumnCounts, limits: BinLimits = NO_LIMITS) -> SearchResult:
        """Search the gaps of one column."""
        found = nothing_to_cut(table)
        if found is not None:
            return found
        labelled, parts, terms = criterion.inputs(table)
        bounds = limits.bounds(table)
        max_cuts = bounds.max_cuts if self.max_cuts is None else min(bounds.max_cuts, self.max_cuts)
        tried, n_cuts, stop = kernels.bins.splitting.add_cuts(
            labelled, parts, terms, float(criterion.n_d), max_cuts, bounds if bounds.restrict else None
        )
        rows = enumerate(tried.tolist(), start=1)
        steps = tuple(SearchStep(gap, criterion.score_of_units(k, gain, loss, terms)) for k, (gap, gain, loss) in rows)
        accepted = steps[:n_cuts]
        return SearchResult(
            np.sort(tried[:n_cuts, 0]),
            _STOPS[stop],
            score=accepted[-1].score if accepted else Score(0.0, 0.0, 0.0),
            steps=accepted,
            refused=steps[n_cuts] if len(steps) > n_cuts else None,
        )
