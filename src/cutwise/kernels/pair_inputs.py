"""The tuples of arrays that the kernels on pairs of attributes take."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Rows(NamedTuple):
    """Training rows: bins[row, attribute], the class of each row, its weight, and an index.

    A missing value is in the bin n_bins[attribute]. The rows in bin b of attribute j are
    order[j, first] to order[j, stops[places[j] + b] - 1], where first is the stop of the bin
    before, or 0.
    """

    bins: NDArray[np.int32]
    labels: NDArray[np.int64]
    weights: NDArray[np.float64]
    order: NDArray[np.int32]
    places: NDArray[np.int64]
    stops: NDArray[np.int64]


class Cells(NamedTuple):
    """Rows by bin and class, for each attribute.

    Attribute j has n_bins[j] bins. Its width is one more if some training row lacks it: the
    last bin then holds the missing values. Bin b of attribute j is row offsets[j] + b of
    counts[cell, class], in which missing values are not counted.
    """

    n_bins: NDArray[np.int64]
    widths: NDArray[np.int64]
    offsets: NDArray[np.int64]
    counts: NDArray[np.float64]


class Pairs(NamedTuple):
    """Rows by two bins and class, for each pair of attributes u < k.

    Bin a of u with bin b of k is row starts[u, k] + a * widths[k] + b of counts[cell, class].
    """

    starts: NDArray[np.int64]
    counts: NDArray[np.float64]


class Smoothing(NamedTuple):
    """What is added to counts, for each attribute.

    P(bin | class) = (count + bin_add) / (rows + bin_total), and
    P(bin, class) = (count + joint_add) / (rows + joint_total).
    """

    bin_add: NDArray[np.float64]
    bin_total: NDArray[np.float64]
    joint_add: NDArray[np.float64]
    joint_total: NDArray[np.float64]
