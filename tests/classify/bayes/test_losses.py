"""The kernels of losses against their plain twins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from cutwise import kernels
from tests.classify.bayes import reference_losses


@st.composite
def scored_rows(draw, halves=1):
    """Scores [row, class], labels and weights."""
    n_rows, n_classes = draw(st.integers(0, 8)), draw(st.integers(1, 5))
    scores = draw(hnp.arrays(np.float64, (n_rows, halves * n_classes), elements=st.floats(-30, 30)))
    labels = draw(hnp.arrays(np.int64, n_rows, elements=st.integers(0, n_classes - 1)))
    weights = draw(hnp.arrays(np.float64, draw(st.sampled_from([0, n_rows])), elements=st.floats(0.1, 3)))
    return scores, labels, weights


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


@given(scored_rows())
def test_shifted_rows(rows):
    scores, _, _ = rows
    shifted = scores.copy()
    kernels.bayes.losses.shift_rows(shifted)
    assert np.array_equal(shifted, scores - scores.max(axis=1, keepdims=True))


@given(scored_rows())
def test_log_loss(rows):
    scores, labels, weights = rows
    powers = np.exp(scores)
    total = kernels.bayes.losses.log_rows(scores, powers, labels, weights)
    expected, slopes = reference_losses.log_rows(scores, labels, weights)
    close(total, expected)
    close(powers, slopes)


@given(scored_rows())
def test_squared_loss(rows):
    scores, labels, weights = rows
    powers = np.exp(scores)
    total = kernels.bayes.losses.squared_rows(powers, labels, weights)
    expected, slopes = reference_losses.squared_rows(scores, labels, weights)
    close(total, expected)
    close(powers, slopes)


@given(scored_rows(halves=2), st.floats(0, 1), st.booleans())
def test_mixed_loss(rows, mixing, published):
    scores, labels, weights = rows
    powers = np.exp(scores)
    total, slope = kernels.bayes.losses.mixed_rows(powers, labels, weights, mixing, published)
    expected, expected_slope, slopes = reference_losses.mixed_rows(scores, labels, weights, mixing, published)
    close(total, expected)
    close(slope, expected_slope)
    close(powers, slopes)


def test_a_hopeless_row_has_a_finite_loss():
    """The probability of its class is 0 as a double."""
    scores = np.array([[0.0, -2000.0]])
    powers = np.exp(scores)
    assert kernels.bayes.losses.log_rows(scores, powers, np.array([1]), np.empty(0)) == pytest.approx(2000.0)
    assert powers.tolist() == [[1.0, -1.0]]
