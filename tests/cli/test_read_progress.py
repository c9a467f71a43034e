"""A large file is announced on a terminal, and nowhere else."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from cutwise.cli import progress
from cutwise.cli.progress import shown_reading


class Terminal(io.StringIO):
    def isatty(self):
        return True


def open_terminal(monkeypatch):
    """Make the standard error a terminal, and return it."""
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", Terminal())
    return sys.stderr


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.setattr(progress, "LARGE", 100)
    path = tmp_path / "many[red]\x1b.csv"
    path.write_bytes(b"x" * (3 << 20))
    return path


def test_a_large_file_is_announced(monkeypatch, file):
    terminal = open_terminal(monkeypatch)
    with shown_reading(file):
        pass
    assert "Reading many[red]⟨U+001B⟩.csv, 3 MiB …" in terminal.getvalue()


def test_small_and_missing_files_are_not(monkeypatch, file):
    terminal = open_terminal(monkeypatch)
    monkeypatch.setattr(progress, "LARGE", 1 << 23)
    for path in (file, file.with_name("none.csv"), Path("nul\0")):
        with shown_reading(path):
            pass
    assert terminal.getvalue() == ""


def test_nothing_is_shown_without_a_terminal(file, capsys):
    with shown_reading(file):
        pass
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("is_typed", [False, True])
def test_what_a_person_types_is_not_announced(monkeypatch, is_typed):
    terminal = open_terminal(monkeypatch)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: is_typed, raising=False)
    with shown_reading(Path("-")):
        pass
    assert ("Reading the standard input …" in terminal.getvalue()) is not is_typed


def test_errors_pass_and_the_line_goes(monkeypatch, file):
    terminal = open_terminal(monkeypatch)
    with pytest.raises(KeyError), shown_reading(file):
        raise KeyError
    assert terminal.getvalue().endswith("\x1b[2K")
