"""Psi: relevance, discounted by the number of cuts, less divergence.

A divergence says how far the bins of training and validation rows drift apart. It says what it needs of the counts and
gives the search its tables. It is a sum over bins, whatever the way in which the validation part is chosen:

* `SplitDivergence`: the parts are given. One of them is held out, or each in turn;
* `ExpectedDivergence`: the mean over every way of drawing a validation part;
* `NoDivergence`: nothing, for criteria that look at relevance alone.
"""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Protocol

import numpy as np

from cutwise import kernels
from cutwise.criteria.score import Score, mutual_information
from cutwise.kernels.inputs import RowsByPart, TermLookup

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from cutwise.counts import ColumnCounts
    from cutwise.kernels.inputs import LabelledRows


def jensen_shannon(left: ArrayLike, right: ArrayLike) -> float:
    """Return the Jensen-Shannon divergence of two count vectors in bits, 0 to 1.

    Where one of the vectors has no rows there is nothing to compare: 0.

    Examples
    --------
    >>> from cutwise.criteria import jensen_shannon
    >>> jensen_shannon([4, 0], [0, 4])
    1.0
    """
    first, second = np.asarray(left, dtype=np.float64), np.asarray(right, dtype=np.float64)
    if first.sum() == 0 or second.sum() == 0:
        return 0.0
    first, second = first / first.sum(), second / second.sum()

    def plog2p(shares: NDArray[np.float64]) -> float:
        seen = shares[shares > 0]
        return float((seen * kernels.elementary.log2_of(seen)).sum())

    return (plog2p(first) + plog2p(second)) / 2 - plog2p((first + second) / 2)


def expected_share(rows: int, n_rows: int, n_valid: int) -> float:
    """Return h(rows), a bin's share of the divergence averaged over every split.

    The validation part is any n_valid of the n_rows rows, each choice as likely as the
    next; the bin holds `rows` of them.

    Examples
    --------
    >>> from cutwise.criteria import expected_share
    >>> round(expected_share(5, 12, 4), 8)
    0.05183607
    """
    return float(kernels.bins.terms.expected_share(rows, n_rows, n_valid))


class Divergence(Protocol):
    """What a search needs to know of a divergence."""

    def n_valid(self, n_rows: int) -> int:
        """Return the size of the validation part that is averaged over; 0 for none."""

    def parts(self, table: ColumnCounts) -> RowsByPart | None:
        """Return the rows by value and judged part, if parts are given."""

    def of_bins(self, table: ColumnCounts, ends: NDArray[np.int64]) -> float:
        """Return the divergence in bits of a partition of the table's values."""


@dataclass(frozen=True)
class NoDivergence:
    """A divergence of zero."""

    def n_valid(self, n_rows: int) -> int:  # noqa: ARG002
        """Return 0: no validation part."""
        return 0

    def parts(self, table: ColumnCounts) -> None:
        """Return None: there are no parts."""

    def of_bins(self, table: ColumnCounts, ends: NDArray[np.int64]) -> float:  # noqa: ARG002
        """Return 0."""
        return 0.0


@dataclass(frozen=True)
class ExpectedDivergence:
    """The mean divergence over every validation part of one n_splits-th of the rows."""

    n_splits: int = 9

    def n_valid(self, n_rows: int) -> int:
        """Return the size of the validation part."""
        return max(1, round(n_rows / self.n_splits))

    def parts(self, table: ColumnCounts) -> None:
        """Return None: no part is drawn."""

    def of_bins(self, table: ColumnCounts, ends: NDArray[np.int64]) -> float:
        """Return the sum of h over the bins."""
        counts = table.by_class.by_bin(ends).sum(axis=1)
        n_whole = table.n_whole
        n_valid = self.n_valid(n_whole)
        total = 0.0
        for rows in (counts * (n_whole / max(table.n_rows, 1))).tolist():
            # Fractional weights: on the line between two whole numbers of rows.
            below = min(int(rows), n_whole - 1)
            shares = [expected_share(count, n_whole, n_valid) for count in (below, below + 1)]
            total += shares[0] + (rows - below) * (shares[1] - shares[0])
        return total


@dataclass(frozen=True)
class SplitDivergence:
    """The mean, over the judged parts, of the divergence between a part and the rest."""

    judged: Sequence[int]

    def n_valid(self, n_rows: int) -> int:  # noqa: ARG002
        """Return 0: the validation parts are given, not averaged over."""
        return 0

    def parts(self, table: ColumnCounts) -> RowsByPart:
        """Return the rows by value and judged part."""
        if table.by_part is None:
            message = "The divergence between given parts needs a table that counts by part."
            raise ValueError(message)
        by_part = table.by_part
        slots = np.full(by_part.n_labels, -1, dtype=np.int64)
        slots[list(self.judged)] = np.arange(len(self.judged))
        rows_by_part = by_part.totals()[list(self.judged)]
        return RowsByPart(by_part.starts, by_part.labels, by_part.counts, slots, rows_by_part)

    def of_bins(self, table: ColumnCounts, ends: NDArray[np.int64]) -> float:
        """Return the mean over the judged parts."""
        if table.by_part is None:
            return 0.0
        rows = table.by_part.by_bin(ends)
        every = rows.sum(axis=1)
        apart = [jensen_shannon(every - rows[:, part], rows[:, part]) for part in self.judged]
        return float(np.mean(apart))


