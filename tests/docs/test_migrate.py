"""What the pages for users of other libraries show of them runs, where the library is there."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "docs" / "migrate"
PROGRAM = re.compile(r"```python\n(?!>>>)(.*?)```", re.DOTALL)


@pytest.mark.parametrize(("page", "package"), [("optbinning", "optbinning"), ("orange", "Orange")])
def test_their_programs_run(page, package):
    programs = PROGRAM.findall((FOLDER / f"{page}.md").read_text(encoding="utf-8"))
    assert programs
    if find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    for program in programs:
        # In a process of their own, whose warnings and random numbers are theirs.
        found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
        assert found.returncode == 0, found.stderr


def test_every_page_has_a_program_of_ours():
    assert all(">>> from cutwise import" in page.read_text(encoding="utf-8") for page in FOLDER.glob("*.md"))
