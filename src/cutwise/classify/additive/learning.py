"""From rows of codes to the scores of all bins."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cutwise.classify.additive.bases import ColumnBins, column_basis
from cutwise.classify.additive.constrained import descend_within, jump_bounds
from cutwise.classify.additive.curvature import invert
from cutwise.classify.additive.newton import descend
from cutwise.classify.additive.pairs import (
    ChosenPairs,
    HeldOutFold,
    PairRows,
    choose_pairs,
    coarse_column,
    padded,
)
from cutwise.classify.additive.problem import Problem
from cutwise.classify.additive.strength import FIRST, STRENGTHS, choose_strength
from cutwise.classify.bayes.tables import count_sample

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.classify.additive.pairs import CoarseColumn, Pair
    from cutwise.classify.additive.problem import Place
    from cutwise.classify.additive.strength import Trial
    from cutwise.classify.bayes.sample import CodedRows
    from cutwise.classify.bayes.tables import CellCounts

# The slopes per row at which the search ends, and those that count as none.
TOL, CONVERGED = 1e-11, 1e-8


class CodedColumns(NamedTuple):
    """What is known of each column.

    Parameters
    ----------
    n_bins : list of int
        The number of bins.
    n_ordered : list of int
        How many of them are neighbours; the others stand alone.
    directions : list of int
        1 for scores that only rise, -1 for such that only fall, 2 for either, else 0.
    pairs : int or list of pairs of int
        The largest number of pairs of columns that have scores together, or those pairs.
    """

    n_bins: list[int]
    n_ordered: list[int]
    directions: list[int]
    pairs: int | list[Pair] = 0


@dataclass(frozen=True, eq=False)
class LearnedPairs:
    """What a fit has learned of pairs of columns.

    Parameters
    ----------
    pairs : ndarray of int, of shape (n_pairs, 2)
        The places of the columns.
    groups : ndarray of int, of shape (n_cells,)
        The group of each bin of every column in the grids of pairs, from 1 on; 0 for none.
    scores : ndarray of shape (n_grid_cells, n_classes)
        Pair after pair, the groups of the second column one after the other for each group of the first.
    errors : ndarray of shape (n_grid_cells,)
    """

    pairs: NDArray[np.int64]
    groups: NDArray[np.int64]
    scores: NDArray[np.float64]
    errors: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LearnedShapes:
    """What a fit has learned.

    Parameters
    ----------
    start : ndarray of shape (n_classes,)
    scores : ndarray of shape (n_cells, n_classes)
    errors : ndarray of shape (n_cells,)
        The standard error of each score.
    pairs : LearnedPairs
    alpha, pair_pull : float
        The strength of the pull, and how much stronger it is for pairs.
    tried : tuple of Trial
        The strengths that were compared.
    loss, steepness : float
        The penalised log loss of all rows, and its largest slope per row.
    n_iter : int
    """

    start: NDArray[np.float64]
    scores: NDArray[np.float64]
    errors: NDArray[np.float64]
    pairs: LearnedPairs
    alpha: float
    pair_pull: float = 1.0
    tried: tuple[Trial, ...] = ()
    loss: float = 0.0
    steepness: float = 0.0
    n_iter: int = 0

    @property
    def converged(self) -> bool:
        """Whether no slope is left."""
        return self.steepness <= CONVERGED


@dataclass(frozen=True, eq=False)
class BegunFit:
    """Rows in bins, and the strength of the pull for them: a fit before the search for pairs and for the scores.

    Parameters
    ----------
    sample, distinct : CodedRows
        The rows, and each different one once.
    columns : CodedColumns
    counts : CellCounts
    problem : Problem or None
        The loss of single columns; None if there is one class only.
    tried : list of Trial
        The strengths that were compared.
    alpha : float
        The one to take.
    start : ndarray
        The weights to start from.
    """

    sample: CodedRows
    distinct: CodedRows
    columns: CodedColumns
    counts: CellCounts
    problem: Problem | None
    tried: list[Trial]
    alpha: float
    start: NDArray[np.float64]

    @property
    def loss(self) -> float:
        """The log loss per row of rows that were left out; 0 if none was."""
        return min((trial.loss for trial in self.tried), default=0.0)


def begin_fit(sample: CodedRows, columns: CodedColumns, alpha: float | None, near: float | None = None) -> BegunFit:
    """Choose the strength of the pull, unless `alpha` gives it.

    The search begins at the strength `near`, one of those that are tried.
    """
    counts, distinct = count_sample(sample), sample.distinct()
    known = (sample, distinct, columns, counts)
    if counts.of_class.size == 1:
        return BegunFit(*known, None, [], 1.0 if alpha is None else float(alpha), np.empty((0, 0)))
    problem = Problem(distinct, column_bases(counts, columns.n_ordered))
    return BegunFit(*known, problem, *strength_of(problem, alpha, near))


def learn_shapes(begun: BegunFit) -> LearnedShapes:
    """Learn the scores of all bins at once."""
    counts, columns, problem, strength = begun.counts, begun.columns, begun.problem, begun.alpha
    coarse = coarse_columns(counts, columns.n_ordered)
    if problem is None:
        zeros = np.zeros(counts.of_cell.shape)
        no_pairs = _learned_pairs((), coarse, zeros[:0], zeros[:0, 0])
        return LearnedShapes(np.zeros(1), zeros, zeros[:, 0], no_pairs, strength)
    chosen = ChosenPairs((), 1.0)
    if columns.pairs and len(coarse) > 1:
        rows = PairRows(begun.distinct, coarse)
        chosen = choose_pairs(rows, problem, (strength, begun.start), columns.pairs)
        bases = {pair: rows.basis(pair, problem.weights) for pair in chosen.pairs}
        problem = rows.with_pairs(problem, bases, chosen.pull)
    place, steepness, n_iter = _bottom(problem, strength, padded(begun.start, problem), columns)
    found = learned_shapes(problem, place, strength, chosen=chosen, coarse=coarse, n_cells=len(counts.of_cell))
    return replace(found, tried=tuple(begun.tried), steepness=steepness / problem.total, n_iter=n_iter)


def strength_of(
    problem: Problem, alpha: float | None, near: float | None = None
) -> tuple[list[Trial], float, NDArray[np.float64]]:
    """Return the strengths that were tried, the one to take, and weights to start from; see `begin_fit`."""
    if alpha is not None:
        return [], float(alpha), np.zeros((problem.n_weights, problem.n_scores))
    tried = choose_strength(problem, first=FIRST if near is None else STRENGTHS.index(near))
    best = min(tried, key=lambda trial: trial.loss)
    return tried, best.alpha, best.weights


class Settled(NamedTuple):
    """What a fit chose by rows that were left out: the strength of the pull, the number of pairs and their pull."""

    alpha: float
    n_pairs: int
    pair_pull: float


def scores_left_out(
    sample: CodedRows,
    counts: CellCounts,
    n_ordered: Sequence[int],
    settled: Settled,
    dealt: Sequence[NDArray[np.float64]],
) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Return the scores of the rows of each fold by shapes learned without them, of columns alone and with pairs.

    Parameters
    ----------
    sample : CodedRows
        Some or all of the rows.
    counts : CellCounts
        Those of all rows, for which the strength is.
    n_ordered : sequence of int
        How many bins of each column are neighbours.
    settled : Settled
        Each fold ranks the pairs without the rows that it leaves out.
    dealt : sequence of ndarray
        The weight of each row that belongs to each fold.
    """
    problem = Problem(sample, column_bases(counts, n_ordered))
    alpha = settled.alpha * problem.total / float(counts.of_class.sum())
    start = np.zeros((problem.n_weights, problem.n_scores))
    rows = PairRows(sample, coarse_columns(counts, n_ordered))
    found = []
    for held in dealt:
        fold = HeldOutFold(rows, problem, (alpha, start), held, is_ranking=settled.n_pairs > 0)
        alone = paired = _by_class(fold.scores)
        if settled.n_pairs:
            paired = _by_class(fold.scores_with(fold.ranked[: settled.n_pairs], settled.pair_pull))
        found.append((alone, paired))
    return found


