"""The shares of groups of members, and the power of their mean, by rows that were left out."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from cutwise import CutwiseClassifier
from cutwise.classify.additive.learning import CodedColumns
from cutwise.classify.additive.on_codes import AdditiveOnCodes
from cutwise.classify.additive.strength import deal_in_order
from cutwise.classify.average import members as learning
from cutwise.classify.average import shares
from cutwise.classify.average.members import LearningRows
from cutwise.classify.bayes.sample import CodedRows

SETTINGS = {"special_values": None, "missing": "bin", "place": "midpoint", "n_jobs": None, "weights": "count"}


def made(n_rows=300, seed=0):
    """Return a table of which two columns tell of the class alone and two only together."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 4))
    odds = X[:, 0] - X[:, 1] + 2.0 * np.sign(X[:, 2] * X[:, 3])
    return pd.DataFrame(X, columns=list("abcd")), (odds + rng.logistic(size=n_rows) > 0.0).astype(int)


def groups_of(X, y, weights=None):
    """Return what all members learn from, and the groups of members that were learned."""
    rows = LearningRows(X, X, list(X.columns), y, weights, SETTINGS)
    schemes = {name: rows.cut(one) for name, one in learning.discretizers(exportable=False).items()}
    kept = []

    def keep(_, groups, knowing, *, sharpen):
        assert len(knowing) == 2
        kept.append((groups, sharpen))
        return shares.Chosen([0.2] * 5, 1.0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learning, "choose_shares", keep)
        learning.learn_members(rows, schemes, 0)
    ((groups, sharpen),) = kept
    assert sharpen
    return rows, groups


def group_shares(model):
    found = {}
    for member in model.members_:
        found[member.group] = found.get(member.group, 0.0) + member.share
    return found


@given(
    st.integers(2, 5).flatmap(
        lambda n: st.lists(st.lists(st.floats(0.01, 1.0), min_size=n, max_size=n), min_size=1, max_size=40)
    ),
    st.integers(1, 3),
)
def test_shares_are_those_of_the_highest_likelihood(rows, weight):
    own = np.array(rows)
    equal = np.full(own.shape[1], 1.0 / own.shape[1])
    weights = np.full(len(own), float(weight))

    def loss(free):
        p = np.exp(free - free.max())
        p /= p.sum()
        return -(weights @ np.log(own @ p)) - shares.LEVEL_ROWS * equal @ np.log(p)

    best = minimize(loss, np.zeros(own.shape[1]), tol=1e-12).x
    expected = np.exp(best - best.max())
    found = shares.best_shares(own, weights, equal)
    assert sum(found) == pytest.approx(1.0, abs=1e-12)
    assert found == pytest.approx(expected / expected.sum(), abs=0.0111)
    assert all(share == round(share, 2) >= 0.01 for share in found)


def test_no_group_has_no_share():
    own = np.array([[1.0, 1e-300, 0.0, 0.0]] * 100_000)
    assert shares.best_shares(own, np.ones(len(own)), np.full(4, 0.25)) == [0.97, 0.01, 0.01, 0.01]


@pytest.mark.parametrize("truth", [0.5, 1.0, 2.0])
def test_the_power_is_the_one_that_makes_probabilities_right(truth):
    rng = np.random.default_rng(0)
    said = rng.dirichlet(np.ones(3), 4_000)
    right = said**truth / (said**truth).sum(axis=1, keepdims=True)
    labels = (rng.random((len(right), 1)) > right.cumsum(axis=1)).sum(axis=1)
    found = shares.best_power(said, labels, np.ones(len(said)))
    assert found == pytest.approx(truth, abs=0.1)

    def loss(power):
        own = power * np.log(said[np.arange(len(said)), labels]) - np.log((said**power).sum(axis=1))
        return -own.sum() + shares.SHARPNESS_ROWS * np.log(power / shares.SHARPNESS) ** 2

    powers = shares.SHARPNESS + shares.STEP * np.arange(-20, 56)
    assert found == pytest.approx(powers[np.argmin([loss(power) for power in powers])])
    assert shares.best_power(said[:1], labels[:1], np.ones(1)) == pytest.approx(shares.SHARPNESS, abs=0.1)


def test_numbers_of_rows_tell_them_apart():
    rng = np.random.default_rng(0)
    codes = rng.integers(-1, 3, (3_000, 6)).astype(np.int32)
    _, kinds = np.unique(codes, axis=0, return_inverse=True)
    keys = shares.row_keys(codes, 0)
    _, found = np.unique(keys, return_inverse=True)
    assert len(np.unique(kinds)) == len(np.unique(found)) == len({*zip(kinds.ravel(), found, strict=True)})
    assert not np.isin(shares.row_keys(codes, 1), keys).any()
    assert np.array_equal(shares.row_keys(codes[::-1], 0), keys[::-1])


def test_every_row_is_judged_once_by_members_that_have_not_seen_it():
    X, y = made()
    rows, groups = groups_of(X, y)
    found = shares.leave_out(rows, groups)
    judged = shares.DealtRows(rows, groups)
    assert len(found.labels) == len(judged.labels) == len(y)
    assert np.bincount(found.labels).tolist() == np.bincount(y).tolist()
    np.testing.assert_allclose(found.proba.sum(axis=2), 1.0, atol=1e-12)
    (first, *_) = dealt = deal_in_order(judged.labels, judged.weights, shares.MOST_FOLDS)
    np.testing.assert_array_equal(sum(dealt), judged.weights)
    is_held = first > 0.0
    for place, group in enumerate(groups[2:], 2):
        each = []
        for _, scheme, classifier in group:
            codes = judged.coded(scheme).codes
            learned = shares.fit_codes(
                type(classifier)(**classifier.get_params()), scheme, codes[~is_held], judged.labels[~is_held]
            )
            each.append(learned.predict_proba(codes[is_held]))
        np.testing.assert_array_equal(found.proba[: is_held.sum(), place], np.mean(each, axis=0))


