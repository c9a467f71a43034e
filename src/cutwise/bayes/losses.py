"""Losses of a block of rows, and how they change with the scores.

A loss gets the scores [row, class] and the block they belong to. It returns its total and
its slopes: the derivative by each score. With p the softmax of a row's scores, Y the row
of 0 and 1 that marks its class, r = Y - p and w its weight:

    cll   -w log p[own class]        slope  -w r
    mse   w/2 sum over c of r_c**2   slope  -w p_c (r_c - sum over k of r_k p_k)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.bayes.blocks import Block

Loss = Callable[["NDArray[np.float64]", "Block"], "tuple[NDArray[np.float64], NDArray[np.float64]]"]


def softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probabilities that belong to the scores of each row."""
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    p /= row_sums(p)
    return np.asarray(p)


def row_sums(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sum of each row, as a column; a product with ones is much faster than a sum of short rows."""
    return np.asarray(values @ np.ones((values.shape[1], 1)))


def squared_slopes(p: NDArray[np.float64], r: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the derivative of half the squared errors by the scores; r holds weighted errors."""
    slopes = row_sums(r * p) - r
    slopes *= p
    return slopes


def conditional_log_loss(scores: NDArray[np.float64], block: Block) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the negative log-probability of the rows' own classes, and its slopes."""
    shifted = scores - scores.max(axis=1, keepdims=True)
    p = np.exp(shifted)
    sums = row_sums(p)
    p /= sums
    losses = np.log(sums[:, 0]) - shifted.ravel()[block.own]
    total = losses.sum() if block.weights is None else losses @ block.weights[:, 0]
    return np.array([total]), -block.weighted(block.errors(p))


def squared_loss(scores: NDArray[np.float64], block: Block) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return half the squared errors of the probabilities, and their slopes."""
    p = softmax(scores)
    errors = block.errors(p)
    weighted = block.weighted(errors)
    return np.array([0.5 * np.vdot(errors, weighted)]), squared_slopes(p, weighted)


LOSSES: dict[str, Loss] = {"mse": squared_loss, "cll": conditional_log_loss}
