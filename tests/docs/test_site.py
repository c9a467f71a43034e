"""The list of versions leads to pages that are there, the newest tag first; pages of a version know the list."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from tests.golden.stored import load_tool

TOOL = load_tool("site")
DOCS = Path(__file__).parents[2] / "docs"


def with_pages(folder, *versions):
    for version in versions:
        (folder / version).mkdir()
        (folder / version / "index.html").write_text("")
    return folder


@pytest.fixture
def tags(tmp_path, monkeypatch):
    """A repository in which tags can be made."""

    def git(*words):
        setting = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", "-C", str(tmp_path), *setting, *words], check=True, capture_output=True)

    git("init")
    git("commit", "--allow-empty", "--message", "first")
    monkeypatch.setattr(TOOL, "ROOT", tmp_path)
    return git


def test_tags_are_sorted_as_numbers(tags):
    for name in ("v0.9.0", "v0.10.0", "v0.2.1", "old", "v1.0.0rc1"):
        tags("tag", name)
    assert TOOL.tagged_versions() == ["0.10.0", "0.9.0", "0.2.1"]


def test_the_version_of_a_commit_is_its_tag(tags):
    tags("tag", "v0.2.0")
    assert TOOL.version_here() == "0.2.0"
    tags("commit", "--allow-empty", "--message", "second")
    assert TOOL.version_here() == "dev"


def test_only_versions_with_pages_are_listed(tmp_path):
    with_pages(tmp_path, "dev", "0.2.0", "0.1.0", "notes")
    entries = TOOL.list_versions(tmp_path, "https://example.org/cutwise/", ["0.3.0", "0.2.0", "0.1.0"])
    assert [entry["version"] for entry in entries] == ["dev", "0.2.0", "0.1.0"]
    assert [entry.get("preferred", False) for entry in entries] == [False, True, False]
    assert entries[1]["url"] == "https://example.org/cutwise/0.2.0/"


def test_the_first_page_leads_to_the_newest_tag(tmp_path):
    with_pages(tmp_path, "dev", "0.2.0")
    TOOL.write_list(tmp_path, TOOL.list_versions(tmp_path, "/", ["0.2.0"]))
    assert "0.2.0/index.html" in (tmp_path / "index.html").read_text()
    assert [entry["url"] for entry in json.loads((tmp_path / "versions.json").read_text())] == ["/dev/", "/0.2.0/"]


def test_without_a_tag_the_first_page_leads_to_dev(tmp_path):
    with_pages(tmp_path, "dev")
    TOOL.write_list(tmp_path, TOOL.list_versions(tmp_path, "/", []))
    assert "dev/index.html" in (tmp_path / "index.html").read_text()


def test_a_folder_without_versions_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["site.py", str(tmp_path), "--list"])
    assert TOOL.main() == 1
    assert "no versions" in capsys.readouterr().out


@pytest.mark.parametrize("version", [None, "dev", "0.2.0"])
def test_pages_of_a_version_show_the_others(monkeypatch, version):
    if version:
        monkeypatch.setenv("CUTWISE_DOCS_VERSION", version)
    else:
        monkeypatch.delenv("CUTWISE_DOCS_VERSION", raising=False)
    pytest.importorskip("docutils")
    found = runpy.run_path(str(DOCS / "conf.py"))["html_theme_options"].get("switcher")
    assert found == (version and {"json_url": "../versions.json", "version_match": version})
