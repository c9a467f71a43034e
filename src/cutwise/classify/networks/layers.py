"""The layers of an ensemble deep RVFL network: how they learn, what they say and how much rows weigh.

The article about weighted and pruned edRVFL offers four schemes of weights; their formulas were not at hand.
**Those here are reconstructions** from its description: they share the idea, not the exact figures.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import linalg
from scipy.special import expit, log_softmax, logsumexp, softmax

from cutwise.threads import check_stop

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Draw = Callable[[int, int], tuple[NDArray[np.float64], NDArray[np.float64]]]

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


SELU_SCALE = 1.0507009873554805
SELU_ALPHA = 1.6732632423543772
# A column that varies by less than this, relative to its values, is constant.
FLAT = 1e-12


def selu(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the scaled exponential linear unit."""
    below = np.minimum(x, 0.0)
    np.expm1(below, out=below)
    below *= SELU_ALPHA
    np.copyto(below, x, where=x > 0.0)
    below *= SELU_SCALE
    return below


def relu(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the positive part."""
    return np.maximum(x, 0.0)


def sigmoid(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the logistic function."""
    return np.asarray(expit(x), dtype=np.float64)


ACTIVATIONS = {"selu": selu, "relu": relu, "sigmoid": sigmoid}


def activated(
    activation: str, inputs: NDArray[np.float64], weights: NDArray[np.float64], offsets: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return what hidden neurons make of their inputs."""
    sums = inputs @ weights
    sums += offsets
    return ACTIVATIONS[activation](sums)


@dataclass(frozen=True)
class RVFLSettings:
    """What decides the network; see RVFLClassifier."""

    n_layers: int
    n_hidden: int
    c: float
    activation: str
    weighting: str | None
    prune: float
    renormalise: bool


@dataclass(frozen=True, eq=False)
class LayerRows:
    """Rows to learn from or to judge by.

    Parameters
    ----------
    features : ndarray of shape (n_rows, n_features)
    codes : ndarray of int
        The place of each row's class among the classes.
    weights : ndarray
        How often each row counts.
    n_classes : int
    """

    features: NDArray[np.float64]
    codes: NDArray[np.int64]
    weights: NDArray[np.float64]
    n_classes: int


@dataclass(frozen=True, eq=False)
class RVFLLayer:
    """One layer: random hidden neurons and a classifier learned on them.

    Parameters
    ----------
    inputs : ndarray of shape (n_inputs, n_hidden)
        The random weights of the hidden neurons.
    offsets : ndarray of shape (n_hidden,)
        Their random offsets.
    activation : str
    mean, std : ndarray of shape (n_hidden,)
        What standardises the hidden neurons; 0 and 1 where they are left alone.
    outputs : ndarray of shape (n_features + n_hidden + 1, n_classes)
        The learned coefficients of the features, the hidden neurons and the constant.
    kept : ndarray of int
        The hidden neurons that the next layer sees.
    """

    inputs: NDArray[np.float64]
    offsets: NDArray[np.float64]
    activation: str
    mean: NDArray[np.float64]
    std: NDArray[np.float64]
    outputs: NDArray[np.float64]
    kept: NDArray[np.int64]

    def hidden(self, inputs: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the standardised hidden neurons."""
        active = activated(self.activation, inputs, self.inputs, self.offsets)
        active -= self.mean
        active /= self.std
        return active

    def scores(self, features: NDArray[np.float64], hidden: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the score of each row and class."""
        n_features = features.shape[1]
        by_features = features @ self.outputs[:n_features]
        by_hidden = hidden @ self.outputs[n_features:-1]
        total: NDArray[np.float64] = by_features + by_hidden + self.outputs[-1]
        return total


def random_draw(n_hidden: int, seed: int) -> Draw:
    """Return a source of random layers: weights from -1 to 1, offsets from 0 to 1.

    A network that was saved is drawn again from its seed. So only the whole numbers of PCG64 are
    taken from numpy, which promises that they stay the same, and made doubles here.
    """
    source = np.random.PCG64(seed)

    def from_0_to_1(*shape: int) -> NDArray[np.float64]:
        whole = np.asarray(source.random_raw(math.prod(shape)), dtype=np.uint64)
        return np.ldexp((whole >> np.uint64(11)).astype(np.float64), -53).reshape(shape)

    def draw(_place: int, n_inputs: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return 2.0 * from_0_to_1(n_inputs, n_hidden) - 1.0, from_0_to_1(n_hidden)

    return draw


def train_layers(sample: LayerRows, settings: RVFLSettings, draw: Draw) -> list[RVFLLayer]:
    """Learn the layers one after the other; an earlier layer never depends on a later one."""
    features, codes, sample_weight = sample.features, sample.codes, sample.weights
    targets = np.eye(sample.n_classes)[codes]
    ones = np.ones((codes.size, 1))
    weights, inputs = np.ones(codes.size), features
    layers: list[RVFLLayer] = []
    for place in range(settings.n_layers):
        check_stop()
        drawn, offsets = draw(place, inputs.shape[1])
        hidden = activated(settings.activation, inputs, drawn, offsets)
        mean, std = np.zeros(offsets.size), np.ones(offsets.size)
        if settings.renormalise:
            mean, std = column_moments(hidden, sample_weight)
            hidden -= mean
            hidden /= std
        design = np.hstack([features, hidden, ones])
        # In one order in memory, so that a network that was saved multiplies the same way.
        outputs = np.ascontiguousarray(ridge(design, targets, sample_weight * weights, settings.c))
        kept = strongest(outputs[features.shape[1] : -1], settings.prune)
        layer = RVFLLayer(drawn, offsets, settings.activation, mean, std, outputs, kept)
        layers.append(layer)
        if settings.weighting is not None:
            probabilities = softmax(layer.scores(features, hidden), axis=1)
            weights = next_weights(settings.weighting, probabilities, codes, weights, sample_weight)
        inputs = np.hstack([features, hidden.take(kept, axis=1)])
    return layers


def column_moments(
    columns: NDArray[np.float64], sample_weight: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the mean and the standard deviation (n - 1) of each column; 1 for a constant column."""
    total = sample_weight.sum()
    mean = sample_weight @ columns / total
    std = np.sqrt(sample_weight @ (columns - mean) ** 2 / degrees_of_freedom(total))
    low, high = columns.min(axis=0), columns.max(axis=0)
    std[high - low <= FLAT * np.maximum(np.abs(low), np.abs(high))] = 1.0
    return mean, std


def degrees_of_freedom(total: float) -> float:
    """Return n - 1 for a weight n of all rows; half of it where that would vanish, below 2."""
    return max(total - 1.0, total / 2.0)


def strongest(outputs: NDArray[np.float64], prune: float) -> NDArray[np.int64]:
    """Return the neurons that are left when the fraction with the smallest coefficients is dropped.

    Norms that are equal up to a relative 1e-9 are alike: the first one is dropped first.
    """
    norms = np.linalg.norm(outputs, axis=1)
    n_dropped = int(prune * norms.size + 1e-9)
    largest = norms.max(initial=0.0)
    ranks = np.argsort(np.rint(norms / largest * 1e9) if largest > 0.0 else norms, kind="stable")
    return np.sort(ranks[n_dropped:])


def layer_log_probabilities(layers: Sequence[RVFLLayer], features: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what each layer says, [layer, row, class]."""
    inputs, said = features, []
    for layer in layers:
        hidden = layer.hidden(inputs)
        said.append(log_softmax(layer.scores(features, hidden), axis=1))
        inputs = np.hstack([features, hidden.take(layer.kept, axis=1)])
    return np.stack(said)


def ensemble_log_probabilities(layers: Sequence[RVFLLayer], features: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the logarithm of the mean probability over the layers, [row, class]."""
    said = layer_log_probabilities(layers, features)
    mean: NDArray[np.float64] = logsumexp(said, axis=0) - np.log(len(layers))
    return mean


def ridge(
    design: NDArray[np.float64], targets: NDArray[np.float64], weights: NDArray[np.float64], c: float
) -> NDArray[np.float64]:
    """Return the coefficients that minimise weighted squared errors plus their own squares / c.

    With D the design, Y the targets, Ω the weights on a diagonal, they are

        (I/c + DᵀΩD)⁻¹ DᵀΩY  =  √Ω-scaled  Dᵀ (I/c + DDᵀ)⁻¹ Y.

    The left form has an equation for each column, the right one for each row; the one with fewer
    equations is solved.
    """
    roots = np.sqrt(weights)[:, np.newaxis]
    scaled, goal = design * roots, targets * roots
    n_rows, n_columns = design.shape
    solve = solve_by_columns if n_columns <= n_rows else solve_by_rows
    try:
        return solve(scaled, goal, c)
    except linalg.LinAlgError:
        # The penalty is lost in the rounding of large sums: solve without forming them.
        return solve_without_squares(scaled, goal, c)


def solve_by_columns(design: NDArray[np.float64], targets: NDArray[np.float64], c: float) -> NDArray[np.float64]:
    """Solve the equations of the columns: (I/c + DᵀD) β = DᵀY."""
    return _solve_positive(design.T @ design, design.T @ targets, c)


def solve_by_rows(design: NDArray[np.float64], targets: NDArray[np.float64], c: float) -> NDArray[np.float64]:
    """Solve the equations of the rows: β = Dᵀ (I/c + DDᵀ)⁻¹ Y."""
    coefficients: NDArray[np.float64] = design.T @ _solve_positive(design @ design.T, targets, c)
    return coefficients


def solve_without_squares(design: NDArray[np.float64], targets: NDArray[np.float64], c: float) -> NDArray[np.float64]:
    """Solve the same problem as least squares with a row more for each column; slower and more exact."""
    n_columns = design.shape[1]
    rows = np.vstack([design, np.eye(n_columns) / np.sqrt(c)])
    goal = np.vstack([targets, np.zeros((n_columns, targets.shape[1]))])
    coefficients: NDArray[np.float64] = linalg.lstsq(rows, goal, check_finite=False)[0]
    return coefficients


def _solve_positive(square: NDArray[np.float64], goal: NDArray[np.float64], c: float) -> NDArray[np.float64]:
    """Solve (I/c + square) x = goal by Cholesky's method, in place."""
    square.flat[:: len(square) + 1] += 1.0 / c
    factor = linalg.cho_factor(square, lower=True, overwrite_a=True, check_finite=False)
    solution: NDArray[np.float64] = linalg.cho_solve(factor, goal, check_finite=False)
    return solution
