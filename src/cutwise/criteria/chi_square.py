"""Chi-square: how far the classes of the bins are from what chance would give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from scipy.special import chdtrc, chdtri

from cutwise.criteria.relevance import mutual_information
from cutwise.criteria.score import Score

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from cutwise.counts import CountTable


def chi_square(counts: ArrayLike) -> float:
    """Return the chi-square of a table [bin, class]; empty bins and classes do not matter.

    It is the sum of ``(count - expected)**2 / expected``, where the expected count of a
    cell is what it would have if bins and classes were independent. Two neighbouring bins
    are a table of two rows.

    Examples
    --------
    >>> from cutwise.criteria import chi_square
    >>> chi_square([[5, 0], [0, 5]])
    10.0
    >>> chi_square([[2, 4], [1, 2]])
    0.0
    """
    table = np.asarray(counts, dtype=np.float64)
    total = table.sum()
    if total == 0:
        return 0.0
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0, keepdims=True) / total
    seen = expected > 0
    return float(((table[seen] - expected[seen]) ** 2 / expected[seen]).sum())


def critical_value(freedom: int, level: float) -> float:
    """Return what chi-square exceeds by chance with a probability of `level`.

    It has twelve digits, so that it does not depend on the processor.

    Examples
    --------
    >>> from cutwise.criteria import critical_value
    >>> critical_value(1, 0.05)
    3.84145882069
    """
    return _in_twelve_digits(chdtri(freedom, level))


def p_value(freedom: int, statistic: float) -> float:
    """Return the probability that chi-square exceeds the statistic by chance, in twelve digits.

    Examples
    --------
    >>> from cutwise.criteria import p_value
    >>> round(p_value(1, 3.84145882069), 6)
    0.05
    """
    return _in_twelve_digits(chdtrc(freedom, statistic))


def _in_twelve_digits(number: float) -> float:
    return float(f"{number:.12g}")


@dataclass(frozen=True)
class ChiSquare:
    """The chi-square of the whole table of bins and classes.

    It is 0 without cuts and at most rows * (min(bins, classes) - 1). Merging neighbours
    never raises it: what the merging methods keep is read off against what a column had
    to give.

    Examples
    --------
    >>> from cutwise.counts import CountTable
    >>> from cutwise.criteria import ChiSquare
    >>> table = CountTable.from_dense([1, 2, 3, 4], [[2, 0], [2, 0], [0, 2], [0, 2]])
    >>> ChiSquare().score(table, [1])
    Score(value=8.0, relevance=1.0, divergence=0.0)
    """

    name: ClassVar[str] = "chi-square"

    def score(self, table: CountTable, gaps: NDArray[np.int64] | list[int]) -> Score:
        """Return the chi-square of the bins with a cut in each of these gaps."""
        counts = table.by_class.by_bin(table.bin_ends(np.asarray(gaps, dtype=np.int64)))
        value = chi_square(counts) * table.unit if len(gaps) else 0.0
        return Score(value, mutual_information(counts), 0.0)
