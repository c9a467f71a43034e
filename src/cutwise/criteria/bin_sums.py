"""Criteria that are made of what each bin adds: CAIM, CACC, Ameva and information.

Every one of them is a function of the sum of a term over the bins and of the number of
bins, and rises with the sum. So the best cut of a bin does not depend on the other bins.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from cutwise import kernels
from cutwise.criteria.score import Score, mutual_information
from cutwise.kernels.inputs import ENTROPY, PEAK, SQUARES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.counts import ColumnCounts


# Terms are made of about so many counts at a time.
PART = 1 << 20


class ColumnFacts(NamedTuple):
    """What a criterion knows of a column.

    Its rows (with weights, their weight), the classes seen in it, and the term of the
    column as one bin.
    """

    n_rows: float
    n_classes: int
    whole: float


class BinSumCriterion:
    """The base of criteria that are made of what each bin adds.

    A subclass has a ``name`` and says what a bin adds (``terms``) and what the sum is worth
    (``value``). ``kernel`` names compiled code for the same term; without one the search
    works with ``terms``.
    """

    name: ClassVar[str]
    kernel: ClassVar[int | None] = None
    stop: ClassVar[str] = "no_gain"

    def terms(self, counts: NDArray[np.float64], class_rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what bins add, from their rows by class [..., class] and those of the whole column."""
        raise NotImplementedError

    def value(self, total: float, n_bins: int, facts: ColumnFacts) -> float:
        """Return the criterion of a scheme of n_bins bins whose terms sum to total."""
        raise NotImplementedError

    def min_bins(self, facts: ColumnFacts) -> int:  # noqa: ARG002
        """Return up to how many bins a cut is accepted although the value falls."""
        return 0

    def is_worth(
        self,
        whole: NDArray[np.float64],  # noqa: ARG002
        left: NDArray[np.float64],  # noqa: ARG002
        right: NDArray[np.float64],  # noqa: ARG002
    ) -> bool:
        """Return whether a bin may be cut into these halves, all given as rows by class."""
        return True

    def facts(self, table: ColumnCounts) -> ColumnFacts:
        """Return the facts of a column."""
        rows = np.asarray(table.by_class.totals() * table.unit, dtype=np.float64)
        return ColumnFacts(float(rows.sum()), int(np.count_nonzero(rows)), float(self.terms(rows, rows)))

    def score(self, table: ColumnCounts, gaps: NDArray[np.int64]) -> Score:
        """Return the value of the partition with a cut in each of these gaps; 0 without a cut."""
        counts = table.by_class.by_bin(table.bin_ends(np.asarray(gaps, dtype=np.int64)))
        relevance = mutual_information(counts)
        if len(gaps) == 0:
            return Score(0.0, relevance, 0.0)
        class_rows = np.asarray(table.by_class.totals() * table.unit, dtype=np.float64)
        parts = np.array_split(counts, min(len(counts), counts.size // PART + 1))
        terms = [self.terms(np.asarray(part * table.unit, dtype=np.float64), class_rows) for part in parts]
        total = float(np.concatenate(terms).sum())
        return Score(self.value(total, len(counts), self.facts(table)), relevance, 0.0)


@dataclass(frozen=True)
class CAIM(BinSumCriterion):
    """Class-attribute interdependence maximization: the mean over bins of max q**2 / M.

    Examples
    --------
    >>> from cutwise.counts import ColumnCounts
    >>> from cutwise.criteria import CAIM
    >>> table = ColumnCounts.from_dense([1, 2, 3], [[4, 0, 0], [1, 3, 1], [0, 1, 2]])
    >>> round(CAIM().score(table, [0, 1]).value, 6)
    2.377778
    """

    name: ClassVar[str] = "CAIM"
    kernel: ClassVar[int | None] = PEAK

    def terms(self, counts: NDArray[np.float64], class_rows: NDArray[np.float64]) -> NDArray[np.float64]:  # noqa: ARG002
        """Return max q**2 / M."""
        return np.asarray(counts.max(axis=-1) ** 2 / np.maximum(counts.sum(axis=-1), 1e-300))

    def value(self, total: float, n_bins: int, facts: ColumnFacts) -> float:  # noqa: ARG002
        """Return the mean over the bins."""
        return total / n_bins

    def min_bins(self, facts: ColumnFacts) -> int:
        """Return the number of classes: so many bins are made in any case."""
        return facts.n_classes


@dataclass(frozen=True)
class _ChiSquareSum(BinSumCriterion):
    """The base of criteria made of the chi-square statistic of the table [bin, class]."""

    kernel: ClassVar[int | None] = SQUARES

    def terms(self, counts: NDArray[np.float64], class_rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sum of q**2 / T over the classes, over M."""
        seen = class_rows > 0
        squares = (counts[..., seen] ** 2 / class_rows[seen]).sum(axis=-1)
        return np.asarray(squares / np.maximum(counts.sum(axis=-1), 1e-300))

    @staticmethod
    def chi_square(total: float, facts: ColumnFacts) -> float:
        """Return the statistic from the sum of the terms; what is only rounding is nothing."""
        excess = total - facts.whole
        return facts.n_rows * excess if excess > 1e-12 else 0.0


@dataclass(frozen=True)
class Ameva(_ChiSquareSum):
    """Chi-square over bins times (classes - 1).

    Parameters
    ----------
    all_classes : bool
        Accept cuts until there are as many bins as classes (Ameva-R).

    Examples
    --------
    >>> from cutwise.counts import ColumnCounts
    >>> from cutwise.criteria import Ameva
    >>> table = ColumnCounts.from_dense([1, 2, 3], [[4, 0, 0], [1, 3, 1], [0, 1, 2]])
    >>> round(Ameva().score(table, [0, 1]).value, 6)
    1.768889
    """

    all_classes: bool = False

    name: ClassVar[str] = "Ameva"

    def value(self, total: float, n_bins: int, facts: ColumnFacts) -> float:
        """Return chi-square over bins times (classes - 1); 0 if there is one class."""
        return self.chi_square(total, facts) / (n_bins * max(facts.n_classes - 1, 1))

    def min_bins(self, facts: ColumnFacts) -> int:
        """Return the number of classes for Ameva-R."""
        return facts.n_classes if self.all_classes else 0


@dataclass(frozen=True)
class CACC(_ChiSquareSum):
    """The contingency coefficient sqrt(y / (y + N)) with y = chi-square / log(bins).

    Parameters
    ----------
    log_offset : {0, 1}
        0 is the article; with 1 the logarithm is that of bins + 1, as other programs have it.

    Examples
    --------
    >>> from cutwise.counts import ColumnCounts
    >>> from cutwise.criteria import CACC
    >>> table = ColumnCounts.from_dense([1, 2, 3], [[4, 0, 0], [1, 3, 1], [0, 1, 2]])
    >>> round(CACC().score(table, [0, 1]).value, 6)
    0.667833
    """

    log_offset: int = 0

    name: ClassVar[str] = "CACC"

    def value(self, total: float, n_bins: int, facts: ColumnFacts) -> float:
        """Return the contingency coefficient."""
        y = self.chi_square(total, facts) / kernels.elementary.log(float(n_bins + self.log_offset))
        return math.sqrt(y / (y + facts.n_rows))

    def min_bins(self, facts: ColumnFacts) -> int:
        """Return the number of classes: so many bins are made in any case."""
        return facts.n_classes


@dataclass(frozen=True)
class MDL(BinSumCriterion):
    """The information gain in bits; a cut must shorten the description of its bin.

    Fayyad and Irani accept a cut of a bin of N rows if its gain is more than
    (log2(N - 1) + log2(3**j - 2) - (j E - j1 E1 - j2 E2)) / N, where E, E1, E2 are the
    entropies of the bin and its halves and j, j1, j2 the classes seen in them.

    Examples
    --------
    >>> from cutwise.counts import ColumnCounts
    >>> from cutwise.criteria import MDL
    >>> table = ColumnCounts.from_dense([1, 2, 3], [[4, 0, 0], [1, 3, 1], [0, 1, 2]])
    >>> round(MDL().score(table, [0, 1]).value, 6)
    0.753782
    """

    name: ClassVar[str] = "relevance"
    kernel: ClassVar[int | None] = ENTROPY
    stop: ClassVar[str] = "not_shorter"

    def terms(self, counts: NDArray[np.float64], class_rows: NDArray[np.float64]) -> NDArray[np.float64]:  # noqa: ARG002
        """Return the sum of q log2 q over the classes, less M log2 M."""
        return np.asarray(_plog2p(counts).sum(axis=-1) - _plog2p(counts.sum(axis=-1)))

    def value(self, total: float, n_bins: int, facts: ColumnFacts) -> float:  # noqa: ARG002
        """Return the information gain over the column as one bin, for each row."""
        return (total - facts.whole) / facts.n_rows

    def is_worth(self, whole: NDArray[np.float64], left: NDArray[np.float64], right: NDArray[np.float64]) -> bool:
        """Return whether the cut shortens the description."""
        gain, price = mdl_test(whole, left, right)
        return gain > price * (1.0 + 1e-12)


def mdl_test(whole: NDArray[np.float64], left: NDArray[np.float64], right: NDArray[np.float64]) -> tuple[float, float]:
    """Return the information gain of a cut in bits, and what it must exceed."""
    rows = [float(counts.sum()) for counts in (whole, left, right)]
    classes = [int(np.count_nonzero(counts)) for counts in (whole, left, right)]
    entropies = [_entropy(counts) for counts in (whole, left, right)]
    gain = entropies[0] - (rows[1] * entropies[1] + rows[2] * entropies[2]) / rows[0]
    j = classes[0]
    halves = j * entropies[0] - classes[1] * entropies[1] - classes[2] * entropies[2]
    log2 = kernels.elementary.log2
    # From 3**33 on, 2 is less than the last digit.
    delta = log2(float(3 ** min(j, 33) - 2)) + max(j - 33, 0) * log2(3.0) - halves
    return gain, (log2(max(rows[0] - 1.0, 1.0)) + delta) / rows[0]


def _entropy(counts: NDArray[np.float64]) -> float:
    """Return the entropy of the classes in bits, summed from the smallest count on."""
    shares = np.sort(counts[counts > 0]) / counts.sum()
    return float(-(shares * kernels.elementary.log2_of(shares)).sum())


def _plog2p(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    seen = np.where(counts > 0, counts, 1.0)
    return np.asarray(counts * kernels.elementary.log2_of(seen.ravel()).reshape(seen.shape))
