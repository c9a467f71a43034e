"""Exponentials, logarithms and log-factorials: the bits of their plain twins, and near those of the math library."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise.kernels import elementary, reference

POSITIVE = st.floats(min_value=5e-324, max_value=1.7e308)


def near(found, expected):
    """Within two units of the last place."""
    assert abs(found - expected) <= 2 * math.ulp(expected)


@given(st.floats(-760, 709))
def test_exp(x):
    assert elementary.exp(x) == reference.exp(x)
    if x >= -745:
        near(elementary.exp(x), math.exp(x))


@given(POSITIVE)
def test_logarithms(x):
    assert elementary.log(x) == reference.log(x)
    assert elementary.log2(x) == reference.log2(x)
    near(elementary.log(x), math.log(x))
    near(elementary.log2(x), math.log2(x))


@pytest.mark.parametrize(
    "x", [1.0, np.nextafter(1.0, 0.0), np.nextafter(1.0, 2.0), 0.5, math.sqrt(2.0), math.sqrt(0.5)]
)
def test_near_one(x):
    assert elementary.log(x) == reference.log(x)
    near(elementary.log(x), math.log(x))


@given(st.one_of(st.floats(1e-3, 60.0), st.integers(1, 1 << 53).map(float), st.floats(1.0, 1e15)))
def test_log_gamma(x):
    assert elementary.log_gamma(x) == reference.log_gamma(x)
    expected = math.lgamma(x)
    assert abs(elementary.log_gamma(x) - expected) <= 1e-14 * max(1.0, abs(expected))


def test_log_factorials_of_whole_numbers():
    for n in range(1, 3000):
        assert elementary.log_gamma(float(n)) == pytest.approx(math.lgamma(n), rel=1e-14, abs=0.0)


def test_ends():
    assert elementary.exp(0.0) == 1.0
    assert elementary.exp(-np.inf) == 0.0
    assert elementary.log(0.0) == -np.inf
    assert elementary.log(np.inf) == np.inf
    assert [elementary.log2(2.0**k) for k in (-1074, -1, 0, 1, 52, 1023)] == [-1074, -1, 0, 1, 52, 1023]


def test_arrays_keep_their_shape():
    numbers = np.arange(1.0, 13.0).reshape(3, 4)
    assert elementary.log_of(numbers.T).tolist() == [[elementary.log(x) for x in row] for row in numbers.T]
    assert elementary.exp_of(-numbers[:, ::2]).tolist() == [[elementary.exp(-x) for x in row[::2]] for row in numbers]
    assert elementary.log2_of(numbers).tolist() == [[elementary.log2(x) for x in row] for row in numbers]
    assert elementary.exp_of(np.empty((0, 3))).shape == (0, 3)


def test_known_bits():
    """These hold on every processor."""
    found = [elementary.exp(-0.1), elementary.log(3.0), elementary.log2(3.0), elementary.log_gamma(1.5)]
    known = ["0x1.cf46d99d52b3ap-1", "0x1.193ea7aad030bp+0", "0x1.95c01a39fbd69p+0", "-0x1.eeb95b094c180p-4"]
    assert [x.hex() for x in found] == known
