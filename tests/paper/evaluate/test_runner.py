"""The runner measures every cell once, whatever the cells do (promises 23 and 26)."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from cutwise.errors import JournalError, RunError
from cutwise.paper.evaluate import CellResult, CellTask, Journal, run
from cutwise.paper.evaluate.crew import WorkerCrew
from cutwise.paper.evaluate.runner import RunPace, remaining, seconds_by
from tests.paper.evaluate.fake_work import (
    cells_of,
    figures,
    flaky_work,
    short_work,
    slow_work,
    tasks_of,
    told_work,
    work,
)
from tests.paper.evaluate.journals import result_of

ROOT = Path(__file__).parents[3]


@pytest.fixture
def journal(path):
    with Journal(path) as journal:
        yield journal
    assert not multiprocessing.active_children()


def good(tasks):
    return {cell: figures(cell) for cell in cells_of(tasks)}


@pytest.mark.parametrize("n_jobs", [1, 3])
def test_every_cell_is_measured_once(journal, path, n_jobs):
    tasks = tasks_of(7)
    summary = run(tasks, work, journal, n_jobs=n_jobs)
    assert (summary.n_cells, summary.n_before, summary.n_done, summary.n_failed) == (14, 0, 14, 0)
    assert summary.is_complete
    assert journal.results == good(tasks)
    assert len(path.read_bytes().splitlines()) == 2 + 14


def test_what_is_in_the_journal_is_not_measured_again(journal, path):
    first = tasks_of(2)
    run(first, work, journal, n_jobs=1)
    before = path.read_bytes()
    summary = run(first, work, journal, n_jobs=2)
    assert (summary.n_before, summary.n_done, summary.is_complete) == (4, 0, True)
    assert path.read_bytes() == before
    more = tasks_of(3, "nb", "c45", "rnb")
    summary = run(more, work, journal, n_jobs=2)
    assert (summary.n_before, summary.n_done) == (4, 5)
    assert journal.results == good(more)


def test_tasks_are_reduced_to_what_is_left():
    tasks = tasks_of(3, "nb", "c45", "rnb")
    cells = cells_of(tasks)
    results = {cell: figures(cell) for cell in [cells[0], *cells[3:6]]}
    results[cells[2]] = CellResult(cells[2], error="broke")
    assert remaining(tasks, results) == [CellTask("iris", "mrmd", 0, 0, ("c45",)), tasks[2]]
    again = [CellTask("iris", "mrmd", 0, 0, ("c45", "rnb")), tasks[2]]
    assert remaining(tasks, results, retry_failed=True) == again


def test_no_tasks_start_no_process(journal, path):
    assert run([], work, journal).is_complete
    assert path.read_bytes() == b""


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("fails", "not enough rows"),
        ("nan", "cannot be kept: log_loss must be a finite number, not nan"),
        ("dies", "the worker process was killed by SIGKILL (often: out of memory)"),
        ("exits", "the worker process ended with code 3"),
    ],
)
def test_a_cell_that_fails_is_kept_and_the_run_goes_on(journal, name, reason):
    tasks = tasks_of(3, "nb", name, "c45")
    summary = run(tasks, work, journal, n_jobs=2)
    assert (summary.n_done, summary.n_failed, summary.is_complete) == (9, 3, True)
    for cell in cells_of(tasks):
        if cell.classifier == name:
            assert reason in journal.results[cell].error
        else:
            assert journal.results[cell] == figures(cell)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("raises", "ZeroDivisionError: a table without rows"),
        ("foreign", "which is no result of an open cell"),
        ("text", "the work gave 'text', which is no result of an open cell"),
    ],
)
def test_an_exception_that_escapes_fails_the_rest_of_its_task(journal, name, reason):
    tasks = [*tasks_of(1, "nb", name, "c45"), *tasks_of(2, dataset="wine")]
    run(tasks, work, journal, n_jobs=1)
    first, *failed = (journal.results[cell] for cell in tasks[0].cells())
    assert first == figures(first.cell)
    assert len(failed) == 2
    assert all(reason in result.error for result in failed)
    assert journal.results[tasks[-1].cells()[0]] == figures(tasks[-1].cells()[0])


def test_cells_without_a_result_fail(journal):
    run(tasks_of(2), short_work, journal, n_jobs=1)
    assert [result.error for result in journal.results.values()] == ["", "no result was given"] * 2


def test_failed_cells_are_tried_again_when_asked(journal, path, tmp_path):
    switch = tmp_path / "switch"
    tasks = tasks_of(2, "nb", dataset=str(switch))
    assert run(tasks, flaky_work, journal, n_jobs=1).n_failed == 2
    switch.touch()
    assert run(tasks, flaky_work, journal, n_jobs=1).n_done == 0
    assert run(tasks, flaky_work, journal, n_jobs=1, retry_failed=True).n_done == 2
    assert {result.error for result in Journal.read(path)} == {""}


def test_workers_use_one_thread(journal):
    tasks = tasks_of(2, "threads")
    run(tasks, work, journal, n_jobs=2)
    assert {result.n_cuts for result in journal.results.values()} == {1}


def test_work_that_cannot_be_loaded_is_refused(journal):
    with pytest.raises(RunError, match=r"cannot be started: .* must be a function of a module"):
        run(tasks_of(1), lambda task: [], journal)


def test_an_interrupt_before_the_first_process_is_an_interrupt(journal, monkeypatch):
    def interrupted(process):
        raise KeyboardInterrupt

    monkeypatch.setattr(multiprocessing.context.SpawnProcess, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(tasks_of(1), work, journal)


def test_work_that_breaks_the_worker_is_refused(journal, path, capfd):
    with pytest.raises(RunError, match="A worker process ended with code 1 before it was ready"):
        run(tasks_of(3), Unloadable(), journal, n_jobs=2)
    assert "cannot be loaded" in capfd.readouterr().err
    assert path.read_bytes() == b""


class Unloadable:
    """Can be sent to another process, but not received."""

    def __call__(self, task):
        return []

    def __reduce__(self):
        return _refuse, ()


def _refuse():
    message = "cannot be loaded"
    raise ValueError(message)


@pytest.mark.parametrize("n_jobs", [0, -2])
def test_a_wrong_number_of_processes_is_refused(journal, n_jobs):
    with pytest.raises(RunError, match=f"The number of processes is {n_jobs}. Use 1 or more"):
        run(tasks_of(1), work, journal, n_jobs=n_jobs)


def test_a_journal_that_cannot_be_written_ends_the_run(journal, monkeypatch):
    def refuse(result):
        message = "The disk is full."
        raise JournalError(message)

    monkeypatch.setattr(journal, "append", refuse)
    with pytest.raises(JournalError, match="The disk is full"):
        run(tasks_of(3), work, journal, n_jobs=2)


def test_progress_counts_and_estimates(journal):
    run(tasks_of(1), work, journal, n_jobs=1)
    seen = []
    run(tasks_of(4, "nb", "fails"), work, journal, n_jobs=1, progress=seen.append)
    assert [(now.n_done, now.n_failed) for now in seen] == [(k, (k + 1) // 2) for k in range(8)]
    assert {(now.n_cells, now.n_before) for now in seen} == {(8, 1)}
    assert seen[0].seconds_left == pytest.approx(7 * 0.25)
    assert seen[-1].seconds_left == 0.0
    assert seen[0].last is None
    assert {now.last for now in seen[1:]} <= set(journal.results.values())


def test_a_worker_begins_one_more_cell_while_a_result_is_kept(tmp_path):
    tasks = tasks_of(2, "nb", "c45", dataset=str(tmp_path))
    begun = []
    with WorkerCrew(told_work, 1) as crew:
        for n_heard, result in enumerate(crew.results(tasks), 1):
            assert result == figures(cells_of(tasks)[n_heard - 1])
            n_begun = min(n_heard + 1, 4)
            deadline = time.monotonic() + 10
            while len(list(tmp_path.iterdir())) < n_begun and time.monotonic() < deadline:
                time.sleep(0.01)
            time.sleep(0.05)
            begun.append(len(list(tmp_path.iterdir())))
    assert begun == [2, 3, 4, 4]


def test_a_run_stops_when_asked(journal):
    tasks = tasks_of(50)
    summary = run(tasks, slow_work, journal, n_jobs=2, stop=lambda: len(journal.results) >= 5)
    assert summary.n_done == 5
    assert not summary.is_complete
    assert run(tasks, work, journal, n_jobs=2).is_complete
    assert journal.results == good(tasks)


def test_a_run_stops_while_a_cell_takes_long(journal):
    asked = threading.Event()
    threading.Timer(0.5, asked.set).start()
    summary = run(tasks_of(2, "sleeps"), work, journal, n_jobs=2, stop=asked.is_set)
    assert (summary.n_done, summary.is_complete) == (0, False)


INTERRUPTED = """
import sys
from cutwise.paper.evaluate import Journal, run
from tests.paper.evaluate.fake_work import tasks_of, work
if __name__ == "__main__":
    tasks = [*tasks_of(1, "nb"), *tasks_of(2, "sleeps")]
    with Journal(sys.argv[1]) as journal:
        try:
            run(tasks, work, journal, n_jobs=2, progress=lambda now: print(now.n_done, flush=True))
        except KeyboardInterrupt:
            print("interrupted", flush=True)
