"""Relevance: what the bins tell of the class."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def mutual_information(counts: ArrayLike) -> float:
    """Return the plug-in mutual information of a table [bin, class] in bits.

    Examples
    --------
    >>> from cutwise.criteria import mutual_information
    >>> mutual_information([[5, 0], [0, 5]])
    1.0
    """
    table = np.asarray(counts, dtype=np.float64)
    total = table.sum()
    if total == 0:
        return 0.0
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0, keepdims=True) / total
    seen = table > 0
    return float((table[seen] * np.log2(table[seen] / expected[seen])).sum() / total)
