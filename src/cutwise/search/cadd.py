"""CADD: equal frequencies, moved cuts, and a test of neighbouring bins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels
from cutwise.criteria import critical_values
from cutwise.search.limits import NO_LIMITS, Limits
from cutwise.search.result import Found, nothing_to_cut
from cutwise.search.unsupervised import equal_frequency_gaps

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.counts import CountTable
    from cutwise.criteria import CairCriterion

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
    >>> from cutwise.counts import CountTable
    >>> from cutwise.criteria import CairCriterion
    >>> from cutwise.search import CaddSearch
    >>> table = CountTable.from_dense([1, 2, 3], [[9, 0], [0, 9], [1, 8]])
    >>> CaddSearch().run(CairCriterion(), table).gaps
    array([0])
    """

    alpha: float = 0.01

    def run(self, criterion: CairCriterion, table: CountTable, limits: Limits = NO_LIMITS) -> Found:
        """Search the gaps of one column."""
        found = nothing_to_cut(table)
        if found is not None:
            return found
        entries = table.by_class.without_absent_labels()
        # Weights that sum to a whole number but for rounding stand for that number of rows.
        n_bins = int(table.n_rows * table.unit * (1.0 + 1e-9) / (ROWS_PER_CELL * entries.n_labels))
        if n_bins < 2:
            return Found(np.empty(0, dtype=np.int64), "few_rows", score=criterion.score(table, []))
        terms, scale = _count_terms(table)
        ends = table.bin_ends(equal_frequency_gaps(table, n_bins))
        counts = entries.by_bin(ends)
        rows = counts.sum(axis=1)
        if ends.size > 1:
            kernels.climbing.climb(entries.labelled, ends, counts, rows, terms, scale)
            # Rows times bits, in the units of the terms.
            bits = critical_values(self.alpha, entries.n_labels)[-1] * kernels.elementary.PER_LN_2
            least = scale * bits / (2.0 * table.unit)
            is_left = kernels.dependence.merge_alike(counts, rows, terms, scale, limits.bounds(table), least)
            ends = ends[np.append(is_left, True)]
        gaps = ends[:-1] - 1
        stop = "significant" if gaps.size else "all_merged"
        if ends.size == limits.max_bins:
            stop = "limit"
        return Found(gaps, stop, score=criterion.score(table, gaps))


def _count_terms(table: CountTable) -> tuple[NDArray[np.int64], float]:
    """Return a table of n log n, as whole numbers, and their scale."""
    n_rows = table.n_rows
    scale = kernels.terms.choose_scale(n_rows)
    # Fractional weights have large counts that hardly ever meet.
    largest = n_rows if table.unit == 1.0 else min(n_rows, 1 << 16)
    return kernels.terms.fill_count_terms(largest, scale), scale
