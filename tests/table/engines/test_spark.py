"""Spark data frames as sources, and their codes; `make test-spark` runs these."""

from __future__ import annotations

import doctest
import math
import os
import subprocess
import sys
from itertools import chain

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cutwise import MDLPDiscretizer, MRmDDiscretizer, count_table
from cutwise.counts.file_format import to_bytes
from cutwise.errors import ExportError, TableError
from cutwise.table.engines import open_source
from tests.export.engines import ROW, in_order
from tests.export.schemes import EXTREMES, HOSTILE, around, codes_of, nominal, numeric, scheme_of
from tests.export.test_tables import CUTS, arrow_table
from tests.spark import ROOT, spark_environment
from tests.table.engines.summaries import KillWorkerOnce, count_of, divide_by_zero, kill_worker, refuse, rows_of
from tests.table.engines.tables import every_kind
from tests.table.engines.test_files import damage

pytestmark = pytest.mark.filterwarnings("ignore")
VALUES = [*EXTREMES, *around(CUTS)]


@pytest.fixture
def written(spark, tmp_path):
    """Return a function that writes an Arrow table and lets Spark read it."""

    def write(table):
        path = tmp_path / f"table-{len(list(tmp_path.iterdir()))}.parquet"
        pq.write_table(table, path, row_group_size=3)
        return spark.read.parquet(str(path))

    return write


def rows(source, columns):
    return sorted(chain.from_iterable(source.fold(columns, rows_of)), key=repr)


def test_rows_and_kinds(spark, written, tmp_path):
    table = every_kind().drop_columns(["nothing", "unsigned"])
    frame = written(table).repartition(3)
    source = open_source(frame)
    assert source.names == tuple(table.column_names)
    expected = open_source(table)
    assert source.kinds == expected.kinds
    columns = [name for name in table.column_names if name != "date"]
    assert rows(source, columns[::-1]) == rows(expected, columns[::-1])


def test_columns_without_any_value(spark):
    source = open_source(spark.sql("SELECT NULL AS n, CAST('a' AS CHAR(1)) AS c FROM range(3)"))
    assert source.kinds == {"n": "numeric", "c": "nominal"}
    assert rows(source, ["n", "c"]) == [(None, "a")] * 3


def test_empty_frames(spark):
    source = open_source(spark.range(0).selectExpr("id", "'a' AS s"))
    assert rows(source, ["id", "s"]) == []


def test_hostile_names(spark, written):
    names = ["a.b", "a", "`", "x y", "ä", "select", "{x}", '"']
    table = pa.table({name: [float(j), None] for j, name in enumerate(names)})
    frame = written(table)
    assert rows(open_source(frame), names[::-1]) == rows(open_source(table), names[::-1])
    scheme = scheme_of(*(numeric(name, [j - 0.5]) for j, name in enumerate(names)))
    assert sorted(map(tuple, scheme.transform_table(frame).collect())) == [(-1,) * len(names), (1,) * len(names)]


def test_names_that_differ_in_case_only(spark):
    frame = spark.range(3).toDF("x").selectExpr("x", "x + 10 AS y").toDF("x", "X")
    assert rows(open_source(frame), ["X"]) == [(10,), (11,), (12,)]
    scheme = scheme_of(numeric("X", [10.5]))
    assert [row[0] for row in scheme.transform_table(frame).collect()] == [0, 1, 1]
    with pytest.raises(ExportError, match="cannot tell the columns 'x', 'X' apart"):
        scheme.transform_table(frame, keep=["x"])


def check(scheme, columns, written):
    codes = scheme.transform_table(written(arrow_table(scheme, columns)), keep=[ROW])
    assert codes.columns == [ROW, *scheme.names]
    assert {kind for _, kind in codes.dtypes[1:]} == {"int"}
    assert in_order([tuple(row) for row in codes.collect()]) == codes_of(scheme, columns)


@pytest.mark.parametrize("missing", ["code", "bin"])
def test_codes(written, missing):
    numbers = [
        numeric("none", []),
        numeric("zero", [-0.0], special=[0.0]),
        numeric("many", CUTS, special=[-999.0, 0.3]),
    ]
    check(scheme_of(*numbers, missing=missing), [VALUES] * 3, written)
    texts = [*HOSTILE, None, "unseen"]
    pairs = {
        nominal("text", HOSTILE[::2]): texts,
        nominal("no category", []): ["a"] * len(texts),
        nominal("boolean", [False, True]): ([True, False, None] * len(texts))[: len(texts)],
        nominal("integer", [1, 2**53 + 1]): ([1, 2, None, 2**53 + 1, 2**53] * len(texts))[: len(texts)],
    }
    check(scheme_of(*pairs, missing=missing), list(pairs.values()), written)
    check(scheme_of(numeric("x", [], special=[0.0]), missing=missing), [[0.0, math.nan, 0.0, None]], written)


def test_kinds_that_differ_from_fit(spark):
    with pytest.raises(TableError, match="Column 'x' has the type string, but in fit it held numbers"):
        scheme_of(numeric("x", [1.0])).transform_table(spark.sql("SELECT '1' AS x"))


def test_errors_of_summaries(spark):
    source = open_source(spark.range(100).toDF("x"))
    with pytest.raises(TableError, match="Column 'x': no good"):
        list(source.fold(["x"], refuse))
    with pytest.raises(TableError, match=r"The Spark data frame cannot be read: ZeroDivisionError: division by zero"):
        list(source.fold(["x"], divide_by_zero))


