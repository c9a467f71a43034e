"""From bins back to values."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.preprocessing import KBinsDiscretizer

from cutwise import (
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    FixedCutsDiscretizer,
    FixedSchemeDiscretizer,
    MRmDDiscretizer,
)

ENCODED = ["ordinal", "onehot", "onehot-dense", "label"]


@pytest.mark.parametrize("encode", ENCODED)
def test_the_middle_of_the_bin_as_kbins_gives_it(encode):
    X = np.random.default_rng(0).normal(size=(200, 3))
    there = KBinsDiscretizer(5, encode="ordinal", strategy="uniform").fit(X)
    ours = EqualWidthDiscretizer(5, encode=encode, decode="midpoint").fit(X)
    found = ours.inverse_transform(ours.transform(X))
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, there.inverse_transform(there.transform(X)), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("encode", ENCODED)
@pytest.mark.parametrize("missing", ["code", "bin"])
def test_every_kind_of_value(encode, missing):
    table = pd.DataFrame(
        {"age": [1.0, 2.0, 3.0, 9.0, -99.0, np.nan], "city": ["Rome", "Oslo", "Rome", "Rome", "Oslo", None]}
    )
    method = EqualWidthDiscretizer(4, encode=encode, decode="midpoint", missing=missing, special_values={"age": [-99]})
    found = method.fit(table).inverse_transform(method.transform(table))
    assert found[:, 0].tolist()[:-1] == [2.0, 2.0, 2.0, 8.0, -99.0]
    assert np.isnan(found[-1, 0])
    assert found[:, 1].tolist() == ["Rome", "Oslo", "Rome", "Rome", "Oslo", None]
    unseen = method.inverse_transform(method.transform(pd.DataFrame({"age": [5.0], "city": ["Bonn"]})))
    assert unseen.tolist() == [[4.0, None]]


def test_categories_keep_their_type():
    table = pd.DataFrame({"flag": [True, False, True], "age": [1.0, 2.0, 3.0]})
    method = EqualWidthDiscretizer(2, decode="midpoint").fit(table)
    assert method.inverse_transform(method.transform(table))[:, 0].tolist() == [True, False, True]


def test_a_group_of_categories_is_its_text():
    rng = np.random.default_rng(0)
    city = rng.choice(["a", "b", "c", "d"], 400)
    y = np.where(np.isin(city, ["a", "b"]), rng.random(400) < 0.9, rng.random(400) < 0.1)
    method = MRmDDiscretizer(nominal="group", decode="midpoint").fit(pd.DataFrame({"city": city}), y)
    labels = method.scheme_["city"].labels
    assert len(labels) == 2
    codes = method.transform(pd.DataFrame({"city": ["a", "d"]}))
    assert method.inverse_transform(codes)[:, 0].tolist() == [labels[code] for code in codes[:, 0]]


def test_bins_at_the_ends():
    X = [[2.0], [3.0], [4.0]]
    given = FixedCutsDiscretizer([0, 1, 3, 10], decode="midpoint").fit(X)
    # Bins beyond the training values have the middle that their cuts allow.
    assert given.inverse_transform([[0], [1], [2], [3], [4]]).ravel().tolist() == [0.0, 0.5, 2.0, 6.5, 10.0]
    with pytest.warns(UserWarning, match="the value 5 only"):
        constant = EqualFrequencyDiscretizer(3, decode="midpoint").fit([[5.0], [5.0]])
    assert constant.inverse_transform([[0], [-1]])[0, 0] == 5.0
    wide = EqualWidthDiscretizer(2, decode="midpoint").fit([[-1.7e308], [1.7e308]])
    assert wide.inverse_transform([[0], [1]]).ravel().tolist() == [-0.85e308, 0.85e308]
    scheme = EqualWidthDiscretizer(2).fit(X).scheme_
    assert FixedSchemeDiscretizer(scheme, decode="midpoint").inverse_transform([[1]]).tolist() == [[3.5]]


def test_a_text_of_two_bins_is_refused():
    table = pd.DataFrame({"c": ["missing", "u", None]})
    method = EqualWidthDiscretizer(encode="label", missing="bin", decode="midpoint").fit(table)
    assert method.inverse_transform([["u"]]).tolist() == [["u"]]
    with pytest.raises(ValueError, match=r"Two bins of the column 'c' have the text 'missing'\. Go back from codes"):
        method.inverse_transform(method.transform(table))
    codes = method.set_params(encode="ordinal").transform(table)
    assert method.inverse_transform(codes).ravel().tolist() == ["missing", "u", None]


def test_text_stays_the_default():
    method = EqualWidthDiscretizer(2).fit([[0.0], [4.0]])
    assert method.inverse_transform([[0], [-1]]).tolist() == [["(-inf, 2]"], [None]]
    method.set_params(encode="label", decode="midpoint")
    assert method.inverse_transform([["(-inf, 2]"], [None]])[0, 0] == 1.0
    with pytest.raises(ValueError, match=r"Column 'x0' has no bin '\(-inf, 3\]', but '\(-inf, 2\]', '\(2, inf\)'"):
        method.inverse_transform([["(-inf, 3]"]])
    with pytest.raises(ValueError, match="Expected what transform returns, an array of 1 columns"):
        method.inverse_transform([["(-inf, 3]", "x"]])
    with pytest.raises(ValueError, match=r"must be a str among \{'label', 'midpoint'\}"):
        method.set_params(decode="center").fit([[1.0]])
