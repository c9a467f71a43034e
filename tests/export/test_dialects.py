"""Queries for every dialect are read back by sqlglot; those without an engine here run in DuckDB."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import sqlglot
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp

from cutwise import DiscretizedClassifier, ExportError
from cutwise.categories import category_text
from cutwise.export.dialects import DIALECTS, check_names
from cutwise.export.query import double, text
from tests.export.engines import ROW, run_duckdb, run_sqlite, typed
from tests.export.schemes import (
    EXTREMES,
    HOSTILE,
    MAY_BE_UNSEEN,
    WITH_BLANKS,
    around,
    codes_of,
    nominal,
    numeric,
    scheme_of,
)
from tests.export.server_checks import check_scorecards, finite
from tests.export.test_names import NAMES
from tests.export.test_scores import COLUMNS, MODELS, TABLE, check
from tests.strategies import DOUBLES
from tests.versions import skip_oracles_nan

CUTS = [-1e300, -0.1, 0.0, 5e-324, 0.1, 1 / 3, 2.0**53, 1e22, 1.7976931348623157e308]
VALUES = [*EXTREMES, *around(CUTS)]
ONLY_PARSED = ["bigquery", "databricks", "oracle", "redshift", "snowflake", "sqlserver", "trino"]
# SQL Server takes no deeper nesting.
DEEPEST_CASE = 10


def is_refused(name, dialect):
    try:
        check_names([name], DIALECTS[dialect])
    except ExportError:
        return True
    return False


def read_back(sql, dialect):
    """The one statement of a text, as sqlglot reads it."""
    if dialect == "oracle" and "IS NAN" in sql:
        skip_oracles_nan()
    (statement,) = sqlglot.parse(sql, dialect=DIALECTS[dialect].parser)
    assert isinstance(statement, exp.Select)
    return statement


@pytest.mark.parametrize("dialect", DIALECTS)
def test_hostile_texts_are_literals_only(dialect):
    """Nothing of a category becomes part of the query itself."""
    for category in [*HOSTILE, *WITH_BLANKS]:
        if text(category_text(category), DIALECTS[dialect]) is None:
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
    if isinstance(node, exp.Concat):
        return "".join(map(_meaning, node.expressions))
    return chr(int(node.expressions[0].name)) if isinstance(node, exp.Func) else node.name


def in_duckdb(sql, dialect):
    """A query as DuckDB takes it; what it has no word for is said in others that mean the same."""
    statement = read_back(sql, dialect)
    for kind, other in IN_DUCKDB.items():
        for node in reversed(list(statement.find_all(kind))):
            node.replace(other(node))
    return statement.sql(dialect="duckdb")


TYPES = exp.DataType.Type
OTHER_TYPES = {TYPES.VARCHAR: "text", TYPES.NVARCHAR: "text", TYPES.FLOAT: "double"}
IN_DUCKDB = {
    exp.Collate: lambda node: node.this,
    exp.Hint: lambda _: None,
    exp.National: lambda node: exp.Literal.string(node.name),
    exp.Cast: lambda node: exp.cast(node.this, OTHER_TYPES.get(node.to.this, node.to)),
    exp.Is: lambda node: exp.IsNan(this=node.this) if node.expression.name == "NAN" else node,
    exp.Anonymous: lambda node: (
        exp.Anonymous(this="CHR", expressions=node.expressions) if node.name == "NCHAR" else node
    ),
}


def as_held(columns, dialect):
    """Columns as a database has them, which may know no NaN and infinity, no subnormal numbers, or no empty texts."""
    if DIALECTS[dialect].nan == "none":
        columns = finite(columns)
    if not DIALECTS[dialect].has_subnormals:
        columns = [[0.0 if isinstance(x, float) and abs(x) < 1e-307 else x for x in column] for column in columns]
    if DIALECTS[dialect].holds_empty:
        return columns
    return [[None if isinstance(x, str) and not x.strip() else x for x in column] for column in columns]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_hostile_names_are_identifiers_only(dialect):
    for name in NAMES:
        # BigQuery takes a name with dots for a path.
        if is_refused(name, dialect) or (dialect == "bigquery" and "." in name):
            continue
        statement = read_back(scheme_of(numeric(name, [0.5])).to_sql(dialect, table=name), dialect)
        assert statement.named_selects == [name]
        tables = {table.name for table in statement.find_all(exp.Table)}
        assert name in tables
        assert len(tables) == 2


@MAY_BE_UNSEEN
@pytest.mark.parametrize("dialect", ONLY_PARSED)
@pytest.mark.parametrize("missing", ["code", "bin"])
def test_codes_in_duckdb(dialect, missing):
    texts = [one for one in HOSTILE[::2] if one or DIALECTS[dialect].holds_empty]
    scheme = scheme_of(
        numeric("x", CUTS, special=[-999.0, 0.3]),
        nominal("y", texts),
        nominal("z", [False, True]),
        nominal("w", [-0.5, 0.0, 0.1]),
        numeric("v", np.linspace(-1, 1, 200).tolist()),
        missing=missing,
    )
    n_rows = len(VALUES)
    words = ([*WITH_BLANKS, *HOSTILE] * 3)[:n_rows]
    if not DIALECTS[dialect].holds_nul:
        words = [word.replace("\0", "") for word in words]
    columns = as_held([VALUES, words, ([True, None, False] * n_rows)[:n_rows], VALUES, VALUES], dialect)
    found = run_duckdb(in_duckdb(scheme.to_sql(dialect, keep=[ROW]), dialect), typed(scheme, columns))
    assert found == codes_of(scheme, columns)


@pytest.mark.parametrize("dialect", ONLY_PARSED)
def test_scores_in_duckdb(dialect):
    columns = as_held(COLUMNS, dialect)
    table = pd.DataFrame(list(zip(*columns, strict=True)), columns=TABLE.columns)
    for model in (MODELS[0], MODELS[2]):
        sql = in_duckdb(model.to_sql(dialect, keep=[ROW]), dialect)
        found = run_duckdb(sql, typed(model.scheme_, columns))
        check(([row[0] for row in found], np.array([row[1:] for row in found])), model, table)


@pytest.mark.parametrize("dialect", ONLY_PARSED)
def test_scorecards_in_duckdb(dialect):
    def run(sql, columns):
        return run_duckdb(in_duckdb(sql, dialect), columns)

    check_scorecards(run, dialect)


def test_queries_are_not_nested_deeply():
    """Weights of evidence of a column with very many cuts."""
    attribute = numeric("x", np.linspace(-1, 1, 4200).tolist())
    scheme = replace(scheme_of(attribute), event=1)
    statement = read_back(scheme.to_sql("sqlserver", encode="woe"), "sqlserver")
    assert max(_depth(node) for node in statement.find_all(exp.Case)) <= DEEPEST_CASE // 2


def _depth(node):
    """How many CASE expressions an expression is within, itself included."""
    depth = 0
    while node is not None:
        depth += isinstance(node, exp.Case)
        node = node.parent
    return depth


@MAY_BE_UNSEEN
def test_subnormal_numbers_in_sql_server():
    """It has none, so a cut among them is the nearest double below, and no value equals one."""
    scheme = scheme_of(numeric("x", [-5e-324, 5e-324], special=[1e-310]), nominal("y", [1e-310, 2.0]))
    values = [-1.0, -2.2250738585072014e-308, 0.0, 2.2250738585072014e-308, 2.0]
    sql = scheme.to_sql("sqlserver", keep=[ROW])
    assert "e-31" not in sql
    assert "e-32" not in sql
    found = run_duckdb(in_duckdb(sql, "sqlserver"), typed(scheme, [values, values]))
    assert found == codes_of(scheme, [values, values])


def test_texts_that_oracle_cannot_hold():
    scheme = scheme_of(nominal("x", ["", "a" * 4001, "b"]))
    statement = read_back(scheme.to_sql("oracle"), "oracle")
    assert [_meaning(one.this) for one in statement.find(exp.Case).args["ifs"]] == ["b"]
    model = DiscretizedClassifier().fit([[1.0], [2.0]] * 6, ["", "b"] * 6)
    with pytest.raises(ExportError, match="class label '' cannot be a value of Oracle"):
        model.to_sql("oracle")


def test_long_texts_of_sql_server_are_not_cut_off():
    sql = scheme_of(nominal("x", ["it's " + "x" * 5000])).to_sql("sqlserver")
    assert sql.count("AS NVARCHAR(MAX)") == 4


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
