"""Steps by remembered slopes, and factors, against plain twins."""

from __future__ import annotations

import numpy as np
import pytest

from cutwise.kernels.bayes import boxed


def in_order(a, b):
    total = 0.0
    for x, y in zip(a.tolist(), b.tolist(), strict=True):
        total += x * y
    return total


def inverse_times(pairs, slopes, free):
    """Do as the kernel, in plain Python."""
    found = slopes[free]
    products = [(moved[free], turned[free], in_order(moved[free], turned[free])) for moved, turned in pairs]
    usable = [pair for pair in products if pair[2] > 0.0]
    if not usable:
        return found / np.abs(found).max()
    shares = []
    for moved, turned, product in reversed(usable):
        shares.append(in_order(moved, found) / product)
        found = found - shares[-1] * turned
    _, turned, product = usable[-1]
    found = found * (product / in_order(turned, turned))
    for (moved, turned, product), share in zip(usable, reversed(shares), strict=True):
        found = found + (share - in_order(turned, found) / product) * moved
    return found


@pytest.mark.parametrize("n_steps", [0, 1, 4, 10])
def test_inverse_times(n_steps):
    random = np.random.default_rng(n_steps)
    moved, turned = random.normal(size=(2, 10, 7))
    slopes, free = random.normal(size=7), np.array([0, 2, 3, 6])
    order = random.permutation(10)[:n_steps]
    found = boxed.inverse_times(moved, turned, order, slopes, free)
    expected = inverse_times([(moved[k], turned[k]) for k in order], slopes, free)
    assert np.array_equal(found, expected)


@pytest.mark.parametrize("n", [1, 3, 4, 9, 30])
def test_factor(n):
    random = np.random.default_rng(n)
    root = random.normal(size=(n, n + 2))
    square = root @ root.T
    upper = square.copy()
    assert boxed.factor(upper)
    assert np.allclose(np.triu(upper).T @ np.triu(upper), square)
    square[-1, -1] = -1.0
    assert not boxed.factor(square)
