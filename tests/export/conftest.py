"""A server for the tests: PostgreSQL, if it is there."""

from __future__ import annotations

import os
import tempfile
import warnings

import pytest


@pytest.fixture(scope="session")
def postgres():
    """A connection to a PostgreSQL server: the one at CUTWISE_POSTGRES, else one that pgserver starts."""
    psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed")
    address, server = os.environ.get("CUTWISE_POSTGRES"), None
    if address is None:
        pgserver = pytest.importorskip("pgserver", reason="no PostgreSQL: pgserver is not installed")
        folder = tempfile.mkdtemp(prefix="cutwise-postgres-")
        try:
            with warnings.catch_warnings(action="ignore"):
                server = pgserver.get_server(folder, cleanup_mode="delete")
        except Exception as error:  # noqa: BLE001 - whatever keeps it from starting
            pytest.skip(f"no PostgreSQL: pgserver cannot start a server: {error}")
        address = server.get_uri()
    with psycopg.connect(address, autocommit=True) as connection:
        yield connection
    if server is not None:
        server.cleanup()
