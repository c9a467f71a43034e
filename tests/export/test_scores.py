"""Classes and probabilities are those of the library, up to rounding."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris, load_wine
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import CategoricalNB

from cutwise import (
    AdditiveClassifier,
    AIWNBClassifier,
    AODEClassifier,
    CAWNBClassifier,
    DiscretizedClassifier,
    EqualFrequencyDiscretizer,
    ExportError,
    MDLPDiscretizer,
    MRmDDiscretizer,
    MRmDRNBClassifier,
    NaiveBayesClassifier,
    RNBClassifier,
)
from cutwise.export import system_to_onnx, system_to_polars, system_to_sql
from tests.classify.tables import FRAMES, GROUP, ROWS, YES
from tests.export.engines import ROW, polars_frame, run_duckdb, run_onnx, run_sqlite, typed
from tests.methods import instances, is_additive
from tests.versions import POLARS, skip_names_like_patterns

FRAME = FRAMES["pandas"]()
STRANGE = [
    [None, None, None, None],
    [float("nan"), float("inf"), "purple", None],
    [-np.inf, 1e308, "", True],
    [0.0, -0.0, "blue", False],
]
COLUMNS = [list(column) for column in zip(*ROWS, *STRANGE, strict=True)]
TABLE = pd.DataFrame([*ROWS, *STRANGE], columns=FRAME.columns)
MODELS = [
    MRmDRNBClassifier(special_values={"weight": [0.5]}).fit(FRAME, GROUP),
    MRmDRNBClassifier(missing="bin").fit(FRAME, YES),
    AdditiveClassifier(special_values={"weight": [0.5]}).fit(FRAME, GROUP),
    AdditiveClassifier(5, missing="code").fit(FRAME, YES),
    *(
        DiscretizedClassifier(MDLPDiscretizer(missing=missing), classifier).fit(FRAME, GROUP)
        for missing, classifier in [
            *(("code", model) for model in instances(["codes"]) if is_additive(model)),
            ("bin", NaiveBayesClassifier("m")),
            ("bin", CAWNBClassifier()),
        ]
    ),
]
DATABASES = {"duckdb": run_duckdb, "sqlite": run_sqlite}


def in_database(name, model, columns):
    found = DATABASES[name](model.to_sql(name, keep=[ROW]), typed(model.scheme_, columns))
    return [row[0] for row in found], np.array([row[1:] for row in found])


def in_onnx(model, columns):
    prediction, probabilities = run_onnx(model.to_onnx(), model.scheme_, columns)
    return prediction.tolist(), probabilities


def in_polars(model, columns):
    frame = polars_frame(model.scheme_, columns).lazy().pipe(model.to_polars()).collect()
    return frame["prediction"].to_list(), frame.drop("prediction").to_numpy()


def everywhere(model, columns):
    return [
        *(in_database(name, model, columns) for name in DATABASES),
        in_onnx(model, columns),
        in_polars(model, columns),
    ]


def check(found, model, table):
    classes, probabilities = found
    expected = model.predict_proba(table)
    assert np.abs(probabilities - expected).max() < 1e-9
    two = np.sort(expected, axis=1)[:, -2:]
    clear = two[:, -1] - two[:, 0] > 1e-9 if expected.shape[1] > 1 else np.ones(len(expected), dtype=bool)
    assert np.array(classes)[clear].tolist() == model.predict(table)[clear].tolist()


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_every_model(model):
    for name in DATABASES:
        check(in_database(name, model, COLUMNS), model, TABLE)
    check(in_onnx(model, COLUMNS), model, TABLE)
    check(in_polars(model, COLUMNS), model, TABLE)


@given(st.integers(0, 10**6), st.sampled_from(["code", "bin"]), st.integers(1, 5), st.booleans())
def test_any_table(seed, missing, n_classes, mixture):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 3)).round(1)
    X[rng.random(X.shape) < 0.1] = np.nan
    y = rng.integers(n_classes, size=40)
    classifier = RNBClassifier(max_iter=5) if mixture else NaiveBayesClassifier()
    model = DiscretizedClassifier(EqualFrequencyDiscretizer(4, missing=missing), classifier).fit(X, y)
    columns = [[None if np.isnan(x) else x for x in column] for column in X.T.tolist()]
    check(in_database("duckdb", model, columns), model, X)
    check(in_database("sqlite", model, columns), model, X)
    check(in_onnx(model, columns), model, X)
    check(in_polars(model, columns), model, X)


@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_names_of_real_tables(load):
    X, y = load(return_X_y=True, as_frame=True)
    model = MRmDRNBClassifier().fit(X, y)
    columns = [X[name].tolist() for name in X]
    for name in DATABASES:
        check(in_database(name, model, columns), model, X)
    check(in_onnx(model, columns), model, X)
    check(in_polars(model, columns), model, X)


@pytest.mark.parametrize(
    "labels",
    [
        [True, False],
        [-1.0, 2.0],
        [-(2**62), 2**62 + 1],
        np.array([3, 4], dtype=np.uint8),
        ["it's", "\\'; DROP TABLE data; --"],
        ["line\nbreak", "nul\0nul"],
        np.array(["a", "ä\U0001f600"], dtype=object),
        np.array([1, 2], dtype=object),
    ],
    ids=repr,
)
def test_labels(labels):
    X, y = np.array([[1.0], [2.0]] * 6), np.array(list(labels) * 6)
    model = DiscretizedClassifier(EqualFrequencyDiscretizer(2)).fit(X, y)
    columns = X.T.tolist()
    for name in DATABASES:
        assert in_database(name, model, columns)[0] == model.predict(X).tolist()
    assert in_onnx(model, columns)[0] == model.predict(X).tolist()
    assert in_polars(model, columns)[0] == model.predict(X).tolist()


def test_labels_that_cannot_be_written():
    X = np.array([[1.0], [2.0]] * 6)
    half = DiscretizedClassifier().fit(X, np.array(["a", "\ud800"] * 6, dtype=object))
    with pytest.raises(ExportError, match=r"class label '\\ud800' cannot be a value of DuckDB"):
        half.to_sql()
    with pytest.raises(ExportError, match="cannot be the output of an ONNX model"):
        half.to_onnx()
    with pytest.raises(ExportError, match="cannot be values of polars: one holds half a character"):
        half.to_polars()
    nul = DiscretizedClassifier().fit(X, ["a", "b\0c"] * 6)
    with pytest.raises(ExportError, match="cannot be a value of PostgreSQL"):
        nul.to_sql("postgresql")


def test_a_single_class():
    model = MRmDRNBClassifier().fit([[1.0], [2.0]], ["a", "a"])
    for found in everywhere(model, [[5.0, None]]):
        assert list(found[0]) == ["a", "a"]
        assert found[1].tolist() == [[1.0], [1.0]]


def test_ties_go_to_the_first_class():
    model = DiscretizedClassifier().fit([[1.0], [2.0], [1.0], [2.0]], ["b", "b", "a", "a"])
    for found in everywhere(model, [[1.0, None]]):
        assert list(found[0]) == ["a", "a"] == model.predict([[1.0], [None]]).tolist()


def test_classes_that_were_announced_but_not_seen():
    discretizer = MRmDDiscretizer().fit([[1.0], [2.0]] * 5, ["a", "b"] * 5)
    codes = discretizer.transform([[1.0], [2.0]] * 5)
    classifier = NaiveBayesClassifier(n_bins=discretizer.n_bins_)
    classifier.partial_fit(codes, ["a", "b"] * 5, classes=["0", "a", "b", "c"])
    scheme = discretizer.scheme_
    query = system_to_sql(scheme, classifier, "duckdb", "data", [ROW])
    rows = run_duckdb(query, typed(scheme, [[1.0, 2.0]]))
    expected = classifier.predict_proba(codes[:2])
    assert np.allclose([row[1:] for row in rows], expected, atol=1e-12)
    assert np.allclose(run_onnx(system_to_onnx(scheme, classifier), scheme, [[1.0, 2.0]])[1], expected, atol=1e-12)
    frame = pl.DataFrame({"x0": [1.0, 2.0]}).pipe(system_to_polars(scheme, classifier, ["x0"]))
    assert frame.columns[:2] == ["x0", "prediction"]
    assert np.allclose(frame.drop("x0", "prediction").to_numpy(), expected, atol=1e-12)


def test_sure_probabilities_do_not_underflow():
    rng = np.random.default_rng(0)
    y = np.arange(400) % 2
    X = y[:, None] * 10.0 + rng.normal(size=(400, 150))
    model = DiscretizedClassifier(EqualFrequencyDiscretizer(2)).fit(X, y)
    assert model.predict_log_proba(X).min() < -500
    for name in DATABASES:
        check(in_database(name, model, X.T.tolist()), model, X)
    check(in_onnx(model, X.T.tolist()), model, X)
    check(in_polars(model, X.T.tolist()), model, X)


def test_many_classes():
    rng = np.random.default_rng(1)
    y = np.arange(600) % 150
    X = y[:, None] + rng.normal(size=(600, 2))
    model = DiscretizedClassifier(EqualFrequencyDiscretizer(10)).fit(X, [f"class {label}" for label in y])
    check(in_database("sqlite", model, X.T.tolist()), model, X)
    check(in_onnx(model, X.T.tolist()), model, X)
    check(in_polars(model, X.T.tolist()), model, X)


@pytest.mark.parametrize("classifier", [AODEClassifier(), AIWNBClassifier(), CategoricalNB()], ids=repr)
def test_scores_that_are_no_sums(classifier):
    model = DiscretizedClassifier(MDLPDiscretizer(), classifier).fit(*load_iris(return_X_y=True))
    name = type(classifier).__name__
    for export in (model.to_sql, model.to_polars, model.to_onnx):
        with pytest.raises(ExportError, match=f"{name} cannot be written as SQL, polars expressions or ONNX"):
            export()


def test_fit_comes_first():
    for export in ("to_sql", "to_polars", "to_onnx"):
        with pytest.raises(NotFittedError):
            getattr(MRmDRNBClassifier(), export)()


@pytest.mark.parametrize("name", ["c0", "k0", "p1", "best", "class", "^x.*$", "*", ""])
def test_frames_of_polars_keep_columns_of_any_name(name):
    if name.startswith("^"):
        skip_names_like_patterns()
    X = pl.DataFrame({name: [1.0, 2.0, 3.0, None] * 6, "other": [4.0, 3.0, 2.0, 1.0] * 6})
    model = AdditiveClassifier(2, alpha=1.0, pairs=[(name, "other")]).fit(X, [0, 1, 1, 0] * 6)
    scores = model.to_polars(keep=[name])
    found = X.with_columns(extra=pl.lit("x")).pipe(scores)
    assert found.columns == [name, "prediction", "probability_0", "probability_1"]
    assert found[name].to_list() == X[name].to_list()
    assert np.abs(found.select(pl.last()).to_series().to_numpy() - model.predict_proba(X)[:, 1]).max() < 1e-12
    streamed = X.lazy().pipe(scores).collect(engine="streaming" if POLARS >= (1, 26) else "cpu")
    assert streamed.equals(found)


def test_names_that_cannot_be_kept():
    model = MRmDRNBClassifier().fit([[1.0], [2.0]] * 4, ["a", "b"] * 4)
    for keep, words in (
        ("x0", "must be a list"),
        (["prediction"], "two columns 'prediction'"),
        (["x", "x"], "two col"),
    ):
        with pytest.raises(ExportError, match=words):
            model.to_polars(keep)
