"""Searches for the highest Psi of a column: greedy, and exact by dynamic programming."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from cutwise import kernels
from cutwise.counts import ColumnCounts, thin
from cutwise.criteria import Psi, Score
from cutwise.kernels.inputs import ENTROPY, ClassTerms, margin_of
from cutwise.search.confirming import CutTester, TestedBin, with_confirmed_cuts
from cutwise.search.in_order import best_in_order
from cutwise.search.limited import Rules
from cutwise.search.result import NO_LIMITS, BinLimits, SearchResult, SearchStep, is_better, nothing_to_cut
from cutwise.search.shaped import best_psi_in_shape, most_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.counts import ColumnBatch
    from cutwise.kernels.inputs import LabelledRows, SplitRoom, TermLookup
    from cutwise.search.result import CutTest

_STOPS = ("no_gain", "limit", "all_cut", "no_room")


@dataclass(frozen=True)
class GreedySearch:
    """Add the cut that raises the criterion most, as long as it rises.

    Of cuts that are equally good up to rounding, the leftmost is taken.

    Parameters
    ----------
    max_cuts : int or None
        The largest number of cuts.

    Examples
    --------
    >>> from cutwise.counts import ColumnCounts
    >>> from cutwise.criteria import Psi
    >>> from cutwise.search import GreedySearch
    >>> table = ColumnCounts.from_dense([1, 2, 3], [[4, 0], [0, 4], [1, 3]])
    >>> GreedySearch().run(Psi(), table).gaps
    array([0, 1])
    """

    knows_limits: ClassVar[bool] = True

    max_cuts: int | None = None

    def run(self, criterion: Psi, table: ColumnCounts, limits: BinLimits = NO_LIMITS) -> SearchResult:
        """Search the gaps of one column."""
        found = nothing_to_cut(table)
        if found is not None:
            return found
        labelled, parts, terms = criterion.inputs(table)
        bounds = limits.bounds(table)
        max_cuts = bounds.max_cuts if self.max_cuts is None else min(bounds.max_cuts, self.max_cuts)
        if not limits.are_plain:
            return _LimitedRun(criterion, table, limits, max_cuts).run()
        if limits.confirm is not None:
            return _ConfirmedRun(criterion, table, limits, max_cuts).run(limits.confirm)
        if criterion.is_relevance and bounds.riser < 0:
            tried, n_cuts, stop = _add_relevant_cuts(labelled, terms, max_cuts, bounds.min_count)
        else:
            tried, n_cuts, stop = kernels.bins.splitting.add_cuts(
                labelled, parts, terms, float(criterion.n_d), max_cuts, bounds if bounds.restrict else None
            )
        scores = criterion.scores_of_steps(np.arange(1, len(tried) + 1), tried[:, 1], tried[:, 2], terms)
        steps = tuple(map(SearchStep, tried[:, 0].tolist(), map(Score, *(column.tolist() for column in scores))))
        refused = steps[n_cuts] if len(steps) > n_cuts else None
        return _result(steps[:n_cuts], _STOPS[stop], refused)

    def takes_batches(self, criterion: Psi, trials: Sequence[BinLimits]) -> bool:
        """Return whether several columns can be searched in one go, under these limits for each trend to try."""
        is_free = len(trials) == 1 and trials[0].are_none and trials[0].confirm is None
        return is_free and self.max_cuts is None and not criterion.is_relevance

    def run_batch(self, criterion: Psi, batch: ColumnBatch, columns: NDArray[np.int64]) -> BatchSteps:
        """Search those columns of a batch in which there is something to cut, if `takes_batches` says so."""
        kernel, n_rows = kernels.bins.batch, batch.n_rows[columns]
        n_cuts, stops = np.empty_like(columns), np.empty_like(columns)
        places, rows_of_steps = [], []
        # Columns of equally many rows share the tables of terms.
        for rows in np.unique(n_rows).tolist():
            chosen, terms = np.flatnonzero(n_rows == rows), criterion.terms(rows)
            steps, ends, n_cuts[chosen], stops[chosen] = kernel.add_cuts_to_columns(
                columns[chosen], batch.firsts, batch.labelled, terms, float(criterion.n_d)
            )
            numbers = np.arange(len(steps)) - np.repeat(ends[:-1], np.diff(ends))
            scores = criterion.scores_of_steps(numbers + 1, steps[:, 1], steps[:, 2], terms)
            places.append(np.repeat(chosen, np.diff(ends)))
            rows_of_steps.append((steps[:, 0], numbers, *scores))
        place = np.concatenate(places)
        order = np.argsort(place, kind="stable")
        gaps, numbers, values, relevances, divergences = (
            np.concatenate(parts)[order] for parts in zip(*rows_of_steps, strict=True)
        )
        ends = np.searchsorted(place[order], np.arange(columns.size + 1))
        reasons = [_STOPS[stop] for stop in stops.tolist()]
        return BatchSteps(gaps, numbers, values, relevances, divergences, ends, n_cuts, reasons)


class BatchSteps(NamedTuple):
    """What a greedy search found in several columns, step by step.

    Parameters
    ----------
    gaps : ndarray of int
        Where each cut was tried, in its column.
    numbers : ndarray of int
        How many cuts were made before.
    values, relevances, divergences : ndarray
        The scores of the schemes with the cut.
    ends : ndarray of int
        The steps of column i are ends[i] to ends[i + 1].
    n_cuts : ndarray of int
        How many of its steps were accepted.
    stops : list of str
        Why its search ended.
    """

    gaps: NDArray[np.int64]
    numbers: NDArray[np.int64]
    values: NDArray[np.float64]
    relevances: NDArray[np.float64]
    divergences: NDArray[np.float64]
    ends: NDArray[np.int64]
    n_cuts: NDArray[np.int64]
    stops: list[str]


def _add_relevant_cuts(
    labelled: LabelledRows, terms: TermLookup, max_cuts: int, min_count: int
) -> tuple[NDArray[np.int64], int, int]:
    """Search for the highest relevance; see `kernels.bins.blocks`."""
    kernel = kernels.bins.blocks
    class_terms = ClassTerms(ENTROPY, np.empty(0, dtype=np.int64), terms.counts, terms.scale, terms.beyond)
    found: tuple[NDArray[np.int64], int, int] = kernel.add_relevant_cuts(
        labelled, kernel.bounding_sums(labelled), class_terms, terms.n_rows, max_cuts, min_count
    )
    return found


def _result(steps: tuple[SearchStep, ...], stop: str, refused: SearchStep | None) -> SearchResult:
    """Return what a greedy search found."""
    return SearchResult(
        np.sort(np.array([step.gap for step in steps], dtype=np.int64)),
        stop,
        score=steps[-1].score if steps else Score(0.0, 0.0, 0.0),
        steps=steps,
        refused=refused,
        tests={step.gap: step.test for step in steps if step.test is not None},
    )


def _count_classes(labelled: LabelledRows, start: int, stop: int) -> NDArray[np.int64]:
    """Return the rows of the values start to stop - 1 by class."""
    rows = np.zeros(labelled.n_labels, dtype=np.int64)
    inside = slice(labelled.starts[start], labelled.starts[stop])
    np.add.at(rows, labelled.labels[inside], labelled.counts[inside])
    return rows


class _ConfirmedRun:
    """A greedy search that tests each cut before it is made; a bin whose best cut is not confirmed stays whole."""

    def __init__(self, criterion: Psi, table: ColumnCounts, limits: BinLimits, max_cuts: int) -> None:
        self._criterion = criterion
        self._n_d = float(criterion.n_d)
        self._inputs = criterion.inputs(table)
        bounds = limits.bounds(table)
        self._rest = (max_cuts, bounds if bounds.restrict else None, True)
        self._tester = CutTester(table, limits)
        self._room: SplitRoom = kernels.bins.splitting.first_room(*self._inputs, self._n_d)

    def run(self, alpha: float) -> SearchResult:
        """Add cuts until no more is accepted."""
        kernel = kernels.bins.splitting
        steps: list[SearchStep] = []
        refused = None
        chosen, stop = self._go_on(-1)
        while stop == kernel.ASKED:
            step, test = self._step(), self._test(chosen)
            if test.p_value > alpha:
                kernel.close_bin(self._room, chosen)
                refused = refused or step._replace(test=test)
                chosen = -1
            else:
                steps.append(step._replace(test=test))
            chosen, stop = self._go_on(chosen)
        if stop == kernel.NO_GAIN:
            refused = refused or self._step()
        is_confirmed = refused is None or refused.test is None
        return _result(tuple(steps), _STOPS[stop] if is_confirmed else "not_confirmed", refused)

    def _go_on(self, chosen: int) -> tuple[int, int]:
        """Split a bin and return the next one to be judged, and the reason to stop."""
        kernel = kernels.bins.splitting
        chosen, stop = kernel.go_on(chosen, *self._inputs, self._room, *self._rest)
        if stop == kernel.FULL:
            self._room = kernel.more_room(self._room, self._n_d)
            return self._go_on(-1)
        return chosen, stop

    def _step(self) -> SearchStep:
        """Return the step that was written last."""
        n_cuts = int(self._room.sums[0])
        gap, gain, loss = self._room.steps[n_cuts].tolist()
        return SearchStep(gap, self._criterion.score_of_units(n_cuts + 1, gain, loss, self._inputs[2]))

    def _test(self, chosen: int) -> CutTest:
        kernel = kernels.bins.splitting
        start, stop, gap = (int(self._room.bins[chosen, field]) for field in (kernel.START, kernel.STOP, kernel.GAP))
        left, whole = (_count_classes(self._inputs[0], start, end) for end in (gap + 1, stop))
        return self._tester.test(TestedBin(start, stop, gap, left, whole))


class _Offer(NamedTuple):
    """The best cut of a bin that the limits allow."""

    score: float
    place: int
    middle: int
    gain: int
    loss: int


class _LimitedRun:
    """A greedy search that refuses cuts which break the limits; up to the least number of bins, all others are made.

    A cut that is not confirmed is made while there are fewer bins than the least number.
    """

    def __init__(self, criterion: Psi, table: ColumnCounts, limits: BinLimits, max_cuts: int) -> None:
        self._criterion, self._limits, self._table = criterion, limits, table
        self._inputs = criterion.inputs(table)
        self._rules = Rules(table, limits)
        self._tester = None if limits.confirm is None else CutTester(table, limits)
        self._max_cuts = max_cuts
        self._terms: dict[tuple[int, int], tuple[NDArray[np.int64], NDArray[np.int64]]] = {}

    def run(self) -> SearchResult:
        """Add cuts until no more is accepted."""
        edges = [0, self._table.n_values]
        closed: set[int] = set()
        steps: list[SearchStep] = []
        sums, psi = (0, 0), 0.0
        refused, stop = None, "all_cut"
        while len(edges) <= self._table.n_values:
            kernels.stopping.check_stop()
            if len(steps) >= self._max_cuts:
                stop = "limit"
                break
            offer = self._best(edges, closed, sums)
            if offer is None:
                stop = "no_room"
                break
            is_needed = len(edges) <= self._limits.min_bins
            new = (sums[0] + offer.gain, sums[1] + offer.loss)
            score = self._criterion.score_of_units(len(steps) + 1, *new, self._inputs[2])
            step = SearchStep(offer.middle - 1, score)
            if not is_needed and not is_better(score.value, psi):
                refused, stop = refused or step, "no_gain"
                break
            if self._tester is not None:
                start, end = edges[offer.place], edges[offer.place + 1]
                left, whole = self._rules.counts(start, offer.middle), self._rules.counts(start, end)
                test = self._tester.test(TestedBin(start, end, offer.middle - 1, left, whole))
                step = step._replace(test=test)
                if test.p_value > (self._limits.confirm or 1.0) and not is_needed:
                    closed.add(start)
                    refused = refused or step
                    continue
            steps.append(step)
            sums, psi = new, score.value
            edges = sorted([*edges, offer.middle])
        is_tested = refused is not None and refused.test is not None
        return _result(tuple(steps), "not_confirmed" if is_tested else stop, refused)

    def _best(self, edges: list[int], closed: set[int], sums: tuple[int, int]) -> _Offer | None:
        """Return the best cut that is allowed; of equal ones the leftmost."""
        n_cuts = len(edges) - 1
        weight = kernels.bins.splitting.kept_weight(n_cuts, float(self._criterion.n_d))
        unit = self._inputs[2].n_rows * self._inputs[2].scale
        best: _Offer | None = None
        for place in range(n_cuts):
            start, stop = edges[place], edges[place + 1]
            if stop - start < 2 or start in closed:
                continue
            gains, losses = self._gaps_of(start, stop)
            scores = (weight * (sums[0] + gains) - (sums[1] + losses)) / unit
            scores = np.where(self._rules.allowed(edges, place), scores, -np.inf)
            most = float(scores.max())
            if most == -np.inf:
                continue
            gap = int(np.argmax(scores >= most - margin_of(most)))
            if best is None or is_better(float(scores[gap]), best.score):
                best = _Offer(float(scores[gap]), place, start + gap + 1, int(gains[gap]), int(losses[gap]))
        return best

    def _gaps_of(self, start: int, stop: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return gain and loss of each gap of a bin."""
        if (start, stop) not in self._terms:
            gains, losses = np.empty((2, stop - start - 1), dtype=np.int64)
            kernels.bins.splitting.fill_gaps(start, stop, *self._inputs, gains, losses)
            self._terms[start, stop] = gains, losses
        return self._terms[start, stop]


