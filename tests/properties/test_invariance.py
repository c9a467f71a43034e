"""What must not change the result: repetition, order, names, other columns, workers (promises 2 to 7)."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cutwise import MaxRelevanceDiscretizer, MRmDDiscretizer
from cutwise.counts import build
from cutwise.discretize import attributes, seen
from tests.strategies import columns, tables, tied_columns

MODES = st.sampled_from(
    [
        {},
        {"search": "exact"},
        {"validation": "crossfit"},
        {"validation": "holdout"},
        {"validation": "holdout", "search": "exact"},
    ]
)


def parts_for(options, n_rows):
    mode = options.get("validation", "expected")
    if mode == "expected":
        return None
    return np.arange(n_rows) % (3 if mode == "crossfit" else 2)


def fit(options, X, y, parts=None):
    return MRmDDiscretizer(**options).fit(X, y, parts=parts)


@given(tables(missing=True), MODES)
def test_fitting_twice_is_fitting_once(table, options):
    X, y = table
    estimator = fit({**options, "random_state": 0}, X, y)
    first = estimator.scheme_.to_json()
    assert estimator.fit(X, y).scheme_.to_json() == first


@pytest.mark.parametrize(
    ("module", "name"),
    [
        (build, "_sort_by_merging"),
        (seen, "count_column"),
        (attributes, "place_cuts"),
        (attributes, "numeric_attribute"),
    ],
)
def test_a_failed_fit_leaves_the_old_state(monkeypatch, module, name):
    estimator = MRmDDiscretizer().fit([[1.0], [2.0]], [0, 1])
    before = dict(estimator.__dict__)

    def fail(*args, **kwargs):
        raise RuntimeError(name)

    monkeypatch.setattr(module, name, fail)
    with pytest.raises(RuntimeError, match=name):
        estimator.fit([[1.0, 2.0], [2.0, 3.0]], ["a", "b"])
    assert estimator.__dict__ == before
    unfitted = MRmDDiscretizer()
    with pytest.raises(RuntimeError):
        unfitted.fit([[1.0, 2.0], [2.0, 3.0]], ["a", "b"])
    assert unfitted.__dict__ == MRmDDiscretizer().__dict__


@given(tables(missing=True), MODES, st.randoms(use_true_random=False))
def test_row_order_does_not_matter(table, options, random):
    X, y = table
    parts = parts_for(options, len(y))
    order = list(range(len(y)))
    random.shuffle(order)
    shuffled = fit(options, X[order], y[order], None if parts is None else parts[order])
    assert shuffled.scheme_.to_json() == fit(options, X, y, parts).scheme_.to_json()


@given(st.one_of(columns(max_classes=4), tied_columns()), MODES, st.permutations(range(4)))
def test_class_names_do_not_matter(column, options, names):
    x, y = column
    parts = parts_for(options, len(y))
    plain = fit(options, x[:, None], y, parts)
    renamed = fit(options, x[:, None], np.array([f"class {name}" for name in names])[y], parts)
    assert renamed.cuts_[0].tobytes() == plain.cuts_[0].tobytes()
    place = np.argsort([names[label] for label in plain.classes_])
    assert np.array_equal(
        np.array(renamed.scheme_["x0"].class_counts), np.array(plain.scheme_["x0"].class_counts)[:, place]
    )


INCREASING = [lambda x: 3 * x + 1, np.exp, lambda x: x**3, lambda x: np.unique(x, return_inverse=True)[1].astype(float)]


@given(columns(values=st.integers(-40, 40).map(lambda v: v / 8)), MODES, st.sampled_from(INCREASING))
def test_increasing_transforms_keep_the_bins(column, options, transform):
    x, y = column
    assume(np.unique(transform(x)).size == np.unique(x).size)
    parts = parts_for(options, len(y))
    codes = fit(options, x[:, None], y, parts).transform(x[:, None])
    moved = transform(x)[:, None]
    assert np.array_equal(fit(options, moved, y, parts).transform(moved), codes)


@given(columns(), MODES, st.integers(-60, 60))
def test_scaling_by_a_power_of_two_scales_the_cuts(column, options, power):
    x, y = column
    normal = (x == 0) | ((np.abs(x) > 2.0**-900) & (np.abs(x) < 2.0**900))
    assume(normal.all())
    parts = parts_for(options, len(y))
    scaled = fit(options, np.ldexp(x, power)[:, None], y, parts)
    assert scaled.cuts_[0].tolist() == np.ldexp(fit(options, x[:, None], y, parts).cuts_[0], power).tolist()


@given(tables(max_columns=4, missing=True), MODES, st.data())
def test_other_columns_do_not_matter(table, options, data):
    X, y = table
    parts = parts_for(options, len(y))
    chosen = data.draw(st.lists(st.integers(0, X.shape[1] - 1), min_size=1, unique=True))
    every = fit(options, X, y, parts).scheme_.attributes
    some = fit(options, X[:, chosen], y, parts).scheme_.attributes
    assert [vars(a) | {"name": ""} for a in some] == [vars(every[j]) | {"name": ""} for j in chosen]


@pytest.mark.parametrize("options", [{}, {"search": "exact"}, {"validation": "crossfit", "random_state": 3}])
@pytest.mark.parametrize("n_jobs", [2, 8, -1])
def test_workers_do_not_matter(options, n_jobs):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 12))
    X[rng.random(X.shape) < 0.05] = math.nan
    y = (np.nan_to_num(X[:, 0]) + rng.normal(size=300) > 0) * 1
    alone = fit(options, X, y)
    assert fit({**options, "n_jobs": n_jobs}, X, y).scheme_.to_json() == alone.scheme_.to_json()


@given(tables(max_rows=30), st.sampled_from([1, 3]))
def test_many_groups_are_counted_alike(table, limit):
    X, y = table
    expected = MaxRelevanceDiscretizer().fit(X, y).scheme_.to_json()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "MERGE_LIMIT", limit)
        assert MaxRelevanceDiscretizer().fit(X, y).scheme_.to_json() == expected