def learned_shapes(
    problem: Problem,
    place: Place,
    strength: float,
    *,
    chosen: ChosenPairs,
    coarse: Sequence[CoarseColumn],
    n_cells: int,
) -> LearnedShapes:
    """Return what the bottom of the loss says of each of the columns' cells, and of those of pairs behind them."""
    table = _by_class(problem.tables(place.weights)[:-1])
    spread = invert(problem, place.bends, strength).cell_spread()
    errors = np.sqrt(np.maximum(spread, 0.0) * _share_of_spread(problem))
    own = slice(1, 1 + n_cells)
    return LearnedShapes(
        start=table[0],
        scores=table[own],
        errors=errors[own],
        pairs=_learned_pairs(chosen.pairs, coarse, table[own.stop :], errors[own.stop :]),
        alpha=strength,
        pair_pull=chosen.pull,
        loss=place.value,
    )


def _bottom(
    problem: Problem, alpha: float, start: NDArray[np.float64], columns: CodedColumns
) -> tuple[Place, float, int]:
    """Return the bottom of the loss, within bounds if there are any, its largest slope and the number of steps."""
    bottom = descend(problem, alpha, start, TOL)
    if not any(columns.directions):
        return bottom.place, bottom.place.steepness, bottom.n_iter
    bounds = jump_bounds(problem, bottom.place.weights, columns.n_ordered, columns.directions)
    found = descend_within(problem, alpha, bottom.place, bounds, TOL)
    return found.place, found.steepness, bottom.n_iter + found.n_iter


def column_bins(counts: CellCounts, n_ordered: Sequence[int]) -> list[ColumnBins]:
    """Return what is known of the bins of each column."""
    rows = counts.of_cell.sum(axis=1)
    spans = zip(counts.offsets[:-1], counts.offsets[1:], n_ordered, strict=True)
    return [ColumnBins(rows[first:last], n) for first, last, n in spans]


def column_bases(counts: CellCounts, n_ordered: Sequence[int]) -> list[NDArray[np.float64]]:
    """Return the basis of each column."""
    return [column_basis(bins) for bins in column_bins(counts, n_ordered)]


def coarse_columns(counts: CellCounts, n_ordered: Sequence[int]) -> list[CoarseColumn]:
    """Return the columns in the few groups that pairs have."""
    return [coarse_column(bins) for bins in column_bins(counts, n_ordered)]


def _learned_pairs(
    pairs: Sequence[Pair], columns: Sequence[CoarseColumn], scores: NDArray[np.float64], errors: NDArray[np.float64]
) -> LearnedPairs:
    groups = np.concatenate([column.group_of_bin for column in columns]) + 1
    return LearnedPairs(np.array(pairs, dtype=np.int64).reshape(-1, 2), groups, scores, errors)


def _by_class(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a score for each class, their sum 0, from one for each class or from log-odds."""
    if table.shape[1] == 1:
        return np.hstack([-0.5 * table, 0.5 * table])
    return np.asarray(table - table.mean(axis=1, keepdims=True))


def _share_of_spread(problem: Problem) -> float:
    """Return the share of the curvature's inverse that is the spread of one class's scores."""
    return 0.25 if problem.n_scores == 1 else 1.0 - 1.0 / problem.n_classes
