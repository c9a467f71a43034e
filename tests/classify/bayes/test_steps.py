"""Steps by remembered slopes, and a loss in blocks, against plain twins."""

from __future__ import annotations

import numpy as np
import pytest

from cutwise.kernels import elementary
from cutwise.kernels.bayes import boxed, losses
from cutwise.kernels.inputs import LOG, MIXED, SQUARED


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


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n_classes", [2, 3, 7])
@pytest.mark.parametrize("kind", [LOG, SQUARED, MIXED])
def test_loss_in_blocks(kind, n_classes, weighted):
    random = np.random.default_rng(n_classes)
    n_scores = 2 * n_classes if kind == MIXED else n_classes
    cells = random.integers(-1, 6, size=(25, 3)).astype(np.int32)
    labels, weights = random.integers(0, n_classes, 25), random.random(25) if weighted else np.empty(0)
    table, start = random.normal(size=(6, n_scores)), random.normal(size=n_scores)
    totals, of_cells, of_start = np.zeros(2), np.zeros(table.shape), np.zeros(n_scores)
    for part in (slice(0, 10), slice(10, 20), slice(20, 25)):
        scores = np.tile(start, (labels[part].size, 1))
        losses.sum_cells(cells[part], table, scores)
        losses.shift_rows(scores.reshape(-1, n_classes))
        powers = elementary.exp_of(scores)
        if kind == LOG:
            totals[0] += losses.log_rows(scores, powers, labels[part], weights[part])
        elif kind == SQUARED:
            totals[0] += losses.squared_rows(powers, labels[part], weights[part])
        else:
            totals += losses.mixed_rows(powers, labels[part], weights[part], 0.3, False)
        losses.add_to_cells(cells[part], powers, of_cells)
        losses.add_rows(powers, of_start)
    slopes, by_start, room = np.zeros(table.shape), np.zeros(n_scores), np.empty((2, 10, n_scores))
    rows = (cells, labels, weights)
    found = losses.evaluate(*rows, kind, 0.3, False, table, start, room, slopes, by_start)
    assert found == tuple(totals)
    assert np.array_equal(slopes, of_cells)
    assert np.array_equal(by_start, of_start)
