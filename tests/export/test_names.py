"""Names of columns and tables: any that the target can have, and one clear error for the others."""

from __future__ import annotations

import importlib.util
import sqlite3

import duckdb
import polars as pl
import pytest

from cutwise import DiscretizedClassifier, ExportError
from cutwise.export.dialects import DIALECTS
from tests.export.engines import ROW, polars_frame, run_duckdb, run_onnx, run_sqlite, typed
from tests.export.schemes import nominal, numeric, scheme_of
from tests.versions import skip_names_like_patterns

NAMES = [
    *('a"b', '"', "a'b", "`", "a`b", "a.b", "a b", "select", "from", "line\nbreak", "a;--b", "/*", "*/", "\\", "*"),
    *("^a$", "^.*$", "ä", "\U0001f600", "v0", "k0", "c0", "p0", "best", "cutwise_values", "cutwise_input", "codes"),
    *(
        "]",
        "a]b",
        "[x]",
        "%",
        "?",
        "$1",
        ":x",
        "{}",
        " ",
        "constant0",
        "value0",
        "prediction",
        "__SQLGLOT__LB__",
        "data",
        "x" * 200,
    ),
]
SCHEME = scheme_of(*(numeric(name, [float(j)]) for j, name in enumerate(NAMES)))
COLUMNS = [[j - 0.5, j + 0.5, None] for j in range(len(NAMES))]
EXPECTED = [[0] * len(NAMES), [1] * len(NAMES), [-1] * len(NAMES)]


@pytest.mark.parametrize(("dialect", "run"), [("duckdb", run_duckdb), ("sqlite", run_sqlite)])
def test_hostile_names_in_databases(dialect, run):
    assert run(SCHEME.to_sql(dialect, keep=[ROW]), typed(SCHEME, COLUMNS)) == EXPECTED


def test_hostile_names_in_polars():
    skip_names_like_patterns()
    found = polars_frame(SCHEME, COLUMNS).select(SCHEME.to_polars())
    assert found.columns == NAMES
    assert [list(row) for row in found.rows()] == EXPECTED


def test_hostile_names_in_onnx():
    assert run_onnx(SCHEME.to_onnx(), SCHEME, COLUMNS)[0].tolist() == EXPECTED


@pytest.mark.parametrize("name", ["data", 'my "table"', "x;y", "cutwise_values", "CUTWISE_CODES", "a.b"])
def test_tables(name):
    model = DiscretizedClassifier().fit([[1.0], [2.0]] * 5, [0, 1] * 5)
    frame = pl.DataFrame({"x0": [1.0, 2.0, None]})
    with duckdb.connect() as connection:
        connection.execute('CREATE SCHEMA "my schema"')
        connection.register("source", frame.to_arrow())
        quoted = name.replace('"', '""')
        connection.execute(f'CREATE TABLE "my schema"."{quoted}" AS FROM source')
        codes = connection.execute(model.scheme_.to_sql(table=["my schema", name])).fetchall()
        assert sorted(codes) == [(-1,), (0,), (1,)]
        rows = connection.execute(model.to_sql(table=("memory", "my schema", name), keep=["x0"])).fetchall()
        assert {row[:2] for row in rows if row[0]} == {(1.0, 0), (2.0, 1)}


def test_results_have_the_names_asked_for():
    scheme = scheme_of(numeric("a", [1.0]), nominal("b", ["x"]))
    columns = [(ROW, "integer", [0]), ("id", "text", ["r"]), ("a", "double", [2.0]), ("b", "text", ["x"])]
    assert run_duckdb(scheme.to_sql(keep=[ROW, "id"]), columns) == [["r", 1, 0]]
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE data (id, a, b)")
    head = connection.execute(scheme.to_sql("sqlite", keep=["id"])).description
    assert [item[0] for item in head] == ["id", "a", "b"]
    connection.close()


def test_sqlite_does_not_take_an_unknown_column_for_a_text():
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE data (b)")
    with pytest.raises(sqlite3.OperationalError, match="no such column"):
        connection.execute(scheme_of(numeric("a", [1.0])).to_sql("sqlite"))
    connection.close()


