"""How often categories differ as much by chance: against every deal of few rows, and on noise."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from cutwise.criteria.category_chance import _moments, chance_of_difference


def chi_square(counts):
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0) / counts.sum()
    return float(((counts - expected) ** 2 / expected).sum())


def every_deal(categories, classes):
    shape = max(categories) + 1, max(classes) + 1
    for deal in itertools.permutations(classes):
        counts = np.zeros(shape)
        np.add.at(counts, (categories, list(deal)), 1.0)
        yield chi_square(counts)


@pytest.mark.parametrize(
    ("categories", "classes"),
    [([0, 0, 1, 1, 1, 2, 2], [0, 0, 0, 1, 1, 1, 1]), ([0, 0, 0, 1, 1, 2, 3], [0, 0, 1, 1, 2, 2, 2])],
)
def test_mean_and_variance_are_those_of_all_deals(categories, classes):
    found = np.array(list(every_deal(categories, classes)))
    sizes, class_sizes = (np.bincount(labels).astype(float) for labels in (categories, classes))
    mean, variance = _moments(sizes, class_sizes, float(len(categories)))
    assert mean == pytest.approx(found.mean(), rel=1e-12)
    assert variance == pytest.approx(found.var(), rel=1e-10)


def test_few_rows_are_dealt():
    """Three against three rows, each of another class: 2 of 20 deals do that."""
    assert chance_of_difference(np.array([[3, 0], [0, 3]])) == pytest.approx(0.1, abs=0.01)


@pytest.mark.parametrize("counts", [[[5, 5]], [[5, 0], [3, 0]], [[1, 0], [0, 1], [1, 0]], [[2, 2], [4, 4], [8, 8]]])
def test_nothing_that_could_differ_is_chance(counts):
    assert chance_of_difference(np.array(counts)) == 1.0


def test_single_rows_tell_nothing():
    assert chance_of_difference(np.vstack([np.eye(2, dtype=int)] * 50)) == 1.0


def test_rows_without_order_and_absent_classes_do_not_matter():
    counts = np.array([[30, 20, 0, 5], [10, 40, 0, 9], [22, 21, 0, 7]])
    assert chance_of_difference(counts) == chance_of_difference(counts[::-1, [3, 1, 0]])


@pytest.mark.parametrize(
    ("n_categories", "rate", "n_classes"), [(3, 0.5, 2), (40, 0.1, 2), (300, 0.5, 2), (40, 0.2, 4)]
)
def test_as_often_small_as_it_says_on_noise(n_categories, rate, n_classes):
    rng = np.random.default_rng(n_categories)
    shares = [1.0 - rate, *[rate / (n_classes - 1)] * (n_classes - 1)]
    chances = []
    for _ in range(400):
        cells = rng.integers(0, n_categories, 1500) * n_classes + rng.choice(n_classes, 1500, p=shares)
        counts = np.bincount(cells, minlength=n_categories * n_classes).reshape(-1, n_classes)
        chances.append(chance_of_difference(counts[counts.any(axis=1)]))
    for alpha in (0.05, 0.2):
        error = 3.5 * np.sqrt(alpha * (1 - alpha) / 400)
        assert np.mean(np.array(chances) <= alpha) == pytest.approx(alpha, abs=error)


def test_a_weight_of_half_a_row_tells_half():
    counts = np.array([[400, 600], [550, 450], [450, 550]])
    assert chance_of_difference(counts, 0.1) == pytest.approx(chance_of_difference(counts // 10), rel=1e-4)
