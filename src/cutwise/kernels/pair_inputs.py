"""The tuples of arrays that the kernels on pairs of attributes take."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Rows(NamedTuple):
    """Training rows: bins[row, attribute], the class of each row and its weight in units."""

    bins: NDArray[np.int32]
    classes: NDArray[np.int32]
    weights: NDArray[np.int64]


class Cells(NamedTuple):
    """Rows by bin and class, for each attribute.

    Attribute j has the bins 0 to n_bins[j] - 1 and, if a training row lacks it, one more
    for missing values: widths[j] in all. Bin b of attribute j is row starts[j] + b of
    counts[cell, class].
    """

    n_bins: NDArray[np.int64]
    widths: NDArray[np.int64]
    starts: NDArray[np.int64]
    counts: NDArray[np.int64]


class Pairs(NamedTuple):
    """Rows by two bins and class, for each pair of attributes u < k.

    Bin a of u with bin b of k is row starts[u, k] + a * widths[k] + b of counts[cell, class].
    """

    starts: NDArray[np.int64]
    counts: NDArray[np.int64]


class Smoothing(NamedTuple):
    """What is added to counts, for each attribute.

    P(bin | class) = (count + bin_add) / (rows + bin_total), and
    P(bin, class) = (count + joint_add) / (rows + joint_total).
    A count is a number of units; `unit` is what a unit weighs.
    """

    unit: float
    bin_add: NDArray[np.float64]
    bin_total: NDArray[np.float64]
    joint_add: NDArray[np.float64]
    joint_total: NDArray[np.float64]
