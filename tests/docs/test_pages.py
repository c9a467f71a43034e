"""The pages of the site: each is reached, links lead somewhere, pictures are those of their scripts."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
MADE = {"_build", "generated", "gallery"}
PAGES = sorted(path for path in DOCS.rglob("*.md") if not MADE & set(path.relative_to(DOCS).parts))
TOCTREE = re.compile(r"```\{toctree\}\n(.*?)```", re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def name_of(page):
    return page.relative_to(DOCS).with_suffix("").as_posix()


def without_code(text):
    return re.sub(r"```.*?```", "", text, flags=re.DOTALL)


def test_every_page_is_in_the_table_of_contents():
    lines = [
        line for block in TOCTREE.findall((DOCS / "index.md").read_text(encoding="utf-8")) for line in block.split()
    ]
    entries = [line for line in lines if not line.startswith(":")]
    reached = {name_of(page) for entry in entries for page in DOCS.glob(f"{entry}.md")}
    assert {name_of(page) for page in PAGES} - reached == {"index"}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page):
    for target in LINK.findall(without_code(page.read_text(encoding="utf-8"))):
        assert "://" in target or (page.parent / target).exists(), target


def test_the_picture_of_the_questions_is_the_one_that_is_drawn():
    drawn = runpy.run_path(str(DOCS / "make_which_picture.py"))["picture"]()
    assert (DOCS / "which.svg").read_text(encoding="utf-8") == drawn + "\n"


def test_the_questions_in_words_are_those_of_the_picture():
    program = runpy.run_path(str(DOCS / "make_which_picture.py"))
    text = (DOCS / "which.md").read_text(encoding="utf-8")
    for branch in program["BRANCHES"]:
        assert f"| {' '.join(branch.question)} |" in text
