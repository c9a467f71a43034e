"""Bins of neighbouring values, on the way from single values to the final ones."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels
from cutwise.counts import Entries
from cutwise.search.limits import NO_LIMITS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.counts import CountTable
    from cutwise.criteria import Alikeness
    from cutwise.search.limits import Limits

# Chi-square is compared in units of 2**-30, or larger ones if a column weighs more than 2**30.
UNIT_BITS = 30
ROOM_BITS = 60


@dataclass(frozen=True, eq=False)
class Bins:
    """The bins of one column, which can only be merged further.

    Parameters
    ----------
    table : CountTable
        The counts of the single values.
    counts : Entries
        The counts of the bins.
    lasts : ndarray of int
        The place of the largest value of each bin.
    """

    table: CountTable
    counts: Entries
    lasts: NDArray[np.int64]

    @classmethod
    def of_values(cls, table: CountTable) -> Bins:
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

    def merged(self, alikeness: Alikeness, level: float, limits: Limits = NO_LIMITS) -> Bins:
        """Merge neighbours that are alike at a level of significance, then meet the limits."""
        alike = kernels.merging.PROPORTIONAL if alikeness.shares_decide else kernels.merging.PURE
        return self._merge(alikeness, level, limits, alike, 0)

    def limited(self, alikeness: Alikeness, level: float, limits: Limits) -> Bins:
        """Merge only what the limits demand, the most alike bins first."""
        return self._merge(alikeness, level, limits, kernels.merging.NOTHING, -kernels.merging.NEVER)

    def _merge(self, alikeness: Alikeness, level: float, limits: Limits, alike: int, below: int) -> Bins:
        weight = self.table.n_rows * self.table.unit
        scale = math.ldexp(1.0, min(UNIT_BITS, ROOM_BITS - math.frexp(weight)[1]))
        tables = alikeness.tables(level, int(np.count_nonzero(np.bincount(self.counts.labels))))
        thresholds = np.minimum(np.rint(tables.thresholds * scale), math.ldexp(1.0, ROOM_BITS)).astype(np.int64)
        most = self.table.n_values if limits.max_bins is None else limits.max_bins
        lasts, starts, labels, counts = kernels.merging.merge_values(
            self.counts.starts,
            self.counts.labels,
            self.counts.counts,
            (self.table.unit * scale, thresholds, tables.factors),
            alike,
            below,
            (limits.min_count(self.table), limits.direction, most),
        )
        return Bins(self.table, Entries(starts, labels, counts, self.counts.n_labels), self.lasts[lasts])
