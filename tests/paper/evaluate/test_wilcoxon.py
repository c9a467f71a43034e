"""The signed-rank test: against scipy, against counting, and its symmetry."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import PermutationMethod, wilcoxon

from cutwise.paper.evaluate import critical_rank_sum, rank_sum_p_values, rank_sums, signed_rank_test
from tests.versions import SCIPY

NORMAL = "asymptotic" if SCIPY >= (1, 15) else "approx"
SCIPY_NAMES = {"split": "zsplit", "pratt": "pratt", "drop": "wilcox"}

whole = st.lists(st.integers(-6, 6).map(float), min_size=1, max_size=30)
distinct = st.lists(st.integers(1, 10**6), min_size=1, max_size=45, unique=True).flatmap(
    lambda sizes: st.lists(st.sampled_from([-1.0, 1.0]), min_size=len(sizes), max_size=len(sizes)).map(
        lambda signs: [size * sign for size, sign in zip(sizes, signs, strict=True)]
    )
)


@pytest.mark.filterwarnings("ignore:Sample size too small")  # older scipy says so
@pytest.mark.parametrize("rule", SCIPY_NAMES)
@given(differences=whole)
def test_sums_and_normal_p_values_equal_scipy(rule, differences):
    found = signed_rank_test(differences, rule, "normal")
    if not any(differences):
        assert found.p_value == 1.0
        return
    peer = wilcoxon(differences, zero_method=SCIPY_NAMES[rule], method=NORMAL, correction=False)
    assert min(found.r_plus, found.r_minus) == pytest.approx(peer.statistic)
    assert found.p_value == pytest.approx(peer.pvalue, rel=1e-9)


@given(distinct)
def test_exact_p_values_equal_scipy(differences):
    peer = wilcoxon(differences, method="exact")
    assert signed_rank_test(differences).p_value == pytest.approx(peer.pvalue, rel=1e-9)


@given(st.lists(st.integers(-4, 4).map(float), min_size=2, max_size=9).filter(any), st.sampled_from(list(SCIPY_NAMES)))
def test_exact_p_values_with_ties_equal_all_signs(differences, rule):
    peer = wilcoxon(differences, zero_method=SCIPY_NAMES[rule], method=PermutationMethod())
    assert signed_rank_test(differences, rule, "exact").p_value == pytest.approx(peer.pvalue, rel=1e-9)


@given(whole)
def test_the_sum_counts_pairs(differences):
    pairs = [a + b for a, b in itertools.combinations_with_replacement(differences, 2)]
    expected = sum(pair > 0 for pair in pairs) + sum(pair == 0 for pair in pairs) / 2
    assert signed_rank_test(differences).r_plus == expected


@given(st.lists(st.lists(st.integers(0, 20).map(float), min_size=4, max_size=4), min_size=1, max_size=12))
def test_both_directions_share_all_ranks(accuracies):
    n = len(accuracies)
    sums = rank_sums(accuracies)
    assert np.array_equal(sums + sums.T, (1 - np.eye(4)) * n * (n + 1) / 2)
    p_values = rank_sum_p_values(accuracies)
    assert np.array_equal(p_values, p_values.T)
    assert np.array_equal(rank_sums(np.array(accuracies)[:, ::-1]), sums[::-1, ::-1])


def test_a_table_worked_by_hand():
    # Differences 5, -1, 2, 0, -2: ranks 5, 2, 3.5, 1, 3.5.
    first, second = [85.0, 70.0, 62.0, 50.0, 40.0], [80.0, 71.0, 60.0, 50.0, 42.0]
    table = np.column_stack([first, second])
    assert rank_sums(table)[0, 1] == 5 + 3.5 + 0.5
    assert rank_sums(table, "pratt")[0, 1] == 8.5
    assert rank_sums(table, "drop")[0, 1] == 4 + 2.5
    assert rank_sums(table, "drop-odd")[0, 1] == 6.5


def test_an_even_number_of_zeros_is_not_dropped():
    assert signed_rank_test([0.0, 0.0, 1.0], "drop-odd") == signed_rank_test([0.0, 0.0, 1.0])
    assert signed_rank_test([0.0, 0.0, 0.0, 1.0], "drop-odd") == signed_rank_test([0.0, 0.0, 1.0])


def test_what_is_equal_in_print_is_equal():
    assert 0.91 - 0.89 != 0.06 - 0.04
    assert rank_sums([[0.91, 0.89], [0.04, 0.06]])[0, 1] == 1.5


def test_the_critical_value_of_the_paper():
    assert critical_rank_sum(45) == 692
    assert critical_rank_sum(45, alpha=0.1, sides=2) == critical_rank_sum(45, sides=1) == 664
    # Published tables of critical values, as N(N + 1) / 2 less the smaller sum.
    assert [n * (n + 1) // 2 - critical_rank_sum(n) for n in (6, 10, 20, 25, 50)] == [0, 8, 52, 89, 434]


@given(st.integers(1, 12), st.sampled_from([0.01, 0.05, 0.2]), st.sampled_from([1, 2]))
def test_the_critical_value_by_counting(n, alpha, sides):
    sums = sorted(sum(chosen) for chosen in _subsets(range(1, n + 1)))
    expected = [r for r in range(n * (n + 1) // 2 + 1) if sum(s >= r for s in sums) / 2**n <= alpha / sides]
    assert critical_rank_sum(n, alpha, sides) == (expected[0] if expected else None)


def _subsets(items):
    return itertools.chain.from_iterable(itertools.combinations(items, size) for size in range(len(items) + 1))


def test_many_differences_take_the_approximation():
    differences = np.arange(1.0, 202.0) * np.where(np.arange(201) % 5 < 3, 1, -1)
    assert signed_rank_test(differences) == signed_rank_test(differences, p_value="normal")
    exact = signed_rank_test(differences, p_value="exact").p_value
    assert signed_rank_test(differences).p_value == pytest.approx(exact, rel=0.05)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1.0, math.nan],), "Leave out what is missing"),
        (([[1.0]],), "list of finite numbers"),
        (([1.0], "halve"), "zeros='halve' is unknown"),
        (([1.0], "split", "guess"), "p_value='guess' is unknown"),
    ],
)
def test_bad_input_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        signed_rank_test(*arguments)


@pytest.mark.parametrize("arguments", [(0,), (5, 0.0), (5, 0.05, 3)])
def test_no_critical_value(arguments):
    with pytest.raises(ValueError, match="no critical rank sum"):
        critical_rank_sum(*arguments)


def test_no_differences_at_all():
    assert signed_rank_test([], "drop") == (0.0, 0.0, 0, 1.0)
    assert signed_rank_test([0.0], "drop") == (0.0, 0.0, 0, 1.0)
