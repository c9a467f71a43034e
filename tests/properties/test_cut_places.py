"""A cut in the middle is in the middle, however large its neighbours are (promise 12)."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from cutwise.counts import PLACES, CountTable, cut_between, place_cuts
from tests.methods import EVERY, ONE_BY_ONE
from tests.strategies import DOUBLES, LARGEST, columns

per_method = settings(max_examples=max(5, settings.default.max_examples // 5))
every = pytest.mark.parametrize("method", EVERY, ids=repr)
# The cuts of these are not between two values, or are given.
BY_NUMBER = ("EqualWidthDiscretizer", "FixedCutsDiscretizer")
NEIGHBOURS = st.tuples(DOUBLES, st.integers(1, 3)).map(lambda pair: sorted({pair[0] + 0.0, steps_up(*pair)}))
HUGE = [(1.7e308, 1.79e308), (-1.79e308, -1.7e308), (LARGEST / 4, LARGEST / 2), (math.nextafter(LARGEST, 0.0), LARGEST)]


def steps_up(number, n_steps):
    for _ in range(n_steps):
        number = math.nextafter(number, math.inf)
    return min(number, LARGEST) + 0.0


@given(st.one_of(st.lists(DOUBLES, min_size=2, max_size=2), NEIGHBOURS))
@example([1.7e308, 1.79e308])
@example([-1.79e308, -1.7e308])
@example([-LARGEST, LARGEST])
@example([5e-324, 1e-323])
def test_the_middle_is_exact_to_one_place(ends):
    low, high = min(ends) + 0.0, max(ends) + 0.0
    # The largest double stands for infinity, and a gap beside it has no middle.
    assume(-LARGEST < low < high < LARGEST)
    cut, middle = cut_between(low, high), (Fraction(low) + Fraction(high)) / 2
    assert low <= cut < high
    assert abs(Fraction(cut) - middle) <= max(Fraction(math.ulp(low)), Fraction(math.ulp(high))) / 2 + Fraction(5e-324)


@pytest.mark.parametrize(("low", "high"), HUGE)
def test_huge_neighbours(low, high):
    middle = float((Fraction(low) + Fraction(high)) / 2)
    assert cut_between(low, high) == (middle if middle < high else low)


@given(st.lists(DOUBLES, min_size=2, max_size=8), st.sampled_from(PLACES))
@example([1.7e308, 1.79e308, 1.0], "midpoint")
@example([-LARGEST, LARGEST, -1.7e308], "midpoint")
def test_cuts_of_a_table_are_those_of_its_pairs(values, place):
    values = np.unique(np.array(values) + 0.0)
    assume(values.size > 1)
    table = CountTable.from_dense(values, np.ones((values.size, 1), dtype=np.int64))
    gaps = np.arange(values.size - 1)
    expected = [cut_between(low, high, place) for low, high in itertools.pairwise(values.tolist())]
    assert place_cuts(table, gaps, place).tolist() == expected


@every
@per_method
@given(column=columns(), neighbours=NEIGHBOURS)
def test_any_double_with_every_method(method, column, neighbours):
    """Codes of the training rows rise with the values, and only those of the cuts' neighbours differ."""
    x = np.append(column[0], neighbours[:2]) + 0.0
    y = np.append(column[1], [0, 1][: len(neighbours)])
    fitted = clone(method).fit(x[:, None], y)
    cuts, codes = fitted.cuts_[0], fitted.transform(x[:, None])[:, 0]
    assert np.isfinite(cuts).all()
    assert (np.diff(cuts) > 0).all()
    assert np.array_equal(codes, np.searchsorted(cuts, x, side="left"))
    if type(method).__name__ not in BY_NUMBER:
        assert np.array_equal(np.unique(codes), np.arange(cuts.size + 1)), "a bin without rows"


@every
@per_method
@given(column=columns(values=st.floats(width=32, allow_nan=False, allow_infinity=False)))
def test_single_precision_with_every_method(method, column):
    x, y = column
    single = clone(method).fit(x.astype(np.float32)[:, None], y)
    assert single.scheme_.to_json() == clone(method).fit(x[:, None], y).scheme_.to_json()
    assert np.array_equal(single.transform(x.astype(np.float32)[:, None]), single.transform(x[:, None]))


@pytest.mark.parametrize("method", [m for m in EVERY if type(m).__name__ != "FixedCutsDiscretizer"], ids=repr)
@per_method
@given(column=columns(), power=st.integers(-60, 60))
def test_powers_of_two_with_every_method(method, column, power):
    x, y = column
    assume(((x == 0) | ((np.abs(x) > 2.0**-900) & (np.abs(x) < 2.0**900))).all())
    scaled = clone(method).fit(np.ldexp(x, power)[:, None], y)
    assert scaled.cuts_[0].tolist() == np.ldexp(clone(method).fit(x[:, None], y).cuts_[0], power).tolist()


@pytest.mark.parametrize("method", ONE_BY_ONE, ids=repr)
@per_method
@given(column=columns(values=st.sampled_from([0.0, -0.0, 5e-324, -5e-324, 1.0])))
def test_both_zeros_are_one_value_with_every_method(method, column):
    x, y = column
    assert (
        clone(method).fit(x[:, None], y).scheme_.to_json() == clone(method).fit(x[:, None] + 0.0, y).scheme_.to_json()
    )
