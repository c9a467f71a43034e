"""Some columns are cut, the others pass through."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from cutwise import (
    AdditiveClassifier,
    DiscretizedClassifier,
    EqualWidthDiscretizer,
    FixedCutsDiscretizer,
    JointDiscretizer,
    MDmDDiscretizer,
    MRmDDiscretizer,
    ScorecardClassifier,
    count_table,
)
from cutwise.errors import TableError

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 4))
Y = np.where(X[:, 0] + X[:, 2] > 0, "a", "b")
FRAME = pd.DataFrame(
    {
        "age": X[:, 0],
        "when": pd.date_range("2024-01-01", periods=200),
        "debt": X[:, 2],
        "city": pd.Categorical(np.where(X[:, 1] > 0, "Rome", "Oslo")),
        "n": np.arange(200, dtype=np.int16),
        "is_new": X[:, 3] > 0,
    },
    index=range(1000, 1200),
)
CUT = ["debt", "age"]


@pytest.mark.parametrize("method", [MRmDDiscretizer(), EqualWidthDiscretizer(3), JointDiscretizer(), MDmDDiscretizer()])
def test_the_chosen_columns_are_cut_as_if_they_were_alone(method):
    alone = clone(method).fit(FRAME[["age", "debt"]], Y)
    chosen = clone(method).set_params(columns=CUT).fit(FRAME, Y)
    assert chosen.scheme_ == alone.scheme_
    assert chosen.n_features_in_ == 6
    assert chosen.feature_names_in_.tolist() == list(FRAME)
    assert chosen.get_feature_names_out().tolist() == list(FRAME)
    found = chosen.transform(FRAME)
    np.testing.assert_array_equal(found[:, [0, 2]].astype(int), alone.transform(FRAME[["age", "debt"]]))


@pytest.mark.parametrize("library", ["pandas", "polars"])
@pytest.mark.parametrize("given", ["pandas", "polars"])
@pytest.mark.parametrize("encode", ["ordinal", "onehot-dense", "label", "woe"])
def test_frames_keep_the_others_as_they_are(library, given, encode):
    frame = FRAME if given == "pandas" else pl.from_pandas(FRAME)
    method = EqualWidthDiscretizer(3, columns=CUT, encode=encode).set_output(transform=library)
    found = method.fit(frame, Y).transform(frame)
    assert isinstance(found, pd.DataFrame if library == "pandas" else pl.DataFrame)
    assert list(found.columns) == method.get_feature_names_out().tolist()
    others = ["when", "city", "n", "is_new"]
    if library == given == "pandas":
        pd.testing.assert_frame_equal(found[others], FRAME[others])
    elif library == given:
        assert found.select(others).equals(frame.select(others))
    else:
        assert [list(found[name]) for name in ("when", "n", "is_new")] == [
            list(frame[name]) for name in ("when", "n", "is_new")
        ]
    alone = EqualWidthDiscretizer(3, encode=encode).fit(FRAME[["age", "debt"]], Y)
    made = [name for name in found.columns if name not in others]
    assert made == alone.get_feature_names_out().tolist()
    expected = alone.transform(FRAME[["age", "debt"]])
    assert [list(found[name]) for name in made] == expected.T.tolist()


def test_arrays_hold_numbers():
    method = EqualWidthDiscretizer(3, columns=[2, 0]).fit(X)
    found = method.transform(X)
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found[:, [1, 3]], X[:, [1, 3]])
    np.testing.assert_array_equal(found[:, [0, 2]], EqualWidthDiscretizer(3).fit_transform(X[:, [0, 2]]))
    whole = EqualWidthDiscretizer(3, columns=["x1"]).fit_transform(np.arange(12).reshape(6, 2))
    assert whole.dtype.kind == "i"
    of_frame = EqualWidthDiscretizer(3, columns=["age"]).fit_transform(FRAME[["age", "n", "is_new"]])
    assert of_frame.dtype == np.int32
    mixed = EqualWidthDiscretizer(3, columns=["age"]).fit_transform(FRAME[["age", "n", "city"]])
    assert mixed.dtype == object
    assert mixed[5].tolist()[1:] == [5, FRAME["city"].iloc[5]]


def test_sparse_columns():
    method = EqualWidthDiscretizer(3, columns=["x1"], encode="onehot").fit(X)
    found = method.transform(X)
    assert sparse.issparse(found)
    assert type(found) is type(EqualWidthDiscretizer(3, encode="onehot").fit_transform(X))
    dense = method.set_params(encode="onehot-dense").transform(X)
    np.testing.assert_array_equal(found.toarray(), dense)
    np.testing.assert_array_equal(dense[:, [0, 4, 5]], X[:, [0, 2, 3]])
    assert [name.split("_")[0] for name in method.get_feature_names_out()] == ["x0", "x1", "x1", "x1", "x2", "x3"]
    with pytest.raises(TableError, match=r"Column 'when' is not cut and holds no numbers.*encode='onehot-dense'"):
        EqualWidthDiscretizer(3, columns=CUT, encode="onehot").fit(FRAME).transform(FRAME)


@pytest.mark.parametrize("encode", ["ordinal", "onehot", "onehot-dense", "label"])
def test_the_way_back(encode):
    frame = FRAME[["age", "n", "debt"]]
    method = EqualWidthDiscretizer(3, columns=CUT, encode=encode, decode="midpoint").fit(frame)
    alone = EqualWidthDiscretizer(3, decode="midpoint").fit(frame[["age", "debt"]])
    found = method.inverse_transform(method.transform(frame))
    np.testing.assert_array_equal(found[:, 1].astype(int), frame["n"])
    expected = alone.inverse_transform(alone.transform(frame[["age", "debt"]]))
    np.testing.assert_array_equal(found[:, [0, 2]].astype(float), expected)
    named = method.set_output(transform="pandas") if encode != "onehot" else method
    np.testing.assert_array_equal(named.inverse_transform(named.transform(frame)), found)
    texts = method.set_params(decode="label").inverse_transform(method.transform(frame))
    assert texts[0, 0] in method.scheme_["age"].labels
    with pytest.raises(ValueError, match="Expected what transform returns"):
        method.inverse_transform([[0.0, 1.0]])


def test_names_that_meet_are_told_apart():
    frame = pd.DataFrame({"a": ["x", "y"], "a_x": [1.0, 2.0]})
    method = EqualWidthDiscretizer(columns=["a"], encode="onehot-dense").set_output(transform="pandas")
    assert list(method.fit_transform(frame)) == ["a_x #0", "a_y", "a_x"]
    np.testing.assert_array_equal(method.transform(frame), [[1, 0, 1], [0, 1, 2]])


def test_wrong_columns():
    with pytest.raises(
        ValueError, match=r"'columns' names the column 'agee', but the table has .*Did you mean 'age'\?"
    ):
        EqualWidthDiscretizer(columns=["agee"]).fit(FRAME)
    with pytest.raises(ValueError, match="'columns' names the column 4, but the table has 'x0', 'x1', 'x2', 'x3'"):
        EqualWidthDiscretizer(columns=[4]).fit(X)
    with pytest.raises(ValueError, match="'columns' is empty, so that there is nothing to cut"):
        EqualWidthDiscretizer(columns=[]).fit(X)
    with pytest.raises(ValueError, match=r"must be None or an array-like. Got 'age' instead"):
        EqualWidthDiscretizer(columns="age").fit(FRAME)
    with pytest.raises(ValueError, match=r"'columns' must be names or places of columns; one of them is \['age'\]"):
        EqualWidthDiscretizer(columns=[["age"]]).fit(FRAME)
    with pytest.raises(ValueError, match="'columns' names the column True"):
        EqualWidthDiscretizer(columns=[True, False]).fit(X)
    with pytest.raises(ValueError, match="'max_bins' names the column 'n', but the table has 'age', 'debt'"):
        MRmDDiscretizer(columns=CUT, max_bins={"n": 3}).fit(FRAME, Y)


def test_other_ways_to_learn_have_their_own_columns():
    method = EqualWidthDiscretizer(3, columns=["x1"])
    for learn in (
        lambda: method.partial_fit(X),
        lambda: method.fit_table(FRAME[["age"]]),
        lambda: method.fit_counts(count_table(FRAME[["age"]], None)),
    ):
        with pytest.raises(ValueError, match=r"columns=\['x1'\] tells fit which columns to cut. fit_table"):
            learn()


@pytest.mark.parametrize(
    "system",
    [
        DiscretizedClassifier(MRmDDiscretizer(columns=["x1"])),
        AdditiveClassifier(bins=MRmDDiscretizer(columns=["x1"])),
        ScorecardClassifier(discretizer=MRmDDiscretizer(columns=["x1"])),
    ],
    ids=lambda system: type(system).__name__,
)
def test_systems_need_the_bins_of_all_columns(system):
    with pytest.raises(ValueError, match=r"columns=\['x1'\] lets the discretizer leave columns as they are, but the"):
        system.fit(X, Y)


def test_fixed_cuts_of_some_columns():
    method = FixedCutsDiscretizer({"age": [0.0]}, columns=["age"]).set_output(transform="pandas").fit(FRAME)
    assert method.transform(FRAME)["debt"].equals(FRAME["debt"])
    with pytest.raises(
        ValueError, match=r"does not name the numeric column 'debt'.*name the other columns in 'columns'"
    ):
        FixedCutsDiscretizer({"age": [0.0]}).fit(FRAME[["age", "debt"]])


def test_in_a_pipeline():
    model = make_pipeline(MRmDDiscretizer(columns=[0, 2], encode="onehot"), LogisticRegression()).fit(X, Y)
    assert model.score(X, Y) > 0.8
    assert model[:-1].get_feature_names_out().tolist()[-1] == "x3"


def test_tables_of_engines_are_found_by_name():
    method = EqualWidthDiscretizer(3, columns=CUT).fit(FRAME)
    found = method.transform_table(FRAME, keep=["n"])
    assert list(found) == ["n", "age", "debt"]
