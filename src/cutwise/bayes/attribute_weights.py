"""Weights of attributes from what they tell of the class and of each other."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels
from cutwise.threads import interruptible

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.bayes.sample import Sample

# A mean of fewer bits than this is rounding: there is no information.
NO_BITS = 1e-12


def information_of_sample(sample: Sample) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the mutual information in bits of each attribute with the class, and of any two attributes.

    A pair is judged by the rows that have both. The second result is 0 on the diagonal.
    """
    columns = np.vstack([sample.codes.T, sample.labels.astype(np.int32)])
    n_codes = np.append(sample.n_bins, sample.classes.size)
    bits = interruptible(kernels.information.pair_information, columns, n_codes, sample.row_weights)
    return bits[:-1, -1], bits[:-1, :-1]


def weights_of_attributes(relevance: NDArray[np.float64], redundancy: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a weight between 0 and 1 for each attribute.

    The weight is 1 / (1 + exp(-d)) with d = relevance - mean redundancy, each of the two
    divided by its mean over all attributes. A part whose mean is 0 is left out, so that
    attributes that tell nothing have weight 0.5.

    Examples
    --------
    >>> import numpy as np
    >>> weights_of_attributes(np.array([0.2, 0.0]), np.array([[0.0, 0.1], [0.1, 0.0]]))
    array([0.73105858, 0.26894142])
    >>> weights_of_attributes(np.zeros(2), np.zeros((2, 2)))
    array([0.5, 0.5])
    """
    others = max(relevance.size - 1, 1)
    with_others = np.array([math.fsum(row) for row in redundancy.tolist()]) / others
    return np.asarray(1.0 / (1.0 + kernels.elementary.exp_of(_over_mean(with_others) - _over_mean(relevance))))


def _over_mean(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide by the mean; all zeros if that is zero."""
    mean = math.fsum(values.tolist()) / values.size
    return values / mean if mean > NO_BITS else np.zeros_like(values)
