"""What the tests of the commands share."""

from __future__ import annotations

import pytest

from cutwise.cli import main
from tests.cli.loans import loans


@pytest.fixture
def run(capsysbinary):
    """Return the exit code, the output and the errors of a command."""

    def answer(*arguments):
        code = main([str(argument) for argument in arguments])
        output, errors = capsysbinary.readouterr()
        return code, output.decode(), errors.decode()

    return answer


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of one's own with loans.csv in it."""
    monkeypatch.chdir(tmp_path)
    loans().to_csv("loans.csv", index=False)
    yield tmp_path
    monkeypatch.undo()


@pytest.fixture
def refuses(run):
    """Check that a command gives one sentence and exit code 2."""

    def check(*arguments):
        code, output, errors = run(*arguments)
        assert (code, output) == (2, ""), (code, output, errors)
        assert errors.startswith("cutwise: ")
        assert errors.count("\n") == 1
        return errors.removeprefix("cutwise: ").strip()

    return check
