"""Bins as weights of evidence or rates: the same numbers from every door, and no rows, no evidence."""

from __future__ import annotations

from contextlib import closing

import duckdb
import numpy as np
import onnxruntime
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.compose import make_column_transformer
from sklearn.feature_selection import SelectFromModel
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from cutwise import FixedCutsDiscretizer, FixedSchemeDiscretizer, MDLPDiscretizer, Scheme
from cutwise.errors import ExportError, SchemeError
from tests.export.engines import rows_of
from tests.table.engines.tables import ENGINES


def loans(n=500, seed=0, *, unseen=False):
    """Numbers with gaps and a code, and cities of which new rows know one more."""
    random = np.random.default_rng(seed)
    X = pd.DataFrame({"income": random.normal(size=n).round(2), "city": random.choice(["Bonn", "Oslo", "Rome"], n)})
    y = np.where(random.random(n) < 1 / (1 + np.exp(1.5 + X["income"])), "late", "paid")
    X.loc[::7, "income"], X.loc[::11, "income"] = np.nan, -9
    X.loc[::13, "city"] = None
    if unseen:
        X.loc[::5, "city"] = "Lima"
    return X, y


@pytest.fixture(scope="module", params=["woe", "rate"])
def encode(request):
    return request.param


@pytest.fixture(scope="module", params=["code", "bin"])
def fitted(request, encode):
    return MDLPDiscretizer(special_values={"income": [-9]}, missing=request.param, encode=encode).fit(*loans())


NEW = loans(300, 1, unseen=True)[0]


@pytest.fixture(scope="module")
def expected(fitted):
    return fitted.transform(NEW)


def test_each_value_has_the_number_of_its_bin(fitted, expected, encode):
    frame = fitted.scheme_.to_frame("pandas").set_index(["attribute", "bin"])[encode]
    labels = (
        MDLPDiscretizer(special_values={"income": [-9]}, missing="bin", encode="label").fit(*loans()).transform(NEW)
    )
    base = 0.0 if encode == "woe" else (loans()[1] == "late").mean()
    for j, name in enumerate(NEW.columns):
        wanted = [base if label == "unseen" else frame[name, label] for label in labels[:, j]]
        assert expected[:, j].tolist() == pytest.approx(wanted)
    assert (labels == "unseen").any()


def test_a_bin_without_rows_and_what_was_never_seen_weigh_nothing():
    X, y = [[1.0, "a"], [2.0, "b"], [3.0, "a"], [9.0, "b"]] * 5, [0, 1, 0, 0] * 5
    new = [[5.0, "c"], [None, None]]
    for missing in ("code", "bin"):
        bins = FixedCutsDiscretizer([2.5, 4.0, 6.0], missing=missing)
        assert bins.set_params(encode="woe").fit(X, y).transform(new).tolist() == [[0.0, 0.0], [0.0, 0.0]]
        assert bins.set_params(encode="rate").fit(X, y).transform(new).tolist() == [[0.25, 0.25], [0.25, 0.25]]


def test_the_same_numbers_from_json_and_every_export(fitted, expected, encode):
    scheme = Scheme.from_json(fitted.scheme_.to_json())
    assert np.array_equal(scheme.transform(NEW, encode), expected)
    assert np.array_equal(FixedSchemeDiscretizer(scheme.to_json(), encode=encode).transform(NEW), expected)
    polars = pl.from_pandas(NEW)
    assert np.array_equal(polars.select(scheme.to_polars(encode)).to_numpy(), expected)
    data = pa.Table.from_pandas(NEW, preserve_index=False)
    with duckdb.connect() as connection:
        connection.register("data", data)
        assert np.array_equal(np.array(connection.sql(scheme.to_sql(encode=encode)).fetchall()), expected)
    session = onnxruntime.InferenceSession(scheme.to_onnx(encode).SerializeToString())
    texts = NEW["city"].fillna("").to_numpy(dtype=object)[:, None]
    inputs = {"income": NEW[["income"]].to_numpy(), "city": texts}
    [output] = session.get_outputs()
    assert output.name == encode
    assert np.array_equal(session.run(None, inputs)[0], expected)


