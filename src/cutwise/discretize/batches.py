"""The columns of a table: in threads, and several in one go where that gives what one after the other would."""

from __future__ import annotations

from contextlib import closing, nullcontext
from functools import partial
from itertools import pairwise
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels
from cutwise.counts import ColumnBatch, place_between
from cutwise.criteria import Psi
from cutwise.discretize.attributes import learn_attribute, learn_counted, rows_of
from cutwise.discretize.seen import ColumnOfRows, CountedColumn, count_read
from cutwise.scheme import CutTrial, NumericAttribute
from cutwise.search import GreedySearch
from cutwise.table.columns import NumericColumn
from cutwise.threads import in_this_thread, in_threads, interruptible, thread_count

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from numpy.typing import NDArray

    from cutwise.counts.gaps import Place
    from cutwise.discretize.attributes import Task
    from cutwise.scheme import Attribute
    from cutwise.search import BatchSteps

    Run = Callable[[ColumnBatch, NDArray[np.int64]], BatchSteps]
    Learn = Callable[[Sequence[Task]], list[Attribute]]

# The score of a column without a cut.
NOT_CUT = CutTrial(0.0, 0.0, 0.0, 0.0)
# Columns of which so many are one task need not be interrupted: a search takes milliseconds.
QUICK = 40
# Fewer columns are learned one after the other: what learns several at once takes longer to compile.
SEVERAL = 16
# Of a table of so many columns some are tried.
MANY, TRIED = 64, 16
# Threads that take less time for a column of its own, in seconds, would mostly wait for the interpreter's lock.
TOO_QUICK = 5e-4
# Of columns with no more rows than these, learned several at once, Python's own part takes longer than the search.
TOO_FEW_ROWS = 200
# A thread gets at least so many tasks, so that all have as much to do.
TASKS_EACH = 4


