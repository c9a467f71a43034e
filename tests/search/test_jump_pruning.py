"""Cuts that naive Bayes does better without, against the classifier itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutwise import NaiveBayesClassifier
from cutwise.search import NO_LIMITS, JumpSearch
from cutwise.search.jump_pruning import LeftOutRows, without_harm
from cutwise.search.jump_rows import make_jump_table
from tests.joint_tables import from_numbers, joint_tables, make_joint

few = settings(max_examples=max(10, settings.default.max_examples // 2))


def table_of(joint, n_candidates=5):
    return make_jump_table(joint, n_candidates, [NO_LIMITS] * len(joint.tables))


def codes_of(table, is_cut):
    """The bin of each row in each column, -1 where the value is missing; and the numbers of bins."""
    codes, n_bins = [], []
    for j, column in enumerate(table.columns):
        start = table.grid.jump_starts[j]
        bins = np.append(0, np.cumsum(is_cut[start : start + column.gaps.size]))[: column.n_ordered].tolist()
        for cell in range(column.n_ordered, column.n_cells):
            bins.append(-1 if cell == column.missing else max(bins, default=-1) + 1)
        codes.append(np.array(bins)[table.cells[j] - table.grid.cell_starts[j]])
        n_bins.append(max(max(bins) + 1, 1))
    return np.array(codes).T, n_bins


def plain_losses(table, is_cut):
    """The log loss of each row and class under naive Bayes that has not seen it, and how often it counts."""
    codes, n_bins = codes_of(table, is_cut)
    n_classes = table.counts.shape[1]
    rows, labels = np.repeat(codes, n_classes, axis=0), np.tile(np.arange(n_classes), len(codes))
    weights = table.counts.ravel() / table.per_row
    losses = []
    for i in np.flatnonzero(weights):
        others = weights.copy()
        others[i] -= min(1.0, weights[i])
        if others[labels == labels[i]].sum() > 0:
            seen = others > 0
            model = NaiveBayesClassifier(n_bins=n_bins).fit(rows[seen], labels[seen], sample_weight=others[seen])
            place = model.classes_.tolist().index(labels[i])
            losses.append((-model.predict_log_proba(rows[[i]])[0, place], weights[i]))
    return np.array(losses).reshape(-1, 2)


@few
@given(drawn=joint_tables(max_rows=14), seed=st.integers(0, 99))
def test_losses_are_those_of_a_classifier_that_has_not_seen_the_row(drawn, seed):
    table = table_of(drawn[0])
    is_cut = table.is_cut & (np.random.default_rng(seed).random(table.is_cut.size) < 0.6)
    found = LeftOutRows(table, is_cut)
    plain = plain_losses(table, is_cut)
    assert found.weights == pytest.approx(plain[:, 1])
    assert found.losses == pytest.approx(plain[:, 0], rel=1e-9)


def related(n_rows=120, seed=0):
    rng = np.random.default_rng(seed)
    signal = rng.normal(size=n_rows)
    X = np.column_stack([signal, signal + 0.2 * rng.normal(size=n_rows), rng.normal(size=n_rows)])
    return X, (signal + 0.7 * rng.normal(size=n_rows) > 0).astype(int)


def gains(table, is_cut, cut):
    without = is_cut.copy()
    without[cut] = False
    (before, weights), after = plain_losses(table, is_cut).T, plain_losses(table, without)[:, 0]
    return weights * (before - after)


def test_a_cut_goes_if_the_losses_fall_by_more_than_a_standard_error():
    table = table_of(from_numbers(*related()), 7)
    is_cut = table.is_cut.copy()
    rows = LeftOutRows(table, is_cut)
    answers = []
    for cut in np.flatnonzero(is_cut):
        own = gains(table, is_cut, cut)
        answers.append(rows.drop(cut))
        assert answers[-1] == (own.sum() > np.sqrt((own**2).sum()))
        is_cut[cut] = not answers[-1]
        assert rows.losses == pytest.approx(plain_losses(table, is_cut)[:, 0], rel=1e-9)
    assert len(set(answers)) == 2


def test_cuts_are_tried_until_none_is_dropped():
    table = table_of(from_numbers(*related()), 7)
    order = np.flatnonzero(table.is_cut)[::-1]
    left = without_harm(table, table.is_cut, order.tolist())
    assert 0 < left.sum() < table.is_cut.sum()
    rows = LeftOutRows(table, left)
    assert not any(rows.drop(cut) for cut in np.flatnonzero(left))


def test_no_cuts_stay_none():
    table = table_of(from_numbers(*related()), 7)
    assert not without_harm(table, np.zeros_like(table.is_cut), []).any()


def test_rows_that_count_twice_are_two_rows():
    X, y = related()
    ranks = [np.unique(column, return_inverse=True)[1] for column in X.T]
    weights = np.arange(y.size) % 3 + 1
    search = JumpSearch(grid_bins=10, prune_for="naive_bayes")
    weighted = search.run(make_joint(ranks, y, weights=weights))
    repeated = search.run(make_joint(np.repeat(ranks, weights, axis=1), np.repeat(y, weights)))
    assert any(column.stop == "pruned" for column in weighted.columns)
    for one, other in zip(weighted.columns, repeated.columns, strict=True):
        assert one.steps == other.steps
        assert one.refused == other.refused
