"""Top-down search for criteria that are sums over bins."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from cutwise import kernels
from cutwise.criteria import BinSumCriterion, Score
from cutwise.criteria.psi import TermTables
from cutwise.criteria.score import mutual_information
from cutwise.kernels.inputs import ENTROPY, PEAK, SQUARES, TIE_RELATIVE, ClassTerms, RowsBeside
from cutwise.search.confirming import CutTester, TestedBin
from cutwise.search.limited import Rules
from cutwise.search.result import NO_LIMITS, BinLimits, SearchResult, SearchStep, is_better, nothing_to_cut

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.counts import ColumnCounts
    from cutwise.criteria import ColumnFacts
    from cutwise.kernels.bins.peaks import Peaks
    from cutwise.kernels.inputs import SearchBounds


NOTHING = RowsBeside(0, 0, 0, 0)


@dataclass(eq=False)
class _Bin:
    """A bin of the scheme, its best cut, and the bins beside it."""

    start: int
    stop: int
    counts: NDArray[np.int64]
    left: _Bin | None = None
    right: _Bin | None = None
    offer: BestCut | None = None
    # Whether it stays whole because its best cut was not confirmed.
    is_closed: bool = False


@dataclass(frozen=True)
class TopDownSearch:
    """Add the cut that raises a sum over bins most, as long as the criterion accepts it.

    The best cut of a bin does not depend on the other bins, so it is sought once, when the
    bin appears, and kept in a heap. Of cuts that are equally good up to rounding, the
    leftmost is taken.

    Examples
    --------
    >>> from cutwise.counts import ColumnCounts
    >>> from cutwise.criteria import CAIM
    >>> from cutwise.search import TopDownSearch
    >>> table = ColumnCounts.from_dense([1, 2, 3], [[4, 0], [0, 4], [1, 3]])
    >>> TopDownSearch().run(CAIM(), table).gaps
    array([0])
    """

    knows_limits: ClassVar[bool] = True

    def run(self, criterion: BinSumCriterion, table: ColumnCounts, limits: BinLimits = NO_LIMITS) -> SearchResult:
        """Search the gaps of one column."""
        found = nothing_to_cut(table)
        return _Run(criterion, table, limits).run() if found is None else found


class _Run:
    """One search: the bins so far, and the cuts on offer."""

    def __init__(self, criterion: BinSumCriterion, table: ColumnCounts, limits: BinLimits) -> None:
        self.criterion = criterion
        self.table = table
        self.limits = limits
        self.rules = None if limits.are_plain else Rules(table, limits)
        bounds = limits.bounds(table)
        self.scanner: BinScanner = (
            scanner_of(criterion, table, bounds)
            if self.rules is None
            else TermScanner(criterion, table, bounds, self.rules)
        )
        self.facts = criterion.facts(table)
        self.always_worth = type(criterion).is_worth is BinSumCriterion.is_worth
        self.steps: list[SearchStep] = []
        self.heap: list[tuple[int, int, int, _Bin, BestCut]] = []
        self.n_offers = 0
        self.refused: tuple[float, BestCut] | None = None
        self.total = self.facts.whole
        self.relevance = 0.0
        self.n_counts = table.n_rows
        self.alpha = 1.0 if limits.confirm is None else limits.confirm
        self.tester = None if limits.confirm is None else CutTester(table, limits)

    def run(self) -> SearchResult:
        """Add cuts until none is accepted."""
        self._offer(_Bin(0, self.table.n_values, self.table.by_class.totals()))
        n_bins, value = 1, 0.0
        least = max(self.criterion.min_bins(self.facts), self.limits.min_bins)
        most = self.limits.max_cuts(self.table) + 1
        refused = unconfirmed = None
        stop = "all_cut"
        while n_bins < self.table.n_values:
            if n_bins >= most:
                stop = "limit"
                break
            taken = self._best_offer()
            if taken is None:
                refused = self._refused_step(n_bins)
                stop = self.criterion.stop if refused else "no_room"
                break
            bin_, offer = taken
            new_value = self._value(self.total + offer.gain, n_bins + 1)
            step = SearchStep(offer.gap, Score(new_value, self.relevance + self._information(offer), 0.0))
            if not is_better(new_value, value) and n_bins >= least:
                refused, stop = step, self.criterion.stop
                break
            if self.tester is not None:
                test = self.tester.test(TestedBin(bin_.start, bin_.stop, offer.gap, offer.left, offer.whole))
                step = step._replace(test=test)
                if test.p_value > self.alpha and n_bins >= self.limits.min_bins:
                    bin_.is_closed = True
                    unconfirmed = unconfirmed or step
                    continue
            self.steps.append(step)
            self.total += offer.gain
            self.relevance = step.score.relevance
            value = new_value
            n_bins += 1
            self._split(bin_, offer)
        if unconfirmed is not None:
            return self._found("not_confirmed", unconfirmed)
        return self._found(stop, refused)

    def _found(self, stop: str, refused: SearchStep | None) -> SearchResult:
        gaps = np.sort(np.array([step.gap for step in self.steps], dtype=np.int64))
        score = self.criterion.score(self.table, gaps)
        tests = {step.gap: step.test for step in self.steps if step.test is not None}
        return SearchResult(gaps, stop, score=score, steps=tuple(self.steps), refused=refused, tests=tests)

    def _value(self, total: float, n_bins: int) -> float:
        return self.criterion.value(total, n_bins, self.facts)

    def _information(self, offer: BestCut) -> float:
        """Return what a cut adds to the relevance of the scheme, in bits."""
        halves = np.stack([offer.left, offer.whole - offer.left])
        return mutual_information(halves) * float(offer.whole.sum()) / self.n_counts

    def _offer(self, bin_: _Bin) -> None:
        """Find the best cut of a bin and put it on offer if the criterion lets the bin be cut."""
        bin_.offer = None
        if bin_.is_closed or bin_.stop - bin_.start < 2:
            return
        beside = self._beside(bin_) if self.rules is None else _edges_of(bin_)
        offer = self.scanner.best(bin_.start, bin_.stop, beside)
        if offer is None:
            return
        if not self._is_worth(offer):
            if self.refused is None or offer.gain > self.refused[0] + self.scanner.tie:
                self.refused = (offer.gain, offer)
            return
        bin_.offer = offer
        self.n_offers += 1
        # Gains on a grid: those that differ by rounding only are equal, and the leftmost comes first.
        key = -round(offer.gain / self.scanner.tie)
        heapq.heappush(self.heap, (key, bin_.start, self.n_offers, bin_, offer))

    def _is_worth(self, offer: BestCut) -> bool:
        """Return whether the criterion lets the bin be cut."""
        if self.always_worth:
            return True
        counts = np.stack([offer.whole, offer.left, offer.whole - offer.left])
        rows = np.asarray(counts * self.table.unit, dtype=np.float64)
        return self.criterion.is_worth(rows[0], rows[1], rows[2])

    def _best_offer(self) -> tuple[_Bin, BestCut] | None:
        while self.heap:
            *_, bin_, offer = heapq.heappop(self.heap)
            if bin_.offer is offer:
                return bin_, offer
        return None

    def _refused_step(self, n_bins: int) -> SearchStep | None:
        """Return the cut that gained most of those not worth it."""
        if self.refused is None:
            return None
        gain, offer = self.refused
        value = self._value(self.total + gain, n_bins + 1)
        return SearchStep(offer.gap, Score(value, self.relevance + self._information(offer), 0.0))

    def _beside(self, bin_: _Bin) -> RowsBeside:
        """Return the rows of the bins beside one."""
        riser = self.limits.riser
        if riser < 0:
            return NOTHING
        low, high = bin_.left, bin_.right
        low_rows = (0, 0) if low is None else (int(low.counts[riser]), int(low.counts.sum()))
        high_rows = (0, 0) if high is None else (int(high.counts[riser]), int(high.counts.sum()))
        return RowsBeside(*low_rows, *high_rows)

    def _split(self, bin_: _Bin, offer: BestCut) -> None:
        """Replace a bin by its halves; where shares must rise, look at the bins beside them again."""
        bin_.offer = None
        low = _Bin(bin_.start, offer.gap + 1, offer.left, left=bin_.left)
        high = _Bin(offer.gap + 1, bin_.stop, offer.whole - offer.left, left=low, right=bin_.right)
        low.right = high
        if bin_.left is not None:
            bin_.left.right = low
        if bin_.right is not None:
            bin_.right.left = high
        again = [] if self.limits.riser < 0 else [one for one in (low.left, high.right) if one is not None]
        if self.rules is not None:
            again = [one for one in _all_bins(low) if one not in (low, high)]
        for one in (low, high, *again):
            self._offer(one)


def _all_bins(bin_: _Bin) -> list[_Bin]:
    """Return all bins of the scheme that a bin belongs to, from left to right."""
    first: _Bin | None = bin_
    while first is not None and first.left is not None:
        first = first.left
    bins = []
    while first is not None:
        bins.append(first)
        first = first.right
    return bins


def _edges_of(bin_: _Bin) -> tuple[int, ...]:
    """Return the edges of all bins of the scheme that a bin belongs to."""
    return (0, *(one.stop for one in _all_bins(bin_)))


TABLES = TermTables()


@dataclass(frozen=True, eq=False)
class BestCut:
    """The best cut of a bin; all counts are by class, of many classes only those in the bin."""

    gap: int
    gain: float
    left: NDArray[np.int64]
    whole: NDArray[np.int64]


class BinScanner(Protocol):
    """What finds the best cut of a bin."""

    tie: float

    def best(self, start: int, stop: int, beside: Any) -> BestCut | None:
        """Return the best cut of the bin that holds the values start to stop - 1, if any is allowed.

        `beside` are the `RowsBeside`, or the edges of all bins where rules are given.
        """


def tie_of(facts: ColumnFacts) -> float:
    """Return how far apart gains must be to differ, by the column's whole term."""
    return TIE_RELATIVE * max(abs(facts.whole), 1e-300)


