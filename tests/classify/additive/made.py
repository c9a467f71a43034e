"""Random rows of codes and classes for the tests of the additive model."""

from __future__ import annotations

import numpy as np
import pandas as pd

from cutwise.classify.additive.bases import ColumnBins, column_basis
from cutwise.classify.additive.problem import Problem
from cutwise.classify.bayes.sample import CodedRows


def coded(seed, n_classes=2, n_rows=90, gaps=False):
    """Codes of two ordered columns with 7 and 4 bins and one of 3 categories, classes that depend on them."""
    rng = np.random.default_rng(seed)
    codes = np.column_stack([rng.integers(0, 7, n_rows), rng.integers(0, 4, n_rows), rng.integers(0, 3, n_rows)])
    noise = rng.gumbel(size=(n_rows, n_classes))
    lean = np.outer(codes[:, 0] / 3.0 - 1.0 + (codes[:, 2] == 1), np.arange(n_classes))
    labels = (lean + 0.7 * noise).argmax(axis=1)
    labels[:n_classes] = np.arange(n_classes)
    if gaps:
        codes[rng.random(codes.shape) < 0.15] = -1
    return codes.astype(np.int32), labels


N_BINS, N_ORDERED = [7, 4, 3], [7, 4, 0]


def problem_of(codes, labels, n_classes, weights=None):
    weights = np.ones(labels.size) if weights is None else weights
    bases = []
    for j, (n_bins, n_ordered) in enumerate(zip(N_BINS, N_ORDERED, strict=True)):
        known = codes[:, j] >= 0
        rows = np.bincount(codes[known, j], weights[known], minlength=n_bins)
        bases.append(column_basis(ColumnBins(rows, n_ordered)))
    sample = CodedRows(codes, labels, weights, np.arange(n_classes), np.array(N_BINS))
    return Problem(sample, bases)


def drawn_waves(waves, n_classes, n_rows):
    """Return a table and classes that rise and fall so many times over one of its columns; others are noise."""
    random = np.random.default_rng(5)
    X = pd.DataFrame(random.random((n_rows, 4)), columns=["wave", "a", "b", "c"])
    tastes = [3 * np.cos(2 * np.pi * (waves * X["wave"] + c / n_classes)) for c in range(n_classes)]
    return X, (np.stack(tastes, axis=1) + random.gumbel(size=(n_rows, n_classes))).argmax(axis=1)
