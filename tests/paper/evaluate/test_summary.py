"""Folds made one: means as the paper makes them, and nothing incomplete passed off as whole."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise.paper.evaluate import CellResult, MethodPair, ResultCell, accuracy_matrix, summarize

NB = MethodPair("mrmd", "nb")


def folds(n_correct, dataset="iris", method=NB, repeat=0, n_rows=15):
    return [
        CellResult(ResultCell(dataset, *method, repeat, fold), n_rows, correct, log_loss=0.5 + fold, n_cuts=fold)
        for fold, correct in enumerate(n_correct)
    ]


@given(st.lists(st.tuples(st.integers(1, 30), st.floats(0, 1)), min_size=10, max_size=10))
def test_the_mean_is_that_of_the_folds(sizes):
    results = [
        CellResult(ResultCell("iris", "mrmd", "nb", 0, fold), n, round(n * share))
        for fold, (n, share) in enumerate(sizes)
    ]
    [summary] = summarize(results)
    accuracies = [result.accuracy for result in results]
    assert summary.accuracy == pytest.approx(np.mean(accuracies))
    assert summary.accuracy_std == pytest.approx(np.std(accuracies, ddof=1), abs=1e-9)
    assert summary.is_complete


def test_all_figures():
    [summary] = summarize(folds([15] * 5 + [12] * 5))
    assert (summary.dataset, summary.method, summary.accuracy) == ("iris", NB, 90.0)
    assert summary.log_loss == pytest.approx(5.0)
    assert summary.cuts == pytest.approx(4.5)
    assert summary.cuts_std == pytest.approx(np.std(range(10), ddof=1))


def test_the_order_of_results_does_not_matter():
    results = folds(range(1, 11)) + folds(range(2, 12), "wine") + folds(range(3, 13), method=MethodPair("mdlp", "rnb"))
    expected = summarize(results)
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(len(results))
        assert summarize([results[place] for place in order]) == expected
    assert [(each.dataset, each.method) for each in expected] == [
        ("iris", MethodPair("mdlp", "rnb")), ("iris", NB), ("wine", NB),
    ]  # fmt: skip


def test_missing_folds_are_marked():
    [summary] = summarize(folds([15] * 9))
    assert not summary.is_complete
    assert (summary.n_measured, summary.n_expected) == (9, 10)
    assert np.isnan(accuracy_matrix([summary], ["iris"], [NB])).all()


def test_failed_folds_are_marked_with_their_messages():
    failed = [CellResult(ResultCell("iris", "mrmd", "nb", 0, fold), error="out of memory") for fold in (8, 9)]
    [summary] = summarize(folds([15] * 8) + failed)
    assert (summary.n_measured, summary.errors) == (8, ("out of memory",))
    [nothing] = summarize(failed)
    assert math.isnan(nothing.accuracy)
    assert not nothing.is_complete


def test_a_single_fold_has_no_spread():
    [summary] = summarize(folds([15]), n_folds=1)
    assert summary.is_complete
    assert math.isnan(summary.accuracy_std)


def test_repeats_are_averaged_together():
    results = folds([15] * 10) + folds([12] * 10, repeat=1)
    [summary] = summarize(results)
    assert (summary.accuracy, summary.n_expected) == (90.0, 20)
    [short] = summarize(results[:15])
    assert not short.is_complete


def test_a_measured_result_takes_the_place_of_a_failed_one():
    failed = CellResult(ResultCell("iris", "mrmd", "nb", 0, 3), error="time ran out")
    expected = summarize(folds([15] * 10))
    assert summarize([failed, *folds([15] * 10)]) == summarize([*folds([15] * 10), failed]) == expected


def test_the_same_cell_twice():
    results = folds([15] * 10)
    again = dataclasses.replace(results[0], seconds=9.0)
    assert summarize([*results, again]) == summarize(results)
    with pytest.raises(ValueError, match="iris/mrmd/nb/0/0 was measured twice"):
        summarize([*results, dataclasses.replace(results[0], n_correct=3)])


def test_two_failures_of_a_cell_in_any_order():
    first, second = (CellResult(ResultCell("iris", "mrmd", "nb", 0, 0), error=text) for text in ("a", "b"))
    # As texts, because a NaN does not equal itself.
    assert repr(summarize([first, second])) == repr(summarize([second, first]))


@pytest.mark.parametrize(("fold", "repeat"), [(10, 0), (-1, 0), (0, 2)])
def test_results_of_no_fold_are_named(fold, repeat):
    result = CellResult(ResultCell("iris", "mrmd", "nb", repeat, fold), 10, 5)
    with pytest.raises(ValueError, match="is of no fold"):
        summarize([result], n_repeats=1)


def test_a_result_without_rows_is_named():
    with pytest.raises(ValueError, match="has no rows and no error"):
        summarize([CellResult(ResultCell("iris", "mrmd", "nb", 0, 0))])


def test_no_results():
    assert summarize([]) == []
    assert accuracy_matrix([], [], [NB]).shape == (0, 1)
