"""Journals for the tests of this folder."""

from __future__ import annotations

import os

import pytest

from cutwise.paper.evaluate import journal as journal_module
from tests.paper.evaluate.journals import FIVE, write


@pytest.fixture
def path(tmp_path):
    return tmp_path / "paper.journal"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The bytes of a journal of five results."""
    path = tmp_path_factory.mktemp("whole") / "paper.journal"
    write(path, FIVE)
    return path.read_bytes()


class QuickOs:
    """The system's calls without waiting for the disk."""

    def __getattr__(self, name):
        return (lambda descriptor: None) if name == "fsync" else getattr(os, name)


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(journal_module, "os", QuickOs())
    monkeypatch.setattr(journal_module, "library_versions", lambda: {"cutwise": "0.1.0"})
