"""Codes and probabilities from a MariaDB or MySQL server; `make test-sql` runs these."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from tests.export import server_checks
from tests.export.engines import ROW, in_order, typed
from tests.export.schemes import MAY_BE_UNSEEN, cases, nominal, scheme_of
from tests.export.server_checks import finite

TYPES = {"double": "double", "text": "longtext", "boolean": "boolean", "integer": "bigint"}


def quoted(name):
    return "`" + name.replace("`", "``") + "`"


@pytest.fixture
def run(mysql):
    def run_query(sql, columns):
        fields = ", ".join(f"{quoted(name)} {TYPES[kind]}" for name, kind, _ in columns)
        marks = ", ".join(["%s"] * len(columns))
        rows = [
            tuple(x.item() if isinstance(x, np.generic) else x for x in row)
            for row in zip(*(v for *_, v in columns), strict=True)
        ]
        with mysql.cursor() as cursor:
            cursor.execute("DROP TABLE IF EXISTS data")
            cursor.execute(f"CREATE TABLE data ({fields}) DEFAULT CHARSET utf8mb4")
            cursor.executemany(f"INSERT INTO data VALUES ({marks})", rows)  # noqa: S608
            cursor.execute(sql)
            return in_order(cursor.fetchall())

    return run_query


def test_extremes(run):
    server_checks.check_extremes(run, "mysql", finite)


def test_categories(run):
    server_checks.check_categories(run, "mysql", finite)


def test_texts(run):
    server_checks.check_texts(run, "mysql", holds_nul=True)


def test_names(run):
    server_checks.check_hostile_names(run, "mysql", forbidden={" ", "\U0001f600", "x" * 200})


def test_names_of_steps(run):
    server_checks.check_names_of_steps(run, "mysql")


def test_large_integers(run):
    server_checks.check_integers(run, "mysql")


def test_scores(run):
    server_checks.check_scores(run, "mysql", finite)


def test_scorecards(run):
    server_checks.check_scorecards(run, "mysql")


@MAY_BE_UNSEEN
@given(case=cases())
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_scheme(run, case):
    server_checks.check_any_scheme(run, "mysql", case, finite)


def test_steps_are_computed_once(run):
    server_checks.check_many_classes(run, "mysql")


@pytest.mark.parametrize("mode", ["", "ANSI_QUOTES", "NO_BACKSLASH_ESCAPES", "PIPES_AS_CONCAT"])
def test_texts_whatever_the_mode(run, mysql, mode):
    """Case, accents and blanks at the end are told apart, and backslashes are no escapes."""
    scheme = scheme_of(nominal("x", ["a", "\\", "a\\nb", "it's", "é"]))
    with mysql.cursor() as cursor:
        cursor.execute("SELECT @@sql_mode")
        before = cursor.fetchall()[0][0]
        cursor.execute("SET sql_mode = %s", (mode,))
        try:
            values = ["a", "A", "a\\nb", "a\nb", "\\", "it's", "É", "e", "é", "a "]
            found = run(scheme.to_sql("mysql", keep=[ROW]), typed(scheme, [values]))
        finally:
            cursor.execute("SET sql_mode = %s", (before,))
    assert found == [[0], [-1], [2], [-1], [1], [3], [-1], [-1], [4], [0]]
