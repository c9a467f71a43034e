"""What a criterion says of a partition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol

import numpy as np

from cutwise import kernels

if TYPE_CHECKING:
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
