"""The first axis of a correspondence analysis, against the singular vectors that numpy finds."""

from __future__ import annotations

import numpy as np
import pytest

from cutwise import kernels
from cutwise.counts.column_counts import SparseCounts


def axis_of_numpy(counts):
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0) / counts.sum()
    left, _, _ = np.linalg.svd((counts - expected) / np.sqrt(expected), full_matrices=False)
    return left[:, 0] / np.sqrt(counts.sum(axis=1))


@pytest.mark.parametrize("seed", range(5))
def test_places_are_those_of_the_first_singular_vector(seed):
    rng = np.random.default_rng(seed)
    counts = (
        rng.integers(0, 9, (12, 4)) + rng.integers(0, 30, (12, 1)) * np.eye(4, dtype=np.int64)[rng.integers(0, 3, 12)]
    )
    counts[:, 0] += 1
    found = kernels.bins.direction.first_axis(*SparseCounts.from_dense(counts).labelled)
    expected = axis_of_numpy(counts)
    assert abs(np.corrcoef(found, expected)[0, 1]) == pytest.approx(1.0, abs=1e-6)


def test_names_of_classes_do_not_matter():
    counts = np.array([[9, 1, 3], [2, 8, 4], [5, 5, 9], [1, 2, 7]])
    axes = [
        kernels.bins.direction.first_axis(*SparseCounts.from_dense(counts[:, order]).labelled)
        for order in ([0, 1, 2], [2, 0, 1])
    ]
    assert axes[0] == pytest.approx(axes[1], abs=1e-9)
