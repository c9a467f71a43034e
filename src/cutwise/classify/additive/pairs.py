"""Pairs of columns that tell of the class only together: which of them, how many, and how strong their pull is.

A pair has a coarse grid: neighbouring bins of each column are joined to a few groups. Its scores are products of the
two columns' jumps, without what either column could say alone: over the training rows, the mean of each row and each
column of the grid is 0. So shapes of columns can be read as they are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cutwise import kernels
from cutwise.classify.additive.bases import ColumnBins, column_basis
from cutwise.classify.additive.curvature import ByClass
from cutwise.classify.additive.newton import Guide, descend
from cutwise.classify.additive.problem import Problem
from cutwise.classify.additive.strength import MARGIN, ROUGH, deal_in_order, folds_for

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from cutwise.classify.additive.problem import Place, RowLosses
    from cutwise.classify.bayes.sample import CodedRows

# Groups of ordered bins, and of categories; more of the latter share the last one.
N_GROUPS, MOST_ALONE = 6, 8
# The pulls on pairs, as multiples of that on columns, and the place of the one that is tried first.
PULLS, FIRST_PULL = (0.25, 1.0, 4.0, 16.0, 64.0), 2
# A smaller number of pairs is tried, too: the largest divided by this.
FEWER = 4
# So many pairs are ranked, those of 100 columns, and so many columns are looked at in pairs at most; fewer where each
# of them takes more sums, one for each row and score, but no fewer than these.
MOST_RANKED, MOST_COLUMNS, FEWEST_COLUMNS, MOST_SUMS = 5_000, 1_000, 100, 1 << 32
# So many are ranked in one go.
AT_A_TIME = 256

Pair = tuple[int, int]


@dataclass(frozen=True, eq=False)
class CoarseColumn:
    """A column in few groups.

    Parameters
    ----------
    group_of_bin : ndarray of int
        -1 for a bin without rows.
    n_groups : int
    basis : ndarray of shape (n_groups, n_weights)
        The scores of the groups for each weight; their mean over rows is 0.
    """

    group_of_bin: NDArray[np.int64]
    n_groups: int
    basis: NDArray[np.float64]

    @property
    def is_varied(self) -> bool:
        """Whether there is more than one group; a column of one has nothing to say together with another."""
        return self.n_groups > 1

    def groups_of(self, codes: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
        """Return the group of each code, -1 for none."""
        is_bin = (codes >= 0) & (codes < self.group_of_bin.size)
        return np.where(is_bin, self.group_of_bin[np.where(is_bin, codes, 0)], -1)


def coarse_column(bins: ColumnBins, n_groups: int = N_GROUPS) -> CoarseColumn:
    """Join neighbouring bins to groups with about as many rows; categories stay alone, the rarest together.

    Examples
    --------
    >>> coarse_column(ColumnBins(np.array([5.0, 5.0, 5.0, 5.0, 3.0, 0.0]), 4), 2).group_of_bin
    array([ 0,  0,  1,  1,  2, -1])
    """
    rows, n_ordered = bins.rows, bins.n_ordered
    ordered = rows[:n_ordered]
    total = float(ordered.sum())
    groups = np.full(rows.size, -1, dtype=np.int64)
    n_used = 0
    if total > 0.0:
        middles = (np.cumsum(ordered) - 0.5 * ordered) / total
        wanted = np.minimum((middles * n_groups).astype(np.int64), n_groups - 1)
        used, groups[:n_ordered] = np.unique(wanted, return_inverse=True)
        n_used = used.size
    alone = np.flatnonzero(rows[n_ordered:] > 0.0) + n_ordered
    by_rows = alone[np.argsort(-rows[alone], kind="stable")]
    groups[by_rows] = n_used + np.minimum(np.arange(by_rows.size), MOST_ALONE - 1)
    size = int(groups.max(initial=-1)) + 1
    in_group = np.bincount(groups[groups >= 0], rows[groups >= 0], minlength=size).astype(np.float64)
    basis = column_basis(ColumnBins(in_group, n_used))
    share = in_group / max(float(in_group.sum()), 1e-300)
    return CoarseColumn(groups, size, basis - share @ basis)


def product(one: NDArray[np.float64], two: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the basis of a grid, or of many: the products of the scores of its two columns."""
    cells = one[..., :, None, :, None] * two[..., None, :, None, :]
    shape = one.shape[-2] * two.shape[-2], one.shape[-1] * two.shape[-1]
    return np.asarray(cells.reshape(*one.shape[:-2], *shape))


