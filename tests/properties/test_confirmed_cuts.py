"""A cut that is called confirmed is one: on noise, at most alpha of the columns are cut, and not many less."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from cutwise import (
    AmevaDiscretizer,
    CACCDiscretizer,
    CAIMDiscretizer,
    MaxRelevanceDiscretizer,
    MDLPDiscretizer,
    MODLDiscretizer,
    MRmDDiscretizer,
    count_table,
)
from cutwise.errors import CountsError, SchemeError
from cutwise.scheme import Scheme

METHODS = [
    MRmDDiscretizer,
    MaxRelevanceDiscretizer,
    MDLPDiscretizer,
    MODLDiscretizer,
    CAIMDiscretizer,
    CACCDiscretizer,
    AmevaDiscretizer,
]
N_COLUMNS = 400
SHAPES = {
    "distinct": lambda rng, shape: rng.normal(size=shape),
    "five values": lambda rng, shape: rng.integers(0, 5, size=shape).astype(float),
    "rounded": lambda rng, shape: rng.normal(size=shape).round(1),
}
CLASSES = {"even": None, "uneven": [0.95, 0.05], "three": [0.3, 0.3, 0.4]}


def noise(n_rows: int, values: str, classes: str, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    shares = CLASSES[classes]
    y = rng.choice(len(shares or [1, 1]), n_rows, p=shares)
    return SHAPES[values](rng, (n_rows, N_COLUMNS)), y


def share_cut(discretizer, X, y, **options) -> float:
    return float(np.mean(discretizer.fit(X, y, **options).n_bins_ > 1))


def is_calibrated(share: float, alpha: float, least: float = 0.5) -> bool:
    """Return whether a share of N_COLUMNS columns agrees with a chance between `least` and 1.1 alpha."""
    error = 3.0 * math.sqrt(alpha * (1.0 - alpha) / N_COLUMNS)
    return least * alpha - error <= share <= 1.1 * alpha + error


@pytest.mark.parametrize("classes", CLASSES)
@pytest.mark.parametrize("values", SHAPES)
@pytest.mark.parametrize("method", [MRmDDiscretizer, MaxRelevanceDiscretizer])
def test_noise_is_cut_as_often_as_alpha_says(method, values, classes):
    X, y = noise(120, values, classes)
    for alpha in (0.2, 0.05):
        assert is_calibrated(share_cut(method(confirm=alpha), X, y), alpha)


@pytest.mark.parametrize(
    "options",
    [
        {"monotonic": "increasing"},
        {"monotonic": "auto"},
        {"min_bin_size": 0.1},
        {"validation": "crossfit", "random_state": 0},
        {"validation": "holdout", "random_state": 0},
    ],
    ids=str,
)
def test_limits_and_parts_count(options):
    X, y = noise(200, "distinct", "even", seed=1)
    assert is_calibrated(share_cut(MRmDDiscretizer(confirm=0.2, **options), X, y), 0.2, least=0.4)


@pytest.mark.parametrize("method", METHODS)
def test_no_method_cuts_more_noise(method):
    X, y = noise(100, "distinct", "three", seed=2)
    assert is_calibrated(share_cut(method(confirm=0.1), X, y), 0.1, least=0.0)


def test_exact_search_cuts_no_more_noise():
    X, y = noise(100, "rounded", "even", seed=3)
    assert is_calibrated(share_cut(MRmDDiscretizer(search="exact", confirm=0.1), X, y), 0.1, least=0.0)


@pytest.mark.parametrize("weights", ["uniform", "exponential"])
def test_relative_weights(weights):
    X, y = noise(300, "distinct", "even", seed=4)
    rng = np.random.default_rng(5)
    w = rng.uniform(0.5, 2.0, y.size) if weights == "uniform" else rng.exponential(size=y.size) + 0.05
    share = share_cut(MRmDDiscretizer(confirm=0.2, weights="relative"), X, y, sample_weight=w)
    assert is_calibrated(share, 0.2, least=0.3)


@pytest.mark.slow
@pytest.mark.parametrize("n_rows", [50, 1000, 10_000])
@pytest.mark.parametrize("classes", CLASSES)
def test_calibration_of_more_rows(n_rows, classes):
    X, y = noise(n_rows, "distinct", classes, seed=6)
    for alpha in (0.2, 0.05, 0.01):
        assert is_calibrated(share_cut(MRmDDiscretizer(confirm=alpha), X, y), alpha)


@pytest.mark.parametrize("options", [{}, {"monotonic": "auto"}, {"min_bin_size": 5, "max_bins": 4}], ids=str)
@pytest.mark.parametrize("method", [MRmDDiscretizer, MaxRelevanceDiscretizer, MDLPDiscretizer, CAIMDiscretizer])
def test_confirm_1_tests_all_cuts_and_makes_them(method, options):
    rng = np.random.default_rng(7)
    X = rng.normal(size=(150, 6)).round(1)
    y = (rng.random(150) < 1 / (1 + np.exp(-2 * X[:, 0]))).astype(int)
    plain, tested = method(**options).fit(X, y).scheme_, method(confirm=1, **options).fit(X, y).scheme_
    for before, after in zip(plain.attributes, tested.attributes, strict=True):
        assert len(after.p_values) == len(after.expected_losses) == len(after.cuts)
        assert replace(after, p_values=(), expected_losses=()) == before


@pytest.mark.parametrize("method", METHODS)
def test_real_cuts_are_confirmed(method):
    rng = np.random.default_rng(8)
    X = rng.normal(size=(300, 2))
    y = np.where(rng.random(300) < 0.9, X[:, 0] > 0.3, X[:, 0] <= 0.3).astype(int)
    scheme = method(confirm=0.01).fit(X, y).scheme_
    real, noise_column = scheme.attributes
    assert real.cuts
    assert max(real.p_values) <= 0.01
    assert 0 < sum(real.expected_losses) < real.relevance
    assert not noise_column.cuts
    if noise_column.stop == "not_confirmed" and noise_column.refused is not None:
        assert noise_column.refused_p_value > 0.01


def test_ways_to_learn_agree():
    rng = np.random.default_rng(9)
    X = pd.DataFrame(rng.normal(size=(400, 3)).round(2), columns=["a", "b", "c"])
    y = (X["a"] + rng.normal(size=400) > 0).astype(int)
    table = X.assign(y=y)
    expected = MRmDDiscretizer(confirm=0.05).fit(X, y).scheme_
    assert expected["a"].p_values
    assert MRmDDiscretizer(confirm=0.05).fit_table(table, "y").scheme_ == expected
    assert MRmDDiscretizer(confirm=0.05).fit_counts(count_table(table, "y")).scheme_ == expected
    stream = MRmDDiscretizer(confirm=0.05)
    for rows in np.array_split(rng.permutation(400), 3):
        stream.partial_fit(X.iloc[rows], y.iloc[rows])
    assert stream.scheme_.attributes == expected.attributes
    twice = MRmDDiscretizer(confirm=0.05).fit(X, y, sample_weight=np.full(400, 2))
    assert twice.scheme_ == MRmDDiscretizer(confirm=0.05).fit(pd.concat([X, X]), pd.concat([y, y])).scheme_


def test_counts_do_not_tell_how_uneven_relative_weights_are():
    table = pd.DataFrame({"a": [1.0, 2, 3, 4], "w": [1, 2, 3, 4], "y": [0, 0, 1, 1]})
    with pytest.raises(CountsError, match="how uneven the weights of the rows are"):
        MRmDDiscretizer(confirm=0.05, weights="relative").fit_table(table, "y", weight="w")


def test_names_of_classes_do_not_matter():
    rng = np.random.default_rng(10)
    X, y = rng.normal(size=(200, 4)).round(1), rng.integers(0, 4, 200)
    X[:, 0] += y
    found = MRmDDiscretizer(confirm=0.05).fit(X, y).scheme_
    other = MRmDDiscretizer(confirm=0.05).fit(X, np.array(["d", "a", "c", "b"])[y]).scheme_
    assert [(a.cuts, a.p_values) for a in found.attributes] == [(a.cuts, a.p_values) for a in other.attributes]


@pytest.fixture(scope="module")
def scheme() -> Scheme:
    X, y = [[1.0], [2.0], [3.0], [4.0]] * 10, ["no", "no", "yes", "yes"] * 10
    return MRmDDiscretizer(confirm=0.05).fit(X, y).scheme_


def test_the_json_keeps_tests(scheme):
    assert Scheme.from_json(scheme.to_json()) == scheme
    assert scheme.parameters["confirm"] == 0.05


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("p_values", [], "must not be empty"),
        ("p_values", [0.1, 0.2], "2 numbers for 1 cuts"),
        ("p_values", [0.0], "above 0 and at most 1"),
        ("p_values", [1.5], "above 0 and at most 1"),
        ("p_values", ["0.1"], "p_values"),
        ("expected_losses", [-0.1], "from 0 on"),
        ("refused_p_value", 0.5, "needs a refused cut"),
    ],
)
def test_the_reader_refuses_what_cannot_be(scheme, key, value, words):
    data = scheme.to_dict()
    data["attributes"][0]["refused"] = None
    data["attributes"][0][key] = value
    with pytest.raises(SchemeError, match=words):
        Scheme.from_dict(data)


def test_edited_and_recounted_cuts_are_not_tested(scheme):
    edited = scheme.with_cuts("x0", [])
    assert (edited["x0"].p_values, edited["x0"].expected_losses) == ((), ())
    recounted = scheme.recount([[1.0], [3.0]], ["no", "yes"])
    assert recounted["x0"].cuts
    assert recounted["x0"].p_values == ()


def test_texts_and_tables_show_how_sure_cuts_are(scheme):
    assert "less on new rows" in str(scheme)
    assert "p of lower cut" in scheme["x0"]._repr_html_()
    frame = scheme.to_frame("pandas")
    assert frame["p_value"].isna().tolist() == [True, False]
    assert scheme.to_frame("polars")["expected_loss"].to_list() == [None, scheme["x0"].expected_losses[0]]
