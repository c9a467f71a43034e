"""Finding the best cut of one bin, for criteria that are sums over bins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from cutwise import kernels
from cutwise.criteria.term_tables import TermTables
from cutwise.kernels.inputs import ENTROPY, SQUARES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.counts import CountTable
    from cutwise.criteria import BinSumCriterion, Facts
    from cutwise.kernels.inputs import Bounds

# Gains within this share of the column's whole term are equal, and the leftmost gap wins.
TIE = 1e-9
TABLES = TermTables()
# The rows, and those of the rising class, of the bin to the left and of the one to the right.
Beside = tuple[int, int, int, int]


@dataclass(frozen=True, eq=False)
class Offer:
    """The best cut of a bin; all counts are by class."""

    gap: int
    gain: float
    left: NDArray[np.int64]
    whole: NDArray[np.int64]


class Scanner(Protocol):
    """What finds the best cut of a bin."""

    tie: float

    def best(self, start: int, stop: int, beside: Beside) -> Offer | None:
        """Return the best cut of the bin that holds the values start to stop - 1, if any is allowed."""


def tie_of(facts: Facts) -> float:
    """Return how far apart gains must be to differ."""
    return TIE * max(abs(facts.whole), 1e-300)


def scanner_of(criterion: BinSumCriterion, table: CountTable, bounds: Bounds) -> Scanner:
    """Return the compiled scanner of a criterion, or the one that works with its terms."""
    if criterion.kernel is None:
        return TermScanner(criterion, table, bounds)
    return KernelScanner(criterion.kernel, criterion, table, bounds)


class KernelScanner:
    """Scan a bin with compiled code."""

    def __init__(self, kind: int, criterion: BinSumCriterion, table: CountTable, bounds: Bounds) -> None:
        entries = table.by_class
        self._kind = kind
        self._table = entries.labelled
        self._class_rows = entries.totals()
        self._terms = (np.empty(0, dtype=np.int64), 1.0)
        # The compiled code works with counts; what a bin adds is measured in rows.
        self._per_gain = 1.0 if kind == SQUARES else table.unit
        if kind == ENTROPY:
            terms = TABLES.get(table.n_rows, table.n_whole, 0)
            self._terms = (terms.counts, terms.scale)
            self._per_gain /= terms.scale
        self.tie = tie_of(criterion.facts(table))
        self._bounds = bounds
        self._gains = np.empty(table.n_values)

    def best(self, start: int, stop: int, beside: Beside) -> Offer | None:
        """Return the best cut of a bin, if any is allowed."""
        left = np.empty(self._class_rows.size, dtype=np.int64)
        whole = np.empty_like(left)
        gap, gain = kernels.quanta.best_gap(
            self._kind,
            start,
            stop,
            self._table,
            self._class_rows,
            self._terms,
            self._bounds,
            beside,
            self.tie / self._per_gain,
            left,
            whole,
            self._gains,
        )
        return None if gap < 0 else Offer(gap, gain * self._per_gain, left, whole)


class TermScanner:
    """Scan a bin with the terms of a criterion, all gaps at once."""

    def __init__(self, criterion: BinSumCriterion, table: CountTable, bounds: Bounds) -> None:
        counts = table.class_counts
        self._criterion = criterion
        self._unit = table.unit
        self._sums = np.vstack([np.zeros((1, counts.shape[1]), dtype=np.int64), np.cumsum(counts, axis=0)])
        self._class_rows = self._sums[-1] * table.unit
        self._bounds = bounds
        self.tie = tie_of(criterion.facts(table))

    def best(self, start: int, stop: int, beside: Beside) -> Offer | None:
        """Return the best cut of a bin, if any is allowed."""
        left = self._sums[start + 1 : stop] - self._sums[start]
        whole = self._sums[stop] - self._sums[start]
        allowed = self._allowed(left, whole - left, beside)
        if not allowed.any():
            return None
        terms = [self._criterion.terms(counts * self._unit, self._class_rows) for counts in (left, whole - left, whole)]
        gains = np.where(allowed, terms[0] + terms[1] - terms[2], -np.inf)
        gap = int(np.argmax(gains >= gains.max() - self.tie))
        return Offer(start + gap, float(gains[gap]), left[gap], whole)

    def _allowed(self, left: NDArray[np.int64], right: NDArray[np.int64], beside: Beside) -> NDArray[np.bool_]:
        """Return which cuts the bounds allow."""
        left_rows, right_rows = left.sum(axis=1) * 1.0, right.sum(axis=1) * 1.0
        allowed = (left_rows >= self._bounds.min_count) & (right_rows >= self._bounds.min_count)
        riser = self._bounds.riser
        if riser >= 0:
            left_risers, right_risers = left[:, riser] * 1.0, right[:, riser] * 1.0
            low_risers, low_rows, high_risers, high_rows = map(float, beside)
            allowed &= low_risers * left_rows <= left_risers * low_rows
            allowed &= left_risers * right_rows <= right_risers * left_rows
            allowed &= right_risers * high_rows <= high_risers * right_rows
        return np.asarray(allowed, dtype=np.bool_)
