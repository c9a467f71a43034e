"""Bottom-up search: merge neighbouring values until the bins differ."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cutwise.criteria import ColumnFreedom
from cutwise.search.bins import Bins
from cutwise.search.limits import NO_LIMITS
from cutwise.search.result import Found, nothing_to_cut

if TYPE_CHECKING:
    from cutwise.counts import CountTable
    from cutwise.criteria import Alikeness, ChiSquare
    from cutwise.search.limits import Limits


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
    >>> from cutwise.counts import CountTable
    >>> from cutwise.criteria import ChiSquare
    >>> from cutwise.search import MergeSearch
    >>> table = CountTable.from_dense([1, 2, 3], [[4, 0], [0, 4], [1, 3]])
    >>> MergeSearch(alpha=0.1).run(ChiSquare(), table).gaps
    array([0])
    """

    alpha: float = 0.1
    alikeness: Alikeness = field(default_factory=ColumnFreedom)

    def run(self, criterion: ChiSquare, table: CountTable, limits: Limits = NO_LIMITS) -> Found:
        """Search the gaps of one column."""
        found = nothing_to_cut(table)
        if found is not None:
            return found
        bins = Bins.of_values(table).merged(self.alikeness, self.alpha, limits)
        stop = "significant" if bins.n_bins > 1 else "all_merged"
        if bins.n_bins == limits.max_bins:
            stop = "limit"
        return Found(bins.gaps, stop, score=criterion.score(table, bins.gaps))