@pytest.mark.parametrize(
    ("dialect", "name", "reason"),
    [
        ("duckdb", "", "is empty"),
        ("sqlite", "a\0b", r"holds '\\x00'"),
        ("duckdb", "\ud800", "holds half a character"),
        ("postgresql", "ä" * 32, "has 64 bytes, at most 63"),
        ("bigquery", "a`b", "holds '`'"),
        ("bigquery", "a\\b", "holds"),
        ("spark", "${env:HOME}", r"holds '\$\{'"),
        ("databricks", "${env:HOME}", r"holds '\$\{'"),
        ("oracle", 'a"b', "holds"),
        ("oracle", "x" * 129, "has 129 bytes, at most 128"),
        ("clickhouse", "a\\b", "holds"),
        ("mysql", "\U0001f600", "holds"),
        ("mysql", "a ", "ends with a blank"),
        ("mysql", "ä" * 65, "has 65 characters, at most 64"),
        ("sqlserver", "\U0001f600" * 65, "has 130 characters, at most 128"),
    ],
)
def test_names_that_a_database_cannot_have(dialect, name, reason):
    with pytest.raises(ExportError, match=f"cannot use the name .*{reason}"):
        scheme_of(numeric(name, [1.0])).to_sql(dialect)
    with pytest.raises(ExportError, match=f"cannot use the name .*{reason}"):
        scheme_of(numeric("a", [1.0])).to_sql(dialect, table=name)
    with pytest.raises(ExportError, match=f"cannot use the name .*{reason}"):
        scheme_of(numeric("a", [1.0])).to_sql(dialect, keep=[name])


@pytest.mark.parametrize("dialect", DIALECTS)
def test_names_that_differ_in_case_only(dialect):
    scheme = scheme_of(numeric("a", [1.0]), numeric("A", [1.0]))
    if dialect in ("clickhouse", "oracle", "postgresql", "snowflake"):
        assert '"A"' in scheme.to_sql(dialect)
    else:
        with pytest.raises(ExportError, match="cannot tell the columns 'a', 'A' apart"):
            scheme.to_sql(dialect)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dialect": "db2"}, "dialect 'db2' is unknown; choose one of 'bigquery', 'clickhouse'"),
        ({"table": ["a", "b", "c", "d"]}, "one to three parts"),
        ({"table": []}, "one to three parts"),
        ({"keep": "id"}, "'keep' must be a list of names, not the string 'id'"),
        ({"keep": ["a"]}, "cannot tell the columns 'a', 'a' apart. Rename one of them, or do not keep it"),
        ({"keep": ["id", "id"]}, "cannot tell the columns 'id', 'id' apart"),
        ({"keep": [3]}, "A name must be a string, not 3"),
    ],
)
def test_wrong_arguments(options, message):
    with pytest.raises(ExportError, match=message):
        scheme_of(numeric("a", [1.0])).to_sql(**options)


def test_schemes_without_attributes():
    with pytest.raises(ExportError, match="no attribute"):
        scheme_of().to_sql()
    with pytest.raises(ExportError, match="no attribute"):
        scheme_of().to_onnx()
    assert scheme_of().to_polars() == []


@pytest.mark.parametrize("name", ["", "a\0b", "\ud800"])
def test_names_that_onnx_cannot_have(name):
    with pytest.raises(ExportError, match="ONNX cannot use the name"):
        scheme_of(numeric(name, [1.0])).to_onnx()


def test_whole_numbers_beyond_doubles():
    scheme = scheme_of(nominal("a", [2**53, 2**53 + 1]))
    for export in (scheme.to_polars, scheme.to_onnx):
        with pytest.raises(ExportError, match="beyond 2\\*\\*53"):
            export()
    values = [2**53, 2**53 + 1, 2**53 + 2]
    columns = [(ROW, "integer", [0, 1, 2]), ("a", "integer", values)]
    for dialect, run in (("duckdb", run_duckdb), ("sqlite", run_sqlite)):
        assert run(scheme.to_sql(dialect, keep=[ROW]), columns) == [[0], [1], [-1]]


@pytest.mark.parametrize(
    ("method", "library", "extra"),
    [("to_sql", "sqlglot", "sql"), ("to_onnx", "onnx", "onnx"), ("to_polars", "polars", "tables")],
)
def test_libraries_that_are_not_installed(method, library, extra, monkeypatch):
    found = importlib.util.find_spec
    monkeypatch.setattr("cutwise.table.engines.source.find_spec", lambda name: None if name == library else found(name))
    message = f"needs the library {library}, which is not installed; try: pip install 'cutwise\\[{extra}\\]'"
    with pytest.raises(ImportError, match=message):
        getattr(scheme_of(numeric("a", [1.0])), method)()


def test_names_that_polars_cannot_have():
    with pytest.raises(ExportError, match=r"Polars cannot use the name '\\ud800': it holds half a character"):
        scheme_of(numeric("\ud800", [1.0])).to_polars()
