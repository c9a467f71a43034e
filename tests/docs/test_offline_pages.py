"""The check of the built site finds what a page would load from elsewhere."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

CHECK = runpy.run_path(str(Path(__file__).parents[2] / "tools" / "offline_pages.py"))["main"]


@pytest.mark.parametrize(
    ("tag", "reason"),
    [
        ('<script src="https://cdn.example/a.js"></script>', "from the network"),
        ('<link rel="stylesheet" href="//cdn.example/a.css">', "from the network"),
        ('<img src="absent.svg">', "which is not there"),
    ],
)
def test_what_a_page_must_not_load(tmp_path, capsys, tag, reason):
    (tmp_path / "page.html").write_text(f"<html>{tag}</html>")
    assert CHECK(str(tmp_path)) == 1
    assert reason in capsys.readouterr().out


def test_a_page_with_files_of_its_own_and_links_elsewhere(tmp_path):
    (tmp_path / "a b.css").write_text("")
    page = '<link rel="stylesheet" href="a%20b.css?v=1"><a href="https://example.org">there</a><img src="data:,">'
    (tmp_path / "page.html").write_text(page)
    assert CHECK(str(tmp_path)) == 0


def test_a_folder_without_pages(tmp_path, capsys):
    assert CHECK(str(tmp_path)) == 1
    assert "no pages" in capsys.readouterr().out
