"""Where the data sets are."""

from __future__ import annotations

from pathlib import Path

import pytest

from cutwise.paper.datasets import folder
from cutwise.paper.datasets.loading import user_cache


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch):
    for name in ("CUTWISE_DATA", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)


def test_the_variable_wins(monkeypatch):
    monkeypatch.setenv("CUTWISE_DATA", "some/where")
    assert folder() == Path("some/where")


def test_else_it_is_the_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("CUTWISE_DATA", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    assert folder() == tmp_path / "cutwise" / "datasets"


def test_every_platform_has_its_cache(monkeypatch, tmp_path):
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert user_cache("linux") == tmp_path / ".cache"
    assert user_cache("darwin") == tmp_path / "Library" / "Caches"
    assert user_cache("win32") == tmp_path / "AppData" / "Local"
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert user_cache("win32") == tmp_path / "local"
    assert user_cache("linux") == tmp_path / ".cache"
