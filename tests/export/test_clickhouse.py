"""Codes and probabilities from ClickHouse, as the library chdb; `make test-sql` runs these."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings

from tests.export import server_checks
from tests.export.engines import ARROW, in_order
from tests.export.schemes import MAY_BE_UNSEEN, cases


@pytest.fixture
def run(clickhouse, tmp_path):
    def run_query(sql, columns):
        arrays = {name: pa.array(values, type=ARROW[kind], from_pandas=False) for name, kind, values in columns}
        path = tmp_path / "data.parquet"
        pq.write_table(pa.table(arrays), path)
        clickhouse.query("DROP TABLE IF EXISTS data")
        clickhouse.query(f"CREATE TABLE data ENGINE = Memory AS SELECT * FROM file('{path}')")  # noqa: S608
        found = pa.BufferReader(clickhouse.query(sql, "Arrow").bytes())
        table = pa.ipc.open_file(found).read_all()
        columns = [[x.decode() if isinstance(x, bytes) else x for x in column.to_pylist()] for column in table.columns]
        return in_order(zip(*columns, strict=True))

    return run_query


def test_extremes(run):
    server_checks.check_extremes(run, "clickhouse")


def test_categories(run):
    server_checks.check_categories(run, "clickhouse")


def test_texts(run):
    server_checks.check_texts(run, "clickhouse", holds_nul=True)


def test_names(run):
    server_checks.check_hostile_names(run, "clickhouse", forbidden={"\\"})


def test_names_of_steps(run):
    server_checks.check_names_of_steps(run, "clickhouse")


def test_large_integers(run):
    server_checks.check_integers(run, "clickhouse")


def test_scores(run):
    server_checks.check_scores(run, "clickhouse")


def test_scorecards(run):
    server_checks.check_scorecards(run, "clickhouse")


@MAY_BE_UNSEEN
@given(case=cases())
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_scheme(run, case):
    server_checks.check_any_scheme(run, "clickhouse", case)


def test_many_classes(run):
    server_checks.check_many_classes(run, "clickhouse")
