"""Cuts that are given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cutwise.search.limits import NO_LIMITS, Limits
from cutwise.search.result import Found

if TYPE_CHECKING:
    from cutwise.counts import CountTable
    from cutwise.criteria import Criterion


@dataclass(frozen=True)
class FixedCutsSearch:
    """Take the cuts that are given, whatever the values; some bins may be empty.

    Examples
    --------
    >>> from cutwise.counts import CountTable
    >>> from cutwise.criteria import Relevance
    >>> table = CountTable.from_dense([1, 2, 12], [[4], [4], [4]])
    >>> FixedCutsSearch((1.5, 20.0)).run(Relevance(), table).gaps
    array([0])
    """

    cuts: tuple[float, ...]

    def run(self, criterion: Criterion, table: CountTable, limits: Limits = NO_LIMITS) -> Found:  # noqa: ARG002
        """Return the cuts, and the gaps in which they lie."""
        cuts = np.array(self.cuts, dtype=np.float64)
        gaps = np.unique(np.searchsorted(table.values, cuts, side="right") - 1)
        inner = gaps[(gaps >= 0) & (gaps < table.n_values - 1)]
        return Found(inner, "by_hand", cuts=cuts, n_candidates=0)
