"""Chi-square, how far the classes of the bins are from what chance would give; and consistency, which Chi2 keeps.

Rows with the same bin or category in every column make a group. Consistency is how well the bins of all columns jointly
separate the classes: how pure the groups are. A missing value is a symbol like any other.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol

import numpy as np
from scipy.special import chdtrc, chdtri

from cutwise import kernels
from cutwise.criteria.score import Score, mutual_information

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from cutwise.counts import ColumnCounts, JointTable


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
    >>> from cutwise.counts import ColumnCounts
    >>> from cutwise.criteria import ChiSquare
    >>> table = ColumnCounts.from_dense([1, 2, 3, 4], [[2, 0], [2, 0], [0, 2], [0, 2]])
    >>> ChiSquare().score(table, [1])
    Score(value=8.0, relevance=1.0, divergence=0.0)
    """

    name: ClassVar[str] = "chi-square"

    def score(self, table: ColumnCounts, gaps: NDArray[np.int64] | list[int]) -> Score:
        """Return the chi-square of the bins with a cut in each of these gaps."""
        counts = table.by_class.by_bin(table.bin_ends(np.asarray(gaps, dtype=np.int64)))
        value = chi_square(counts) * table.unit if len(gaps) else 0.0
        return Score(value, mutual_information(counts), 0.0)


class AlikenessTables(NamedTuple):
    """What chi-square is compared with, for each number of classes in the pair less one.

    A pair is merged if chi-square is below its threshold; the pair with the smallest
    ``(chi-square - threshold) * factor`` goes first.
    """

    thresholds: NDArray[np.float64]
    factors: NDArray[np.float64]


class Alikeness(Protocol):
    """A way to judge how alike two neighbouring bins are."""

    @property
    def shares_decide(self) -> bool:
        """Whether neighbours with the same shares of the classes are the most alike."""

    def tables(self, level: float, n_classes: int) -> AlikenessTables:
        """Return the tables for one level of significance.

        Parameters
        ----------
        level : float
            Above 0 and below 1.
        n_classes : int
            The number of classes in the column.
        """


@lru_cache(maxsize=512)
def critical_values(level: float, n_classes: int) -> NDArray[np.float64]:
    """Return the critical values of chi-square with 0 to n_classes - 1 degrees of freedom.

    With no degree of freedom, bins of one and the same class, nothing is critical.

    Examples
    --------
    >>> from cutwise.criteria import critical_values
    >>> critical_values(0.1, 3).round(4)
    array([   inf, 2.7055, 4.6052])
    """
    values = np.full(n_classes, np.inf)
    values[1:] = [critical_value(freedom, level) for freedom in range(1, n_classes)]
    values.flags.writeable = False
    return values


@dataclass(frozen=True)
class ColumnFreedom:
    """Degrees of freedom from the classes of the column, the smallest chi-square first.

    ChiMerge and Chi2 judge so.
    """

    shares_decide = True

    def tables(self, level: float, n_classes: int) -> AlikenessTables:
        """Return the tables for one level of significance."""
        threshold = critical_value(n_classes - 1, level)
        return AlikenessTables(np.full(n_classes, threshold), np.ones(n_classes))


@dataclass(frozen=True)
class PairFreedom:
    """Degrees of freedom from the classes of the two bins, the largest margin first.

    The margin is the critical value less chi-square. Bins of one and the same class are
    always merged. Modified Chi2 judges so.
    """

    shares_decide = False

    def tables(self, level: float, n_classes: int) -> AlikenessTables:
        """Return the tables for one level of significance."""
        return AlikenessTables(critical_values(level, n_classes), np.ones(n_classes))


@dataclass(frozen=True)
class ScaledPairFreedom:
    """The margin of `PairFreedom` in standard deviations, sqrt(2 df), of chi-square.

    Extended Chi2 judges so.
    """

    shares_decide = False

    def tables(self, level: float, n_classes: int) -> AlikenessTables:
        """Return the tables for one level of significance."""
        factors = 1.0 / np.sqrt(2.0 * np.maximum(np.arange(n_classes), 0.5))
        return AlikenessTables(critical_values(level, n_classes), factors)


_NO_WEIGHTS = np.empty(0, dtype=np.int64)


