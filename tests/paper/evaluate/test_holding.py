"""Cuts that are learned from a half and judged by the other."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from cutwise import EqualFrequencyDiscretizer, MDLPDiscretizer
from cutwise.paper.evaluate.holding import HalvedTable, HoldingFigures, compare_cuts, judge_bins, numeric_columns


def cuts_of(make):
    return lambda X, y, weights: make().fit(X, y, sample_weight=weights).cuts_


def test_a_cut_is_confirmed_if_the_rate_moves_the_same_way():
    learned = np.array([[9.0, 1], [5, 5], [1, 9], [3, 7]])
    # Up, up, down; on new rows down, up, level.
    new = np.array([[3.0, 7], [4, 6], [2, 8], [20, 80]])
    new[1] = [6, 4]
    found = judge_bins(learned, new)
    assert (found.n_cuts, found.n_confirmed) == (3, 1)


def test_bins_without_new_rows_and_level_rates_confirm_nothing():
    learned = np.array([[9.0, 1], [5, 5], [1, 9]])
    assert judge_bins(learned, np.array([[9.0, 1], [0, 0], [1, 9]])).n_confirmed == 0
    assert judge_bins(learned, np.array([[5.0, 5], [5, 5], [5, 5]])).n_confirmed == 0
    assert judge_bins(np.array([[5.0, 5], [5, 5]]), np.array([[9.0, 1], [1, 9]])).n_confirmed == 0


def test_of_several_classes_the_changes_must_point_the_same_way():
    learned = np.array([[6.0, 2, 2], [2, 6, 2]])
    assert judge_bins(learned, np.array([[5.0, 3, 2], [3, 5, 2]])).n_confirmed == 1
    # The first class falls as it did, but the second falls much more.
    assert judge_bins(learned, np.array([[3.0, 7, 0], [2, 0, 8]])).n_confirmed == 0
    swapped = judge_bins(learned[:, [2, 0, 1]], np.array([[2.0, 5, 3], [2, 3, 5]]))
    assert swapped.n_confirmed == 1
    assert math.isnan(swapped.iv)


def test_relevance_and_information_value_by_hand():
    learned, new = np.array([[3.0, 1], [1, 3]]), np.array([[2.0, 2], [0, 4]])
    found = judge_bins(learned, new)
    assert found.relevance == pytest.approx(1 - (-(0.75 * math.log2(0.75) + 0.25 * math.log2(0.25))))
    # The learned rates, one added to each count: 4/6 and 2/6; over all rows one half.
    gain = 2 * math.log2(4 / 6) + 2 * math.log2(2 / 6) + 4 * math.log2(4 / 6) - 8 * math.log2(0.5)
    assert found.new_relevance == pytest.approx(gain / 8)
    weight = math.log(3.5 / 1.5)
    assert found.iv == pytest.approx(2 * (3.5 - 1.5) / 5 * weight)
    assert found.new_iv == pytest.approx((2 / 6 - 2 / 2) * -weight + (4 / 6 - 0) * weight)


def test_cuts_are_paired_once_within_the_tolerance():
    values = np.append(np.arange(100.0), np.nan)
    same = compare_cuts(np.array([20.5, 60.5]), np.array([18.5, 64.5]), values)
    assert (same.n_again, same.n_either) == (2, 2)
    once = compare_cuts(np.array([20.5]), np.array([18.5, 22.5, 70.5]), values)
    assert (once.n_again, once.n_either) == (1, 3)
    none = compare_cuts(np.empty(0), np.empty(0), values)
    assert (none.n_again, none.n_either, math.isnan((HoldingFigures() + none).again)) == (0, 0, True)
    scaled = compare_cuts(np.exp([2.05, 6.05]), np.exp([1.85, 6.45]), np.exp(values / 10))
    assert (scaled.n_again, scaled.n_either) == (2, 2)


def test_a_real_step_holds_and_noise_is_not_cut():
    rng = np.random.default_rng(0)
    x = rng.normal(size=800)
    table = pd.DataFrame({"step": x, "text": np.where(x > 0, "a", "b"), "noise": rng.normal(size=800)})
    table.loc[::10, "step"] = np.nan
    y = np.where(x + 0.1 * rng.normal(size=800) > 0.3, "yes", "no")
    found = HalvedTable(table, y).judge(cuts_of(MDLPDiscretizer))
    assert (found.n_fits, found.n_columns) == (2, 4)
    assert found.confirmed == 1.0
    assert found.again > 0.5
    assert found.n_noise == 0
    assert 0.5 < found.new_relevance / found.n_fits < 1.0
    assert found.seconds > 0.0
    equal = HalvedTable(table, y).judge(cuts_of(EqualFrequencyDiscretizer))
    assert equal.noise == 1.0
    assert equal.confirmed < 1.0


def test_weights_count_rows_and_seeds_change_the_halves():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 2))
    y = (X[:, 0] + rng.normal(size=300) > 0).astype(int)
    plain = HalvedTable(X, y).judge(cuts_of(MDLPDiscretizer))
    ones = HalvedTable(X, y, np.ones(300)).judge(cuts_of(MDLPDiscretizer))
    assert (ones.n_cuts, ones.new_relevance) == (plain.n_cuts, pytest.approx(plain.new_relevance))
    double = HalvedTable(X, y, np.full(300, 2.0)).judge(cuts_of(MDLPDiscretizer))
    assert double.n_cuts >= plain.n_cuts
    assert HalvedTable(X, y, seed=1).judge(cuts_of(MDLPDiscretizer)).relevance != plain.relevance


def test_only_numbers_are_numeric_columns():
    table = pd.DataFrame({"a": ["x", "y"], "b": [1, 2], "c": [True, False], "d": [0.5, None]})
    assert [*numeric_columns(table)] == [1, 3]