class TermTables:
    """The last tables of terms: columns without missing values share them, and others those of counts at one scale."""

    def __init__(self) -> None:
        self._last: dict[tuple[int, int, int], TermLookup] = {}
        self._counts: dict[float, NDArray[np.int64]] = {}
        self._lock = threading.Lock()

    def get(self, n_rows: int, n_whole: int, n_valid: int) -> TermLookup:
        """Return the tables for a column of counts that sum to n_rows and stand for n_whole rows."""
        with self._lock:
            terms = self._last.get((n_rows, n_whole, n_valid))
            if terms is None:
                terms = self._fill(n_rows, n_whole, n_valid)
                self._last = {(n_rows, n_whole, n_valid): terms}
            return terms

    def _fill(self, n_rows: int, n_whole: int, n_valid: int) -> TermLookup:
        make = kernels.bins.terms
        scale = make.choose_scale(n_rows)
        expected_scale = scale * (n_rows / n_whole)
        if scale not in self._counts or self._counts[scale].size <= n_whole:
            self._counts = {scale: make.fill_count_terms(n_whole, scale)}
        counts = self._counts[scale][: n_whole + 1]
        # Without a validation part every expected term is zero.
        expected = make.fill_expected_terms(n_whole, n_valid, expected_scale) if n_valid else np.zeros_like(counts)
        fraction = None if n_whole == n_rows else (n_whole, expected_scale, n_whole / n_rows)
        beyond = None if counts.size > n_rows else scale
        return TermLookup(counts, expected, scale, n_rows, n_valid, fraction, beyond)


@dataclass(frozen=True)
class Psi:
    """``Psi(D) = exp(-|D| / n_d) * I(A; C) - J(A)`` of a partition by the cuts D.

    Parameters
    ----------
    n_d : float
        N_D of the paper: the number of cuts at which the relevance counts only 1/e of
        itself. Infinity takes the discount away.
    divergence : Divergence
        J, and the way in which its validation part is chosen.

    Examples
    --------
    >>> from cutwise.counts import ColumnCounts
    >>> from cutwise.criteria import Psi
    >>> table = ColumnCounts.from_dense([1, 2, 3, 4], [[2, 0], [2, 0], [0, 2], [0, 2]])
    >>> Psi(n_d=50.0).score(table, [1])
    Score(value=0.9801986733067553, relevance=1.0, divergence=0.0)
    """

    name: ClassVar[str] = "Psi"

    n_d: float = math.inf
    divergence: Divergence = field(default_factory=NoDivergence)
    _tables: TermTables = field(default_factory=TermTables, init=False, repr=False, compare=False)

    @property
    def is_relevance(self) -> bool:
        """Whether it is the relevance alone, without divergence and discount."""
        return math.isinf(self.n_d) and isinstance(self.divergence, NoDivergence)

    def score(self, table: ColumnCounts, gaps: NDArray[np.int64] | list[int]) -> Score:
        """Return the value of the partition with a cut in each of these gaps."""
        ends = table.bin_ends(np.asarray(gaps, dtype=np.int64))
        relevance = mutual_information(table.by_class.by_bin(ends))
        divergence = self.divergence.of_bins(table, ends)
        weight = kernels.bins.splitting.kept_weight(len(gaps), self.n_d)
        return Score(weight * relevance - divergence, relevance, divergence)

    def score_of_units(self, n_cuts: int, gain: int, loss: int, terms: TermLookup) -> Score:
        """Return the score of a scheme from the whole-numbered sums of a search."""
        weight = kernels.bins.splitting.kept_weight(n_cuts, self.n_d)
        return _in_bits(weight, gain, loss, terms.n_rows * terms.scale)

    def scores_of_steps(
        self, n_cuts: NDArray[np.int64], gains: NDArray[np.int64], losses: NDArray[np.int64], terms: TermLookup
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return values, relevances and divergences of schemes from the whole-numbered sums of a search."""
        unit = terms.n_rows * terms.scale
        most = int(n_cuts.max()) if n_cuts.size else 0
        weights = kernels.bins.splitting.weights_of(most + 1, self.n_d)[n_cuts]
        return (weights * gains - losses) / unit, gains / unit, losses / unit

    def terms(self, n_rows: int, n_whole: int | None = None) -> TermLookup:
        """Return the terms of columns whose counts sum to n_rows and, with weights, stand for n_whole rows."""
        n_whole = max(1, n_rows) if n_whole is None else n_whole
        return self._tables.get(n_rows, n_whole, self.divergence.n_valid(n_whole))

    def inputs(self, table: ColumnCounts) -> tuple[LabelledRows, RowsByPart | None, TermLookup]:
        """Return what the compiled searches take."""
        return table.by_class.labelled, self.divergence.parts(table), self.terms(table.n_rows, table.n_whole)


def _in_bits(weight: float, gain: int, loss: int, unit: float) -> Score:
    """Return the score of a scheme whose sums are whole numbers of units."""
    return Score((weight * gain - loss) / unit, gain / unit, loss / unit)
