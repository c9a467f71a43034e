"""Genetic search over the cuts of all columns together."""

from __future__ import annotations

import math
import time
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cutwise.criteria import SharedValue
from cutwise.search import chc
from cutwise.search.chc import Checkpoint, fingerprint
from cutwise.search.fitness import CLASSIFIERS, Classifier, FitnessCache, LimitRepair
from cutwise.search.genetic_cells import CandidateCells, make_cells
from cutwise.search.result import NO_LIMITS, BinLimits, SearchResult, limits_by_column, nothing_to_cut

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from cutwise.counts import ColumnCounts, JointTable
    from cutwise.search.result import ColumnLimits

TRIED_AT_ONCE = 256


class GeneticProgress(NamedTuple):
    """How far a search has come: members judged, of how many, and the best of them."""

    evaluations: int
    max_evaluations: int
    fitness: float
    n_cuts: int


class _Run(NamedTuple):
    """What one run works with."""

    fitness: FitnessCache
    repair: LimitRepair
    is_late: Callable[[], bool]
    report: Callable[[GeneticProgress], None]


@dataclass(frozen=True)
class GeneticSearch:
    """Choose the cuts of all numeric columns together, by the genetic algorithm CHC.

    It minimises the fitness of EMD,

        (alpha * cuts + (1 - alpha) * errors) / candidates

    where the candidates are the gaps at which the class changes, and the errors are those
    that naive Bayes and C4.5 make on the training rows once each value is replaced by its
    bin.

    With so few candidates that max_evaluations suffices for every choice of cuts, all of
    them are tried.

    Parameters
    ----------
    alpha : float
        The weight of the number of cuts.
    rules : GeneticSettings
        The parameters of the genetic algorithm.
    seed : int or None
        Random seed; None draws a new one each time.
    classifiers : tuple of Classifier
        Whose errors count, and how often.

    Examples
    --------
    >>> import numpy as np
    >>> from cutwise.counts import JointTable, RowGroups, count_column
    >>> from cutwise.search import GeneticSearch
    >>> x = np.arange(12.0)
    >>> y = np.array([0, 0, 0, 1, 0, 1, 1, 1, 2, 2, 1, 2])
    >>> table = count_column(x, RowGroups(y, n_classes=3))
    >>> ranks, nominal = np.arange(12, dtype=np.int32)[None], np.empty((0, 12), dtype=np.int32)
    >>> (found,) = GeneticSearch().run(JointTable((table,), ranks, nominal, y, 3))
    >>> found.gaps, found.stop, -found.score.value
    (array([2, 7]), 'optimum', 0.43333333333333335)
    """

    alpha: float = 0.7
    rules: chc.GeneticSettings = field(default_factory=chc.GeneticSettings)
    seed: int | None = None
    classifiers: tuple[Classifier, ...] = CLASSIFIERS

    def run(
        self,
        joint: JointTable,
        limits: ColumnLimits = NO_LIMITS,
        *,
        max_seconds: float | None = None,
        n_threads: int = 1,
        checkpoint: str | os.PathLike[str] | None = None,
        report: Callable[[GeneticProgress], None] = lambda _: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> list[SearchResult]:
        """Search the candidates of all numeric columns.

        Parameters
        ----------
        joint : JointTable
        limits : BinLimits or sequence of BinLimits
            A choice that breaks them loses cuts, from left to right, before it is judged.
            A direction is not offered.
        max_seconds : float or None
            After this time the best choice so far is returned.
        n_threads : int
            How many choices are judged at once; it does not change the result.
        checkpoint : path or None
            Where the state is kept. If the file is there, the search goes on from it; the
            result is that of a search without a break.
        report : callable
            Called after each generation.
        clock : callable
            The time in seconds.

        Returns
        -------
        list of SearchResult
            One for each numeric column. The score is the negative fitness of the whole.
        """
        own_limits = limits_by_column(limits, len(joint.tables))
        if any(own.direction for own in own_limits):
            message = "The genetic search looks at all columns together and offers no direction."
            raise ValueError(message)
        cells = make_cells(joint)
        if cells.n_candidates == 0:
            return [_found(table, np.empty(0, dtype=np.int64), "no_candidates", 0.0, 0) for table in joint.tables]
        end = math.inf if max_seconds is None else clock() + max_seconds

        def is_late() -> bool:
            return clock() >= end

        with FitnessCache(cells, self.alpha, self.classifiers, n_threads, is_late) as fitness:
            run = _Run(fitness, LimitRepair(cells, joint, own_limits), is_late, report)
            if cells.n_candidates <= math.log2(self.rules.max_evaluations):
                chosen, stop = self._try_all(cells, run)
            else:
                file = None if checkpoint is None else self._file(checkpoint, joint, cells, own_limits)
                chosen, stop = self._evolve(cells, run, file)
            value = -fitness.value(chosen)
        choices = np.split(chosen, cells.first_candidates[1:-1])
        columns = zip(joint.tables, cells.gaps, choices, strict=True)
        return [_found(table, gaps[own], stop, value, gaps.size) for table, gaps, own in columns]

    def _evolve(self, cells: CandidateCells, run: _Run, file: Checkpoint | None) -> tuple[NDArray[np.bool_], str]:
        """Return the best choice that the genetic algorithm finds, and why it ended."""
        state = None if file is None else file.load()
        if state is None:
            state = chc.begin(cells.n_candidates, self.seed)
        stop = state.reason_to_stop(self.rules)
        try:
            while stop is None:
                stop = self._advance(state, run, file)
        finally:
            if file is not None:
                file.write()
        return state.best, stop

    def _advance(self, state: chc.GeneticState, run: _Run, file: Checkpoint | None) -> str | None:
        """Bring the state to the next generation; return why the search is over, or None."""
        rules = self.rules
        proposal = chc.propose(state, rules)
        run.repair(proposal.bits)
        costs = run.fitness.costs(proposal.bits)
        judged = chc.Proposal(proposal.bits[: len(costs)], proposal.is_restart)
        chc.accept(state, rules, judged, costs)
        if len(costs) < len(proposal.bits):
            return "deadline"
        if len(costs):
            if file is not None:
                file.save(state)
            run.report(
                _progress(run.fitness.units, state.evaluations, rules.max_evaluations, state.costs[0], state.best)
            )
        stop = state.reason_to_stop(rules)
        return "deadline" if stop is None and run.is_late() else stop

    def _try_all(self, cells: CandidateCells, run: _Run) -> tuple[NDArray[np.bool_], str]:
        """Return the best of all choices; of equals the one with more cuts, then with those further left."""
        n_bits = cells.n_candidates
        n_choices = 1 << n_bits
        best, least = np.ones(n_bits, dtype=np.bool_), (math.inf, 0)
        for first in range(0, n_choices, TRIED_AT_ONCE):
            if first and run.is_late():
                return best, "deadline"
            numbers = n_choices - 1 - np.arange(first, min(first + TRIED_AT_ONCE, n_choices))
            choices = (numbers[:, None] >> np.arange(n_bits)[::-1]) % 2 == 1
            run.repair(choices)
            costs = run.fitness.costs(choices)
            for chosen, cost in zip(choices, costs.tolist(), strict=False):
                key = (cost, -int(chosen.sum()))
                if key < least:
                    best, least = chosen, key
            if len(costs) < len(choices):
                return best, "deadline"
            run.report(_progress(run.fitness.units, first + len(costs), n_choices, least[0], best))
        return best, "optimum"

    def _file(
        self, path: str | os.PathLike[str], joint: JointTable, cells: CandidateCells, limits: Sequence[BinLimits]
    ) -> Checkpoint:
        """Return the checkpoint of this search on these data."""
        own = [{"max_bins": one.max_bins, "min_rows": one.min_rows, "direction": one.direction} for one in limits]
        parameters = {
            "alpha": self.alpha,
            "rules": asdict(self.rules),
            "seed": self.seed,
            "classifiers": [(kind.name, times) for kind, times in self.classifiers],
            "limits": own[0] if all(one == own[0] for one in own) else own,
            "unit": cells.unit,
        }
        values = [table.values for table in joint.tables]
        mark = fingerprint(parameters, [*values, *cells.gaps, cells.rows, cells.classes, cells.weights])
        return Checkpoint(path, mark, cells.n_candidates, self.rules.population)


def _found(table: ColumnCounts, gaps: NDArray[np.int64], stop: str, value: float, n_candidates: int) -> SearchResult:
    """Write down the cuts of one column."""
    degenerate = nothing_to_cut(table)
    if degenerate is not None:
        stop = degenerate.stop
    elif n_candidates == 0:
        stop = "no_candidates"
    score = SharedValue("negative fitness", value).score(table, gaps)
    return SearchResult(gaps, stop, score=score, n_candidates=n_candidates)


def _progress(
    units: float, evaluations: int, max_evaluations: int, cost: float, chosen: NDArray[np.bool_]
) -> GeneticProgress:
    return GeneticProgress(evaluations, max_evaluations, float(cost) / units / chosen.size, int(chosen.sum()))
