"""What the tests of the data sets share."""

from __future__ import annotations

import pytest

from cutwise.datasets import Services
from cutwise.datasets.download import Limits
from tests.datasets.server import running
from tests.datasets.tiny import CONTENT


@pytest.fixture
def service(monkeypatch):
    """A local service."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with running() as started:
        yield started


@pytest.fixture
def services(service):
    """The local service in the place of both OpenML and UCI, asked without patience."""
    return Services(service.url, service.url, Limits(max_bytes=100_000, silence=0.5, seconds=5.0, tries=3, pause=0.0))


@pytest.fixture
def tiny_folder(tmp_path):
    """A folder with the small set."""
    (tmp_path / "tiny.csv").write_bytes(CONTENT)
    return tmp_path
