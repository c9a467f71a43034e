"""The command line: what it answers, its exit codes, and that it starts without the library."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from cutwise import __version__
from cutwise.cli import main
from cutwise.cli.progress import shown_progress
from cutwise.paper.datasets.loading import check_present
from cutwise.paper.evaluate import Journal, RunProgress
from tests.cli import fake_paper
from tests.paper.evaluate.fake_work import figures
from tests.paper.evaluate.journals import FIVE, write

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def paper(monkeypatch, tmp_path):
    """A small paper, and a folder of one's own."""
    fake_paper.install(fake_paper.PLAN, monkeypatch.setattr)
    monkeypatch.chdir(tmp_path)
    yield
    monkeypatch.undo()


def answer(capsys, *arguments):
    """Return the exit code, the output and the errors of a command."""
    code = main(arguments)
    return code, *capsys.readouterr()


def cells(path="paper.journal"):
    return [str(result.cell) for result in Journal.read(path)]


def test_version_and_help(capsys):
    assert answer(capsys, "--version") == (0, f"cutwise {__version__}\n", "")
    code, output, _ = answer(capsys, "--help")
    assert code == 0
    assert "paper" in output
    code, output, _ = answer(capsys, "paper", "run", "--help")
    assert code == 0
    for option in ("--only", "--quick", "--jobs", "--journal", "--data", "--retry-failed", "--repeats"):
        assert option in output


@pytest.mark.parametrize(
    "arguments",
    [["unknown"], ["paper", "unknown"], ["paper", "run", "--jobs", "x"], ["paper", "run", "--repeats", "0"]],
)
def test_wrong_use_is_code_2(capsys, arguments):
    code, output, errors = answer(capsys, *arguments)
    assert (code, output) == (2, "")
    assert "Traceback" not in errors
    assert "Usage" in errors


def test_a_run_measures_all_and_then_nothing(capsys):
    code, output, errors = answer(capsys, "paper", "run", "--jobs", "2")
    assert (code, errors) == (0, "")
    assert output.splitlines() == [
        "12 cells measured, 0 were there before: paper.journal",
        "Time: 3 s of one processor.",
        "  by discretizer: mrmd 2 s (67%), mdlp 1 s (33%)",
        "  by classifier: nb 2 s (67%), rnb 1 s (33%)",
        "  by dataset: iris 2 s (50%), wine 2 s (50%)",
    ]
    assert len(cells()) == 12
    assert cells()[0] == "iris/mdlp/nb/0/0"
    assert all(result == figures(result.cell) for result in Journal.read("paper.journal"))
    message = "0 cells measured, 12 were there before: paper.journal\n"
    assert answer(capsys, "paper", "run") == (0, message, "")
    code, output, _ = answer(capsys, "paper", "run", "--repeats", "2", "--jobs", "1")
    assert (code, output.splitlines()[0]) == (0, "12 cells measured, 12 were there before: paper.journal")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--quick", "--only", "rnb"], ["iris/mrmd/rnb/0/0", "iris/mrmd/rnb/0/1"]),
        (["--quick", "--only", "*/none/resnet"], ["iris/none/resnet/0/0", "iris/none/resnet/0/1"]),
        (
            ["--quick", "--only", "mdlp", "--only", "*/mrmd-nd-[25]/c45"],
            [
                "iris/mdlp/nb/0/0",
                "iris/mdlp/nb/0/1",
                "iris/mrmd-nd-2/c45/0/0",
                "iris/mrmd-nd-2/c45/0/1",
                "iris/mrmd-nd-5/c45/0/0",
                "iris/mrmd-nd-5/c45/0/1",
            ],
        ),
        (["--only", "wine/mdlp"], ["wine/mdlp/nb/0/0", "wine/mdlp/nb/0/1"]),
        (["--only", "*/m?md/nb", "--quick"], ["iris/mrmd/nb/0/0", "iris/mrmd/nb/0/1"]),
        (
            ["--only", "wine/mdlp/nb", "--only", "iris/*/rnb"],
            ["iris/mrmd/rnb/0/0", "iris/mrmd/rnb/0/1", "wine/mdlp/nb/0/0", "wine/mdlp/nb/0/1"],
        ),
    ],
)
def test_a_part_of_the_paper(capsys, options, expected):
    code, _, errors = answer(capsys, "paper", "run", "--jobs", "1", "--journal", "part", *options)
    assert (code, errors) == (0, "")
    assert cells("part") == expected


