"""Dealing rows into parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def deal_rows(classes: NDArray[np.int64], n_parts: int, random: np.random.RandomState) -> NDArray[np.int64]:
    """Return a part for each row, so that every part gets its share of each class.

    Rows are shuffled within their class, laid out class by class and dealt like cards:
    parts differ by at most one row in all, and by at most one in each class.
    """
    order = np.lexsort((random.random_sample(classes.size), classes))
    parts = np.empty(classes.size, dtype=np.int64)
    parts[order] = np.arange(classes.size) % n_parts
    return parts
