"""n_d="auto": the N_D that the rows of a table choose."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris

from cutwise import DiscretizedClassifier, MRmDDiscretizer, MRmDRNBClassifier, NaiveBayesClassifier, count_table
from cutwise.counts import ColumnCounts, dealing
from cutwise.counts.dealing import deal_counts, with_counts
from cutwise.criteria import ExpectedDivergence, Psi
from cutwise.search import BinLimits, ExactSearch, GreedySearch, HeldOutLosses
from tests.strategies import tables

N_DS = (2, 5, 10, 20, 50, 100, 200)


@pytest.fixture(scope="module")
def waves():
    """A column whose class rate goes up and down twelve times, and one of noise."""
    rng = np.random.default_rng(0)
    x = rng.uniform(0.0, 12.0, size=1500)
    y = np.where(rng.random(1500) < 0.9, np.floor(x) % 2, 1 - np.floor(x) % 2).astype(int)
    return np.column_stack([x, rng.normal(size=1500)]), y


def auto(**options):
    return MRmDDiscretizer(n_d="auto", **options)


def test_many_cuts_are_taken_where_new_rows_confirm_them(waves):
    X, y = waves
    many = auto().fit(X[:, :1], y)
    assert many.n_d_ >= 20
    assert many.cuts_[0].size >= 11
    noise = auto().fit(X[:, 1:], y)
    assert noise.n_d_ == 2


@pytest.mark.parametrize("options", [{}, {"search": "exact", "max_candidates": 60}, {"min_bin_size": 0.1}])
def test_the_scheme_is_that_of_the_chosen_value(options):
    X, y = load_iris(return_X_y=True)
    chosen = auto(**options).fit(X, y)
    assert chosen.n_d_ in N_DS
    given_value = MRmDDiscretizer(chosen.n_d_, **options).fit(X, y)
    assert given_value.n_d_ == chosen.n_d_
    assert chosen.scheme_.attributes == given_value.scheme_.attributes
    said = dict(chosen.scheme_.parameters)
    assert said.pop("n_d_chosen_by") == "held-out log loss"
    assert said == given_value.scheme_.parameters
    assert f"n_d = {chosen.n_d_} has the least held-out log loss" in str(chosen.scheme_).splitlines()[0]


def test_the_cuts_of_the_chosen_value_are_confirmed(waves):
    """The choice looks at tested cuts: where noise is not cut, a larger N_D brings nothing."""
    X, y = waves
    chosen = auto(confirm=0.01).fit(X, y)
    assert chosen.scheme_.attributes == MRmDDiscretizer(chosen.n_d_, confirm=0.01).fit(X, y).scheme_.attributes
    real, noise = chosen.scheme_.attributes
    assert len(real.cuts) >= 11
    assert max(real.p_values) <= 0.01
    assert noise.cuts == ()
    assert auto(confirm=0.01).fit(X[:, 1:], y).n_d_ == 2


def test_before_fit_there_is_no_choice_and_other_words_are_refused():
    assert not hasattr(auto(), "n_d_")
    with pytest.raises(ValueError, match="'n_d' parameter"):
        MRmDDiscretizer(n_d="best").fit([[1.0], [2.0]], [0, 1])


@pytest.mark.parametrize("options", [{}, {"validation": "crossfit", "random_state": 0}, {"monotonic": "auto"}])
def test_counts_tables_and_streams_choose_as_rows_do(waves, options, tmp_path):
    import pandas as pd

    X, y = waves
    frame = pd.DataFrame(X, columns=["a", "b"])
    parts = np.arange(y.size) % 3 if "validation" in options else None
    whole = auto(**options).fit(frame, y, parts=parts)
    frame["y"] = y
    names = {}
    if parts is not None:
        frame["part"] = parts
        names = {"parts": "part"}
    assert auto(**options).fit_table(frame, "y", **names).scheme_ == whole.scheme_
    counts = count_table(frame[:700], "y", **names) + count_table(frame[700:], "y", **names)
    assert auto(**options).fit_counts(counts).scheme_ == whole.scheme_
    stream = auto(**options)
    for rows in (slice(0, 900), slice(900, None)):
        stream.partial_fit(frame[["a", "b"]][rows], y[rows], parts=None if parts is None else parts[rows])
    assert stream.n_d_ == whole.n_d_


@given(tables(missing=True), st.randoms(use_true_random=False))
def test_neither_the_order_of_rows_and_columns_nor_the_names_of_classes_matter(table, random):
    X, y = table
    rows, columns = list(range(len(y))), list(range(X.shape[1]))
    random.shuffle(rows)
    random.shuffle(columns)
    found = auto().fit(X, y)
    other = auto().fit(X[rows][:, columns], np.array([f"c{9 - label}" for label in y])[rows])
    assert other.n_d_ == found.n_d_
    for place, column in enumerate(columns):
        np.testing.assert_array_equal(other.cuts_[place], found.cuts_[column])


@given(tables())
def test_only_the_order_of_the_values_matters(table):
    X, y = table
    ranks = np.column_stack([np.unique(column, return_inverse=True)[1] for column in X.T])
    assert auto().fit(ranks.astype(float) ** 3, y).n_d_ == auto().fit(X, y).n_d_


def test_a_weight_of_two_is_the_row_twice(waves):
    X, y = waves
    weights = np.random.default_rng(1).integers(0, 4, size=y.size)
    weighted = auto().fit(X, y, sample_weight=weights)
    repeated = auto().fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert weighted.scheme_ == repeated.scheme_
    halves = auto().fit(X, y, sample_weight=weights / 2)
    assert halves.n_d_ in N_DS


def test_systems_say_what_was_chosen_and_remember_it():
    X, y = load_iris(return_X_y=True)
    for model in (MRmDRNBClassifier(n_d="auto"), DiscretizedClassifier(auto(), NaiveBayesClassifier())):
        fitted = model.fit(X, y)
        assert fitted.discretizer_.n_d_ == auto().fit(X, y).n_d_
        again = type(model).from_json(fitted.to_json())
        assert again.discretizer_.n_d_ == fitted.discretizer_.n_d_
        assert json.loads(fitted.to_json())["scheme"]["parameters"]["n_d"] == fitted.discretizer_.n_d_


def plain_losses(table, n_ds, n_folds):
    """Do as `HeldOutLosses`, with a search for each N_D up to the cuts of the longest path, row by row."""
    dealt = deal_counts(table, n_folds)
    full = table.class_counts
    places, labels = np.nonzero(full)
    losses = []
    for n_d in n_ds:
        loss = 0.0
        for fold in dealt:
            held = np.zeros_like(full)
            held[places, labels] = fold
            left = full - held
            values = np.flatnonzero(left.sum(axis=1))
            path = GreedySearch().run(
                Psi(float(max(n_ds)), ExpectedDivergence()), ColumnCounts.from_dense(values, left[values])
            )
            psi, gaps = 0.0, []
            for k, step in enumerate(path.steps, start=1):
                value = math.exp(-k / n_d) * step.score.relevance - step.score.divergence
                if value - psi <= 1e-9 * abs(value):
                    break
                psi = value
                gaps.append(step.gap)
            ends = sorted((values[gap] + values[gap + 1] + 1) // 2 for gap in gaps)
            for value in range(full.shape[0]):
                in_bin = np.searchsorted(ends, np.arange(full.shape[0]), side="right")
                rows = left[in_bin == in_bin[value]].sum(axis=0) + 1.0
                loss -= float((held[value] * np.log2(rows / rows.sum())).sum())
        losses.append(loss)
    return losses


@pytest.mark.parametrize("seed", range(4))
def test_losses_against_plain_ones(seed):
    rng = np.random.default_rng(seed)
    rates = rng.dirichlet([0.5] * 3, size=12)
    counts = np.array([rng.multinomial(rng.integers(1, 15), rate) for rate in rates])
    table = ColumnCounts.from_dense(np.arange(12.0), counts)
    found = HeldOutLosses(GreedySearch(), ExpectedDivergence(), n_ds=(2, 10, 50), n_folds=3).of(table)
    assert found == pytest.approx(plain_losses(table, (2, 10, 50), 3), rel=1e-9)


def test_a_greedy_path_and_searches_of_their_own_agree_on_easy_columns():
    counts = np.repeat([[9, 1], [1, 9], [9, 1], [5, 5]], 5, axis=0)
    table = ColumnCounts.from_dense(np.arange(20.0), counts)
    greedy, exact = (
        HeldOutLosses(search, ExpectedDivergence()).of(table) for search in (GreedySearch(), ExactSearch())
    )
    assert np.argmin(greedy) == np.argmin(exact)


def test_a_least_bin_size_shrinks_with_the_rows():
    """Folds of four fifths of 40 rows can have two bins of 20 rows each only if the least size is 16 there."""
    table = ColumnCounts.from_dense(np.arange(40.0), [[1, 0]] * 20 + [[0, 1]] * 20)
    limits = (BinLimits(min_rows=20.0),)
    losses = HeldOutLosses(GreedySearch(), ExpectedDivergence(), limits).of(table)
    assert max(losses) < 40 * 0.2


@pytest.mark.parametrize("most", [1 << 20, 16])
def test_every_row_is_in_one_fold_and_classes_are_dealt_evenly(most, monkeypatch):
    monkeypatch.setattr(dealing, "MOST_DEALT", most)
    rng = np.random.default_rng(0)
    table = ColumnCounts.from_dense(np.arange(30.0), rng.integers(0, 6, size=(30, 3)))
    dealt = deal_counts(table, 4)
    np.testing.assert_array_equal(dealt.sum(axis=0), table.by_class.counts)
    if most > 16:
        by_class = [[fold[table.by_class.labels == label].sum() for fold in dealt] for label in range(3)]
        assert max(max(rows) - min(rows) for rows in by_class) <= 1
    left, places = with_counts(table, table.by_class.counts - dealt[0])
    assert left.n_rows == table.n_rows - dealt[0].sum()
    np.testing.assert_array_equal(left.values, table.values[places])
