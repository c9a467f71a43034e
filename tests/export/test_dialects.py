"""Queries for every dialect are read back by sqlglot; those without an engine here run in DuckDB."""

from __future__ import annotations

import numpy as np
import pytest
import sqlglot
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp

from cutwise.categories import category_text
from cutwise.export.dialects import DIALECTS
from cutwise.export.query import double, text
from tests.export.engines import ROW, run_duckdb, run_sqlite, typed
from tests.export.schemes import EXTREMES, HOSTILE, WITH_BLANKS, around, codes_of, nominal, numeric, scheme_of
from tests.export.test_names import NAMES
from tests.export.test_scores import COLUMNS, MODELS, TABLE, check
from tests.strategies import DOUBLES

CUTS = [-1e300, -0.1, 0.0, 5e-324, 0.1, 1 / 3, 2.0**53, 1e22, 1.7976931348623157e308]
VALUES = [*EXTREMES, *around(CUTS)]
ONLY_PARSED = ["bigquery", "snowflake"]


def read_back(sql, dialect):
    """The one statement of a text, as sqlglot reads it."""
    (statement,) = sqlglot.parse(sql, dialect=DIALECTS[dialect].parser)
    assert isinstance(statement, exp.Select)
    return statement


@pytest.mark.parametrize("dialect", DIALECTS)
def test_hostile_texts_are_literals_only(dialect):
    """Nothing of a category becomes part of the query itself."""
    for category in [*HOSTILE, *WITH_BLANKS]:
        if text(category, DIALECTS[dialect]) is None:
            continue
        statement = read_back(scheme_of(nominal("x", [category])).to_sql(dialect), dialect)
        assert len(list(statement.find_all(exp.Case))) == 1
        tables = {table.name for table in statement.find_all(exp.Table)}
        assert tables == {"data", "cutwise_values"}
        assert _meaning(statement.find(exp.Case).args["ifs"][0].this) == category_text(category)


def _meaning(node):
    """The text that a literal, a character or a chain of them stands for."""
    if isinstance(node, exp.Paren):
        return _meaning(node.this)
    if isinstance(node, exp.DPipe):
        return _meaning(node.left) + _meaning(node.right)
    return chr(int(node.expressions[0].name)) if isinstance(node, exp.Func) else node.name


@pytest.mark.parametrize("dialect", DIALECTS)
def test_hostile_names_are_identifiers_only(dialect):
    for name in NAMES:
        # BigQuery takes a name with dots for a path.
        bad = any(part in name for part in (*DIALECTS[dialect].forbidden, *("." * (dialect == "bigquery"))))
        if bad or (DIALECTS[dialect].longest_name or 999) < len(name):
            continue
        statement = read_back(scheme_of(numeric(name, [0.5])).to_sql(dialect, table=name), dialect)
        assert statement.named_selects == [name]
        tables = {table.name for table in statement.find_all(exp.Table)}
        assert name in tables
        assert len(tables) == 2


@pytest.mark.parametrize("dialect", ONLY_PARSED)
@pytest.mark.parametrize("missing", ["code", "bin"])
def test_codes_in_duckdb(dialect, missing):
    texts = HOSTILE[::2]
    scheme = scheme_of(
        numeric("x", CUTS, special=[-999.0, 0.3]), nominal("y", texts), nominal("z", [False, True]), missing=missing
    )
    n_rows = len(VALUES)
    columns = [VALUES, ([*WITH_BLANKS, *HOSTILE] * 3)[:n_rows], ([True, None, False] * n_rows)[:n_rows]]
    sql = sqlglot.transpile(scheme.to_sql(dialect, keep=[ROW]), read=dialect, write="duckdb")[0]
    assert run_duckdb(sql, typed(scheme, columns)) == codes_of(scheme, columns)


@pytest.mark.parametrize("dialect", ONLY_PARSED)
def test_scores_in_duckdb(dialect):
    model = MODELS[0]
    sql = sqlglot.transpile(model.to_sql(dialect, keep=[ROW]), read=dialect, write="duckdb")[0]
    found = run_duckdb(sql, typed(model.scheme_, COLUMNS))
    check(([row[0] for row in found], np.array([row[1:] for row in found])), model, TABLE)


@given(st.lists(DOUBLES, min_size=1, max_size=30))
def test_doubles_are_exact(numbers):
    for dialect, run in (("duckdb", run_duckdb), ("sqlite", run_sqlite)):
        values = [double(number, DIALECTS[dialect]).sql(dialect=dialect) for number in numbers]
        (found,) = run(f"SELECT 0, {', '.join(values)}", [(ROW, "integer", [0])])
        assert found == numbers


@given(st.text(max_size=30))
def test_texts_are_exact(value):
    for dialect, run in (("duckdb", run_duckdb), ("sqlite", run_sqlite)):
        literal = text(value, DIALECTS[dialect]).sql(dialect=dialect)
        assert not {"\\", "\n", "\0", "$"} & set(literal)
        assert run(f"SELECT 0, {literal}", [(ROW, "integer", [0])]) == [[value]]


def test_a_query_to_read():
    scheme = scheme_of(numeric("age", [37.5, 0.1 + 42], special=[-999.0]), nominal("town", ["Bern", "L'Aquila"]))
    assert scheme.to_sql("sqlite", table=("main", "people"), keep=["id"]).splitlines() == [
        "WITH cutwise_values AS (",
        "  SELECT",
        '    cutwise_input."id" AS k0,',
        '    CAST(cutwise_input."age" AS REAL) AS v0,',
        "    TRIM(",
        '      CAST(cutwise_input."town" AS TEXT),',
        "      ' ' || CHAR(9) || CHAR(10) || CHAR(11) || CHAR(12) || CHAR(13)",
        "    ) AS v1",
        '  FROM "main"."people" AS cutwise_input',
        ")",
        "SELECT",
        '  k0 AS "id",',
        "  CASE",
        "    WHEN v0 IS NULL",
        "    THEN -1",
        "    WHEN v0 = -999.0",
        "    THEN 3",
        "    WHEN v0 <= 37.5",
        "    THEN 0",
        "    WHEN v0 <= CAST(5925048259759309 AS REAL) / 140737488355328 /* 42.1 */",
        "    THEN 1",
        "    ELSE 2",
        '  END AS "age",',
        "  CASE v1 WHEN 'Bern' THEN 0 WHEN 'L' || CHAR(39) || 'Aquila' THEN 1 ELSE -1 END AS \"town\"",
        "FROM cutwise_values",
    ]