"""


def started(path):
    """Start a run in a process group of its own, and wait for its first result."""
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        start_new_session=True,
    )
    assert [process.stdout.readline() for _ in range(2)] == ["0\n", "1\n"]
    return process


def test_an_interrupt_ends_the_workers_and_keeps_the_journal(path):
    with started(path) as process:
        time.sleep(0.2)
        os.killpg(process.pid, signal.SIGINT)
        output, errors = process.communicate(timeout=20)
    assert (output, errors, process.returncode) == ("interrupted\n", "", 0)
    assert group_ends(process.pid)
    assert [result.cell.classifier for result in Journal.read(path)] == ["nb"]


def test_workers_end_with_their_parent(path):
    with started(path) as process:
        process.kill()
        process.wait()
        assert group_ends(process.pid)
    Journal(path).close()


def group_ends(group):
    """Return whether a process group has no member left, after some time."""
    for _ in range(200):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def test_time_by_name():
    results = [result_of(number) for number in range(3)]
    by_set = seconds_by(results, "dataset")
    assert by_set == {"set-0": 1.0, "set-1": 0.5, "set-2": pytest.approx(1 / 3)}
    assert list(by_set) == ["set-0", "set-1", "set-2"]
    assert seconds_by(results, "classifier") == {"nb": pytest.approx(11 / 6)}


def test_the_pace_falls_back_to_what_is_known():
    [task] = tasks_of(1, "nb", "c45")
    known, other = task.cells()
    [far] = tasks_of(1, "nb", dataset="abalone")[0].cells()
    pace = RunPace([known, known, other, far])
    assert pace.seconds_left(1) is None
    pace.add(CellResult(known, n_rows=10, n_correct=1, seconds=3.0))
    assert pace.seconds_left(1) == pytest.approx(3.0 * 3)
    pace.learn(CellResult(far, n_rows=100, n_correct=1, seconds=5.0))
    # The third cell takes the seconds of a row, 8 for 110 rows, times its ten rows.
    assert pace.seconds_left(2) == pytest.approx((3.0 + 10 * 8 / 110 + 5.0) / 2)
    pace.add(CellResult(other, error="broke"))
    assert pace.seconds_left(1) == pytest.approx(8.0)
