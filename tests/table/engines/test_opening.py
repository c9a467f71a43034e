"""Engines are told from the types of tables, and loaded only when they are needed."""

from __future__ import annotations

import subprocess
import sys

import pandas as pd
import pyarrow as pa
import pyarrow.dataset
import pytest

from cutwise.table.engines import open_source
from cutwise.table.engines import source as opening
from cutwise.table.engines.source import engine_of
from tests.export.schemes import numeric, scheme_of

ENGINES = ("dask", "duckdb", "ibis", "pandas", "polars", "pyarrow", "pyspark", "sqlglot")


def test_nothing_is_loaded_before_a_table_comes():
    program = (
        "import sys; before = set(sys.modules); import cutwise.table.engines, cutwise.export; "
        f"print([name for name in {ENGINES} if name in set(sys.modules) - before])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_only_the_engine_of_a_table_is_loaded():
    program = (
        "import sys, pyarrow; from cutwise.table.engines import open_source; "
        "source = open_source(pyarrow.table({'x': [1]})); "
        "print(sum(source.fold(['x'], lambda batches: sum(b.num_rows for b in batches)))); "
        "print([name for name in ('dask', 'duckdb', 'ibis', 'polars', 'pyspark') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["1", "[]"]


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("pyspark.sql.classic.dataframe", "DataFrame"),
        ("pyspark.sql.connect.dataframe", "DataFrame"),
        ("dask.dataframe.dask_expr._collection", "DataFrame"),
        ("ibis.expr.types.relations", "Table"),
        ("duckdb._relation", "DuckDBPyRelation"),
        ("_duckdb", "DuckDBPyRelation"),
    ],
)
def test_types_of_engines_that_need_not_be_there(module, name):
    table = type(name, (), {"__module__": module})()
    assert engine_of(table) == (module.split(".")[0].removeprefix("_"), name)
    heir = type("Heir", (type(table),), {})()
    assert engine_of(heir) == engine_of(table)


def test_other_types_of_the_same_libraries():
    assert engine_of(pd.Series([1])) is None
    assert engine_of(pa.array([1])) is None
    assert engine_of(type("DataFrame", (), {"__module__": "unknown"})()) is None


@pytest.fixture
def without(monkeypatch):
    """Return a function that hides a library."""
    known = opening.find_spec

    def hide(name):
        monkeypatch.setattr(opening, "find_spec", lambda library: None if library == name else known(library))

    return hide


def test_missing_libraries(without, tmp_path):
    (tmp_path / "a.csv").write_text("x\n1\n")
    without("duckdb")
    with pytest.raises(ImportError, match=r"needs the library duckdb, .* pip install 'cutwise\[engines\]'"):
        open_source(tmp_path / "a.csv")
    dataset = pyarrow.dataset.dataset(pa.table({"x": [1]}))
    with pytest.raises(ImportError, match=r"needs the library duckdb, .* pip install 'cutwise\[engines\]'"):
        scheme_of(numeric("x", [1.0])).transform_table(dataset)
    without("sqlglot")
    with pytest.raises(ImportError, match=r"needs the library sqlglot, .* pip install 'cutwise\[sql\]'"):
        scheme_of(numeric("x", [1.0])).transform_table(dataset)
    without("pyarrow")
    with pytest.raises(ImportError, match=r"needs the library pyarrow, .* pip install 'cutwise\[engines\]'"):
        open_source(dataset)
