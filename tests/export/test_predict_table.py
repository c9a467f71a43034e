"""Predictions of tables of every engine against those of the same rows in memory."""

from __future__ import annotations

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from cutwise import AdditiveClassifier, CutwiseClassifier, DiscretizedClassifier
from cutwise.errors import ExportError, TableError
from tests.export.engines import rows_of
from tests.table.engines.tables import ENGINES, in_parquet

N_ROWS = 120


def people():
    random = np.random.default_rng(3)
    ages = random.normal(40, 9, N_ROWS)
    ages[3] = np.nan
    towns = random.choice(["Bern", "b{0}", "c'd"], N_ROWS)
    paid = np.where(np.nan_to_num(ages) + 9 * (towns == "Bern") > 44, "yes", "no")
    table = pa.table({"id": np.arange(N_ROWS), "age": pa.array(ages, from_pandas=True), "town": towns.tolist()})
    return table, table.drop(["id"]), paid


def check(model, table, rows, exact=1e-12):
    found = rows_of(model.predict_table(table, keep=["id"]))
    assert [row[0] for row in found] == model.predict(rows).tolist()
    shares = np.array([row[1:] for row in found], dtype=np.float64)
    np.testing.assert_allclose(shares, model.predict_proba(rows), rtol=0, atol=exact)


@pytest.mark.parametrize("engine", ENGINES)
def test_predictions_are_those_of_the_rows_in_memory(engine, tmp_path):
    table, rows, paid = people()
    check(AdditiveClassifier().fit(rows, paid), ENGINES[engine](table, tmp_path), rows)


@pytest.mark.parametrize(
    "model", [DiscretizedClassifier(), CutwiseClassifier(exportable=True, random_state=0)], ids=["bayes", "average"]
)
def test_other_models_score_files(model, tmp_path):
    table, rows, paid = people()
    check(model.fit(rows, paid), in_parquet(table, tmp_path), rows, exact=1e-9)


def test_what_is_asked_twice_is_not_mixed_up(tmp_path):
    table, rows, paid = people()
    model = AdditiveClassifier().fit(rows, paid)
    relation = duckdb.from_parquet(in_parquet(table, tmp_path))
    first, second = model.predict_table(relation.limit(2)), model.predict_table(relation)
    assert (len(first.fetchall()), len(second.fetchall())) == (2, N_ROWS)


def test_columns_that_are_not_there():
    table, rows, paid = people()
    model = AdditiveClassifier().fit(rows, paid)
    with pytest.raises(TableError, match="no column 'age'"):
        model.predict_table(table.drop(["age"]))
    with pytest.raises(ExportError, match="must be a list of names"):
        model.predict_table(table, keep="id")
