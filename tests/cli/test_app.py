"""All commands: help, completion and the demo."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMANDS = ("fit", "apply", "explain", "check", "report", "scorecard", "export", "compare", "demo")
READING = ("--format", "--encoding", "--delimiter", "--decimal", "--null", "--as-text", "--sheet")


def program(*arguments, **variables):
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True, text=True, check=False, env={**os.environ, **variables},
    )  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_help(run, command):
    code, output, errors = run(command, "--help")
    assert (code, errors) == (0, "")
    assert output.startswith(f"Usage: cutwise {command}")
    if command not in ("demo", "export"):
        assert all(option in output for option in READING)


def test_help_of_commands_loads_nothing_heavy():
    heavy = "('numpy', 'scipy', 'sklearn', 'numba', 'pandas', 'polars', 'pyarrow', 'narwhals', 'rich', 'pydantic')"
    code = (
        "import sys; from cutwise.cli import main; "
        f"[main([command, '--help']) for command in {COMMANDS}]; "
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    assert program("-c", code).stdout.splitlines()[-1] == "[]"


def test_wrong_options_are_code_2(run):
    for arguments in (["fit"], ["fit", "a.csv", "--unknown"], ["explain", "m.json", "a.csv", "--row", "x"]):
        code, output, errors = run(*arguments)
        assert (code, output) == (2, "")
        assert "Traceback" not in errors


def complete(line):
    words = line.split(" ")
    done = program(
        "-m", "cutwise",
        _CUTWISE_COMPLETE="complete_bash", COMP_WORDS=line, COMP_CWORD=str(len(words) - 1), _TYPER_COMPLETE_ARGS=line,
    )  # fmt: skip
    return done.stdout.split()


def test_completion():
    assert {"fit", "paper", "datasets", "compare"} <= set(complete("cutwise "))
    assert "--method" in complete("cutwise fit --me")
    assert complete("cutwise fit --method mrm") == ["mrmd"]
    assert complete("cutwise compare --classifier wan") == ["wanbia"]
    script = program("-m", "cutwise", "--show-completion", "bash", _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")
    assert "_CUTWISE_COMPLETE" in script.stdout


def test_the_demo(run, folder):
    code, output, errors = run("demo", "here")
    assert (code, errors) == (0, "")
    assert "MRmD looked at 569 tumours" in output
    assert sorted(path.name for path in Path("here").iterdir()) == ["report.html", "scheme.json"]
    assert run("apply", "here/scheme.json", "loans.csv")[0] == 2
    code, _, errors = run("demo", "loans.csv")
    assert (code, errors) == (2, "Cannot write to 'loans.csv': a file is in the way. Name another folder.\n")


def test_an_interrupt_is_code_130(run, folder, monkeypatch):
    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("cutwise.cli.fit.learn", interrupted)
    assert run("fit", "loans.csv", "-t", "paid") == (130, "", "")


def test_a_reader_that_stops_early_is_no_error(folder):
    code = "import sys; from cutwise.cli import main; sys.exit(main(sys.argv[1:]))"
    assert program("-c", code, "fit", "loans.csv", "-t", "paid", "-o", "s.json").returncode == 0
    text = Path("loans.csv").read_text().splitlines()
    Path("many.csv").write_text("\n".join([text[0], *text[1:] * 200]) + "\n")
    shell = f"{sys.executable} -c '{code}' apply s.json many.csv | head -n 1"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=False)
    assert done.stdout == "income,age,home,paid\n"
    assert "Traceback" not in done.stderr