@dataclass(frozen=True)
class ExactSearch:
    """Find the scheme with the highest Psi of all.

    Time grows with the square of the number of values, so a column with more than
    max_values distinct values is searched on a grid: neighbouring values are joined into
    groups of about equal size, and the result says how many gaps were left. Where the class
    rate must never fall, at most 500 values are searched, with other limits but those on the number
    and the least size of bins 200, and with a concave or convex curve 64.

    Parameters
    ----------
    max_values : int
        The largest number of values to search.

    Examples
    --------
    >>> from cutwise.counts import ColumnCounts
    >>> from cutwise.criteria import Psi
    >>> from cutwise.search import ExactSearch
    >>> table = ColumnCounts.from_dense([1, 2, 3], [[4, 0], [0, 4], [1, 3]])
    >>> ExactSearch().run(Psi(n_d=5.0), table).gaps
    array([0])
    """

    knows_limits: ClassVar[bool] = True

    max_values: int = 2000

    def run(self, criterion: Psi, table: ColumnCounts, limits: BinLimits = NO_LIMITS) -> SearchResult:
        """Search the gaps of one column."""
        found = nothing_to_cut(table)
        if found is not None:
            return found
        most = self.max_values
        if not limits.are_plain:
            most = min(most, most_values(limits))
        elif limits.direction:
            most = min(most, kernels.bins.monotone.MAX_VALUES)
        grid, gap_of_grid = thin(table, most)
        found = with_confirmed_cuts(lambda limits: _best_scheme(criterion, grid, limits), grid, limits)
        return replace(
            found,
            gaps=gap_of_grid[found.gaps],
            n_candidates=grid.n_values - 1 if grid.n_values < table.n_values else None,
            tests={int(gap_of_grid[gap]): test for gap, test in found.tests.items()},
        )


def _best_scheme(criterion: Psi, table: ColumnCounts, limits: BinLimits) -> SearchResult:
    """Return the scheme with the highest Psi, whether its cuts are confirmed or not."""
    inputs = criterion.inputs(table)
    bounds = limits.bounds(table)
    if not limits.are_plain:
        gaps, gain, loss = best_psi_in_shape(criterion, table, limits)
    elif limits.direction:
        gaps, gain, loss = best_in_order(criterion, inputs, bounds)
    else:
        gaps, gain, loss = kernels.bins.exact.best_cuts(*inputs, float(criterion.n_d), bounds)
    return SearchResult(gaps, "optimum", score=criterion.score_of_units(gaps.size, gain, loss, inputs[2]))
