"""Forests of codes predict what scikit-learn's forests predict on the questions that they were grown from."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

from cutwise import ModelError, kernels
from cutwise.classify.bayes.sample import read_sample
from cutwise.classify.trees import forest
from cutwise.classify.trees.forest import ForestOnCodes

rng = np.random.default_rng(5)
N_ROWS = 300
# Two columns of neighbouring bins, the second with one bin beside them, and one of categories.
N_BINS, N_ORDERED = [9, 5, 3], [9, 4, 0]
CODES = np.stack([rng.integers(0, n, N_ROWS) for n in N_BINS], axis=1)
LABELS = (CODES[:, 0] > 4).astype(int) + (CODES[:, 2] == 1) * (rng.random(N_ROWS) < 0.8)
ORDER = np.lexsort((LABELS, *CODES.T[::-1]))


def questions(codes):
    """The codes of ordered bins, and one column for each code that stands alone."""
    alone = [codes[:, 1] == 4, *(codes[:, 2] == code for code in range(3))]
    return np.column_stack([codes[:, 0], codes[:, 1], *alone]).astype(np.float32)


@pytest.mark.parametrize(("kind", "oracle"), [("extra", ExtraTreesClassifier), ("forest", RandomForestClassifier)])
def test_the_same_as_scikit_learn(kind, oracle):
    ours = ForestOnCodes(kind=kind, n_trees=30, random_state=3)
    ours.fit(CODES, LABELS, n_bins=N_BINS, n_ordered=N_ORDERED)
    # A forest draws rows by their places, so it gets them in the same order.
    rows = read_sample(ours, CODES, LABELS, None, n_bins=N_BINS).distinct()
    theirs = oracle(30, random_state=3).fit(questions(rows.codes), rows.labels, rows.weights)
    grid = np.array(np.meshgrid(*map(range, N_BINS))).reshape(3, -1).T
    assert ours.predict_proba(grid) == pytest.approx(theirs.predict_proba(questions(grid)), abs=1e-12)


@pytest.mark.parametrize(("kind", "oracle"), [("extra", ExtraTreesClassifier), ("forest", RandomForestClassifier)])
def test_each_tree_draws_some_of_many_rows(kind, oracle, monkeypatch):
    monkeypatch.setattr(forest, "MOST_A_TREE", 40)
    ours = ForestOnCodes(kind=kind, n_trees=30, random_state=3)
    ours.fit(CODES, LABELS, n_bins=N_BINS, n_ordered=N_ORDERED)
    rows = read_sample(ours, CODES, LABELS, None, n_bins=N_BINS).distinct()
    drawing = oracle(30, random_state=3, bootstrap=True, max_samples=40)
    theirs = drawing.fit(questions(rows.codes), rows.labels, rows.weights)
    assert ours.predict_proba(CODES) == pytest.approx(theirs.predict_proba(questions(CODES)), abs=1e-12)


def test_some_of_many_rows_have_every_class(monkeypatch):
    monkeypatch.setattr(forest, "MOST_ROWS", 50)
    rare = np.where(np.arange(N_ROWS) == 7, 2, LABELS > 0)
    weights = np.arange(1.0, N_ROWS + 1.0)
    model = ForestOnCodes(n_trees=5).fit(CODES, rare, weights, n_bins=N_BINS, n_ordered=N_ORDERED)
    assert model.predict_proba(CODES).shape == (N_ROWS, 3)
    sample = read_sample(model, CODES, rare, weights, n_bins=N_BINS)
    drawn = forest._some_of(sample, 0)
    # The draw itself has no row of the rare class; those of the others that come first may be in it.
    assert drawn.labels.tolist().count(2) == 1
    assert 51 <= drawn.labels.size <= 53
    assert (np.isin(drawn.weights, weights) & np.isin(drawn.labels, [0, 1, 2])).all()
    assert (drawn.codes == CODES[drawn.weights.astype(int) - 1]).all()


def test_rows_in_any_order():
    one = ForestOnCodes(n_trees=5).fit(CODES, LABELS, n_bins=N_BINS, n_ordered=N_ORDERED)
    other = ForestOnCodes(n_trees=5).fit(CODES[ORDER], LABELS[ORDER], n_bins=N_BINS, n_ordered=N_ORDERED)
    assert all(np.array_equal(a, b) for a, b in zip(one.trees_, other.trees_, strict=True))


def walked(model, codes):
    """The mean shares of the leaves to which the questions of the trees lead a row, asked one by one."""
    trees = forest.Questions.of(model.trees_)
    found = np.zeros((len(codes), trees.shares.shape[1]))
    for row, own in enumerate(codes):
        for root in trees.roots:
            node = root
            while trees.attributes[node] >= 0:
                code, limit = own[trees.attributes[node]], trees.limits[node]
                is_yes = code != limit if trees.is_equal[node] else code <= limit
                node = trees.firsts[node] + (not is_yes)
            found[row] += trees.shares[trees.firsts[node]]
    return found / len(trees.roots)


def test_codes_that_are_missing_or_none_of_the_bins():
    model = ForestOnCodes(kind="forest", n_trees=7).fit(CODES, LABELS, n_bins=N_BINS, n_ordered=N_ORDERED)
    codes = np.random.default_rng(1).integers(-1, 11, (100, 3))
    assert np.array_equal(model.predict_proba(codes), walked(model, codes))
    assert ForestOnCodes.from_json(model.to_json()).predict_proba(codes).tobytes() == walked(model, codes).tobytes()
    many = np.resize(codes, (2 * kernels.trees.forest.ROWS_A_BLOCK + 5, 3))
    assert np.array_equal(model.predict_proba(many), np.resize(walked(model, codes), (len(many), 3)))


def test_limits_that_no_code_reaches_are_kept():
    model = ForestOnCodes(n_trees=2).fit(CODES, LABELS, n_bins=N_BINS, n_ordered=N_ORDERED)
    data = model.to_dict()
    limits, is_equal = data["learned"]["limits"], data["learned"]["is_equal"]
    place = next(k for k, attribute in enumerate(data["learned"]["attributes"]) if attribute >= 0)
    for limit, equal in ((-1, True), (-1, False), (2**31 - 3, True), (2**31 - 3, False)):
        limits[place], is_equal[place] = limit, equal
        again = ForestOnCodes.from_dict(data)
        assert again.to_dict() == data
        codes = np.random.default_rng(2).integers(-1, 11, (50, 3))
        assert np.array_equal(again.predict_proba(codes), walked(again, codes))
    limits[place] = 2**31 - 2
    with pytest.raises(ModelError, match="do not fit together"):
        ForestOnCodes.from_dict(data)
