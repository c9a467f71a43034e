"""Predictions of tables of every engine against those of the same rows in memory."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from importlib.util import find_spec

import numpy as np
import pyarrow as pa
import pytest

from cutwise import AdditiveClassifier, CutwiseClassifier, DiscretizedClassifier
from cutwise.errors import ExportError, TableError
from tests.export.engines import rows_of
from tests.table.engines.tables import ENGINES, in_ibis_parquet, in_parquet
from tests.versions import skip_sqlites_char

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


@pytest.mark.skipif(find_spec("ibis") is None, reason="ibis-framework is not installed")
@pytest.mark.filterwarnings("ignore")
def test_what_is_asked_twice_is_not_mixed_up(tmp_path):
    table, rows, paid = people()
    model = AdditiveClassifier().fit(rows, paid)
    stored = in_ibis_parquet(table, tmp_path)
    check(model, stored, rows)
    first, second = model.predict_table(stored.limit(2)), model.predict_table(stored)
    assert (len(first.to_pyarrow()), len(second.to_pyarrow())) == (2, N_ROWS)


@pytest.mark.parametrize("engine", ["pandas", "arrow", "polars", "duckdb"])
def test_no_two_columns_have_one_name(engine, tmp_path):
    table, rows, paid = people()
    model = AdditiveClassifier().fit(rows, paid)
    named = ENGINES[engine](table.rename_columns(["prediction", "age", "town"]), tmp_path)
    with pytest.raises(ExportError, match="two columns 'prediction'"):
        model.predict_table(named, keep=["prediction"])


def test_columns_that_are_not_there():
    table, rows, paid = people()
    model = AdditiveClassifier().fit(rows, paid)
    with pytest.raises(TableError, match="no column 'age'"):
        model.predict_table(table.drop(["age"]))
    with pytest.raises(ExportError, match="must be a list of names"):
        model.predict_table(table, keep="id")


@pytest.mark.skipif(find_spec("ibis") is None, reason="ibis-framework is not installed")
@pytest.mark.filterwarnings("ignore")
def test_ibis_asks_a_backend_in_its_dialect(tmp_path):
    import ibis

    skip_sqlites_char()
    table, rows, paid = people()
    with closing(sqlite3.connect(tmp_path / "people.db")) as file:
        file.execute("CREATE TABLE people (id INTEGER, age REAL, town TEXT)")
        file.executemany("INSERT INTO people VALUES (?, ?, ?)", [tuple(row.values()) for row in table.to_pylist()])
        file.commit()
    connection = ibis.sqlite.connect(tmp_path / "people.db")
    check(AdditiveClassifier().fit(rows, paid), connection.table("people"), rows)
    connection.disconnect()
