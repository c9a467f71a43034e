"""The small table of the definitions, and tables with everything that can occur."""

from __future__ import annotations

import numpy as np

COLUMNS = (
    [0, 0, 1, 1, 2, 2, 0, 1, 2, 2, 0, 1],
    [0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 1, 1],
    [0, 0, 1, 1, 0, 1, 1, 0, 0, 1, 1, 0],
)
X = np.array(COLUMNS).T
Y = np.array([0, 0, 1, 1, 2, 2, 0, 1, 2, 1, 0, 2])
QUERIES = np.array([[2, 0, 1], [0, 1, 1], [1, 1, 0]])


def random_codes(seed, n_rows=80, n_bins=(3, 2, 4, 1), n_classes=3, missing=0.1):
    """Codes that tell something about the class, some of them missing."""
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.arange(n_rows) % n_classes)
    codes = np.stack([(labels * (j + 1) + rng.integers(0, 3, n_rows)) % size for j, size in enumerate(n_bins)], axis=1)
    codes[rng.random(codes.shape) < missing] = -1
    return codes, labels
