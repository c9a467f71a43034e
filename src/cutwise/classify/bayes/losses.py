"""Losses of a block of rows, and how they change with the scores.

A loss gets the scores of a block, which it may overwrite. It returns its total, and what
else it adds up, and its slopes: the derivative by each score. The formulas are in
`kernels.losses`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.classify.bayes.blocks import RowBlock

Loss = Callable[["NDArray[np.float64]", "RowBlock"], "tuple[NDArray[np.float64], NDArray[np.float64]]"]


def log_loss(scores: NDArray[np.float64], block: RowBlock) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the negative log-probability of the rows' own classes, and its slopes."""
    kernels.bayes.losses.shift_rows(scores)
    powers = kernels.elementary.exp_of(scores)
    total = kernels.bayes.losses.log_rows(scores, powers, block.labels, block.weights)
    return np.array([total]), powers


def squared_loss(scores: NDArray[np.float64], block: RowBlock) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return half the squared errors of the probabilities, and their slopes."""
    kernels.bayes.losses.shift_rows(scores)
    powers = kernels.elementary.exp_of(scores)
    return np.array([kernels.bayes.losses.squared_rows(powers, block.labels, block.weights)]), powers


def mixture_loss(mixing: float, *, published: bool) -> Loss:
    """Return the loss of two halves of scores whose probabilities are mixed.

    It adds up half the squared errors, and their derivative by the mixing.
    """

    def loss(scores: NDArray[np.float64], block: RowBlock) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        kernels.bayes.losses.shift_rows(scores.reshape(2 * scores.shape[0], -1))
        powers = kernels.elementary.exp_of(scores)
        totals = kernels.bayes.losses.mixed_rows(powers, block.labels, block.weights, mixing, published)
        return np.array(totals), powers

    return loss


LOSSES: dict[str, Loss] = {"mse": squared_loss, "cll": log_loss}
# What kernels.curvature calls them.
LOG, SQUARED, MIXED = 0, 1, 2
KINDS: dict[Loss, int] = {log_loss: LOG, squared_loss: SQUARED}
