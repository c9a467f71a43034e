"""What a criterion says of a partition, and the criteria made of information."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol

import numpy as np

from cutwise import kernels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from cutwise.counts import ColumnCounts


class Score(NamedTuple):
    """The value of a partition; beside it the relevance and the divergence of its bins in bits.

    The value is the criterion's own, the higher the better. A criterion that does not look
    at the divergence leaves it at 0.
    """

    value: float
    relevance: float
    divergence: float


class Criterion(Protocol):
    """What a discretizer needs to know of the criterion that its search maximises."""

    @property
    def name(self) -> str:
        """What the value measures, for people."""

    def score(self, table: ColumnCounts, gaps: NDArray[np.int64]) -> Score:
        """Return the value of the partition with a cut in each of these gaps."""


def mutual_information(counts: ArrayLike) -> float:
    """Return the plug-in mutual information of a table [bin, class] in bits.

    Examples
    --------
    >>> from cutwise.criteria import mutual_information
    >>> mutual_information([[5, 0], [0, 5]])
    1.0
    """
    table = np.asarray(counts)
    total = float(table.sum())
    if total == 0.0:
        return 0.0
    by_bin, by_class = table.sum(axis=1).astype(np.float64), table.sum(axis=0).astype(np.float64)
    # Of many bins and classes most counts are zero.
    flat = table.ravel()
    cells = flat.nonzero()[0]
    rows, bins = flat[cells], cells // by_class.size
    expected = by_bin[bins] * by_class[cells - bins * by_class.size] / total
    return float((rows * kernels.elementary.log2_of(rows / expected)).sum() / total)


@dataclass(frozen=True)
class Relevance:
    """The mutual information between bins and class, in bits."""

    name: ClassVar[str] = "relevance"

    def score(self, table: ColumnCounts, gaps: NDArray[np.int64]) -> Score:
        """Return the relevance of the partition with a cut in each of these gaps."""
        counts = table.by_class.by_bin(table.bin_ends(np.asarray(gaps, dtype=np.int64)))
        relevance = mutual_information(counts)
        return Score(relevance, relevance, 0.0)


@dataclass(frozen=True)
class SharedValue:
    """The value of a partition of all columns together, beside the relevance of each.

    Parameters
    ----------
    name : str
        What the value measures.
    value : float
    """

    name: str
    value: float

    def score(self, table: ColumnCounts, gaps: NDArray[np.int64]) -> Score:
        """Return the shared value and the relevance of one column with a cut in each of these gaps."""
        ends = table.bin_ends(np.asarray(gaps, dtype=np.int64))
        return Score(self.value, mutual_information(table.by_class.by_bin(ends)), 0.0)


def cair(counts: ArrayLike) -> float:
    """Return I / H of a table [bin, class]: mutual information over joint entropy.

    It is 0 where bins and class are independent, and 1 where each determines the other. Splitting
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
    >>> from cutwise.counts import ColumnCounts
    >>> from cutwise.criteria import CairCriterion
    >>> table = ColumnCounts.from_dense([1, 2, 3, 4], [[6, 0], [6, 0], [0, 6], [0, 6]])
    >>> CairCriterion().score(table, [1])
    Score(value=1.0, relevance=1.0, divergence=0.0)
    """

    name: ClassVar[str] = "CAIR"

    def score(self, table: ColumnCounts, gaps: NDArray[np.int64] | list[int]) -> Score:
        """Return CAIR of the partition with a cut in each of these gaps."""
        counts = table.by_class.by_bin(table.bin_ends(np.asarray(gaps, dtype=np.int64)))
        return Score(cair(counts), mutual_information(counts), 0.0)


SMOOTHING = 0.5
# Two equal shares: of a bin without rows.
NEUTRAL = (1.0, 1.0)


class WeightOfEvidence(NamedTuple):
    """The weight of evidence of each bin, and the information value of all of them.

    Parameters
    ----------
    weights : tuple of float
    information_value : float
    values : tuple of float
        The part of each bin in the information value.
    """

    weights: tuple[float, ...]
    information_value: float
    values: tuple[float, ...]


def weight_of_evidence(counts: Sequence[Sequence[float]], smoothing: float = SMOOTHING) -> WeightOfEvidence:
    """Return weights of evidence and information value, with natural logarithms.

    With p and q the shares of a bin among all events and among all other rows, its weight is ln(q / p): a positive
    weight speaks against the event. The information value is the sum of (q - p) ln(q / p). A bin without rows says
    nothing: its weight is 0, and the others are as if it were not there.

    Parameters
    ----------
    counts : sequence of pairs of numbers
        The events and the other rows of each bin.
    smoothing : {0.5, 0}, default=0.5
        0.5 raises every count by one half: with e events in a bin, E in all and B bins with rows, the share is
        (e + 1/2) / (E + B/2). 0 takes counts as they are, but for those of a bin without events, or with nothing else,
        whose weight would be infinite: both of its counts are raised by one half.

    Examples
    --------
    >>> found = weight_of_evidence([(3, 1), (1, 3)])
    >>> [round(weight, 3) for weight in found.weights], round(found.information_value, 3)
    ([-0.847, 0.847], 0.678)
    >>> weight_of_evidence([(9, 1), (0, 0), (0, 0)])
    WeightOfEvidence(weights=(0.0, 0.0, 0.0), information_value=0.0, values=(0.0, 0.0, 0.0))
    """
    raised = [_raised(pair, smoothing) for pair in counts]
    totals = raised if smoothing else counts
    first, second = (sum(pair[k] for pair in totals) for k in (0, 1))
    if not any(pair[0] for pair in counts) or not any(pair[1] for pair in counts):
        nothing = (0.0,) * len(counts)
        return WeightOfEvidence(nothing, 0.0, nothing)
    shares = [(q / second, p / first) if p or q else NEUTRAL for p, q in raised]
    weights = tuple(kernels.elementary.log(q / p) for q, p in shares)
    values = tuple((q - p) * weight for (q, p), weight in zip(shares, weights, strict=True))
    return WeightOfEvidence(weights, math.fsum(values), values)


def _raised(pair: Sequence[float], smoothing: float) -> tuple[float, float]:
    """Return the counts of a bin that its weight is made of; a bin without rows keeps none."""
    first, second = pair
    if not first and not second:
        return 0.0, 0.0
    added = smoothing or (0.0 if first and second else SMOOTHING)
    return first + added, second + added