def learn_attributes(tasks: Sequence[Task], n_jobs: int | None, at_once: int) -> Generator[Attribute, None, None]:
    """Yield the attributes of columns in order; `at_once` of them are enough for one task of a thread."""
    n_threads = thread_count(n_jobs)
    run = _run_together(tasks) if at_once > 1 and len(tasks) >= SEVERAL else None
    learn: Learn = learn_each if run is None else partial(learn_together, run)
    if run is not None and _n_rows(tasks[0]) <= TOO_FEW_ROWS:
        n_threads = 1
    if n_threads > 1 and len(tasks) >= MANY:
        # The first one is the one that makes tables for all.
        yield from interruptible(learn, tasks[:1])
        tasks = tasks[1:]
        if run is None:
            learned, seconds = interruptible(_timed, tasks[:TRIED])
            yield from learned
            tasks = tasks[TRIED:]
            n_threads = n_threads if seconds > TOO_QUICK * TRIED else 1
    size = at_once if n_threads == 1 else max(1, min(at_once, len(tasks) // (TASKS_EACH * n_threads)))
    batches = [(tasks[first : first + size],) for first in range(0, len(tasks), size)]
    is_quick = at_once >= QUICK and n_threads == 1
    with (
        # Of several columns learned at once there may be very many.
        nullcontext() if run is None else kernels.compile.without_collector(),
        closing(in_this_thread(learn, batches) if is_quick else in_threads(learn, batches, n_threads)) as found,
    ):
        for batch in found:
            yield from batch


def _n_rows(task: Task) -> int:
    return task.read.groups.n_rows if isinstance(task.read, ColumnOfRows) else 0


def _timed(tasks: Sequence[Task]) -> tuple[list[Attribute], float]:
    began = perf_counter()
    return learn_each(tasks), perf_counter() - began


def learn_each(tasks: Sequence[Task]) -> list[Attribute]:
    """Learn the attributes of some columns, one after the other."""
    return [learn_attribute(task) for task in tasks]


def _run_together(tasks: Sequence[Task]) -> Run | None:
    """Return what searches several columns at once, if all are of the same rows and searched alike."""
    first, search, criterion = tasks[0], tasks[0].plan.search, tasks[0].plan.criterion
    if not (
        isinstance(search, GreedySearch)
        and isinstance(criterion, Psi)
        and search.takes_batches(criterion, first.trials)
        and isinstance(first.read, ColumnOfRows)
        and ColumnBatch.can_hold(first.read.groups)
        and all(_is_alike(task, first) for task in tasks)
    ):
        return None
    return partial(search.run_batch, criterion)


def _is_alike(task: Task, first: Task) -> bool:
    is_searched_alike = task.plan is first.plan and task.trials == first.trials and task.place == first.place
    return is_searched_alike and not task.special_values.size


def learn_together(run: Run, tasks: Sequence[Task]) -> list[Attribute]:
    """Learn the attributes of some columns; nominal ones, and those with nothing to cut, one after the other."""
    readers = [task.read for task in tasks if isinstance(task.read, ColumnOfRows)]
    columns, groups = [reader.read() for reader in readers], readers[0].groups
    numeric = [column for column in columns if isinstance(column, NumericColumn)]
    batch = ColumnBatch([column.values for column in numeric], groups)
    searched = np.flatnonzero(batch.have_gaps)
    names = [column.name for column in numeric]
    written = dict(zip(searched.tolist(), _written(names, batch, searched, run, tasks[0].place), strict=True))
    attributes: list[Attribute] = []
    place = 0
    for task, column in zip(tasks, columns, strict=True):
        if not isinstance(column, NumericColumn):
            attributes.append(learn_counted(count_read(column, groups), task))
            continue
        attributes.append(written.get(place) or learn_counted(CountedColumn(column.name, batch.table(place)), task))
        place += 1
    return attributes


def _written(
    names: Sequence[str], batch: ColumnBatch, searched: NDArray[np.int64], run: Run, place: Place
) -> Iterator[NumericAttribute]:
    """Search some columns of a batch and write down what was found, as `numeric_attribute` does."""
    if not searched.size:
        return
    steps = run(batch, searched)
    values, firsts = batch.values, batch.firsts
    # Gaps as places among the values of all columns, so that they ascend from column to column.
    gaps = steps.gaps + np.repeat(firsts[searched], np.diff(steps.ends))
    tried = place_between(values[gaps], values[gaps + 1], place).tolist()
    scores = (steps.values.tolist(), steps.relevances.tolist(), steps.divergences.tolist())
    trials = list(map(CutTrial, tried, *scores))
    cut = np.sort(gaps[steps.numbers < np.repeat(steps.n_cuts, np.diff(steps.ends))])
    cuts = place_between(values[cut], values[cut + 1], place).tolist()
    counts = rows_of(batch.by_bin(np.sort(np.concatenate([cut, firsts[1:] - 1])) + 1))
    n_bins = np.ones(len(names), dtype=np.int64)
    n_bins[searched] += steps.n_cuts
    missing = rows_of(batch.missing_by_class)
    bin_ends = np.append(0, np.cumsum(n_bins)).tolist()
    lowest, highest = values[firsts[searched]].tolist(), values[firsts[searched + 1] - 1].tolist()
    n_values = np.diff(firsts)[searched].tolist()
    at = 0
    for i, (j, n_cuts, (first, last)) in enumerate(
        zip(searched.tolist(), steps.n_cuts.tolist(), pairwise(steps.ends.tolist()), strict=True)
    ):
        final = trials[first + n_cuts - 1] if n_cuts else NOT_CUT
        yield NumericAttribute(
            name=names[j],
            cuts=tuple(cuts[at : at + n_cuts]),
            minimum=lowest[i],
            maximum=highest[i],
            n_values=n_values[i],
            n_candidates=n_values[i] - 1,
            steps=tuple(trials[first : first + n_cuts]),
            refused=trials[last - 1] if last - first > n_cuts else None,
            class_counts=counts[bin_ends[j] : bin_ends[j + 1]],
            missing_by_class=missing[j],
            score=final.score,
            relevance=final.relevance,
            divergence=final.divergence,
            stop=steps.stops[i],
        )
        at += n_cuts
