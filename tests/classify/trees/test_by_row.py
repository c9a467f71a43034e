"""Counting row by row gives the tree of counting column by column."""

from __future__ import annotations

import numpy as np
import pytest

from cutwise import C45Classifier
from cutwise.kernels.trees import c45


@pytest.mark.parametrize("seed", range(6))
def test_same_tree(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    n_bins = rng.integers(1, 7, size=5)
    X = rng.integers(0, n_bins, size=(300, 5)).astype(float)
    y = (X[:, 0] + X[:, 1] * rng.integers(0, 2, 300)) % 3
    X[rng.random(X.shape) < 0.1 * (seed % 2)] = np.nan
    weights = rng.integers(1, 4, 300) / 2 if seed % 3 else None
    table = c45.make_by_row(np.zeros((5, 300), dtype=np.int32), n_bins.astype(np.int64), 3)[0]
    assert table.shape == (300, 5)
    by_row = C45Classifier(nominal="all").fit(X, y, weights)
    monkeypatch.setattr(c45, "MAX_COUNTS", 0)
    assert c45.make_by_row(np.zeros((5, 300), dtype=np.int32), n_bins.astype(np.int64), 3)[0].size == 0
    by_column = C45Classifier(nominal="all").fit(X, y, weights)
    assert by_row.to_json() == by_column.to_json()
