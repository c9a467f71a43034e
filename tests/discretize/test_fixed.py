"""Given cuts and fixed schemes in pipelines."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from cutwise import FixedCutsDiscretizer, FixedSchemeDiscretizer, MRmDDiscretizer, Scheme, SchemeError, TableError


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True, as_frame=True)


@pytest.fixture(scope="module")
def fitted(iris):
    return MRmDDiscretizer(missing="bin").fit(*iris)


def test_given_cuts_are_kept_whatever_the_rows():
    fixed = FixedCutsDiscretizer([1, 2, 30])
    for rows in ([[np.nan], [np.nan]], [[5.0], [5.0]], [[-9.0], [99.0]], [[np.inf], [-np.inf]]):
        scheme = fixed.fit(rows).scheme_
        assert scheme["x0"].cuts == (1.0, 2.0, 30.0)
        assert scheme["x0"].stop == "by_hand"
        assert sum(scheme["x0"].rows) + sum(scheme["x0"].missing_by_class) == 2
        assert Scheme.from_json(scheme.to_json()) == scheme
    assert fixed.fit([[-9.0], [99.0]]).scheme_["x0"].rows == (1, 0, 0, 1)


def test_given_cuts_of_a_learned_scheme_give_its_counts(iris, fitted):
    cuts = {attribute.name: attribute.cuts for attribute in fitted.scheme_.attributes}
    again = FixedCutsDiscretizer(cuts, missing="bin").fit(*iris)
    assert np.array_equal(again.transform(iris[0]), fitted.transform(iris[0]))
    for attribute in fitted.scheme_.attributes:
        assert again.scheme_[attribute.name].class_counts == attribute.class_counts
        assert again.scheme_[attribute.name].relevance == pytest.approx(attribute.relevance, abs=1e-12)
    assert "cuts" not in again.scheme_.parameters


def test_given_cuts_by_column():
    table = pd.DataFrame({"a": [1.0, 2.0], "b": [1.0, 2.0], "c": ["x", "y"]})
    with pytest.raises(
        ValueError, match=r"does not name the numeric column 'b'. Give its cuts; .*name the other columns in 'columns'"
    ):
        FixedCutsDiscretizer({"a": [1.5]}).fit(table)
    fixed = FixedCutsDiscretizer({"a": np.array([1.5]), "c": []}, others="one_bin").fit(table)
    assert fixed.n_bins_.tolist() == [2, 1, 2]
    with pytest.raises(ValueError, match="'cuts' names the column 'z', but the table has 'a', 'b', 'c'"):
        FixedCutsDiscretizer({"z": [1]}).fit(table)
    with pytest.raises(ValueError, match=r"Column 'c' holds categories, such as \('x', 'y'\)"):
        fixed.set_params(cuts={"c": [1]}).fit(table)
    assert fixed.n_bins_.tolist() == [2, 1, 2]  # A fit that fails leaves the old state.
    with pytest.raises(SchemeError, match="column 'a' must ascend"):
        FixedCutsDiscretizer({"a": [2, 1]}).fit(table)


@pytest.mark.parametrize("encode", ["ordinal", "onehot", "onehot-dense", "label"])
@pytest.mark.parametrize("as_text", [False, True])
def test_a_fixed_scheme_does_what_its_discretizer_does(iris, fitted, encode, as_text):
    X, _ = iris
    given = fitted.scheme_.to_json() if as_text else fitted.scheme_
    fixed = FixedSchemeDiscretizer(given, encode=encode)
    learned = clone(fitted).set_params(encode=encode).fit(*iris)
    rows = X.iloc[::7].copy()
    rows.iloc[0, 0] = np.nan
    new, expected = fixed.transform(rows), learned.transform(rows)
    if encode == "onehot":
        new, expected = new.toarray(), expected.toarray()
    assert np.array_equal(new, expected)
    assert fixed.get_feature_names_out().tolist() == learned.get_feature_names_out().tolist()
    assert np.array_equal(fixed.inverse_transform(new), learned.inverse_transform(expected))
    assert fixed.fit(X) is fixed
    assert fixed.scheme_ == fitted.scheme_
    assert fixed.classes_.tolist() == [0, 1, 2]


def test_a_fixed_scheme_in_pipelines(iris, fitted):
    X, y = iris
    model = make_pipeline(FixedSchemeDiscretizer(fitted.scheme_, encode="onehot"), LogisticRegression())
    assert cross_val_score(model, X, y, cv=3).mean() > 0.9
    again = pickle.loads(pickle.dumps(model.fit(X, y)))  # noqa: S301
    assert again.predict(X).tolist() == model.predict(X).tolist()
    step = clone(model)[0]
    assert step.scheme == fitted.scheme_
    frame = step.set_params(encode="ordinal").set_output(transform="polars").fit_transform(pl.from_pandas(X))
    assert frame.columns == list(X.columns)


def test_parameters_that_json_can_hold(fitted):
    fixed = FixedSchemeDiscretizer(fitted.scheme_.to_json())
    again = FixedSchemeDiscretizer(**json.loads(json.dumps(fixed.get_params())))
    assert again.scheme_ == fitted.scheme_
    assert again.set_params(scheme=fitted.scheme_.with_cuts(fitted.scheme_.names[0], [5])).scheme_ != fitted.scheme_


def test_columns_without_names(iris):
    X, y = iris[0].to_numpy(), iris[1]
    fixed = FixedSchemeDiscretizer(MRmDDiscretizer().fit(X, y).scheme_)
    assert not hasattr(fixed, "feature_names_in_")
    assert fixed.fit(X).get_feature_names_out().tolist() == ["x0", "x1", "x2", "x3"]
    with pytest.raises(ValueError, match="X has 3 features, but FixedSchemeDiscretizer is expecting 4"):
        fixed.fit(X[:, :3])


def test_columns_that_do_not_fit(iris, fitted):
    X, _ = iris
    fixed = FixedSchemeDiscretizer(fitted.scheme_)
    with pytest.raises(ValueError, match="feature names should match"):
        fixed.fit(X[X.columns[::-1]])
    with pytest.raises(TableError, match="'sepal length \\(cm\\)': expected a number, found 'long'"):
        fixed.fit(X.assign(**{"sepal length (cm)": "long"}))


@pytest.mark.parametrize(("given", "message"), [("{}", "no scheme"), (None, "'scheme'"), (3, "'scheme'")])
def test_what_is_no_scheme(given, message):
    with pytest.raises(ValueError, match=message):
        FixedSchemeDiscretizer(given).fit([[1.0]])
    with pytest.raises(SchemeError, match=message):
        FixedSchemeDiscretizer(given).transform([[1.0]])
