"""CAIR: how much of what bins and classes hold together do they share."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from cutwise import kernels
from cutwise.criteria.relevance import mutual_information
from cutwise.criteria.score import Score

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from cutwise.counts import CountTable


def cair(counts: ArrayLike) -> float:
    """Return I / H of a table [bin, class]: mutual information over joint entropy.

    It is 0 where bins tell nothing of the class, and 1 where each tells the other. Splitting
    a bin raises H along with I, so more bins are not always better.

    Examples
    --------
    >>> from cutwise.criteria import cair
    >>> round(cair([[4, 0, 0], [1, 3, 1], [0, 1, 2]]), 6)
    0.320024
    """
    table = np.asarray(counts, dtype=np.float64)
    total = table.sum()
    shares = table[table > 0] / total if total else np.empty(0)
    entropy = -math.fsum((shares * kernels.elementary.log2_of(shares)).tolist())
    # Rounding may put the quotient a little above 1.
    return min(mutual_information(table) / entropy, 1.0) if entropy > 0.0 else 0.0


def pair_statistic(counts: ArrayLike, unit: float = 1.0) -> float:
    """Return 2 N I in nats of two bins [bin, class], large where their classes differ.

    Examples
    --------
    >>> from cutwise.criteria import pair_statistic
    >>> round(pair_statistic([[4, 0], [1, 3]]), 6)
    6.086331
    """
    table = np.asarray(counts, dtype=np.float64)
    return 2.0 * float(table.sum()) * unit * mutual_information(table) / float(kernels.elementary.PER_LN_2)


@dataclass(frozen=True)
class CairCriterion:
    """CAIR, the mutual information between bins and class over their joint entropy.

    Examples
    --------
    >>> from cutwise.counts import CountTable
    >>> from cutwise.criteria import CairCriterion
    >>> table = CountTable.from_dense([1, 2, 3, 4], [[6, 0], [6, 0], [0, 6], [0, 6]])
    >>> CairCriterion().score(table, [1])
    Score(value=1.0, relevance=1.0, divergence=0.0)
    """

    name: ClassVar[str] = "CAIR"

    def score(self, table: CountTable, gaps: NDArray[np.int64] | list[int]) -> Score:
        """Return CAIR of the partition with a cut in each of these gaps."""
        counts = table.by_class.by_bin(table.bin_ends(np.asarray(gaps, dtype=np.int64)))
        return Score(cair(counts), mutual_information(counts), 0.0)
