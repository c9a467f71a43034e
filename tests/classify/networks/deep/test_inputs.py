"""How columns become what networks take."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.preprocessing import QuantileTransformer

from cutwise.classify.networks.columns import TableCells
from cutwise.classify.networks.deep.learning import (
    NOISE,
    Categories,
    NetworkShape,
    QuantileNormal,
    as_inputs,
    learn_inputs,
    shape_of,
)


def learned(values, seed=0):
    return QuantileNormal.learn(np.asarray(values, dtype=float), np.ones(len(values)), np.random.default_rng(seed))


@pytest.mark.parametrize("n_rows", [20, 400, 3000])
def test_as_scikit_learn_does(n_rows):
    values = np.random.default_rng(1).exponential(size=n_rows).round(1)
    inner = (values - values.mean()) / values.std(ddof=1)
    low, high = np.quantile(inner, [0.25, 0.75])
    noisy = inner + np.random.default_rng(0).normal(0.0, NOISE * (high - low), n_rows)
    n_quantiles = min(max(n_rows // 30, 10), 1000)
    usual = QuantileTransformer(n_quantiles=n_quantiles, output_distribution="normal", subsample=None)
    expected = usual.fit(noisy[:, None]).transform(inner[:, None])[:, 0]
    np.testing.assert_allclose(learned(values).apply(values), expected, atol=1e-6)


def test_normal_whatever_the_distribution():
    first, second = (np.random.default_rng(seed).lognormal(0.0, 3.0, 5000) for seed in (1, 2))
    z = learned(first).apply(second)
    assert abs(z.mean()) < 0.05
    assert abs(z.std() - 1.0) < 0.05


@given(st.lists(st.floats(allow_infinity=False), min_size=1, max_size=30))
def test_any_double_becomes_a_small_number(values):
    column = learned(values)
    z = column.apply(np.array([*values, np.inf, -np.inf, np.nan, 1.7e308, -1.7e308, 0.0]))
    assert (np.abs(z) < 5.2).all()
    order = np.argsort(np.array(values), kind="stable")
    known = [place for place in order if not np.isnan(values[place])]
    assert (np.diff(z[known]) >= 0.0).all()


def test_columns_without_information_are_near_zero():
    for values in ([np.nan] * 40, [7.0] * 40):
        assert (np.abs(learned(values).apply(np.array([7.0, np.nan]))) < 0.5).all()


def test_missing_numbers_stand_at_the_mean():
    column = learned([1.0, 2.0, 3.0, 10.0, np.nan])
    missing, mean = column.apply(np.array([np.nan, 4.0]))
    assert missing == pytest.approx(mean)


def test_most_rows_share_a_value():
    values = np.array([0.0] * 80 + list(range(1, 21)))
    z = learned(values).apply(values)
    assert abs(z[0]) < 1.5
    assert (np.diff(z[79:]) > 0.0).all()


def test_shapes_and_codes():
    cells = TableCells(
        ["a", "b", "c"],
        [np.array([1.0, 2.0]), np.array([0, -1], dtype=np.int32), np.array([-1, -1], dtype=np.int32)],
        [None, ("u", "v"), ()],
    )
    maps = learn_inputs(cells, np.ones(2), np.random.default_rng(0))
    assert shape_of(maps, 4) == NetworkShape(1, (3, 1), 4)
    inputs = as_inputs(cells, maps)
    assert inputs.numbers.shape == (2, 1)
    assert inputs.numbers.dtype == np.float32
    assert inputs.codes.tolist() == [[0, 0], [2, 0]]
    assert Categories(("u", "v")).apply(np.array([1, -1], dtype=np.int32)).tolist() == [1, 2]
