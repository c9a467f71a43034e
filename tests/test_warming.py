"""After a warm-up no method compiles anything."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from cutwise import MRmDDiscretizer, warming
from cutwise.cli import main, progress
from cutwise.kernels import compile as compiling
from tests.cli.test_read_progress import open_terminal

# Other rows, more classes, and the command line; in a process of its own, since others may have compiled more.
LATER = """
import sys
from cutwise import CAIMDiscretizer, MRmDDiscretizer, warming
from cutwise.cli import main
from cutwise.kernels.compile import count_compiled

warming.compile_all()
with count_compiled() as names:
    for entry in warming.estimators():
        for estimator in warming.with_settings(entry):
            for table in (*warming.tables(seed=1), (*warming.small_table(90, 4, seed=2), None)):
                warming.learn(estimator, table)
        warming.learn(next(warming.with_settings(entry)), (*warming.small_table(3000, seed=3), None))
    warming.learn(CAIMDiscretizer(), warming.sorted_table(3500, 160))
    warming.learn(MRmDDiscretizer(), warming.wide_table(3, seed=1))
    main(["fit", sys.argv[1], "--target", "y", "--confirm", "0.05"])
print("compiled", *names)
"""


def written_table(path):
    X, y = warming.small_table(200)
    lines = [",".join([*map(str, row), str(label)]) for row, label in zip(X.tolist(), y.tolist(), strict=True)]
    path.write_text("\n".join(["a,b,c,d,y", *lines]).replace("nan", ""))
    return path


@pytest.mark.slow
def test_after_a_warm_up_nothing_is_compiled(tmp_path):
    program = [sys.executable, "-c", LATER, str(written_table(tmp_path / "t.csv"))]
    done = subprocess.run(program, capture_output=True, text=True, check=False, env={**os.environ})
    assert done.stdout.splitlines()[-1] == "compiled", done.stdout[-500:] + done.stderr[-500:]


def fresh_kernel():
    """Return a kernel that is in no cache."""

    def add_one(number):
        return number + 1

    return compiling._Kernel(add_one, targetoptions=compiling._OPTIONS)


def test_what_is_compiled_is_counted_once():
    kernel = fresh_kernel()
    with compiling.count_compiled() as names:
        assert (kernel(1), kernel(2), kernel(0.5)) == (2, 3, 1.5)
    kernel(1j)
    assert names == ["add_one", "add_one"]


def test_compiling_is_told_once():
    told = []
    compiling.tell_of_compiling(lambda: told.append(1))
    kernel = fresh_kernel()
    kernel(1)
    kernel(0.5)
    assert told == [1]


def test_a_fit_on_a_terminal_tells_that_it_compiles(monkeypatch):
    fresh_kernel()(1)
    terminal = open_terminal(monkeypatch)
    progress.watch(MRmDDiscretizer())
    kernel = fresh_kernel()
    kernel(1)
    kernel(0.5)
    assert terminal.getvalue().count("Compiling once, about 5 s …") == 1


def test_elsewhere_nothing_is_told(capsys):
    # What other tests watched, of which nothing had to be compiled, is told now.
    fresh_kernel()(1)
    capsys.readouterr()
    progress.watch(MRmDDiscretizer())
    fresh_kernel()(1)
    assert capsys.readouterr().err == ""


def test_the_warm_up_shows_what_it_does(monkeypatch):
    terminal = open_terminal(monkeypatch)
    with progress.shown_steps(2) as show:
        show("MRmDDiscretizer")
        show("MDLPDiscretizer")
    assert "MDLPDiscretizer" in terminal.getvalue()
    assert "2" in terminal.getvalue()


def test_the_command(monkeypatch, capsys):
    monkeypatch.setattr(warming, "compile_all", lambda show: show("MRmDDiscretizer") or 7)
    assert main(["warm-up"]) == 0
    assert capsys.readouterr().out.startswith("7 loops compiled in ")
    monkeypatch.setattr(warming, "compile_all", lambda _: 0)
    assert main(["warm-up"]) == 0
    assert capsys.readouterr().out == "Everything was compiled before.\n"