def purified(table: NDArray[np.float64], counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Take from the scores of a grid what depends on one column alone.

    Parameters
    ----------
    table : ndarray of shape (n_groups * n_groups of the other, n_scores)
    counts : ndarray of shape (n_groups, n_groups of the other)
        The weight of the rows in each cell: after it, weighted means of rows and columns of the grid are 0.
    """
    n_first, n_second = counts.shape
    alone = np.hstack([np.repeat(np.eye(n_first), n_second, axis=0), np.tile(np.eye(n_second), (n_first, 1))])
    roots = np.sqrt(counts.ravel())[:, None]
    shares = np.linalg.lstsq(roots * alone, roots * table, rcond=1e-10)[0]
    return np.asarray(table - alone @ shares)


def pair_basis(columns: Sequence[CoarseColumn], pair: Pair, counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the basis of a pair, purified over rows of which there are so many in each cell of its grid."""
    one, two = (columns[j] for j in pair)
    return purified(product(one.basis, two.basis), counts)


class PairRows:
    """Rows in the coarse groups of their columns."""

    def __init__(self, sample: CodedRows, columns: Sequence[CoarseColumn]) -> None:
        self.sample, self.columns = sample, columns
        self.groups = np.column_stack([column.groups_of(sample.codes[:, j]) for j, column in enumerate(columns)])

    def cells_of(self, pair: Pair) -> NDArray[np.int32]:
        """Return the cell of each row in the grid of a pair, -1 for none."""
        first, second = self.groups[:, pair[0]], self.groups[:, pair[1]]
        cells = first * self.columns[pair[1]].n_groups + second
        return np.where((first >= 0) & (second >= 0), cells, -1).astype(np.int32)

    def counts(self, pair: Pair, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the weight of the rows in each cell of the grid of a pair."""
        shape = self.columns[pair[0]].n_groups, self.columns[pair[1]].n_groups
        cells = self.cells_of(pair)
        counts = np.bincount(cells[cells >= 0], weights[cells >= 0], minlength=shape[0] * shape[1])
        return counts.astype(np.float64).reshape(shape)

    def coded(self, pairs: Sequence[Pair]) -> CodedRows:
        """Return the rows with a code more for each pair: their cell in its grid."""
        return replace(self.sample, codes=np.column_stack([self.sample.codes, *map(self.cells_of, pairs)]))

    def basis(self, pair: Pair, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the basis of a pair, purified over rows with these weights."""
        return pair_basis(self.columns, pair, self.counts(pair, weights))

    def with_pairs(self, main: Problem, bases: Mapping[Pair, NDArray[np.float64]], pull: float) -> Problem:
        """Return a problem of all columns and of the pairs that have these bases."""
        pulls = [1.0] * len(self.columns) + [pull] * len(bases)
        problem = Problem(self.coded([*bases]), [*main.bases[1:], *bases.values()], pulls, len(bases))
        problem.source = main, np.arange(main.labels.size)
        return problem


def columns_to_pair(
    columns: Sequence[CoarseColumn], problem: Problem, weights: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Return the places of the columns that are looked at in pairs: those with more than one group.

    Of very many they are those that move the scores of the rows most by themselves.

    Parameters
    ----------
    columns : sequence of CoarseColumn
    problem : Problem
        That of the columns alone.
    weights : ndarray
        Those of its bottom.
    """
    varied = np.flatnonzero([column.is_varied for column in columns])
    work = problem.labels.size * (problem.n_scores + 1)
    most = min(max(math.isqrt(2 * MOST_SUMS // work), FEWEST_COLUMNS), MOST_COLUMNS)
    if varied.size <= most:
        return varied
    moved = problem.column_moves(weights)[varied]
    return np.sort(varied[np.argsort(-moved, kind="stable")[:most]])


def rank_pairs(
    groups: NDArray[np.int64],
    columns: Sequence[CoarseColumn],
    places: NDArray[np.int64],
    rows: RowLosses | Place,
    pull: float,
) -> list[Pair]:
    """Return the pairs by what they promise to take from the loss of new rows, the best first.

    A pair promises what one step from the scores of the columns alone would gain, less what it would gain by chance.
    Of very many pairs only those are ranked that promise most if the groups of each column are no neighbours.

    Parameters
    ----------
    groups : ndarray of int, of shape (n_rows, n_columns)
    columns : sequence of CoarseColumn
    places : ndarray of int
        The columns that may be in a pair.
    rows : RowLosses or Place
        The loss of the rows with the scores of the columns alone.
    pull : float
    """
    values = np.column_stack([rows.row_slopes, rows.bends])
    own = np.ascontiguousarray(groups[:, places].T)
    chosen = [columns[place] for place in places]
    pairs = _promising(own, chosen, values, pull)
    sizes = np.array([column.n_groups for column in chosen], dtype=np.int64)
    n_cells = sizes[pairs].prod(axis=1)
    firsts = np.cumsum(n_cells) - n_cells
    sums = np.zeros((int(n_cells.sum()), values.shape[1]))
    kernels.additive.cells.pair_sums(own, sizes, pairs, firsts, values, sums)
    promises = _promises(chosen, pairs, firsts, sums, pull)
    order = np.argsort(-promises, kind="stable")
    return [(int(one), int(other)) for one, other in places[pairs[order]]]


def _promising(
    groups: NDArray[np.int64], columns: Sequence[CoarseColumn], values: NDArray[np.float64], pull: float
) -> NDArray[np.int64]:
    """Return the pairs [pair, two places] that are worth a closer look, in their order; see `rank_pairs`."""
    pairs = np.column_stack(np.triu_indices(len(columns), 1))
    if len(pairs) <= MOST_RANKED:
        return pairs
    sizes = np.array([column.n_groups for column in columns], dtype=np.int64)
    # The variance of a group's score for each column, in the mean, with a pull of 1.
    spreads = np.array([float((column.basis**2).sum(axis=1).mean()) for column in columns])
    promises = np.empty(len(pairs))
    width, most = values.shape[1], int(sizes.max())
    room = np.empty((most * most, width)), np.empty((most, width)), np.empty((most, width))
    kernels.additive.cells.rough_promises(groups, sizes, spreads, pull, values, *room, promises)
    return pairs[np.sort(np.argsort(-promises, kind="stable")[:MOST_RANKED])]


def _promises(
    columns: Sequence[CoarseColumn],
    pairs: NDArray[np.int64],
    firsts: NDArray[np.int64],
    sums: NDArray[np.float64],
    pull: float,
) -> NDArray[np.float64]:
    """Return what each pair promises, whose cells have their sums over rows from a first place on."""
    shapes = np.array([column.basis.shape for column in columns], dtype=np.int64).reshape(-1, 2)[pairs].reshape(-1, 4)
    promises = np.empty(len(pairs))
    for shape in np.unique(shapes, axis=0):
        alike = np.flatnonzero((shapes == shape).all(axis=1))
        for few in np.split(alike, range(AT_A_TIME, alike.size, AT_A_TIME)):
            first, other = (np.stack([columns[k].basis for k in pairs[few, side]]) for side in (0, 1))
            cells = sums[firsts[few][:, None] + np.arange(shape[0] * shape[2])]
            promises[few] = _promise(product(first, other), cells, pull)
    return promises


def _promise(bases: NDArray[np.float64], cells: NDArray[np.float64], pull: float) -> NDArray[np.float64]:
    """Return what a step in the weights of each pair would gain, less the number of weights that it would use."""
    turned = bases.transpose(0, 2, 1)
    slopes, bends = turned @ cells[..., :-1], turned @ (cells[..., -1:] * bases)
    damped = bends + pull * np.eye(bends.shape[1])
    steps = np.linalg.solve(damped, np.concatenate([slopes, bends], axis=2))
    step, used = steps[..., : slopes.shape[2]], np.trace(steps[..., slopes.shape[2] :], axis1=1, axis2=2)
    gain = (slopes * step - 0.5 * (step * (bends @ step))).sum(axis=(1, 2))
    return np.asarray(gain - used * max(slopes.shape[2] - 1, 1))


class ChosenPairs(NamedTuple):
    """The pairs that are taken, and how strong their pull is beside that on columns."""

    pairs: tuple[Pair, ...]
    pull: float


class HeldOutFold:
    """Rows that are held out: the shapes of the columns learned without them, and their ranking of pairs.

    Parameters
    ----------
    rows : PairRows
    main : Problem
    bottom : tuple of float and ndarray
    held : ndarray of shape (n_rows,)
        The weight of each row that is held out.
    is_ranking : bool
        Whether pairs are ranked.
    """

    def __init__(
        self,
        rows: PairRows,
        main: Problem,
        bottom: tuple[float, NDArray[np.float64]],
        held: NDArray[np.float64],
        *,
        is_ranking: bool = True,
    ) -> None:
        self.rows, self.main, self.held, self.kept = rows, main, held, main.weights - held
        self.alpha, start = bottom
        part = main.weighing(self.kept)
        found, self.guide, _ = descend(part, self.alpha, start, ROUGH)
        self.weights = found.weights
        self.scores = main.weighing(held).scores(found.weights)
        self.starts = {0: found.weights}
        self.ranked: list[Pair] = []
        if is_ranking:
            places = columns_to_pair(rows.columns, part, found.weights)
            groups = rows.groups[self.kept > 0.0]
            self.ranked = rank_pairs(groups, rows.columns, places, found, part.pull_of(self.alpha))
        self._bases: dict[Pair, NDArray[np.float64]] = {}

    def loss(self, pairs: Sequence[Pair], pull: float) -> float:
        """Return the log loss of the rows that are held out with these pairs."""
        problem, weights = self._with_pairs(pairs, pull)
        return problem.weighing(self.held).at(weights, self.alpha, pulled=False).value

    def scores_with(self, pairs: Sequence[Pair], pull: float) -> NDArray[np.float64]:
        """Return the scores of the rows that are held out with these pairs."""
        problem, weights = self._with_pairs(pairs, pull)
        return problem.weighing(self.held).scores(weights)

    def _with_pairs(self, pairs: Sequence[Pair], pull: float) -> tuple[Problem, NDArray[np.float64]]:
        """Return the problem with pairs, and its weights without the rows that are held out."""
        self._bases.update({pair: self.rows.basis(pair, self.kept) for pair in pairs if pair not in self._bases})
        problem = self.rows.with_pairs(self.main, {pair: self._bases[pair] for pair in pairs}, pull)
        start = padded(self.starts.get(len(pairs), self.weights), problem)
        part = problem.weighing(self.kept)
        weights = descend(part, self.alpha, start, ROUGH, self._guide(part, start)).place.weights
        self.starts[len(pairs)] = weights
        return problem, weights

    def _guide(self, part: Problem, start: NDArray[np.float64]) -> Guide | None:
        """Return a guide for a search with pairs from the one for the columns alone."""
        main = self.guide.inverse
        if not isinstance(main, ByClass):
            return None
        place = part.at(start, self.alpha)
        return Guide(ByClass(part, place, self.alpha, main), place.bends)


def padded(weights: NDArray[np.float64], problem: Problem) -> NDArray[np.float64]:
    """Return weights with zeros for those that a problem has beyond them."""
    out = np.zeros((problem.n_weights, problem.n_scores))
    out[: len(weights)] = weights
    return out


def choose_pairs(
    rows: PairRows, main: Problem, bottom: tuple[float, NDArray[np.float64]], wanted: int | Sequence[Pair]
) -> ChosenPairs:
    """Choose pairs, up to a number of them or those given, and their pull.

    All is judged by the log loss of rows that were held out, of the ranking too. The pairs that are taken in the end
    are ranked by scores of columns that were learned without the row. Columns of one group are in no pair.

    Parameters
    ----------
    rows : PairRows
    main : Problem
        That of the columns alone.
    bottom : tuple of float and ndarray
        The strength of its pull, and its weights.
    wanted : int or sequence of pairs
    """
    varied = {j for j, column in enumerate(rows.columns) if column.is_varied}
    if isinstance(wanted, int):
        wanted = min(wanted, math.comb(len(varied), 2), MOST_RANKED)
    else:
        wanted = [pair for pair in wanted if varied.issuperset(pair)]
    if not wanted:
        return ChosenPairs((), 1.0)
    dealt = deal_in_order(main.labels, main.weights, folds_for(main.labels.size))
    folds = [HeldOutFold(rows, main, bottom, held, is_ranking=isinstance(wanted, int)) for held in dealt]
    places, alone = _columns_alone(main, folds)

    def judge(size: int, pull: float) -> float:
        return sum(fold.loss(fold.ranked[:size] if isinstance(wanted, int) else wanted, pull) for fold in folds)

    if not isinstance(wanted, int):
        pull, _ = _best_pull(lambda pull: judge(0, pull))
        return ChosenPairs(tuple(wanted), pull)
    most = wanted
    pull, loss = _best_pull(lambda pull: judge(most, pull))
    few = most // FEWER
    if few and (other := judge(few, pull)) < loss * (1.0 - MARGIN):
        most, loss = few, other
    if not loss < alone.loss * (1.0 - MARGIN):
        return ChosenPairs((), pull)
    paired = columns_to_pair(rows.columns, main, bottom[1])
    ranked = rank_pairs(rows.groups[places], rows.columns, paired, alone, main.pull_of(bottom[0]))
    return ChosenPairs(tuple(ranked[:most]), pull)


def _columns_alone(main: Problem, folds: Sequence[HeldOutFold]) -> tuple[NDArray[np.int64], RowLosses]:
    """Return rows, in their order, and their losses with scores of columns that were learned without them."""
    places = np.concatenate([np.flatnonzero(fold.held) for fold in folds])
    weights = np.concatenate([fold.held[fold.held > 0.0] for fold in folds])
    order = np.argsort(places, kind="stable")
    scores = np.concatenate([fold.scores for fold in folds])[order]
    return places[order], main.some(places[order], weights[order]).at_scores(scores)


def _best_pull(judge: Callable[[float], float]) -> tuple[float, float]:
    """Return the pull with the least loss on the way down from the middle one, and that loss."""
    losses = {FIRST_PULL: judge(PULLS[FIRST_PULL])}
    best = FIRST_PULL
    for side in (1, -1):
        while 0 <= best + side < len(PULLS) and best + side not in losses:
            losses[best + side] = judge(PULLS[best + side])
            if not losses[best + side] < losses[best] * (1.0 - MARGIN):
                break
            best += side
    return PULLS[best], losses[best]
