"""How much each row weighs in the next layer, by how well the last one predicted its class.

The article about weighted and pruned edRVFL offers four schemes; their formulas were not at hand.
**Those here are reconstructions** from its description: they share the idea, not the exact figures.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

# A class wins over another by more than this; below it they are alike, whatever the rounding.
TIE = 1e-9


@dataclass(frozen=True, eq=False)
class LayerVote:
    """What a layer says of the training rows.

    Parameters
    ----------
    p_true : ndarray of shape (n_rows,)
        The probability of each row's own class.
    margin : ndarray of shape (n_rows,)
        That probability minus the largest of the other classes.
    n_classes : int
    weights : ndarray of shape (n_rows,)
        The weights that the layer learned with, of mean 1.
    sample_weight : ndarray of shape (n_rows,)
        How often each row counts.
    """

    p_true: NDArray[np.float64]
    margin: NDArray[np.float64]
    n_classes: int
    weights: NDArray[np.float64]
    sample_weight: NDArray[np.float64]

    @property
    def wrong(self) -> NDArray[np.bool_]:
        """The rows for which another class wins."""
        return self.margin < -TIE


def by_confidence(verdict: LayerVote) -> NDArray[np.float64]:
    """Weigh by what is missing to certainty: 1 - p_true."""
    return 1.0 - verdict.p_true


def by_errors(verdict: LayerVote) -> NDArray[np.float64]:
    """Weigh misclassified rows twice."""
    return np.where(verdict.wrong, 2.0, 1.0)


def by_margin(verdict: LayerVote) -> NDArray[np.float64]:
    """Weigh by exp(-margin)."""
    return np.asarray(np.exp(-verdict.margin))


def by_samme(verdict: LayerVote) -> NDArray[np.float64]:
    """Weigh as the boosting method SAMME does: weights grow from layer to layer where a row is wrong.

    A layer without an error, or no better than chance, leaves the weights as they are.
    """
    error = float(np.average(verdict.wrong, weights=verdict.sample_weight * verdict.weights))
    if not 0.0 < error < 1.0 - 1.0 / verdict.n_classes:
        return verdict.weights
    factor = (1.0 - error) / error * (verdict.n_classes - 1)
    return np.where(verdict.wrong, factor, 1.0) * verdict.weights


SCHEMES: dict[str, Callable[[LayerVote], NDArray[np.float64]]] = {
    "confidence": by_confidence,
    "errors": by_errors,
    "margin": by_margin,
    "samme": by_samme,
}


def next_weights(
    scheme: str,
    probabilities: NDArray[np.float64],
    codes: NDArray[np.int64],
    weights: NDArray[np.float64],
    sample_weight: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the weights for the next layer, of mean 1 over the rows as often as they count."""
    rows = np.arange(codes.size)
    p_true = probabilities[rows, codes]
    others = probabilities.copy()
    others[rows, codes] = 0.0
    verdict = LayerVote(p_true, p_true - others.max(axis=1), probabilities.shape[1], weights, sample_weight)
    found = SCHEMES[scheme](verdict)
    mean = float(np.average(found, weights=sample_weight))
    return found / mean if mean > 0.0 else np.ones(codes.size)
