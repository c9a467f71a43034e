"""A killed run loses the cells in progress and nothing else (promise 23)."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cutwise.paper.evaluate import Journal
from cutwise.paper.evaluate.journal import read_content
from tests.paper.evaluate.fake_work import cells_of, figures, tasks_of
from tests.paper.evaluate.journals import result_of, sorted_by_cell, write

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kills by signal")

ROOT = Path(__file__).parents[2]
TASKS = tasks_of(20, "nb", "c45", "rnb")
WHOLE = sorted_by_cell([figures(cell) for cell in cells_of(TASKS)])

RUN = """
import sys
from cutwise.paper.evaluate import Journal, run
from tests.paper.evaluate.fake_work import slow_work, tasks_of
with Journal(sys.argv[1]) as journal:
    run(tasks_of(20, "nb", "c45", "rnb"), slow_work, journal, n_jobs=2)
"""


def started(program, *arguments):
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)], cwd=ROOT, start_new_session=True, stderr=subprocess.PIPE
    )


def finish(path):
    """Run to the end."""
    with started(RUN, path) as process:
        _, errors = process.communicate()
    assert (errors, process.returncode) == (b"", 0)


def kill_after(n_lines, seconds, path):
    """Start a run and kill all of its processes some time after its journal has so many lines."""
    with started(RUN, path) as process:
        while process.poll() is None and count_lines(path) < n_lines:
            time.sleep(0.001)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def count_lines(path):
    return path.read_bytes().count(b"\n") if path.exists() else 0


def n_results(path):
    """Return how many results a journal holds; all of them are right."""
    results = Journal.read(path) if path.exists() else []
    assert set(results) <= set(WHOLE)
    return len(results)


@pytest.mark.parametrize("n_kills", [20, pytest.param(200, marks=pytest.mark.slow)])
def test_random_kills_change_nothing(n_kills, tmp_path):
    chance = random.Random(n_kills)  # noqa: S311
    finish(tmp_path / "clean.journal")
    clean = Journal.read(tmp_path / "clean.journal")
    assert clean == WHOLE
    kept_by_kill = []
    path = tmp_path / "0.journal"
    for number in range(n_kills):
        before = n_results(path)
        if before == len(WHOLE):
            path = tmp_path / f"{number}.journal"
            before = 0
        n_lines = count_lines(path) + chance.randrange(len(WHOLE) - before)
        kill_after(n_lines, chance.uniform(0, 0.02), path)
        after = n_results(path)
        assert after >= before
        kept_by_kill.append(after - before)
    finish(path)
    for journal in tmp_path.glob("*.journal"):
        assert Journal.read(journal) == clean
        assert not read_content(journal).damaged
        assert not read_content(journal).n_torn
    assert any(0 < kept < len(WHOLE) for kept in kept_by_kill)


# For each k, the k-th call of write, fsync or ftruncate kills a process before, in the midst of or after its work.
DEADLY = """
import os, signal, sys
from pathlib import Path  # noqa: TC003  # typer reads the annotations
from cutwise.paper.evaluate import Journal, journal
from tests.paper.evaluate.journals import PROTOCOL, result_of, write
folder, moment = Path(sys.argv[1]), sys.argv[2]

class DeadlyOs:
    def __init__(self, k):
        self.left = k

    def __getattr__(self, name):
        return self.counted(name) if name in {"write", "fsync", "ftruncate"} else getattr(os, name)

    def counted(self, name):
        def call(descriptor, *args):
            self.left -= 1
            if self.left == 0 and moment == "midst" and name == "write":
                os.write(descriptor, bytes(args[0])[: len(args[0]) // 2])
            if self.left == 0 and moment != "after":
                os.kill(os.getpid(), signal.SIGKILL)
            done = getattr(os, name)(descriptor, *args)
            if self.left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return done
        return call

def append(path, k):
    journal.os = DeadlyOs(k)
    with Journal(path, PROTOCOL) as file:
        for number in range(4, 7):
            file.append(result_of(number))
            with path.with_suffix(".said").open("a") as said:
                said.write("x")
    os._exit(0)

for k in range(1, 50):
    path = folder / f"{k}.journal"
    write(path, [result_of(number) for number in range(4)])
    with path.open("ab") as file:
        file.write(b'{"cell":["torn')
    child = os.fork() or append(path, k)
    if os.waitpid(child, 0)[1] == 0:
        break
"""


@pytest.mark.parametrize("moment", ["before", "midst", "after"])
def test_a_kill_at_any_call_loses_at_most_one_line(tmp_path, moment):
    subprocess.run([sys.executable, "-c", DEADLY, str(tmp_path), moment], check=True, cwd=ROOT)
    paths = list(tmp_path.glob("*.journal"))
    assert 7 < len(paths) < 49
    for path in paths:
        said = path.with_suffix(".said")
        n_said = len(said.read_text()) if said.exists() else 0
        n_kept = len(Journal.read(path)) - 4
        assert n_said <= n_kept <= n_said + 1
        write(path, [result_of(number) for number in range(4 + n_kept, 7)])
        assert Journal.read(path) == sorted_by_cell([result_of(number) for number in range(7)])
        assert not read_content(path).damaged


def test_two_runners_on_one_journal_are_refused(tmp_path):
    path = tmp_path / "a.journal"
    with Journal(path), started(RUN, path) as process:
        _, errors = process.communicate()
    assert process.returncode == 1
    assert f"JournalError: The journal '{path}' is in use by process {os.getpid()}." in errors.decode()
    finish(path)
    assert Journal.read(path) == WHOLE


def test_runners_that_start_at_once_do_not_mix(tmp_path):
    path = tmp_path / "a.journal"
    processes = [started(RUN, path) for _ in range(3)]
    codes = []
    for process in processes:
        with process:
            _, errors = process.communicate()
        codes.append(process.returncode)
        assert process.returncode == 0 or b"is in use by process" in errors
    assert 0 in codes
    assert Journal.read(path) == WHOLE
    assert len(path.read_bytes().splitlines()) == 2 + len(WHOLE)