def scanner_of(criterion: BinSumCriterion, table: ColumnCounts, bounds: SearchBounds) -> BinScanner:
    """Return the compiled scanner of a criterion, or the one that works with its terms."""
    if criterion.kernel is None:
        return TermScanner(criterion, table, bounds)
    return KernelScanner(criterion.kernel, criterion, table, bounds)


# Bins of more values are scanned by blocks. Sums of squares are then rounded in another order, to the same cuts.
LARGE_BIN = 4096
# Bins of more values are scanned by their peaks, once many of them were scanned.
PEAKED_BIN = 1024
MANY_CLASSES = 64


class KernelScanner:
    """Scan a bin with compiled code; large ones by blocks, most of which a bound lets pass (`kernels.bins.blocks`)."""

    def __init__(self, kind: int, criterion: BinSumCriterion, table: ColumnCounts, bounds: SearchBounds) -> None:
        entries = table.by_class
        self._kind = kind
        self._table = entries.labelled
        self._class_rows = entries.totals()
        self._terms: tuple[NDArray[np.int64], float | None] = (np.empty(0, dtype=np.int64), None)
        # The compiled code works with counts; what a bin adds is measured in rows.
        self._per_gain = 1.0 if kind == SQUARES else table.unit
        if kind == ENTROPY:
            terms = TABLES.get(table.n_rows, table.n_whole, 0)
            self._terms = (terms.counts, terms.beyond)
            self._per_gain /= terms.scale
        self.tie = tie_of(criterion.facts(table))
        self._bounds = bounds
        self._gains = np.empty(table.n_values)
        self._n_scanned = 0
        self._peaks: Peaks | None = None
        self._counted = (0, 0, self._class_rows)
        self._sums = np.zeros((0, 0), dtype=np.int64)
        if kind == SQUARES and bounds.riser < 0 and table.n_values > LARGE_BIN:
            self._sums = kernels.bins.blocks.bounding_sums(self._table)

    def best(self, start: int, stop: int, beside: Any) -> BestCut | None:
        """Return the best cut of a bin, if any is allowed."""
        if self._sums.size and stop - start > LARGE_BIN:
            return self._best_by_blocks(start, stop)
        if (
            self._kind == PEAK
            and self._bounds.riser < 0
            and stop - start > PEAKED_BIN
            and self._knows_peaks(stop - start)
        ):
            return self._best_by_peaks(start, stop)
        left = np.empty(self._class_rows.size, dtype=np.int64)
        whole = np.empty_like(left)
        gap, gain = kernels.bins.caim.best_gap(
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
        if gap < 0:
            return None
        return BestCut(gap, gain * self._per_gain, *_seen_classes(left, whole))

    def _best_by_blocks(self, start: int, stop: int) -> BestCut | None:
        """Return the best cut of a bin: first the largest gain, then the leftmost gap that comes as near as a tie."""
        kernel = kernels.bins.blocks
        room = np.zeros((3, self._class_rows.size), dtype=np.int64)
        terms = ClassTerms(self._kind, self._class_rows, np.empty(0, dtype=np.int64), 1.0, None)
        scanned = (start, stop, self._table, self._sums, terms, self._bounds.min_count)
        gap, best = kernel.best_gap(*scanned, np.inf, self.tie, tuple(room))
        if gap < 0:
            return None
        gap, gain = kernel.best_gap(*scanned, best - self.tie, self.tie, tuple(room))
        kernel.load_before(gap + 1, self._table, self._sums, room[2])
        return BestCut(gap, gain, room[2] - room[0], room[1].copy())

    def _knows_peaks(self, n_values: int) -> bool:
        """Return whether the column's peaks are known: once they cost no more than the scans of large bins so far."""
        self._n_scanned += n_values
        n_blocks = self._gains.size // kernels.bins.peaks.width_of(self._gains.size)
        if self._peaks is None and 2 * self._n_scanned > n_blocks * self._gains.size:
            self._peaks = kernels.bins.peaks.find_peaks(self._table)
        return self._peaks is not None

    def _best_by_peaks(self, start: int, stop: int) -> BestCut | None:
        """Return the best cut of a bin, of whose blocks most are passed over."""
        tie = self.tie / self._per_gain
        scanned = (start, stop, self._table, self._peaks, self._bounds.min_count, tie)
        gap, gain = kernels.bins.peaks.best_gap(*scanned, self._gains, np.empty(self._gains.size))
        if gap < 0:
            return None
        counts = _seen_classes(self._count(start, gap + 1), self._count_large(start, stop))
        return BestCut(gap, gain * self._per_gain, *counts)

    def _count_large(self, start: int, stop: int) -> NDArray[np.int64]:
        """Return the rows of a bin by class: if most of the last one is left, that less what was taken off its ends."""
        first, last, counts = self._counted
        if first <= start and stop <= last and start - first + last - stop < stop - start:
            counts = counts - self._count(first, start) - self._count(stop, last)
        else:
            counts = self._count(start, stop)
        self._counted = (start, stop, counts)
        return counts

    def _count(self, start: int, stop: int) -> NDArray[np.int64]:
        """Return the rows of some values by class."""
        counts = np.zeros(self._class_rows.size, dtype=np.int64)
        if stop > start:
            kernels.bins.splitting.load_bin(start, stop, self._table, counts)
        return counts


def _seen_classes(left: NDArray[np.int64], whole: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the counts of a cut and its bin, of many classes those in the bin: so many bins would keep many zeros."""
    if whole.size <= MANY_CLASSES:
        return left, whole
    seen = np.flatnonzero(whole)
    return left[seen], whole[seen]


class TermScanner:
    """Scan a bin with the terms of a criterion, all gaps at once."""

    def __init__(
        self, criterion: BinSumCriterion, table: ColumnCounts, bounds: SearchBounds, rules: Rules | None = None
    ) -> None:
        counts = table.class_counts
        self._rules = rules
        self._criterion = criterion
        self._unit = table.unit
        self._sums = np.vstack([np.zeros((1, counts.shape[1]), dtype=np.int64), np.cumsum(counts, axis=0)])
        self._class_rows = self._sums[-1] * table.unit
        self._bounds = bounds
        self.tie = tie_of(criterion.facts(table))

    def best(self, start: int, stop: int, beside: Any) -> BestCut | None:
        """Return the best cut of a bin, if any is allowed."""
        left = self._sums[start + 1 : stop] - self._sums[start]
        whole = self._sums[stop] - self._sums[start]
        if self._rules is None:
            allowed = self._allowed(left, whole - left, beside)
        else:
            allowed = self._rules.allowed(beside, beside.index(start))
        if not allowed.any():
            return None
        terms = [self._criterion.terms(counts * self._unit, self._class_rows) for counts in (left, whole - left, whole)]
        gains = np.where(allowed, terms[0] + terms[1] - terms[2], -np.inf)
        gap = int(np.argmax(gains >= gains.max() - self.tie))
        return BestCut(start + gap, float(gains[gap]), left[gap], whole)

    def _allowed(self, left: NDArray[np.int64], right: NDArray[np.int64], beside: RowsBeside) -> NDArray[np.bool_]:
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