def test_a_killed_worker(spark, tmp_path):
    source = open_source(spark.range(0, 1000, 1, 6).toDF("x"))
    mark = tmp_path / "killed"
    assert sum(source.fold(["x"], KillWorkerOnce(str(mark)))) == 1000
    assert mark.exists()
    with pytest.raises(TableError, match=r"The Spark data frame cannot be read: .*failed 3 times"):
        list(source.fold(["x"], kill_worker))
    assert sum(source.fold(["x"], count_of)) == 1000


CLUSTER = """
import sys
from pathlib import Path  # noqa: TC003  # typer reads the annotations
from cutwise.table.engines import open_source
from tests.table.engines.summaries import KillWorkerOnce
from tests.spark import start_session

spark = start_session("local-cluster[2,1,1024]")
source = open_source(spark.range(0, 1000, 1, 6).toDF("x"))
print(sum(source.fold(["x"], KillWorkerOnce(sys.argv[1], executor=True))), Path(sys.argv[1]).exists())
spark.stop()
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="finds the executor in /proc")  # noqa: PTH110
def test_a_killed_executor(tmp_path):
    """Two executors of their own, of which one is killed: Spark counts its part again."""
    pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed; run make test-spark")
    # A session of Spark Connect in this process has settings of its own in the environment.
    others = {name: value for name, value in os.environ.items() if not name.startswith("SPARK_")}
    settings = {**others, **spark_environment(tmp_path), "SPARK_HOME": os.path.dirname(pyspark.__file__)}  # noqa: PTH120
    command = [sys.executable, "-c", CLUSTER, str(tmp_path / "killed")]
    done = subprocess.run(command, env=settings, capture_output=True, text=True, timeout=600, check=False)
    assert done.stdout.strip().splitlines()[-1:] == ["1000 True"], done.stderr[-2000:]


def test_corrupt_and_deleted_files(spark, tmp_path):
    table = pa.table({"x": [i / 7 for i in range(3000)], "y": [f"t{i * i % 997}" for i in range(3000)]})
    for name in ("corrupt", "deleted"):
        pq.write_table(table, tmp_path / f"{name}.parquet", row_group_size=1000, compression="gzip")
    corrupt, deleted = (spark.read.parquet(str(tmp_path / f"{name}.parquet")) for name in ("corrupt", "deleted"))
    damage(tmp_path / "corrupt.parquet", 1, 1)
    with pytest.raises(TableError, match=r"The Spark data frame cannot be read: .*corrupt\.parquet"):
        list(open_source(corrupt).fold(["x", "y"], count_of))
    (tmp_path / "deleted.parquet").unlink()
    with pytest.raises(TableError, match=r"The Spark data frame cannot be read: .*deleted\.parquet"):
        list(open_source(deleted).fold(["x", "y"], count_of))


def test_the_same_scheme_as_without_spark(spark, tmp_path):
    """A column of few values, one of many, which is counted on a grid, texts and booleans: byte for byte."""
    generator = np.random.default_rng(3)
    n = 30_000
    y = generator.integers(0, 3, n)
    table = pa.table({
        "few": pa.array((y + generator.integers(0, 4, n)) % 5, mask=generator.random(n) < 0.1),
        "many": np.where(generator.random(n) < 0.2, 0.0, y + generator.normal(size=n)),
        "text": pa.array(np.array(["a", "b", "c"])[(y + generator.integers(0, 2, n)) % 3]),
        "boolean": generator.random(n) < 0.3 + 0.2 * y,
        "y": y,
    })  # fmt: skip
    for start in range(0, n, 10_000):
        pq.write_table(table.slice(start, 10_000), tmp_path / f"{start}.parquet", row_group_size=4000)
    frame = spark.read.parquet(str(tmp_path)).repartition(5)
    for method in (MRmDDiscretizer(), MDLPDiscretizer(missing="bin")):
        schemes = [method.fit_table(thing, "y").scheme_.to_json() for thing in (frame, tmp_path)]
        schemes.append(method.fit_table(duckdb.read_parquet(str(tmp_path / "*.parquet")), "y").scheme_.to_json())
        assert schemes[0] == schemes[1] == schemes[2]


def test_weights(spark, tmp_path):
    table = pa.table({"x": np.arange(300) % 70 / 7, "y": np.arange(300) % 70 > 20, "n": np.arange(300) % 3})
    pq.write_table(table, tmp_path / "t.parquet")
    frame = spark.read.parquet(str(tmp_path / "t.parquet")).repartition(3)
    counts = count_table(frame, "y", weight="n", max_values=20, max_cells=10)
    assert to_bytes(counts) == to_bytes(count_table(table, "y", weight="n", max_values=20, max_cells=10))
    assert counts.n_rows == 300


def test_the_page(spark):
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    path = str(ROOT / "docs" / "spark.md")
    assert doctest.testfile(path, module_relative=False, globs={"spark": spark}, optionflags=flags).failed == 0


def test_the_same_rows_as_without_spark(spark, tmp_path):
    table = every_kind(200).drop_columns(["nothing", "unsigned", "date"])
    for start in range(0, 200, 50):
        pq.write_table(table.slice(start, 50), tmp_path / f"{start}.parquet")
    columns = table.column_names
    assert rows(open_source(spark.read.parquet(str(tmp_path))), columns) == rows(open_source(tmp_path), columns)
