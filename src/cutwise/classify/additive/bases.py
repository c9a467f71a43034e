"""How a column's scores are made from weights that are all pulled to 0.

The scores of a column's bins are a basis times its weights, and the penalty is a multiple of the sum of the squared
weights. For ordered bins the weights are the jumps between neighbours, and a trend over all bins that is pulled much
less; for categories, missing and special values, which have no neighbours, they are the scores themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import linalg

if TYPE_CHECKING:
    from numpy.typing import NDArray

# How much longer than the jumps' the step of the trend is: the pull to a level line is weaker by its square.
TREND = 3.0


@dataclass(frozen=True, eq=False)
class ColumnBins:
    """What is known of the bins of a column.

    Parameters
    ----------
    rows : ndarray of float, of shape (n_bins,)
        The weight of the training rows in each bin.
    n_ordered : int
        The first so many bins are neighbours in this order; the others stand alone.
    """

    rows: NDArray[np.float64]
    n_ordered: int


def jump_spread(n_jumps: int, trend: float = TREND) -> NDArray[np.float64]:
    """Return how the jumps of a column vary together before any row is seen: each alone, and all with the trend."""
    return np.eye(n_jumps) + (trend / max(n_jumps, 1)) ** 2


def centred_steps(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the scores of ordered bins for a jump of 1 behind each bin but the last; their mean over rows is 0."""
    n_bins = rows.size
    steps = np.tri(n_bins, n_bins - 1, -1)
    total = float(rows.sum())
    shares = rows / total if total > 0.0 else np.full(n_bins, 1.0 / n_bins)
    return np.asarray(steps - shares @ steps)


def column_basis(bins: ColumnBins, trend: float = TREND) -> NDArray[np.float64]:
    """Return the basis [bin, weight] of a column."""
    n_ordered = bins.n_ordered
    alone = np.eye(bins.rows.size - n_ordered)
    if n_ordered < 2:
        return np.asarray(linalg.block_diag(np.zeros((n_ordered, 0)), alone))
    root = np.linalg.cholesky(jump_spread(n_ordered - 1, trend))
    return np.asarray(linalg.block_diag(centred_steps(bins.rows[:n_ordered]) @ root, alone))
