"""Codes and probabilities from a PostgreSQL server."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from cutwise import DiscretizedClassifier, EqualFrequencyDiscretizer
from tests.export import server_checks
from tests.export.engines import ROW, in_order, quoted, typed
from tests.export.schemes import MAY_BE_UNSEEN, cases, nominal, scheme_of
from tests.export.test_scores import check

TYPES = {"double": "double precision", "text": "text", "boolean": "boolean", "integer": "bigint"}


@pytest.fixture
def run(postgres):
    def run_query(sql, columns):
        fields = ", ".join(f"{quoted(name)} {TYPES[kind]}" for name, kind, _ in columns)
        postgres.execute("DROP TABLE IF EXISTS data")
        postgres.execute(f"CREATE TEMP TABLE data ({fields})")
        rows = zip(*(values for _, _, values in columns), strict=True)
        with postgres.cursor() as cursor, cursor.copy("COPY data FROM STDIN") as copy:
            copy.set_types([TYPES[kind].replace("double precision", "float8") for _, kind, _ in columns])
            for row in rows:
                copy.write_row(row)
        return in_order(postgres.execute(sql).fetchall())

    return run_query


def test_extremes(run):
    server_checks.check_extremes(run, "postgresql")


def test_categories(run):
    server_checks.check_categories(run, "postgresql")


def test_texts(run):
    server_checks.check_texts(run, "postgresql", holds_nul=False)


def test_names(run):
    server_checks.check_hostile_names(run, "postgresql", forbidden={"x" * 200})


def test_large_integers(run):
    server_checks.check_integers(run, "postgresql")


def test_scores(run):
    server_checks.check_scores(run, "postgresql")


def test_scorecards(run):
    server_checks.check_scorecards(run, "postgresql")


def test_names_of_steps(run):
    server_checks.check_names_of_steps(run, "postgresql")


@MAY_BE_UNSEEN
@given(case=cases())
@settings(max_examples=20)
def test_any_scheme(run, case):
    server_checks.check_any_scheme(run, "postgresql", case)


def test_sure_probabilities_do_not_underflow(run):
    rng = np.random.default_rng(0)
    y = np.arange(100) % 2
    X = y[:, None] * 10.0 + rng.normal(size=(100, 300))
    model = DiscretizedClassifier(EqualFrequencyDiscretizer(2)).fit(X, y)
    assert model.predict_log_proba(X).min() < -750
    found = run(model.to_sql("postgresql", keep=[ROW]), typed(model.scheme_, X.T.tolist()))
    check(([row[0] for row in found], np.array([row[1:] for row in found])), model, X)


@pytest.mark.parametrize("setting", ["on", "off"])
def test_backslashes_whatever_the_setting(run, postgres, setting):
    """Older servers take backslashes for escapes."""
    scheme = scheme_of(nominal("x", ["\\", "\\'", "a\\nb"]))
    postgres.execute(f"SET standard_conforming_strings = {setting}")
    try:
        assert run(scheme.to_sql("postgresql", keep=[ROW]), typed(scheme, [["a\\nb", "\\'", "\\", "a\nb"]])) == [
            [2],
            [1],
            [0],
            [-1],
        ]
    finally:
        postgres.execute("SET standard_conforming_strings = on")


def test_types_of_columns(postgres):
    scheme = scheme_of(nominal("x", ["a", "b"]))
    postgres.execute("DROP TABLE IF EXISTS data")
    postgres.execute("DROP TYPE IF EXISTS letter")
    postgres.execute("CREATE TYPE letter AS ENUM ('b', 'c', 'a')")
    postgres.execute("CREATE TEMP TABLE data (x letter)")
    postgres.execute("INSERT INTO data VALUES ('a'), ('b'), ('c'), (NULL)")
    assert postgres.execute(scheme.to_sql("postgresql")).fetchall() == [(0,), (1,), (-1,), (-1,)]
    postgres.execute("DROP TABLE data")
    postgres.execute("DROP TYPE letter")
