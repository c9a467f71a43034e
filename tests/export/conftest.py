"""Servers for the tests: PostgreSQL, MariaDB and ClickHouse, if they are there."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
import warnings
from pathlib import Path

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
def mysql(tmp_path_factory):
    """A connection to a MariaDB server, which is started on a socket in a folder of its own."""
    pymysql = pytest.importorskip("pymysql", reason="no MySQL: pymysql is not installed")
    places = f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin"
    server, installer = (shutil.which(name, path=places) for name in ("mariadbd", "mariadb-install-db"))
    if server is None or installer is None:
        pytest.skip("no MySQL: mariadbd is not installed (Debian: apt-get install mariadb-server)")
    # The path of a socket can have some hundred characters.
    with tempfile.TemporaryDirectory(prefix="cutwise-mysql-") as folder:
        common = ["--no-defaults", f"--datadir={folder}/data", "--user=root"]
        command = [installer, *common, "--auth-root-authentication-method=normal"]
        made = subprocess.run(command, capture_output=True, check=False)
        if made.returncode:
            pytest.skip(f"no MySQL: mariadb-install-db failed: {made.stderr[-300:]!r}")
        own = [f"--socket={folder}/socket", "--skip-networking", f"--pid-file={folder}/pid"]
        with subprocess.Popen([server, *common, *own], stderr=subprocess.DEVNULL) as process:
            try:
                with _connection(pymysql, Path(folder, "socket"), process) as connection:
                    yield connection
            finally:
                process.terminate()
                process.wait(60)


def _connection(pymysql, socket, process, seconds=60):
    """A connection to a server that is about to start."""
    end = time.monotonic() + seconds
    while not socket.exists():
        if process.poll() is not None or time.monotonic() > end:
            pytest.skip("no MySQL: mariadbd does not start")
        time.sleep(0.2)
    connection = pymysql.connect(unix_socket=str(socket), user="root", charset="utf8mb4", autocommit=True)
    with connection.cursor() as cursor:
        cursor.execute("CREATE DATABASE cutwise")
        cursor.execute("USE cutwise")
    return connection


@pytest.fixture(scope="session")
def clickhouse():
    """A session of ClickHouse within this process."""
    chdb = pytest.importorskip("chdb", reason="no ClickHouse: chdb is not installed")
    session = chdb.session.Session()
    yield session
    session.close()
