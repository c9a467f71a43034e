"""The page of promises names every promise, and tests that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "promises.md").read_text()
ROWS = re.findall(r"^\| (\d+) \| (.+?) \| (.+?) \| (.+?) \|$", PAGE, re.MULTILINE)


def test_every_promise_has_a_row():
    assert [int(number) for number, *_ in ROWS] == list(range(1, 36))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_promise_is_held_or_said_to_be_open(row):
    _, _, held_by, figure = row
    assert re.search(r"`(tests|make)|doctests", held_by) or "Not yet" in figure
    assert re.search(r"\d", figure) or "Not yet" in figure


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`(tests/[\w./]+)`", PAGE))))
def test_what_is_named_is_there(path):
    assert (ROOT / path).exists()


@pytest.mark.parametrize("target", sorted(set(re.findall(r"`make ([\w-]+)`", PAGE))))
def test_targets_are_there(target):
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE)
