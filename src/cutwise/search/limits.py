"""What a scheme must satisfy besides a good score."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cutwise.kernels.inputs import Bounds

if TYPE_CHECKING:
    from cutwise.counts import CountTable


@dataclass(frozen=True)
class Limits:
    """The limits of one search.

    Parameters
    ----------
    max_bins : int or None
        The largest number of bins.
    min_rows : float
        The smallest weight of a bin; without weights its number of rows.
    direction : {-1, 0, 1}
        Whether the rate of the second class must never rise (-1) or never fall (1) from
        bin to bin; 0 if it may do both. Only for two classes.
    """

    max_bins: int | None = None
    min_rows: float = 0.0
    direction: int = 0

    def max_cuts(self, table: CountTable) -> int:
        """Return the largest number of cuts in a table."""
        gaps = max(table.n_values - 1, 0)
        return gaps if self.max_bins is None else min(gaps, self.max_bins - 1)

    def min_count(self, table: CountTable) -> int:
        """Return the smallest count of a bin, in the units of the table."""
        # More than all rows have is as good as any larger number, which may be too large to count with.
        return math.ceil(min(self.min_rows / table.unit, float(table.n_rows + 1)))

    @property
    def riser(self) -> int:
        """The class whose share must not fall from bin to bin; -1 if there is none."""
        return -1 if self.direction == 0 else (self.direction + 1) // 2

    def bounds(self, table: CountTable) -> Bounds:
        """Return the limits as the compiled searches take them."""
        return Bounds(self.max_cuts(table), self.min_count(table), self.riser)


NO_LIMITS = Limits()