@pytest.mark.parametrize("n_classes", [2, 3])
def test_additive_models_that_have_not_seen_rows_are_fits_without_them(n_classes):
    rng = np.random.default_rng(n_classes)
    codes = rng.integers(0, 5, (400, 4)).astype(np.int32)
    told = [codes[:, 0] > 2, (codes[:, 1] > 2) ^ (codes[:, 2] > 2), rng.random(400) < 0.2]
    labels = np.sum(told, axis=0) % n_classes
    columns = CodedColumns([5] * 4, [5, 5, 5, 0], [0] * 4, [(1, 2)])
    model = AdditiveOnCodes(alpha=3.0).fit(codes, labels, columns=columns)
    kept = np.arange(400) % 4 > 0
    sample = CodedRows(codes, labels, np.ones(400), np.arange(n_classes), np.full(4, 5))
    ((alone, paired),) = model.proba_left_out(sample, [(~kept).astype(float)])
    expected = AdditiveOnCodes(alpha=3.0).fit(codes[kept], labels[kept], columns=columns._replace(pairs=0))
    expected = expected.predict_proba(codes[~kept])
    np.testing.assert_allclose(alone, expected, atol=1e-3)
    own = labels[~kept]
    losses = [-np.log(proba[np.arange(own.size), own]).mean() for proba in (alone, paired)]
    assert losses[1] < losses[0]


def test_what_tells_nothing_is_not_believed():
    X, _ = made(400)
    y = np.random.default_rng(5).integers(0, 2, 400)
    model = CutwiseClassifier().fit(X, y)
    found = group_shares(model)
    assert found["extremely randomised trees"] < 0.2 < found["additive"]
    assert model.sharpness_ < 1.25


def test_who_sees_more_has_a_larger_share():
    X, y = made(600)
    checkers = (np.sign(X["a"] * X["b"] * X["c"]) > 0).to_numpy().astype(int)
    sums = (X["a"] + X["b"] + np.random.default_rng(1).normal(0.0, 0.3, 600) > 0.0).to_numpy().astype(int)
    alone, together = (group_shares(CutwiseClassifier().fit(X, target)) for target in (sums, checkers))
    assert alone["additive"] > 0.25 > together["additive"]
    assert alone["random forest"] < 0.2 < together["random forest"]
    assert CutwiseClassifier(exportable=True).fit(X, y).sharpness_ == 1.0


def test_of_many_rows_some_are_judged_whatever_their_order(monkeypatch):
    X, y = made(500)
    monkeypatch.setattr(shares, "MOST_ROWS", 200)
    order = np.random.default_rng(2).permutation(500)
    one = CutwiseClassifier(exportable=True).fit(X, y)
    assert CutwiseClassifier(exportable=True).fit(X.iloc[order], y[order]).to_json() == one.to_json()
    rows, groups = groups_of(X, y)
    assert len(shares.leave_out(rows, groups).labels) == 200
    monkeypatch.setattr(shares, "MOST_NUMBERS", 200)
    assert len(shares.leave_out(rows, groups).labels) == 100
    # Of very many one fold of five is left out.
    monkeypatch.setattr(shares, "MANY_ROWS", 499)
    assert len(shares.leave_out(rows, groups).labels) == 20


def test_a_class_of_one_row_is_not_judged():
    X, y = made(80)
    y = np.where(np.arange(80) == 7, 2, y)
    rows, groups = groups_of(X, y)
    found = shares.leave_out(rows, groups)
    assert np.bincount(found.labels, minlength=3)[2] == 0
    assert len(found.labels) == 79
    assert CutwiseClassifier().fit(X, y).predict_proba(X)[7].argmax() == 2


@pytest.mark.parametrize("y", [[0, 1, 0], [0, 1], [3, 3, 3, 3]])
def test_of_few_rows_all_groups_have_the_same_share(y):
    X = pd.DataFrame({"a": np.arange(len(y), dtype=float)})
    model = CutwiseClassifier().fit(X, y)
    found = group_shares(model)
    assert max(found.values()) - min(found.values()) < 0.05
    assert model.sharpness_ == pytest.approx(1.25, abs=0.25)


def test_relative_weights_are_those_of_as_many_rows():
    X, y = made(200)
    weights = np.random.default_rng(4).choice([0.8, 1.2, 2.1], 200)
    counted = CutwiseClassifier().fit(X, y, weights * (200 / weights.sum()))
    relative = CutwiseClassifier(weights="relative").fit(X, y, 1e-3 * weights)
    # A cut of equal frequency may lie one row further, by the last digit of a weight.
    assert group_shares(relative) == pytest.approx(group_shares(counted), abs=0.03)
    assert relative.sharpness_ == pytest.approx(counted.sharpness_, abs=0.11)


@pytest.mark.parametrize("exportable", [False, True])
def test_bins_that_know_the_classes_of_all_rows_do_not_judge(exportable):
    """Cut by the classes of rows that are left out, a hundred columns of noise seem to tell much of them."""
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(300, 100)), rng.integers(0, 2, 300)
    model = CutwiseClassifier(exportable=exportable).fit(X, y)
    found = group_shares(model)
    assert max(found, key=found.get).startswith("additive")
    n_named = sum(name in member.name for member in model.members_ for name in ("MRmD", "MDLP"))
    assert n_named == 2