class Consistency(NamedTuple):
    """What the groups of rows say; rows are counted by their weights.

    Parameters
    ----------
    n_rows : int
        All rows.
    n_beside : int
        The rows that are not of the largest class of their group.
    n_pure : int
        The rows whose group is of a single class.
    minority : float
        The largest minority: the share that a class has in its group, or that all others
        have, whichever is less, unless both have half. It is xi of variable precision
        rough sets.
    """

    n_rows: int
    n_beside: int
    n_pure: int
    minority: float

    @property
    def inconsistency(self) -> float:
        """The share of rows that are not of the largest class of their group."""
        return self.n_beside / self.n_rows if self.n_rows else 0.0

    @property
    def purity(self) -> float:
        """The share of rows whose group is of a single class: gamma of rough sets."""
        return self.n_pure / self.n_rows if self.n_rows else 1.0


class RowGrouping:
    """The rows of a table, grouped by the bins of all columns.

    Parameters
    ----------
    joint : JointTable
    lasts : list of ndarray, optional
        For each numeric column the last value of each bin; by default every value is a
        bin.
    keys : ndarray, optional
        The keys of the rows for these bins.

    Examples
    --------
    >>> import numpy as np
    >>> from cutwise.counts import ColumnCounts, JointTable
    >>> from cutwise.criteria import RowGrouping
    >>> table = ColumnCounts.from_dense([1, 2, 3], [[1, 0], [1, 0], [0, 1]])
    >>> ranks = np.array([[0, 1, 2]], dtype=np.int32)
    >>> joint = JointTable((table,), ranks, np.empty((0, 3), dtype=np.int32), np.array([0, 0, 1]), 2)
    >>> rows = RowGrouping(joint)
    >>> rows.consistency().purity
    1.0
    >>> rows.with_bins(0, np.array([0, 2])).consistency().purity
    0.3333333333333333
    """

    def __init__(
        self,
        joint: JointTable,
        lasts: list[NDArray[np.int64]] | None = None,
        keys: NDArray[np.uint64] | None = None,
    ) -> None:
        self.joint = joint
        self._lasts = [np.arange(table.n_values) for table in joint.tables] if lasts is None else lasts
        self._keys = _first_keys(joint) if keys is None else keys

    def with_bins(self, column: int, lasts: NDArray[np.int64]) -> RowGrouping:
        """Return the grouping after bins of one numeric column were merged.

        Parameters
        ----------
        column : int
            The place among the numeric columns.
        lasts : ndarray
            The last value of each bin.
        """
        changed = list(self._lasts)
        changed[column] = lasts
        keys = kernels.joint.grouping.change_bins(
            self._keys, column, self.joint.ranks[column], self._lasts[column], lasts
        )
        return RowGrouping(self.joint, changed, keys)

    def consistency(self) -> Consistency:
        """Count the groups."""
        weights = _NO_WEIGHTS if self.joint.weights is None else self.joint.weights
        return Consistency(*kernels.joint.grouping.count_groups(self._keys, self.joint.classes, weights))


def _first_keys(joint: JointTable) -> NDArray[np.uint64]:
    """Return the keys of rows whose values all are bins of their own."""
    keys = np.zeros(joint.n_rows, dtype=np.uint64)
    for column, symbols in enumerate([*joint.ranks, *joint.nominal]):
        kernels.joint.grouping.add_symbols(keys, column, symbols)
    return keys


class ConsistencyTest(Protocol):
    """What merging must not do to the consistency."""

    def holds(self, now: Consistency, at_first: Consistency) -> bool:
        """Return whether the bins are still good enough, given how the table was at first."""


@dataclass(frozen=True)
class BoundedInconsistency:
    """The inconsistency stays within a bound, or within what the table had at first.

    Parameters
    ----------
    bound : float
        The largest share of rows that are not of the largest class of their group.
    """

    bound: float = 0.0

    def holds(self, now: Consistency, at_first: Consistency) -> bool:
        """Return whether the inconsistency is within the bound."""
        return now.inconsistency <= max(self.bound, at_first.inconsistency)


@dataclass(frozen=True)
class KeptPurity:
    """No row loses a group of a single class, on balance."""

    def holds(self, now: Consistency, at_first: Consistency) -> bool:
        """Return whether as many rows as at first are in groups of a single class."""
        return now.n_pure >= at_first.n_pure


@dataclass(frozen=True)
class KeptMajorities:
    """No minority of a group becomes larger than the largest at first."""

    def holds(self, now: Consistency, at_first: Consistency) -> bool:
        """Return whether the largest minority is no larger than at first."""
        return now.minority <= at_first.minority
