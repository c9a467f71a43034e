"""Codes and probabilities from Spark; `make test-spark` runs these."""

from __future__ import annotations

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings

from cutwise import AdditiveClassifier, CutwiseClassifier, DiscretizedClassifier
from tests.export import server_checks
from tests.export.engines import ROW, in_order, typed
from tests.export.schemes import MAY_BE_UNSEEN, cases
from tests.export.test_predict_table import check, people

pytestmark = pytest.mark.filterwarnings("ignore")


def plain(value):
    """Spark takes Python's numbers only."""
    return value.item() if isinstance(value, np.generic) else value


@pytest.fixture
def run(spark):
    from pyspark.sql import types

    kinds = {
        "double": types.DoubleType(),
        "text": types.StringType(),
        "boolean": types.BooleanType(),
        "integer": types.LongType(),
    }

    def run_query(sql, columns):
        schema = types.StructType([types.StructField(name, kinds[kind]) for name, kind, _ in columns])
        rows = [tuple(map(plain, row)) for row in zip(*(values for _, _, values in columns), strict=True)]
        spark.createDataFrame(rows, schema).createOrReplaceTempView("data")
        return in_order([tuple(row) for row in spark.sql(sql).collect()])

    return run_query


def test_extremes(run):
    server_checks.check_extremes(run, "spark")


def test_categories(run):
    server_checks.check_categories(run, "spark")


def test_texts(run):
    server_checks.check_texts(run, "spark", holds_nul=True)


def test_names(run):
    server_checks.check_hostile_names(run, "spark", forbidden=set())


def test_large_integers(run):
    server_checks.check_integers(run, "spark")


def test_scores(run):
    server_checks.check_scores(run, "spark")


@MAY_BE_UNSEEN
@given(case=cases())
@settings(max_examples=20)
def test_any_scheme(run, case):
    server_checks.check_any_scheme(run, "spark", case)


def test_variables_are_not_put_into_texts(run):
    from tests.export.schemes import nominal, scheme_of

    scheme = scheme_of(nominal("x", ["${env:HOME}", "${spark.master}"]))
    assert run(scheme.to_sql("spark", keep=[ROW]), typed(scheme, [["${spark.master}", "local[1]", "${env:HOME}"]])) == [
        [1],
        [-1],
        [0],
    ]


@pytest.mark.parametrize(
    "model", [AdditiveClassifier(pairs=1), DiscretizedClassifier(), CutwiseClassifier(exportable=True)], ids=type
)
def test_predictions_are_those_of_the_rows_in_memory(spark, model, tmp_path):
    table, rows, paid = people()
    pq.write_table(table, tmp_path / "people.parquet")
    check(model.fit(rows, paid), spark.read.parquet(str(tmp_path)).repartition(3), rows, exact=1e-9)


def test_a_model_of_rows_that_stay_in_spark(spark, tmp_path):
    table, rows, paid = people()
    pq.write_table(table.append_column("paid", [paid.tolist()]), tmp_path / "people.parquet")
    frame = spark.read.parquet(str(tmp_path)).repartition(3)
    model = AdditiveClassifier().fit_table(frame, "paid", columns=rows.column_names)
    expected = AdditiveClassifier().fit(rows, paid)
    assert model.scheme_ == expected.scheme_
    np.testing.assert_allclose(model.predict_proba(rows), expected.predict_proba(rows), rtol=0, atol=1e-9)
    check(model, frame, rows, exact=1e-9)
