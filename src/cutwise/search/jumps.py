"""Search for the cuts of all columns at once: the jumps of an additive model that a penalty leaves."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cutwise import kernels
from cutwise.criteria import SharedValue
from cutwise.search.jump_model import JumpSolver
from cutwise.search.jump_pruning import without_harm
from cutwise.search.jump_rows import make_jump_table
from cutwise.search.result import NO_LIMITS, BinLimits, SearchResult, SearchStep, limits_by_column, nothing_to_cut
from cutwise.threads import in_threads, interruptible

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from numpy.typing import NDArray

    from cutwise.counts import ColumnCounts, JointTable
    from cutwise.search.jump_model import JumpFit, JumpRows
    from cutwise.search.jump_rows import JumpTable
    from cutwise.search.result import ColumnLimits

    Floats = NDArray[np.float64]
    Tell = Callable[[], AbstractContextManager[None]]

ENTRY = "entry penalty"
# Each penalty is this share of the one before.
RATIO = 0.75
# How many are tried: in a cross-validation, and in search of a number of cuts.
MAX_PENALTIES = 24
MAX_WITHOUT_FOLDS = 60
# The path ends when so many penalties in a row lose more on held-out rows than the best one.
PATIENCE = 3
# What the conditions of the minimum may miss, per row: on the path, and at the penalty that is chosen.
PATH_TOLERANCE = 1e-4
TOLERANCE = 1e-6
# How often the interval of the penalty is halved in search of a number of cuts.
HALVINGS = 20


class JumpPath(NamedTuple):
    """What was tried, from the largest penalty to the smallest.

    Parameters
    ----------
    penalties : ndarray
        The first leaves all jumps at zero.
    n_cuts : ndarray of int64
    losses, errors : ndarray
        The mean log loss of held-out rows, and its standard error; empty if none were held out.
    chosen : int
        The place of the penalty that was chosen.
    """

    penalties: Floats
    n_cuts: NDArray[np.int64]
    losses: Floats
    errors: Floats
    chosen: int


class JumpFound(NamedTuple):
    """The cuts of each numeric column, the entry penalty of each nominal one, and the path."""

    columns: list[SearchResult]
    nominal: list[float]
    path: JumpPath


@dataclass(frozen=True)
class JumpSearch:
    """Choose the cuts of all numeric columns together: few jumps, a small log loss.

    An additive model gives each row and class the score  sum over columns of f(bin), on a fine grid of bins. It
    minimises the log loss plus a penalty times the lengths of all jumps of f between neighbouring bins, each a vector
    over the classes. Most jumps are then zero; the others are cuts.

    Parameters
    ----------
    n_cuts : int or None
        The largest number of cuts of all columns together; None for cross-validation.
    rule : {"one_se", "min"}
        Which penalty is chosen by cross-validation: the one with the smallest loss, or the largest one whose loss is
        within one standard error of that.
    grid_bins : int
        The number of equally filled bins of each column between which cuts may lie.
    n_folds : int
        The number of parts of the rows, each of which is held out in turn.
    monotonic : {None, "increasing", "decreasing", "auto"}
        The direction of all jumps of a column, for two classes.
    prune_for : {None, "naive_bayes"}
        Whether cuts are dropped without which naive Bayes predicts rows that are left out better.
    n_jobs : int or None
    """

    n_cuts: int | None = None
    rule: str = "one_se"
    grid_bins: int = 32
    n_folds: int = 5
    monotonic: str | None = None
    prune_for: str | None = None
    n_jobs: int | None = None

    def run(self, joint: JointTable, limits: ColumnLimits = NO_LIMITS, tell: Tell | None = None) -> JumpFound:
        """Search the gaps of all numeric columns.

        Parameters
        ----------
        joint : JointTable
        limits : BinLimits or sequence of BinLimits
            The trend of a column, if it has one, is taken instead of `monotonic`.
        tell : callable, optional
            Opened around each penalty that is tried.
        """
        own_limits = limits_by_column(limits, len(joint.tables))
        table = make_jump_table(joint, self.grid_bins - 1, own_limits)
        directions = _directions(joint, table, [own.trend or self.monotonic for own in own_limits])
        walk = _Walk(table, _signs(table, directions), self.n_jobs, tell)
        if walk.largest <= 0.0:
            return JumpFound([_nothing(one) for one in joint.tables], [0.0] * len(joint.nominal), _no_path())
        fit = walk.to_number(self.n_cuts) if self.n_cuts is not None else walk.to_choice(self.n_folds, self.rule)
        stop = "penalty" if self.n_cuts is None else "limit"
        lengths = np.asarray(kernels.joint.jumps.lengths_of(fit.jumps))
        outcome = _Outcome(table, fit, walk.entries, lengths, own_limits, stop)
        entered = [outcome.entered(one, j, directions[j]) for j, one in enumerate(joint.tables)]
        kept = entered if self.prune_for is None else outcome.pruned(entered)
        columns = [outcome.column(one, j, entered[j], kept[j]) for j, one in enumerate(joint.tables)]
        starts = table.grid.jump_starts[len(joint.tables) :]
        nominal = [float(walk.entries[a:b].max(initial=0.0)) for a, b in itertools.pairwise(starts)]
        return JumpFound(columns, nominal, walk.path())


class _Walk:
    """Goes from the largest penalty to smaller ones; keeps the penalty at which each jump enters."""

    def __init__(self, table: JumpTable, signs: Floats, n_jobs: int | None, tell: Tell | None) -> None:
        self._table, self._signs, self._n_jobs, self._tell = table, signs, n_jobs, tell
        self.largest = 0.0
        self.entries = np.zeros(signs.size)
        self._losses: list[list[float]] = []
        self._chosen = 0
        if signs.size and table.counts.shape[1] > 1:
            self._whole = JumpSolver(table.rows(table.counts, signs), PATH_TOLERANCE)
            self.largest = interruptible(self._whole.begin)
            self._fits = [self._whole.fit]
            self._penalties = [self.largest]

    def to_choice(self, n_folds: int, rule: str) -> JumpFit:
        """Return the fit with the penalty that cross-validation chooses."""
        table = self._table
        # Of two classes at least there is a row in each fold.
        n_folds = min(n_folds, int(np.sort(table.counts.sum(axis=0))[-2]) // table.per_row)
        if n_folds < 2:
            return self._fits[0]
        held = [table.held_out(fold, n_folds) for fold in range(n_folds)]
        solvers = [JumpSolver(table.rows(table.counts - out, self._signs), PATH_TOLERANCE) for out in held]
        judges = [table.rows(out) for out in held]
        for _ in in_threads(JumpSolver.begin, [(solver,) for solver in solvers], self._n_jobs):
            pass
        self._losses.append([judge.loss(solver.fit) for judge, solver in zip(judges, solvers, strict=True)])
        n_worse = 0
        while n_worse < PATIENCE and len(self._penalties) < MAX_PENALTIES:
            self._go_on(self._penalties[-1] * RATIO, solvers, judges)
            means = self._means()
            n_worse = len(means) - 1 - means.index(min(means))
        self._chosen = _choose(self._means(), self._errors(), rule)
        return self._refined(self._fits[self._chosen], self._penalties[self._chosen])

    def _go_on(self, penalty: float, solvers: Sequence[JumpSolver], judges: Sequence[JumpRows]) -> None:
        """Fit all rows and those of each fold with the next penalty."""
        every = [self._whole, *solvers]
        near = np.array([solver.near(penalty) for solver in every]).any(axis=0)
        bends = interruptible(self._whole.bends, near)
        tasks = [(solver, penalty, bends) for solver in every]
        if self._tell is None:
            fits = list(in_threads(JumpSolver.solve, tasks, self._n_jobs))
        else:
            with self._tell():
                fits = list(in_threads(JumpSolver.solve, tasks, self._n_jobs))
        self._keep(penalty, fits[0])
        self._losses.append([judge.loss(fit) for judge, fit in zip(judges, fits[1:], strict=True)])

    def _keep(self, penalty: float, fit: JumpFit) -> None:
        self._penalties.append(penalty)
        self._fits.append(fit)

    def _refined(self, fit: JumpFit, penalty: float) -> JumpFit:
        """Return the fit at the chosen penalty to the last tolerance, and note when each of its jumps entered."""
        self._whole.fit, self._whole.tolerance = fit, TOLERANCE
        fit = interruptible(self._whole.solve, penalty)
        self._fits[self._chosen] = fit
        for earlier, with_it in zip(self._penalties[: self._chosen + 1], self._fits, strict=False):
            new = with_it.chosen & (self.entries == 0.0)
            self.entries[new] = earlier
        self.entries[~fit.chosen] = 0.0
        return fit

    def to_number(self, n_cuts: int) -> JumpFit:
        """Return the fit with the most cuts of those on the path that have at most so many."""
        self._whole.tolerance = TOLERANCE
        while len(self._penalties) < MAX_WITHOUT_FOLDS and self._n_cuts(self._fits[-1]) <= n_cuts:
            penalty = self._penalties[-1] * RATIO
            self._keep(penalty, interruptible(self._whole.solve, penalty))
        if self._n_cuts(self._fits[-1]) > n_cuts:
            self._halve(n_cuts)
        counts = [self._n_cuts(fit) for fit in self._fits]
        most = max(count for count in counts if count <= n_cuts)
        self._chosen = counts.index(most)
        return self._refined(self._fits[self._chosen], self._penalties[self._chosen])

    def _halve(self, n_cuts: int) -> None:
        """Try penalties between the last two, until the number of cuts is met; they are put before the last."""
        low, high = self._penalties.pop(), self._penalties[-1]
        last = self._fits.pop()
        for _ in range(HALVINGS):
            if self._n_cuts(self._fits[-1]) == n_cuts:
                break
            middle = math.sqrt(low * high)
            self._whole.fit = self._fits[-1]
            fit = interruptible(self._whole.solve, middle)
            if self._n_cuts(fit) > n_cuts:
                low, last = middle, fit
            else:
                high = middle
                self._keep(middle, fit)
        self._keep(low, last)

    def _n_cuts(self, fit: JumpFit) -> int:
        """Return the number of cuts; cells without neighbours have none."""
        return int(np.count_nonzero(fit.chosen & self._table.is_cut))

    def _means(self) -> list[float]:
        return [math.fsum(losses) / len(losses) for losses in self._losses]

    def _errors(self) -> list[float]:
        return [_standard_error(losses) for losses in self._losses]

    def path(self) -> JumpPath:
        """Return what was tried."""
        n_cuts = np.array([self._n_cuts(fit) for fit in self._fits], dtype=np.int64)
        means, errors = np.array(self._means()), np.array(self._errors())
        return JumpPath(np.array(self._penalties), n_cuts, means, errors, self._chosen)


def _standard_error(losses: Sequence[float]) -> float:
    mean = math.fsum(losses) / len(losses)
    return math.sqrt(math.fsum((loss - mean) ** 2 for loss in losses) / (len(losses) - 1) / len(losses))


def _choose(means: list[float], errors: list[float], rule: str) -> int:
    """Return the place of the penalty to take."""
    best = means.index(min(means))
    if rule == "min":
        return best
    return next(place for place, mean in enumerate(means) if mean <= means[best] + errors[best])


def _no_path() -> JumpPath:
    nothing = np.empty(0)
    return JumpPath(nothing, nothing.astype(np.int64), nothing, nothing, 0)


def _nothing(table: ColumnCounts) -> SearchResult:
    """Return the answer for a column that cannot have a cut."""
    return nothing_to_cut(table) or SearchResult(np.empty(0, dtype=np.int64), "penalty")


def _directions(joint: JointTable, table: JumpTable, trends: Sequence[str | None]) -> list[int]:
    """Return for each numeric column whether the rate of the second class must rise (1) or fall (-1); 0 for neither."""
    if table.counts.shape[1] != 2:
        return [0] * len(joint.tables)
    known = {None: 0, "increasing": 1, "decreasing": -1}
    return [known[word] if word in known else _trend(one) for word, one in zip(trends, joint.tables, strict=True)]


def _trend(table: ColumnCounts) -> int:
    """Return 1 if the rows of the second class have higher ranks in the mean than those of the first, else -1."""
    counts = table.class_counts
    ranks = np.cumsum(counts.sum(axis=1)) * 2 - counts.sum(axis=1)
    sums = [sum(rank * count for rank, count in zip(ranks.tolist(), own.tolist(), strict=True)) for own in counts.T]
    totals = counts.sum(axis=0).tolist()
    return 1 if sums[1] * totals[0] >= sums[0] * totals[1] else -1


def _signs(table: JumpTable, directions: list[int]) -> Floats:
    """Return the sign of each jump of the score, which is that of the last class."""
    signs = np.zeros(table.grid.means.size)
    for j, direction in enumerate(directions):
        start = table.grid.jump_starts[j]
        turned = direction if table.classes[-1] == 1 else -direction
        signs[start : start + table.columns[j].gaps.size] = turned
    return signs


class _Outcome(NamedTuple):
    """What is known when the penalty is chosen: the fit, the penalty at which each of its jumps entered, its length."""

    table: JumpTable
    fit: JumpFit
    entries: Floats
    lengths: Floats
    limits: Sequence[BinLimits]
    stop: str

    def entered(self, counts: ColumnCounts, j: int, direction: int) -> list[int]:
        """Return the cuts of a column that the limits allow, as places among its candidates in the order of entry."""
        own, gaps = self._own(j), self.table.columns[j].gaps
        if not gaps.size:
            return []
        entries, lengths = self.entries[own], self.lengths[own]
        # The first to enter, of those the longest, of those the leftmost.
        order = [k for k in np.lexsort((-lengths, -entries)).tolist() if lengths[k] > 0.0]
        kept = order[: self.limits[j].max_cuts(counts)]
        return _without_turns(counts, gaps, kept, direction) if direction else kept

    def pruned(self, entered: Sequence[list[int]]) -> list[list[int]]:
        """Return the cuts of all columns that naive Bayes needs; those that entered last are tried first."""
        starts = self.table.grid.jump_starts.tolist()
        is_cut = np.zeros(self.entries.size, dtype=np.bool_)
        for start, own in zip(starts, entered, strict=False):
            is_cut[[start + k for k in own]] = True
        cuts = np.flatnonzero(is_cut)
        order = cuts[np.lexsort((self.lengths[cuts], self.entries[cuts]))]
        left = without_harm(self.table, is_cut, order.tolist())
        return [[k for k in own if left[start + k]] for start, own in zip(starts, entered, strict=False)]

    def column(self, counts: ColumnCounts, j: int, entered: list[int], kept: list[int]) -> SearchResult:
        """Return the cuts of a column in the order of their entry, and the one that would be next."""
        nothing = nothing_to_cut(counts)
        if nothing is not None:
            return nothing
        own, gaps = self._own(j), self.table.columns[j].gaps
        entries, lengths = self.entries[own], self.lengths[own]
        steps = []
        for n_taken, k in enumerate(kept, start=1):
            taken = np.sort(gaps[kept[:n_taken]])
            steps.append(SearchStep(int(gaps[k]), SharedValue(ENTRY, float(entries[k])).score(counts, taken)))
        chosen = np.sort(gaps[kept])
        score = SharedValue(ENTRY, float(entries[kept].max(initial=0.0))).score(counts, chosen)
        dropped = [k for k in entered if k not in kept]
        if dropped:
            refused = _with_one_more(counts, gaps, chosen, dropped[0], float(entries[dropped[0]]))
            return SearchResult(chosen, "pruned", score, tuple(steps), refused, gaps.size)
        next_one = _next(counts, gaps, kernels.joint.jumps.lengths_of(self.fit.slopes[own]), lengths, chosen)
        is_full = len(kept) == self.limits[j].max_cuts(counts) < np.count_nonzero(lengths)
        return SearchResult(chosen, "limit" if is_full else self.stop, score, tuple(steps), next_one, gaps.size)

    def _own(self, j: int) -> slice:
        """Return where the candidates of a numeric column are among the jumps."""
        start = int(self.table.grid.jump_starts[j])
        return slice(start, start + self.table.columns[j].gaps.size)


def _next(
    counts: ColumnCounts, gaps: NDArray[np.int64], slopes: Floats, lengths: Floats, chosen: NDArray[np.int64]
) -> SearchStep | None:
    """Return the cut whose jump is next to enter when the penalty falls: its slope is the largest."""
    left_out = np.flatnonzero(lengths == 0.0)
    if left_out.size == 0 or slopes[left_out].max() <= 0.0:
        return None
    at = int(left_out[np.argmax(slopes[left_out])])
    return _with_one_more(counts, gaps, chosen, at, float(slopes[at]))


def _with_one_more(
    counts: ColumnCounts, gaps: NDArray[np.int64], chosen: NDArray[np.int64], at: int, value: float
) -> SearchStep:
    """Return the cut at one of the gaps as a step after those that were chosen."""
    more = np.sort(np.append(chosen, gaps[at]))
    return SearchStep(int(gaps[at]), SharedValue(ENTRY, value).score(counts, more))


def _without_turns(counts: ColumnCounts, gaps: NDArray[np.int64], kept: list[int], direction: int) -> list[int]:
    """Return the cuts without those between bins whose class rate turns: such bins are joined."""
    places = sorted(kept)
    rows = counts.by_class.by_bin(counts.bin_ends(gaps[places])).tolist()
    bins: list[list[int]] = []
    cuts: list[int] = []
    for place, (others, ones) in zip([*places, -1], rows, strict=True):
        bins.append([others, ones])
        cuts.append(place)
        while len(bins) > 1 and _turns(bins[-2], bins[-1], direction):
            last, last_cut = bins.pop(), cuts.pop()
            bins[-1] = [bins[-1][0] + last[0], bins[-1][1] + last[1]]
            cuts[-1] = last_cut
    left = set(cuts)
    return [k for k in kept if k in left]


def _turns(left: list[int], right: list[int], direction: int) -> bool:
    """Return whether the share of the second class changes against the direction."""
    return direction * (right[1] * sum(left) - left[1] * sum(right)) < 0
