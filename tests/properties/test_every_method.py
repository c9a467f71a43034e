"""What every discretizer promises, whatever its method (promises 2 to 7, 13, 15)."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from cutwise import EqualWidthDiscretizer, FixedCutsDiscretizer, Scheme
from tests.methods import EVERY, JOINT, ONE_BY_ONE, SUPERVISED, UNSUPERVISED
from tests.strategies import columns, tables, tied_columns

# Each test runs for every method, so a quarter of the usual examples for each is plenty.
per_method = settings(max_examples=max(10, settings.default.max_examples // 4))
every = pytest.mark.parametrize("method", EVERY, ids=repr)
one_by_one = pytest.mark.parametrize("method", ONE_BY_ONE, ids=repr)
looking_at_classes = pytest.mark.parametrize("method", [*SUPERVISED, *JOINT], ids=repr)


def scheme_of(method, X, y, **fit_options):
    return clone(method).fit(X, y, **fit_options).scheme_


@every
@per_method
@given(table=tables(missing=True))
def test_fitting_twice_is_fitting_once(method, table):
    estimator = clone(method).fit(*table)
    first = estimator.scheme_.to_json()
    assert estimator.fit(*table).scheme_.to_json() == first
    assert Scheme.from_json(first) == estimator.scheme_


@every
@per_method
@given(table=tables(missing=True), random=st.randoms(use_true_random=False))
def test_row_order_does_not_matter(method, table, random):
    X, y = table
    order = list(range(len(y)))
    random.shuffle(order)
    assert scheme_of(method, X[order], y[order]).to_json() == scheme_of(method, X, y).to_json()


@looking_at_classes
@per_method
@given(column=st.one_of(columns(max_classes=4), tied_columns()), names=st.permutations(range(4)))
def test_class_names_do_not_matter(method, column, names):
    x, y = column
    plain = clone(method).fit(x[:, None], y)
    renamed = clone(method).fit(x[:, None], np.array([f"class {name}" for name in names])[y])
    assert renamed.cuts_[0].tobytes() == plain.cuts_[0].tobytes()


INCREASING = [lambda x: 3 * x + 1, np.exp, lambda x: x**3, lambda x: np.unique(x, return_inverse=True)[1].astype(float)]


BY_NUMBER = (EqualWidthDiscretizer, FixedCutsDiscretizer)


@pytest.mark.parametrize("method", [m for m in EVERY if not isinstance(m, BY_NUMBER)], ids=repr)
@per_method
@given(column=columns(values=st.integers(-40, 40).map(lambda v: v / 8)), transform=st.sampled_from(INCREASING))
def test_increasing_transforms_keep_the_bins(method, column, transform):
    x, y = column
    assume(np.unique(transform(x)).size == np.unique(x).size)
    codes = clone(method).fit(x[:, None], y).transform(x[:, None])
    moved = transform(x)[:, None]
    assert np.array_equal(clone(method).fit(moved, y).transform(moved), codes)


@one_by_one
@per_method
@given(table=tables(max_columns=4, missing=True), data=st.data())
def test_other_columns_do_not_matter(method, table, data):
    X, y = table
    chosen = data.draw(st.lists(st.integers(0, X.shape[1] - 1), min_size=1, unique=True))
    all_columns = scheme_of(method, X, y).attributes
    some = scheme_of(method, X[:, chosen], y).attributes
    assert [vars(a) | {"name": ""} for a in some] == [vars(all_columns[j]) | {"name": ""} for j in chosen]


@every
@per_method
@given(table=tables(missing=True, max_rows=20), data=st.data())
def test_weights_are_repeated_rows(method, table, data):
    X, y = table
    weights = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(y), max_size=len(y))))
    assume(weights.any())
    weighted = scheme_of(method, X, y, sample_weight=weights)
    assert weighted.to_json() == scheme_of(method, np.repeat(X, weights, axis=0), np.repeat(y, weights)).to_json()


@pytest.mark.filterwarnings("ignore::cutwise.errors.WeightsWarning")  # few rows may have small weights only
@every
@per_method
@given(table=tables(missing=True, max_rows=20), random=st.randoms(use_true_random=False), data=st.data())
def test_row_order_does_not_matter_with_fractional_weights(method, table, random, data):
    X, y = table
    numbers = st.floats(0.0, 3.0, allow_subnormal=False)
    weights = np.array(data.draw(st.lists(numbers, min_size=len(y), max_size=len(y))))
    assume(weights.max() > 0.01)
    order = list(range(len(y)))
    random.shuffle(order)
    plain = scheme_of(method, X, y, sample_weight=weights)
    assert scheme_of(method, X[order], y[order], sample_weight=weights[order]).to_json() == plain.to_json()


@every
@per_method
@given(table=tables(missing=True, max_rows=25))
def test_weights_of_a_constant_fraction_keep_the_counts_in_proportion(method, table):
    X, y = table
    scheme = scheme_of(method, X, y, sample_weight=np.full(len(y), 0.75))
    rows = [sum(attribute.rows) + sum(attribute.missing_by_class) for attribute in scheme.attributes]
    assert rows == pytest.approx([0.75 * len(y)] * len(rows))


@every
@pytest.mark.parametrize("n_jobs", [2, -1])
def test_workers_do_not_matter(method, n_jobs):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(150, 6)).round(1)
    X[rng.random(X.shape) < 0.05] = np.nan
    y = (np.nan_to_num(X[:, 0]) + rng.normal(size=150) > 0) * 1
    alone = scheme_of(method, X, y)
    assert scheme_of(clone(method).set_params(n_jobs=n_jobs), X, y).to_json() == alone.to_json()


@looking_at_classes
@pytest.mark.parametrize(
    ("x", "y", "stop"),
    [
        ([1.0], [0], "one_value"),
        ([1.0, 1.0, 1.0], [0, 1, 0], "one_value"),
        ([1.0, 2.0, 3.0], [1, 1, 1], "one_class"),
        ([np.nan, np.nan], [0, 1], "no_values"),
        ([1.0, np.nan, 2.0], [0, 1, 0], "one_class"),
        ([1.0, np.nan], [0, 1], "one_value"),
    ],
)
def test_nothing_to_cut(method, x, y, stop):
    fitted = clone(method).fit(np.array(x)[:, None], y)
    attribute = fitted.scheme_["x0"]
    assert attribute.stop == stop
    assert fitted.cuts_[0].size == 0
    assert (attribute.score, attribute.relevance, attribute.divergence) == (0.0, 0.0, 0.0)
    assert fitted.transform(np.array(x)[:, None])[:, 0].tolist() == [-1 if np.isnan(v) else 0 for v in x]


@pytest.mark.parametrize("method", UNSUPERVISED, ids=repr)
@pytest.mark.parametrize(("x", "stop"), [([1.0], "one_value"), ([1.0, 1.0], "one_value"), ([np.nan] * 2, "no_values")])
def test_nothing_to_cut_without_classes(method, x, stop):
    fitted = clone(method).fit(np.array(x)[:, None])
    assert fitted.scheme_["x0"].stop == stop
    assert fitted.cuts_[0].size == 0


@every
def test_nominal_columns_and_class_names(method):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"size": rng.normal(size=80), "colour": rng.choice(["red", "green"], 80), "loud": rng.random(80) > 0.5}
    )
    frame.loc[3, "size"] = np.nan
    frame.loc[5, "colour"] = None
    y = np.where(frame["size"].fillna(0) > 0, "yes", "no")
    fitted = clone(method).set_params(missing="bin").fit(frame, y)
    assert fitted.scheme_["colour"].categories == ("green", "red")
    assert fitted.scheme_["loud"].categories == (False, True)
    codes = fitted.transform(frame)
    assert codes[3, 0] == fitted.n_bins_[0]
    assert codes[5, 1] == 2
    assert (codes >= 0).all()


@looking_at_classes
def test_absent_classes_do_not_matter(method):
    """A class that no row with a value has leaves the cuts as they are."""
    rng = np.random.default_rng(2)
    x = rng.integers(0, 12, 90).astype(float)
    y = (x + rng.normal(size=90) > 6) * 2
    without = clone(method).fit(x[:, None], y)
    with_absent = clone(method).fit(np.append(x, np.nan)[:, None], np.append(y, 1))
    assert with_absent.cuts_[0].tolist() == without.cuts_[0].tolist()


@every
def test_special_values_have_bins_of_their_own(method):
    rng = np.random.default_rng(0)
    x = rng.integers(0, 30, 200).astype(float)
    y = (x + rng.normal(size=200) > 12).astype(int)
    x[:40] = -999.0
    x[40:50] = 77.0
    whole = clone(method).set_params(special_values=[77, -999], missing="bin").fit(x[:, None], y)
    plain = clone(method).fit(x[50:, None], y[50:])
    attribute = whole.scheme_["x0"]
    assert attribute.cuts == plain.scheme_["x0"].cuts
    assert attribute.special_values == (-999.0, 77.0)
    assert attribute.labels[-2:] == ("-999", "77")
    n = len(attribute.cuts) + 1
    assert attribute.rows[n:] == (40, 10)
    assert whole.transform([[-999.0], [77.0], [np.nan], [1e9]])[:, 0].tolist() == [n, n + 1, n + 2, n - 1]
    assert Scheme.from_json(whole.scheme_.to_json()) == whole.scheme_


@every
@pytest.mark.parametrize(
    ("special", "message"),
    [
        (["a"], "must be numbers; got 'a'"),
        ([np.nan], "must be finite; got nan"),
        ({"age": [1]}, "names the column 'age', but the table has 'x0'"),
    ],
)
def test_wrong_special_values(method, special, message):
    with pytest.raises(ValueError, match=message):
        clone(method).set_params(special_values=special).fit([[1.0], [2.0]], [0, 1])


@every
@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0, -1.0], "row 1 has -1.0"),
        ([1.0, np.inf], "row 1 has inf"),
        ([0, 0], "weight is zero"),
        ([1.0], r"the shape \(1,\) for 2 rows"),
        (["a", "b"], "must be numbers"),
    ],
)
def test_wrong_weights(method, weights, message):
    with pytest.raises(ValueError, match=message):
        clone(method).fit([[1.0], [2.0]], [0, 1], sample_weight=weights)
