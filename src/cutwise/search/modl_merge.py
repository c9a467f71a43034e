"""A cheap partition under MODL of a column with too many values to try all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels
from cutwise.counts import Entries
from cutwise.search.modl_exact import cheapest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.counts import CountTable
    from cutwise.criteria import ModlCriterion
    from cutwise.search.limits import Limits

# Costs within this relative distance are equal.
TIE = 1e-9


def merge(criterion: ModlCriterion, table: CountTable, limits: Limits, max_values: int) -> NDArray[np.int64]:
    """Return the gaps that merging, the exact search on what is left and small changes lead to.

    The exact search runs twice: on the last max_values bins of the merging, and on half as
    many together with the gaps around the cuts that were found first.
    """
    terms = criterion.terms(table)
    min_count, max_bins = limits.min_count(table), limits.max_cuts(table) + 1
    entries = table.by_class.without_absent_labels()
    counts = entries.to_dense()
    n_left, best = kernels.modl_merge.merge_bins(counts, counts.sum(axis=1), terms, min_count, max_bins)
    least = max(int(TIE * terms.scale * criterion.cost(table, [])), 0)

    def polish(gaps: NDArray[np.int64]) -> NDArray[np.int64]:
        polished: NDArray[np.int64] = kernels.modl_polish.polish(
            gaps, entries.labelled, terms, min_count, max_bins, least
        )
        return polished

    def cheapest_of(gaps: NDArray[np.int64]) -> NDArray[np.int64]:
        bins = Entries.from_dense(entries.by_bin(table.bin_ends(gaps)))
        return polish(gaps[cheapest(bins, terms, min_count, max_bins - 1)])

    if best > max_values:
        return polish(np.flatnonzero(n_left <= best))
    first = cheapest_of(np.flatnonzero(n_left <= max_values))
    around = _around(first, n_left.size, max_values // 2)
    second = cheapest_of(np.union1d(around, np.flatnonzero(n_left <= max_values // 2)))
    is_cheaper = criterion.cost(table, second) < (1 - TIE) * criterion.cost(table, first)
    return second if is_cheaper else first


def _around(gaps: NDArray[np.int64], n_gaps: int, room: int) -> NDArray[np.int64]:
    """Return about `room` gaps, as many to the left and right of each of some."""
    reach = room // (2 * max(gaps.size, 1))
    near = gaps[:, None] + np.arange(-reach, reach + 1)
    return np.unique(np.clip(near, 0, n_gaps - 1))
