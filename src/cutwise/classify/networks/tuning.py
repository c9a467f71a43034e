"""The size of the network, its penalty and its activation, by cross-validation inside the training rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from cutwise.classify.networks.columns import as_matrix, learn_columns
from cutwise.classify.networks.layers import ACTIVATIONS, LayerRows, layer_log_probabilities, random_draw, train_layers
from cutwise.validation import deal_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from cutwise.classify.networks.columns import TableCells
    from cutwise.classify.networks.layers import RVFLSettings

N_FOLDS = 4
# The first stage looks coarsely, with few layers.
FIRST_LAYERS = 3
FIRST_HIDDEN = (256, 512, 1024)
FIRST_C = tuple(2.0**power for power in range(-6, 13, 3))
# The second stage looks around the winner of the first, and for the number of layers.
MIN_LAYERS, MAX_LAYERS = 2, 10
HIDDEN_FACTORS = (0.8, 0.9, 1.0, 1.1, 1.2)
C_FACTORS = tuple(2.0**power for power in range(-2, 3))


@dataclass(frozen=True, eq=False)
class TuningFold:
    """Rows to learn from and rows to judge by, both standardised by the former."""

    learned: LayerRows
    judged: LayerRows


def tune(
    cells: TableCells,
    codes: NDArray[np.int64],
    weights: NDArray[np.float64],
    n_classes: int,
    settings: RVFLSettings,
    *,
    seed: int,
) -> tuple[RVFLSettings, float | None]:
    """Return the best settings and their accuracy on rows they did not learn from.

    Only n_layers, n_hidden, c and activation are chosen. A single row or a single class leaves
    nothing to choose by: the settings come back as they are.
    """
    if codes.size < 2 or n_classes < 2:
        return settings, None
    folds = make_folds(cells, codes, weights, n_classes, seed)
    n_rows = min(fold.learned.codes.size for fold in folds)
    sizes = first_hidden(n_rows + folds[0].learned.features.shape[1])
    first = [
        replace(settings, n_layers=FIRST_LAYERS, n_hidden=size, activation=activation, c=c)
        for size in sizes
        for c in FIRST_C
        for activation in ACTIVATIONS
    ]
    start, _ = best_of(first, folds, seed, fewest_layers=FIRST_LAYERS)
    around = sorted({max(1, round(start.n_hidden * factor)) for factor in HIDDEN_FACTORS})
    second = [
        replace(start, n_layers=MAX_LAYERS, n_hidden=size, c=start.c * factor)
        for size in around
        for factor in C_FACTORS
    ]
    return best_of(second, folds, seed, fewest_layers=MIN_LAYERS)


def first_hidden(limit: int) -> list[int]:
    """Return the numbers of neurons to try first; `limit` is the number of rows plus that of features."""
    sizes: Iterable[int] = FIRST_HIDDEN
    if 1.2 * max(FIRST_HIDDEN) > limit:
        sizes = (int(limit / 4.8), int(limit / 2.4), int(limit / 1.2))
    return sorted({max(1, size) for size in sizes})


def make_folds(
    cells: TableCells, codes: NDArray[np.int64], weights: NDArray[np.float64], n_classes: int, seed: int
) -> list[TuningFold]:
    """Split the rows into folds, each standardised by the rows it learns from."""
    fold_of_row = deal_rows(codes, min(N_FOLDS, codes.size), np.random.RandomState(seed))
    folds = []
    for number in range(fold_of_row.max() + 1):
        learned, judged = np.flatnonzero(fold_of_row != number), np.flatnonzero(fold_of_row == number)
        inner = cells.rows(learned)
        maps = learn_columns(inner, weights[learned])
        folds.append(
            TuningFold(
                LayerRows(as_matrix(inner, maps), codes[learned], weights[learned], n_classes),
                LayerRows(as_matrix(cells.rows(judged), maps), codes[judged], weights[judged], n_classes),
            )
        )
    return folds


def best_of(
    candidates: Sequence[RVFLSettings], folds: Sequence[TuningFold], seed: int, *, fewest_layers: int
) -> tuple[RVFLSettings, float]:
    """Return the candidate, and its number of layers, that is right most often; of equal ones the first."""
    best, best_score = candidates[0], -np.inf
    for candidate in candidates:
        scores = accuracy_by_layers(candidate, folds, seed)
        for n_layers in range(fewest_layers, candidate.n_layers + 1):
            if scores[n_layers - 1] > best_score + 1e-9:
                best, best_score = replace(candidate, n_layers=n_layers), float(scores[n_layers - 1])
    return best, best_score


def accuracy_by_layers(settings: RVFLSettings, folds: Sequence[TuningFold], seed: int) -> NDArray[np.float64]:
    """Return the accuracy for each number of layers from 1 on."""
    right, total = np.zeros(settings.n_layers), 0.0
    for fold in folds:
        draw = random_draw(settings.n_hidden, seed)
        layers = train_layers(fold.learned, settings, draw)
        # The first l layers make the same network whatever comes after them.
        summed = np.cumsum(np.exp(layer_log_probabilities(layers, fold.judged.features)), axis=0)
        right += (summed.argmax(axis=2) == fold.judged.codes) @ fold.judged.weights
        total += fold.judged.weights.sum()
    return right / total
