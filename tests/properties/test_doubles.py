"""Any finite double works, and a cut separates its neighbours (promise 12)."""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from cutwise import ColumnWarning, MaxRelevanceDiscretizer, MRmDDiscretizer
from cutwise.counts import PLACES, cut_between
from tests.strategies import DOUBLES, columns

ANY = st.one_of(DOUBLES, st.sampled_from([math.inf, -math.inf]))


@given(ANY, ANY, st.sampled_from(PLACES))
@example(1.7e308, 1.79e308, "midpoint")
@example(1.0, math.nextafter(1.0, 2.0), "midpoint")
@example(math.nextafter(1.0, 2.0), math.nextafter(math.nextafter(1.0, 2.0), 2.0), "readable")
@example(-5e-324, 0.0, "midpoint")
@example(-5e-324, 5e-324, "midpoint")
@example(-math.inf, -1.7976931348623157e308, "midpoint")
@example(1.7976931348623157e308, math.inf, "readable")
@example(-math.inf, math.inf, "midpoint")
def test_a_cut_lies_between(a, b, place):
    assume(a != b)
    low, high = min(a, b), max(a, b)
    cut = cut_between(low, high, place)
    assert low <= cut < high
    assert math.copysign(1.0, cut) == 1.0 or cut != 0.0
    if low > -math.inf or high > -1.7976931348623157e308:
        assert math.isfinite(cut)


@pytest.mark.parametrize(("low", "high"), [(1.0, 1.0), (2.0, 1.0), (math.nan, 1.0)])
def test_a_cut_needs_two_values_in_order(low, high):
    with pytest.raises(ValueError, match="ascending"):
        cut_between(low, high)


@pytest.mark.parametrize(
    ("low", "high", "cut"),
    [
        (37.1, 37.9, 37.5),
        (5.4, 5.5, 5.4),
        (1.7, 1.8, 1.7),
        (0.6, 1.0, 0.8),
        (-1.8, -1.7, -1.8),
        (36.2, 38.9, 38.0),
        (999, 1001, 1000.0),
        (-3, 4, 0.0),
        (37, 38, 37.0),
        (0.1, 0.3, 0.2),
        (123.4567, 123.4571, 123.457),
        (-38.9, -36.2, -38.0),
        (1e-9, 3e-9, 2e-9),
        (4.4e300, 4.6e300, 4.5e300),
        (3, 48, 30.0),
    ],
)
def test_readable_cuts(low, high, cut):
    assert cut_between(low, high, "readable") == cut


@given(DOUBLES, DOUBLES)
def test_no_shorter_decimal_lies_in_the_gap(a, b):
    assume(a != b)
    low, high = min(a, b) + 0.0, max(a, b) + 0.0
    assume(max(-low, high) < sys.float_info.max)  # it stands for infinity
    digits = significant_digits(cut_between(low, high, "readable"))
    for shorter in range(1, digits):
        for number in (low, high, (low / 2 + high / 2)):
            near = float(f"{number:.{shorter - 1}e}")
            assert not (low <= near < high and significant_digits(near) < digits)


def significant_digits(number):
    mantissa = repr(number).lower().split("e")[0].replace("-", "").replace(".", "").strip("0")
    return max(len(mantissa), 1)


@given(columns(), st.sampled_from(PLACES))
def test_every_place_gives_the_same_bins(column, place):
    x, y = column
    codes = MaxRelevanceDiscretizer().fit(x[:, None], y).transform(x[:, None])
    fitted = MaxRelevanceDiscretizer(place=place).fit(x[:, None], y)
    assert np.array_equal(fitted.transform(x[:, None]), codes)
    assert np.isfinite(fitted.cuts_[0]).all()
    assert (np.diff(fitted.cuts_[0]) > 0).all()


@given(columns())
def test_counts_are_those_of_the_codes(column):
    x, y = column
    fitted = MRmDDiscretizer().fit(x[:, None], y)
    codes = fitted.transform(x[:, None])[:, 0]
    counted = [[int(((codes == b) & (y == c)).sum()) for c in fitted.classes_] for b in range(fitted.n_bins_[0])]
    assert counted == [list(row) for row in fitted.scheme_["x0"].class_counts]


@given(columns(values=st.floats(width=32, allow_nan=False, allow_infinity=False)))
def test_single_precision_counts_as_the_same_doubles(column):
    x, y = column
    single = MRmDDiscretizer().fit(x.astype(np.float32)[:, None], y)
    assert single.scheme_.to_json() == MRmDDiscretizer().fit(x[:, None], y).scheme_.to_json()
    assert np.array_equal(single.transform(x.astype(np.float32)[:, None]), single.transform(x[:, None]))


def test_negative_zero_is_zero():
    fitted = MRmDDiscretizer().fit([[-0.0], [0.0], [1.0]] * 4, [0, 0, 1] * 4)
    assert "-0.0" not in fitted.scheme_.to_json()
    assert fitted.transform([[-0.0], [0.0]])[:, 0].tolist() == [0, 0]


def test_large_integers_are_cut_where_their_doubles_differ():
    x = np.array([2**53, 2**53 + 1, 2**53 + 2, 2**62], dtype=np.int64).repeat(5)[:, None]
    with pytest.warns(ColumnWarning, match="such as 9007199254740993, which is rounded to 9007199254740992"):
        fitted = MRmDDiscretizer().fit(x, np.repeat([0, 0, 1, 1], 5))
    assert fitted.scheme_["x0"].n_values == 3
    with pytest.warns(ColumnWarning, match="Column 'x0'"):
        assert fitted.transform(x)[:, 0].tolist() == [0] * 10 + [1] * 10


def test_infinities_fall_in_the_end_bins():
    x = np.array([-np.inf, 1.0, 2.0, np.inf]).repeat(5)[:, None]
    fitted = MRmDDiscretizer().fit(x, np.repeat([0, 0, 1, 1], 5))
    assert fitted.cuts_[0].tolist() == [1.5]
    apart = MRmDDiscretizer().fit(x, np.repeat([0, 1, 1, 0], 5))
    assert apart.cuts_[0].tolist() == [0.0, 5.0]
    assert apart.transform([[-np.inf], [-1e300], [5.0], [1e300], [np.inf]])[:, 0].tolist() == [0, 0, 1, 2, 2]
