"""What transform and inverse_transform return."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from cutwise import EqualFrequencyDiscretizer, MRmDDiscretizer
from cutwise.discretize import encoder
from cutwise.scheme import encode_columns

FRAME = pd.DataFrame({"age": [20.0, 30.0, 40.0, 50.0] * 5, "sex": ["f", "m", "f", "m"] * 5})
TARGET = [0, 0, 1, 1] * 5
NEW = pd.DataFrame({"age": [20.0, 50.0, np.nan], "sex": ["f", "x", None]})


def fit(**options):
    return MRmDDiscretizer(**options).fit(FRAME, TARGET)


def test_ordinal():
    codes = fit().transform(NEW)
    assert codes.dtype == np.int32
    assert codes.tolist() == [[0, 0], [1, -1], [-1, -1]]


def test_ordinal_with_a_missing_bin():
    assert fit(missing="bin").transform(NEW).tolist() == [[0, 0], [1, -1], [2, 2]]


def test_one_hot():
    fitted = fit(encode="onehot")
    assert fitted.transform(NEW).toarray().tolist() == [[1, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 0]]
    assert fitted.get_feature_names_out().tolist() == ["age_(-inf, 35]", "age_(35, inf)", "sex_f", "sex_m"]
    dense = fit(encode="onehot-dense", missing="bin")
    assert dense.transform(NEW).tolist() == [[1, 0, 0, 1, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 1]]
    names = ["age_(-inf, 35]", "age_(35, inf)", "age_missing", "sex_f", "sex_m", "sex_missing"]
    assert dense.get_feature_names_out().tolist() == names


def test_labels():
    assert fit(encode="label").transform(NEW).tolist() == [["(-inf, 35]", "f"], ["(35, inf)", None], [None, None]]
    assert fit(encode="label", missing="bin").transform(NEW)[2].tolist() == ["missing", "missing"]


@pytest.mark.parametrize("encode", ["ordinal", "onehot", "onehot-dense", "label"])
@pytest.mark.parametrize("missing", ["code", "bin"])
def test_inverse_transform_gives_labels(encode, missing):
    fitted = fit(encode=encode, missing=missing)
    assert (
        fitted.inverse_transform(fitted.transform(NEW)).tolist()
        == fit(encode="label", missing=missing).transform(NEW).tolist()
    )


def test_inverse_transform_refuses_what_transform_never_gives():
    with pytest.raises(ValueError, match=r"'age' has no bin with the code 2; codes go from -1 to 1"):
        fit().inverse_transform([[2, 0]])
    with pytest.raises(ValueError, match=r"whole numbers; one of them is .*0\.5"):
        fit().inverse_transform([[0.5, 0]])
    with pytest.raises(ValueError, match="2 columns"):
        fit().inverse_transform([[0, 0, 0]])


def test_set_output():
    out = fit().set_output(transform="pandas").transform(NEW)
    assert list(out.columns) == ["age", "sex"]
    polars = fit(encode="label").set_output(transform="polars").transform(NEW)
    assert polars["age"].to_list() == ["(-inf, 35]", "(35, inf)", None]


def test_fitted_attributes():
    fitted = fit()
    assert [cuts.tolist() for cuts in fitted.cuts_] == [[35.0], []]
    assert fitted.n_bins_.tolist() == [2, 2]
    assert fitted.bin_edges_[0].tolist() == [20.0, 35.0, 50.0]
    assert fitted.bin_edges_[1].size == 0
    assert fitted.classes_.tolist() == [0, 1]
    assert fitted.feature_names_in_.tolist() == ["age", "sex"]


def test_codes_count_the_cuts_below():
    x = np.random.default_rng(0).normal(size=(500, 1))
    fitted = MRmDDiscretizer().fit(x, x[:, 0] > 0.3)
    assert np.array_equal(fitted.transform(x)[:, 0], np.searchsorted(fitted.cuts_[0], x[:, 0]))
    rows = np.bincount(fitted.transform(x)[:, 0], minlength=fitted.n_bins_[0])
    assert tuple(rows) == fitted.scheme_["x0"].rows


@pytest.mark.parametrize("library", ["pandas", "polars"])
@pytest.mark.parametrize("columns", [None, ["x0", "x2"]])
def test_frames_hold_the_codes_themselves(library, columns, monkeypatch):
    frames = pytest.importorskip(library)
    if columns and library == "pandas" and int(pd.__version__.split(".")[0]) < 3:
        pytest.skip("pandas 2 copies the columns that are selected")
    X = np.random.default_rng(0).normal(size=(500, 3))
    frame = frames.DataFrame({f"x{j}": X[:, j] for j in range(3)})
    fitted = EqualFrequencyDiscretizer(columns=columns).set_output(transform=library).fit(frame)
    made = []

    def kept(*arguments):
        made.append(encode_columns(*arguments))
        return made[0]

    monkeypatch.setattr(encoder, "encode_columns", kept)
    found = fitted.transform(frame)
    for k, name in enumerate(columns or ("x0", "x1", "x2")):
        assert np.shares_memory(found[name].to_numpy(), made[0][:, k])
