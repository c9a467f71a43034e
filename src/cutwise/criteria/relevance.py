"""Relevance: what the bins tell of the class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from cutwise import kernels
from cutwise.criteria.score import Score

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from cutwise.counts import CountTable


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
    return float((table[seen] * kernels.elementary.log2_of(table[seen] / expected[seen])).sum() / total)


@dataclass(frozen=True)
class Relevance:
    """The mutual information between bins and class, in bits."""

    name: ClassVar[str] = "relevance"

    def score(self, table: CountTable, gaps: NDArray[np.int64]) -> Score:
        """Return the relevance of the partition with a cut in each of these gaps."""
        counts = table.by_class.by_bin(table.bin_ends(np.asarray(gaps, dtype=np.int64)))
        relevance = mutual_information(counts)
        return Score(relevance, relevance, 0.0)
