"""Losses and slopes against the plain formulas."""

from __future__ import annotations

import numpy as np
import pytest

from cutwise import RNBClassifier
from cutwise.classify.bayes import blocks
from cutwise.classify.bayes.blocks import LOSSES
from cutwise.classify.bayes.regularised import MixtureObjective
from cutwise.classify.bayes.weighted import AttributeObjective, CellObjective, ClassObjective
from tests.classify.bayes import plain
from tests.classify.bayes.fixture import random_codes

SEEDS = range(3)


class Task:
    """Random codes, with the plain formulas of every classifier as functions of one vector."""

    def __init__(self, seed, n_classes=3):
        self.codes, self.y = random_codes(seed, n_classes=n_classes)
        self.sample = RNBClassifier()._read(self.codes, self.y, None)
        self.tables = RNBClassifier()._estimate(self.sample)
        self.prior, likelihood = plain.estimate(self.codes, self.y, self.sample.n_bins, n_classes)
        self.L = plain.gather(self.codes, likelihood)
        self.likelihood = likelihood
        self.n_classes, self.m = n_classes, self.codes.shape[1]

    def by_attribute(self, loss):
        return lambda w: plain.LOSSES[loss](plain.by_attribute(self.prior, self.L, w), self.y)

    def by_class(self, loss):
        return lambda v: plain.LOSSES[loss](plain.by_class(self.prior, self.L, v.reshape(-1, self.m)), self.y)

    def mixture(self):
        def loss(z):
            u, v, mixing = z[: self.m], z[self.m : -1].reshape(-1, self.m), z[-1]
            return plain.squared(plain.mixture(self.prior, self.L, u, v, mixing), self.y)

        return loss

    def logistic(self, l2):
        def loss(flat):
            weights = flat.reshape(-1, self.n_classes)
            cells = np.split(weights[1:], self.tables.offsets[1:-1])
            weighted = [table * weight.T for table, weight in zip(self.likelihood, cells, strict=True)]
            scores = weights[0] * self.prior + plain.gather(self.codes, weighted).sum(axis=2)
            return plain.log_loss(plain.softmax(scores), self.y) + l2 / 2 * ((flat - 1) ** 2).sum()

        return loss


def objectives(task):
    n_both = task.m * (1 + task.n_classes) + 1
    n_cells = (1 + task.tables.offsets[-1]) * task.n_classes
    for loss in LOSSES:
        yield AttributeObjective(task.sample, task.tables, LOSSES[loss]), task.by_attribute(loss), task.m
        yield ClassObjective(task.sample, task.tables, LOSSES[loss]), task.by_class(loss), task.m * task.n_classes
    yield MixtureObjective(task.sample, task.tables), task.mixture(), n_both
    yield CellObjective(task.sample, task.tables, 0.3), task.logistic(0.3), n_cells


@pytest.mark.parametrize("n_classes", [1, 2, 3, 5])
@pytest.mark.parametrize("seed", SEEDS)
def test_losses_and_slopes(seed, n_classes):
    task = Task(seed, n_classes)
    rng = np.random.default_rng(seed)
    for objective, formula, size in objectives(task):
        at = rng.uniform(0.05, 0.95, size)
        value, slopes = objective(at)
        assert value == pytest.approx(formula(at), rel=1e-11, abs=1e-11)
        np.testing.assert_allclose(slopes, plain.slopes(formula, at), atol=1e-7, rtol=1e-7)


def test_blocks_change_nothing(monkeypatch):
    task = Task(0)
    found = [objective(np.full(size, 0.4)) for objective, _, size in objectives(task)]
    monkeypatch.setattr(blocks, "BLOCK_SIZE", 1)
    monkeypatch.setattr(blocks, "SMALLEST_BLOCK", 7)
    again = [objective(np.full(size, 0.4)) for objective, _, size in objectives(task)]
    for (value, slopes), (value_again, slopes_again) in zip(found, again, strict=True):
        assert value == pytest.approx(value_again, rel=1e-12)
        np.testing.assert_allclose(slopes, slopes_again, rtol=1e-10, atol=1e-12)


def test_published_slopes_of_two_classes_point_the_same_way():
    """With two classes the missing terms only halve the slopes of the class weights."""
    task = Task(1, 2)
    at = np.random.default_rng(0).uniform(0.1, 0.9, task.m * 3 + 1)
    value, exact = MixtureObjective(task.sample, task.tables)(at)
    doubled, published = MixtureObjective(task.sample, task.tables, published=True)(at)
    by_class = slice(task.m, -1)
    assert doubled == 2 * value
    np.testing.assert_allclose(published[by_class], exact[by_class] / 2, rtol=1e-10)
    np.testing.assert_array_equal(np.delete(published, range(task.m, at.size - 1)), [*exact[: task.m], exact[-1]])
