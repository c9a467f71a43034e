"""The page on the paper holds what the journals give."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(not list((ROOT / "results").glob("*.journal.xz")), reason="the journals are not here")
def test_the_page_is_what_the_journals_give():
    program = [sys.executable, ROOT / "tools" / "paper_page.py", "--check"]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
