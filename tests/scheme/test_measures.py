"""The measures against plain formulas, SciPy and trying everything."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from cutwise.criteria import jensen_shannon
from cutwise.scheme.measures import (
    _without_rare,
    chi_square_test,
    class_change,
    divergence_by_chance,
    is_noticeable,
    rate_change,
    stability_index,
)

counts = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=1, max_size=6).filter(
    lambda pairs: sum(a for a, _ in pairs) and sum(b for _, b in pairs)
)


def both(pairs):
    return np.array(pairs, dtype=float).T


@given(pairs=counts)
def test_index_by_its_formula(pairs):
    before, after = both(pairs)
    p, q = ([(n + 0.5) / (sum(rows) + 0.5 * len(rows)) for n in rows] for rows in (before, after))
    expected = math.fsum((b - a) * math.log(b / a) for a, b in zip(p, q, strict=True))
    assert stability_index(before, after) == pytest.approx(expected, abs=1e-12)
    assert stability_index(before, after) == pytest.approx(stability_index(after, before), abs=1e-12)


@pytest.mark.parametrize(("before", "after"), [([2, 3, 1], [1, 1, 1]), ([4, 0], [1, 2]), ([5], [3]), ([1], [1])])
def test_divergence_by_chance_is_the_mean_over_every_deal(before, after):
    labels = [b for b, rows in enumerate(np.add(before, after)) for _ in range(rows)]
    found = []
    for chosen in itertools.combinations(range(len(labels)), sum(after)):
        new = np.bincount([labels[i] for i in chosen], minlength=len(before))
        found.append(jensen_shannon(np.add(before, after) - new, new))
    by_chance = divergence_by_chance(np.array(before, dtype=float), np.array(after, dtype=float))
    assert by_chance == pytest.approx(np.mean(found), abs=1e-12)


@given(pairs=counts, weight=st.floats(0.3, 3.0))
def test_divergence_by_chance_with_fractional_weights_is_finite(pairs, weight):
    before, after = both(pairs)
    assert 0.0 <= divergence_by_chance(weight * before, after * 0.7) <= 1.0


@given(pairs=counts.filter(lambda pairs: len([p for p in pairs if sum(p)]) > 1))
def test_chi_square_is_that_of_scipy(pairs):
    table = both(pairs)
    seen = table[:, table.sum(axis=0) > 0]
    assume(stats.contingency.expected_freq(seen).min() >= 1)
    assert chi_square_test([table]) == pytest.approx(stats.chi2_contingency(seen, correction=False).pvalue, rel=1e-9)


def test_chi_square_without_anything_to_compare():
    assert chi_square_test([]) == 1.0
    assert chi_square_test([np.array([[3.0, 4.0], [0.0, 0.0]])]) == 1.0
    assert chi_square_test([np.array([[3.0, 0.0], [5.0, 0.0]])]) == 1.0


@given(pairs=counts)
def test_rare_categories_are_thrown_together(pairs):
    table = both(pairs)
    kept = _without_rare(table)
    assert kept.sum(axis=1).tolist() == table.sum(axis=1).tolist()
    if kept.shape[1] > 1:
        assert stats.contingency.expected_freq(kept).min() >= 1 - 1e-9


def test_rare_categories_do_not_raise_an_alarm():
    """A single new row of a class that one of a thousand rows has is no proof."""
    assert chi_square_test([np.array([[999.0, 1.0], [0.0, 1.0]])]) == 1.0
    assert _without_rare(np.array([[90.0, 9.0, 1.0], [0.0, 5.0, 5.0]])).tolist() == [[90.0, 10.0], [0.0, 10.0]]


def test_rate_change_of_newcombe():
    """The examples of Newcombe (1998), method 10: 56/70 less 48/80, and 9/10 less 3/10."""
    found = rate_change(48, 80, 56, 70)
    assert (found.change, found.low, found.high) == pytest.approx((0.2, 0.0524, 0.3339), abs=5e-5)
    found = rate_change(3, 10, 9, 10)
    assert (found.low, found.high) == pytest.approx((0.1705, 0.8090), abs=5e-5)
    assert rate_change(0, 10, 10, 10).high == 1.0


def test_class_change_is_cohens_h_in_large_samples():
    h = 2 * math.asin(math.sqrt(0.3)) - 2 * math.asin(math.sqrt(0.2))
    large = class_change(np.array([[8e9, 2e9], [0, 0]]), np.array([[7e9, 3e9], [1e9, 0]]))
    assert large == pytest.approx(h, abs=1e-6)
    assert class_change(np.array([[8.0, 2.0]]), np.array([[7.0, 3.0]])) == 0.0
    assert class_change(np.array([[8.0, 2.0]]), np.array([[0.0, 0.0]])) == 0.0


def test_chance_is_taken_from_the_class_change():
    rng = np.random.default_rng(0)
    before, after = rng.multinomial(400, [0.5, 0.3, 0.2], 300), rng.multinomial(200, [0.5, 0.3, 0.2], 300)
    assert class_change(before.astype(float), after.astype(float)) < 0.05


def test_one_bin_needs_no_rows():
    assert is_noticeable(0.25, np.array([5.0]), np.array([1.0]), 0.001)
