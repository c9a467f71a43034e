"""Smoothed shares, for the classifiers that smooth the classes like the bins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray


def added_rows(
    smoothing: str, alpha: float, n_values: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what is added to the count of each value, and to all of them together.

    Examples
    --------
    >>> import numpy as np
    >>> added_rows("laplace", 1.0, np.array([2, 4]))
    (array([1., 1.]), array([2., 4.]))
    >>> added_rows("m", 1.0, np.array([2, 4]))
    (array([0.5 , 0.25]), array([1., 1.]))
    """
    values = np.asarray(n_values, dtype=np.float64)
    same = np.full(values.shape, float(alpha))
    return (same, same * values) if smoothing == "laplace" else (same / values, same)


def log_shares(counts: NDArray[np.float64], smoothing: str, alpha: float) -> NDArray[np.float64]:
    """Return the logarithm of the smoothed share of each class; the classes are the last axis.

    Examples
    --------
    >>> import numpy as np
    >>> np.exp(log_shares(np.array([3.0, 0.0]), "laplace", 1.0))
    array([0.8, 0.2])
    """
    add, in_all = added_rows(smoothing, alpha, np.array(counts.shape[-1]))
    log = kernels.elementary.log_of
    return np.asarray(log(counts + add) - log(counts.sum(axis=-1, keepdims=True) + in_all))
