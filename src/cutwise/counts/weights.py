"""Weights of rows as whole numbers, so that sums of them are exact."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Sums of fractional weights are kept in this many bits.
N_BITS = 46


def whole_weights(weights: NDArray[np.float64]) -> tuple[NDArray[np.int64], float]:
    """Return positive weights as whole numbers of a unit, and the unit.

    Whole weights stay as they are. Others are rounded to a multiple of a power of two that
    is 2**-46 of their sum or less; none of them becomes zero.

    Examples
    --------
    >>> import numpy as np
    >>> whole_weights(np.array([1.0, 3.0]))
    (array([1, 3]), 1.0)
    >>> units, unit = whole_weights(np.array([0.5, 0.1]))
    >>> units * unit
    array([0.5, 0.1])
    """
    total = math.fsum(weights.tolist())
    if total < 1 << N_BITS and np.array_equal(weights, np.rint(weights)):
        return weights.astype(np.int64), 1.0
    unit = math.ldexp(1.0, math.frexp(total)[1] - N_BITS)
    return np.maximum(np.rint(weights / unit), 1).astype(np.int64), unit


def relative_weights(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return positive weights in the same proportions that sum to their number.

    Weights that differ by a power of two give the same bits, and equal weights are all 1.

    Examples
    --------
    >>> import numpy as np
    >>> relative_weights(np.array([1.0, 3.0])), relative_weights(np.array([5e-324, 5e-324]))
    (array([0.5, 1.5]), array([1., 1.]))
    """
    # Weights as small as 2**-1074 of the largest become 0 here, and one unit below.
    units, _ = whole_weights(np.ldexp(weights, -math.frexp(float(weights.max()))[1]))
    units //= np.gcd.reduce(units)
    return np.asarray(units * (units.size / int(units.sum())), dtype=np.float64)