@pytest.mark.parametrize("engine", ENGINES)
def test_the_same_numbers_from_every_engine(engine, fitted, expected, tmp_path):
    data = pa.Table.from_pandas(NEW.assign(row=range(len(NEW))), preserve_index=False)
    found = fitted.transform_table(ENGINES[engine](data, tmp_path), keep=["row"])
    assert np.array_equal(np.array(rows_of(found)), expected)


def test_sqlite_gives_the_same_numbers(fitted, expected, encode):
    import sqlite3

    with closing(sqlite3.connect(":memory:")) as connection:
        NEW.to_sql("data", connection, index=False)
        assert np.array_equal(
            np.array(connection.execute(fitted.scheme_.to_sql("sqlite", encode=encode)).fetchall()), expected
        )


def test_numbers_in_pipelines(encode):
    X, y = loans()
    bins = MDLPDiscretizer(encode=encode).set_output(transform="pandas")
    frame = bins.fit_transform(X, y)
    assert list(frame.columns) == ["income", "city"] == bins.get_feature_names_out().tolist()
    assert frame.to_numpy().dtype == np.float64
    model = make_pipeline(make_column_transformer((bins, ["income", "city"])), LogisticRegression()).fit(X, y)
    assert model[-1].coef_.shape == (1, 2)
    assert (np.sign(model[-1].coef_) == (1 if encode == "woe" else -1)).all()


def test_several_classes_need_an_event(encode):
    X, y = loans()
    y = np.where(X["city"] == "Bonn", "none", y)
    with pytest.raises(SchemeError, match=r"the event, and none is named among 3 classes. Fit with event="):
        MDLPDiscretizer(encode=encode).fit(X, y)
    found = MDLPDiscretizer(encode=encode, event="late").fit(X, y).transform(X)
    turned = np.where(y == "late", "late", "rest")
    cuts = {"income": MDLPDiscretizer().fit(X, y).cuts_[0]}
    assert np.array_equal(found, FixedCutsDiscretizer(cuts, encode=encode, event="late").fit(X, turned).transform(X))


def test_unknown_counts_and_other_encodings_are_told(encode):
    X, y = loans()
    scheme = MDLPDiscretizer().fit(X, y).scheme_
    edited = scheme.with_cuts("income", [0.1234])
    with pytest.raises(SchemeError, match="'income' has bins whose rows are not known"):
        edited.transform(X, encode)
    assert edited.recount(X, y).transform(X, encode).shape == X.shape
    with pytest.raises(SchemeError, match="'encode' must be 'ordinal', 'woe' or 'rate', not 'label'"):
        scheme.transform(X, "label")
    with pytest.raises(ExportError, match="'encode' must be 'ordinal', 'woe' or 'rate' here, not 'onehot'"):
        scheme.to_sql(encode="onehot")
    with pytest.raises(ValueError, match=f"Different bins may have the same {encode}"):
        MDLPDiscretizer(encode=encode).fit(X, y).inverse_transform([[0.1, 0.2]])


def test_one_hot_names_say_the_interval():
    X, y = loans()
    bins = FixedCutsDiscretizer({"income": [-0.5, 1]}, encode="onehot-dense", missing="bin").fit(X, y)
    names = ["income_(-inf, -0.5]", "income_(-0.5, 1]", "income_(1, inf)", "income_missing"]
    assert bins.get_feature_names_out().tolist() == [*names, "city_Bonn", "city_Oslo", "city_Rome", "city_missing"]
    model = make_pipeline(bins, SelectFromModel(LogisticRegression(), max_features=2)).set_output(transform="pandas")
    chosen = model.fit_transform(X, y)
    assert set(chosen.columns) < set(bins.get_feature_names_out())
    assert chosen.shape == (len(y), 2)
    bins.set_output(transform="default")
    sparse = make_pipeline(bins.set_params(encode="onehot"), SelectFromModel(LogisticRegression(), max_features=2))
    assert sparse.fit(X, y).get_feature_names_out().tolist() == chosen.columns.tolist()


def test_one_hot_names_differ():
    X = pd.DataFrame({"a": ["b_c", "x"], "a_b": ["c", "missing"]})
    names = FixedCutsDiscretizer(encode="onehot", missing="bin").fit(X).get_feature_names_out()
    assert len(set(names)) == len(names)
    assert names[0] == "a_b_c #0"
