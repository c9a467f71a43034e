"""The cheapest of all partitions under MODL."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.counts import CountTable, Entries
    from cutwise.criteria import ModlCriterion
    from cutwise.kernels.inputs import FactorialTerms
    from cutwise.search.limits import Limits


def cheapest(entries: Entries, terms: FactorialTerms, min_count: int, max_cuts: int) -> NDArray[np.int64]:
    """Return the gaps of the cheapest partition of fully labelled rows, whatever the order of the rates."""
    n_values = entries.starts.size - 1
    scores = kernels.modl.fill_scores(entries.labelled, terms, min_count)
    offsets = kernels.modl.fill_offsets(min(max_cuts, n_values - 1), terms)
    gaps: NDArray[np.int64] = kernels.additive.best_cuts(scores, offsets, n_values)
    return gaps


def cheapest_with_unlabelled(criterion: ModlCriterion, table: CountTable, limits: Limits) -> NDArray[np.int64]:
    """Return the gaps of the cheapest partition where the last class stands for rows without one."""
    terms = criterion.terms(table)
    scores = kernels.modl.fill_unlabelled_scores(table.by_class.labelled, terms, limits.min_count(table), 0)
    offsets = kernels.modl.fill_offsets(limits.max_cuts(table), terms)
    gaps: NDArray[np.int64] = kernels.additive.best_cuts(scores, offsets, table.n_values)
    return gaps


def cheapest_in_order(criterion: ModlCriterion, table: CountTable, limits: Limits) -> NDArray[np.int64]:
    """Return the gaps of the cheapest partition whose rates go in one direction.

    A bin of unlabelled rows has no rate, and is not allowed.
    """
    terms = criterion.terms(table)
    labelled, min_count = table.by_class.labelled, limits.min_count(table)
    if criterion.unlabelled:
        scores = kernels.modl.fill_unlabelled_scores(labelled, terms, min_count, 1)
    else:
        scores = kernels.modl.fill_scores(labelled, terms, min_count)
    offsets = kernels.modl.fill_offsets(limits.max_cuts(table), terms)
    ends = np.zeros((table.n_values + 1, 2), dtype=np.int64)
    np.cumsum(table.class_counts[:, :2], axis=0, out=ends[1:])
    zeros, ones = ends.T if limits.direction == 1 else ends.T[::-1]
    by_rate, places = kernels.monotone.rank_bins(zeros, ones)
    gaps: NDArray[np.int64] = kernels.monotone.best_cuts(scores, by_rate, places, offsets, table.n_values)
    return gaps