@pytest.mark.parametrize(
    ("pattern", "hint"), [("iriss", "Did you mean 'iris'?"), ("a/b/c/d", "Use a name, or"), ("wine/rnb", "Use a name")]
)
def test_a_pattern_without_cells_is_an_error(capsys, pattern, hint):
    code, output, errors = answer(capsys, "paper", "run", "--only", pattern)
    assert (code, output) == (2, "")
    assert errors.startswith(f"cutwise: No cell fits {pattern!r}. {hint}")
    assert errors.count("\n") == 1


def test_failed_cells_are_code_1(capsys, monkeypatch):
    fake_paper.install({"mrmd": ("nb", "fails")}, monkeypatch.setattr)
    code, output, errors = answer(capsys, "paper", "run", "--quick", "--jobs", "1")
    assert (code, output.splitlines()[0]) == (1, "4 cells measured, 0 were there before: paper.journal")
    assert errors == "2 cells failed: `cutwise paper status` shows why, --retry-failed measures them again.\n"
    assert answer(capsys, "paper", "run", "--quick")[0] == 0
    assert answer(capsys, "paper", "run", "--quick", "--retry-failed", "--jobs", "1")[0] == 1


def test_the_folder_of_the_data_reaches_the_workers(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr("cutwise.paper.registry.work", lambda protocol: data_work)
    assert answer(capsys, "paper", "run", "--quick", "--jobs", "1", "--data", "here")[0] == 1
    assert {result.error for result in Journal.read("paper.journal")} == {str(tmp_path / "here")}


def test_data_sets_that_are_not_there_are_one_sentence(capsys, monkeypatch, tmp_path):
    Path("here").mkdir()
    Path("here/iris.csv").touch()
    monkeypatch.setattr("cutwise.paper.datasets.loading.check_present", check_present)
    command = ["paper", "run", "--jobs", "1", "--data", "here"]
    code, output, errors = answer(capsys, *command)
    assert (code, output) == (2, "")
    assert errors == (
        f"cutwise: The data set 'wine' is not in '{tmp_path / 'here'}'. Fetch what is missing with "
        "`cutwise datasets fetch`, or set CUTWISE_DATA to the folder that has it.\n"
    )
    assert not Path("paper.journal").exists()
    Path("here/iris.csv").unlink()
    assert "The data set 'iris' and 1 more are not in" in answer(capsys, *command)[2]
    Path("here/iris.csv").touch()
    assert answer(capsys, *command, "--only", "iris")[0] == 0
    Path("here/iris.csv").unlink()
    # What is measured already needs no data.
    assert answer(capsys, *command, "--only", "iris")[0] == 0


def data_work(task):
    from cutwise.paper.evaluate import CellResult

    for cell in task.cells():
        yield CellResult(cell, error=os.environ["CUTWISE_DATA"])


def test_a_journal_in_use_or_of_others_is_one_sentence(capsys):
    with Journal("paper.journal"):
        code, _, errors = answer(capsys, "paper", "run")
    assert code == 2
    assert errors == (
        f"cutwise: The journal 'paper.journal' is in use by process {os.getpid()}. "
        "Wait for its end, or name another file.\n"
    )
    Path("notes.txt").write_text("mine\n")
    for command in ("run", "status", "tables"):
        code, _, errors = answer(capsys, "paper", command, "--journal", "notes.txt")
        assert code == 2
        assert errors.startswith("cutwise: The file 'notes.txt' is no journal of cutwise.")
    assert Path("notes.txt").read_text() == "mine\n"
    code, _, errors = answer(capsys, "paper", "run", "--jobs", "0")
    assert (code, errors[:40]) == (2, "cutwise: The number of processes is 0. U")


def test_a_torn_line_is_said(capsys):
    answer(capsys, "paper", "run", "--quick", "--jobs", "1")
    path = Path("paper.journal")
    path.write_bytes(path.read_bytes()[:-9])
    code, output, errors = answer(capsys, "paper", "run", "--quick", "--jobs", "1")
    assert (code, output.splitlines()[0]) == (0, "1 cell measured, 5 were there before: paper.journal")
    assert errors == "1 torn line at the end dropped.\n"


def test_tables(capsys):
    write(Path("paper.journal"), FIVE)
    options = ("--into", "out", "--format", "md", "--format", "csv", "--no-figures")
    code, output, errors = answer(capsys, "paper", "tables", *options)
    assert (code, output, errors) == (0, f"{Path('out/table.md')}\n{Path('out/table.csv')}\n", "")
    code, output, _ = answer(capsys, "paper", "tables")
    assert [Path(line).suffix for line in output.split()] == [".md", ".html", ".latex", ".csv", ".svg"]
    write(Path("more.journal"), [replace(FIVE[0], cell=replace(FIVE[0].cell, dataset="more"))])
    answer(capsys, "paper", "tables", "--journal", "paper.journal", "--journal", "more.journal")
    assert Path("tables/table.md").read_text().count("Result(") == 6
    Path("file").touch()
    code, _, errors = answer(capsys, "paper", "tables", "--into", "file")
    assert code == 2
    assert errors.startswith("cutwise: ")
    assert "Traceback" not in errors


def test_status(capsys):
    assert answer(capsys, "paper", "status")[0] == 2
    write(Path("paper.journal"), FIVE)
    code, output, _ = answer(capsys, "paper", "status")
    assert code == 0
    assert output.splitlines() == [
        "paper.journal: 5 cells, 1 of them failed.",
        "  set-2/mrmd/nb/0/2: it broke",
        "Time: 2 s of one processor.",
        "  by discretizer: mrmd 2 s (100%)",
        "  by classifier: nb 2 s (100%)",
        "  by dataset: set-0 1 s (51%), set-1 1 s (29%), set-2 0 s (20%)",
    ]
    code, output, _ = answer(capsys, "paper", "status", "--json")
    found = json.loads(output)
    assert (found["n_results"], found["failed"]) == (5, {"set-2/mrmd/nb/0/2": "it broke"})
    assert found["protocol"] == {"n_folds": 10, "seed": 7}
    assert list(found["sessions"]) == ["1"]


def test_the_status_of_an_empty_journal(capsys):
    Path("paper.journal").touch()
    assert answer(capsys, "paper", "status") == (0, "paper.journal: 0 cells, 0 of them failed.\n", "")


def test_a_bar_on_a_terminal(capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERM", "xterm")
    with shown_progress() as show:
        show(RunProgress(10, 2))
        show(RunProgress(10, 2, 3, n_failed=1, seconds_left=90.0))
    errors = capsys.readouterr().err
    assert "5/10" in errors
    assert "1 failed" in errors
    assert "about 1 min left" in errors


def test_nothing_is_shown_without_a_terminal(capsys):
    with shown_progress() as show:
        show(RunProgress(10, 2, 3, n_failed=1, seconds_left=90.0))
    assert capsys.readouterr() == ("", "")


def program(code, *arguments, **options):
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False, cwd=ROOT, **options
    )


def test_help_loads_nothing_heavy():
    code = (
        "import sys; from cutwise.cli import main; main(['paper', '--help']); main(['--help']); "
        "heavy = ('numpy', 'scipy', 'sklearn', 'numba', 'pandas', 'rich', 'cutwise.discretize', 'multiprocessing'); "
        "print([name for name in heavy if name in sys.modules])"
    )
    assert program(code).stdout.splitlines()[-1] == "[]"


def test_without_typer_there_is_one_sentence():
    done = program("import sys; sys.modules['typer'] = None; from cutwise.cli import main; sys.exit(main())")
    assert done.returncode == 2
    assert done.stderr == (
        "cutwise: the command line needs typer. Install it with: python -m pip install 'cutwise[cli]'\n"
    )


INTERRUPTED = """
import sys
from cutwise.cli import main
from tests.cli import fake_paper
if __name__ == "__main__":
    fake_paper.install({"mrmd": ("nb", "sleeps")})
    sys.exit(main(["paper", "run", "--quick", "--jobs", "1", "--journal", sys.argv[1]]))
"""


def test_an_interrupt_is_code_130_and_says_how_to_go_on(tmp_path):
    path = tmp_path / "a.journal"
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        start_new_session=True,
    ) as process:
        while process.poll() is None and not (path.exists() and Journal.read(path)):
            time.sleep(0.05)
        time.sleep(0.3)  # until the first result is kept and the second cell begun
        os.killpg(process.pid, signal.SIGINT)
        output, errors = process.communicate(timeout=30)
    assert (process.returncode, output) == (130, "")
    assert errors == f"Interrupted: {path} holds 1 cell; the same command resumes it.\n"
    assert cells(path) == ["iris/mrmd/nb/0/0"]
