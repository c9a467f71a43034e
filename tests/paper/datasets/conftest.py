"""What the tests of the data sets share."""

from __future__ import annotations

import pytest

from cutwise.paper.datasets import DataServices
from cutwise.paper.datasets.services import DownloadLimits
from tests.paper.datasets.server import running
from tests.paper.datasets.tiny import CONTENT


@pytest.fixture
def service(monkeypatch):
    """A local service."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with running() as started:
        yield started


@pytest.fixture
def services(service):
    """The local service in the place of both OpenML and UCI, asked without patience."""
    return DataServices(
        service.url, service.url, DownloadLimits(max_bytes=100_000, silence=0.5, seconds=5.0, tries=3, pause=0.0)
    )


@pytest.fixture
def tiny_folder(tmp_path):
    """A folder with the small set."""
    (tmp_path / "tiny.csv").write_bytes(CONTENT)
    return tmp_path
