"""Limits that not every search knows: what they allow, and how a scheme is made to keep them.

They look at two numbers of a bin, its rows and its events: the rows of one class. Searches from the top down refuse
cuts that the rules forbid; what other searches found is joined until the rules are kept. Then cuts are added where
there are too few bins, or too large ones.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise import kernels
from cutwise.criteria import critical_value
from cutwise.kernels.inputs import CONCAVE, FREE, ONE_PEAK, RISING, STRAIGHT
from cutwise.search.confirming import confirmed_cuts
from cutwise.search.result import nothing_to_cut

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.counts import ColumnCounts
    from cutwise.search.result import BinLimits, SearchResult

    Floats = NDArray[np.float64]

# Each trend as a shape of the event's rate, or of that of the other classes.
SHAPES: dict[str | None, tuple[int, bool]] = {
    None: (FREE, True),
    "increasing": (RISING, True),
    "decreasing": (RISING, False),
    "peak": (ONE_PEAK, True),
    "valley": (ONE_PEAK, False),
    "concave": (CONCAVE, True),
    "convex": (CONCAVE, False),
}
# The names of the parameters, in the order in which they are told.
NAMES = ("max_bins", "min_bin_size", "max_bin_size", "min_events", "max_pvalue", "monotonic")


def follows(rates: Floats, shape: int) -> NDArray[np.bool_]:
    """Return whether rates, in the last axis, follow a shape.

    Examples
    --------
    >>> follows(np.array([[0.1, 0.3, 0.2], [0.3, 0.1, 0.2]]), ONE_PEAK)
    array([ True, False])
    """
    steps = np.diff(rates, axis=-1)
    if shape == RISING:
        wrong = steps < 0.0
    elif shape == ONE_PEAK:
        has_fallen = np.logical_or.accumulate(steps < 0.0, axis=-1)
        wrong = (steps > 0.0) & has_fallen
    elif shape == CONCAVE:
        wrong = np.diff(steps, axis=-1) > STRAIGHT
    else:
        wrong = np.zeros_like(steps, dtype=np.bool_)
    return np.asarray(~wrong.any(axis=-1), dtype=np.bool_)


class Rules:
    """What the limits say of the bins of one column.

    Parameters
    ----------
    table : ColumnCounts
    limits : BinLimits
    """

    def __init__(self, table: ColumnCounts, limits: BinLimits) -> None:
        self.limits = limits
        self.n_values = table.n_values
        self.shape, is_of_event = SHAPES[limits.trend]
        entries = table.by_class
        self._counts = np.zeros((table.n_values + 1, entries.n_labels), dtype=np.int64)
        np.add.at(self._counts, (_values_of(entries.starts) + 1, entries.labels), entries.counts)
        np.cumsum(self._counts, axis=0, out=self._counts)
        self._unit = table.unit
        self.rows = self._counts.sum(axis=1) * 1.0
        events = np.zeros(self.rows.size) if limits.event is None else self._counts[:, limits.event] * 1.0
        # The rows of the class that rises first.
        self.events = events if is_of_event else self.rows - events
        self.min_rows = limits.min_rows / table.unit
        self.max_rows = limits.max_rows / table.unit
        self.min_events = limits.min_events / table.unit
        # A chi-square of counts, as one of rows is that times the unit.
        self.least = 0.0 if limits.max_pvalue is None else critical_value(1, limits.max_pvalue) / table.unit

    def counts(self, start: int, stop: int) -> NDArray[np.int64]:
        """Return the rows of a bin by class."""
        whole: NDArray[np.int64] = self._counts[stop] - self._counts[start]
        return whole

    def _of(self, starts: Any, stops: Any) -> tuple[Floats, Floats]:
        return self.events[stops] - self.events[starts], self.rows[stops] - self.rows[starts]

    def _differ(self, left: tuple[Floats, Floats], right: tuple[Floats, Floats]) -> NDArray[np.bool_]:
        """Return which neighbours differ; see `kernels.bins.shaped.differ`."""
        few, rows, more, more_rows = *left, *right
        events, others = few + more, rows + more_rows - few - more
        apart = few * more_rows - more * rows
        is_far = apart * apart * (rows + more_rows) >= self.least * rows * more_rows * events * others
        return (self.least <= 0.0) | ((events > 0.0) & (others > 0.0) & is_far)

    def large_enough(self, starts: Any, stops: Any) -> NDArray[np.bool_]:
        """Return which bins have enough rows, events and others."""
        events, rows = self._of(starts, stops)
        fewest = np.minimum(events, rows - events)
        return np.asarray((rows >= self.min_rows) & (fewest >= self.min_events), dtype=np.bool_)

    def too_large(self, edges: Sequence[int]) -> NDArray[np.bool_]:
        """Return which bins of a scheme are too large."""
        return np.asarray(np.diff(self.rows[list(edges)]) > self.max_rows, dtype=np.bool_)

    def broken_by(self, edges: Sequence[int]) -> list[str]:
        """Return the limits that a scheme breaks."""
        bins = np.array(edges)
        starts, stops = bins[:-1], bins[1:]
        events, rows = self._of(starts, stops)
        n_bins = starts.size
        most = self.limits.max_bins
        pairs = self._differ((events[:-1], rows[:-1]), (events[1:], rows[1:]))
        broken = {
            "max_bins": most is not None and n_bins > most,
            "min_bin_size": n_bins > 1 and bool((rows < self.min_rows).any()),
            "max_bin_size": bool((rows > self.max_rows).any()),
            "min_events": n_bins > 1 and bool((np.minimum(events, rows - events) < self.min_events).any()),
            "max_pvalue": not bool(pairs.all()),
            "monotonic": not bool(follows(events / np.maximum(rows, 1.0), self.shape)),
        }
        return [name for name in NAMES if broken[name]]

    def allowed(self, edges: Sequence[int], place: int) -> NDArray[np.bool_]:
        """Return the gaps of a bin in which a cut keeps the rules, but for those on the number and the size of bins."""
        start, stop = edges[place], edges[place + 1]
        middles = np.arange(start + 1, stop)
        ok = self.large_enough(start, middles) & self.large_enough(middles, stop)
        left, right = self._of(start, middles), self._of(middles, stop)
        ok &= self._differ(left, right)
        before, after = list(itertools.pairwise(edges[: place + 1])), list(itertools.pairwise(edges[place + 1 :]))
        if before:
            ok &= self._differ(self._of(*before[-1]), left)
        if after:
            ok &= self._differ(right, self._of(*after[0]))
        if self.shape != FREE:
            rates = [self._near(before), left[0] / left[1], right[0] / right[1], self._near(after[::-1])[::-1]]
            columns = [np.broadcast_to(column, middles.shape) for column in itertools.chain(*map(_columns, rates))]
            ok &= follows(np.stack(columns, axis=-1), self.shape)
        return ok

    def _near(self, bins: list[tuple[int, int]]) -> list[float]:
        """Return rates that stand for those of the bins on one side, from the far ones to the nearest.

        Two nearest rates tell all of a concave curve. Where a peak lies on that side, the rates go down towards the
        bin.
        """
        rates = [float(np.divide(*self._of(*one))) for one in bins]
        if self.shape == ONE_PEAK and any(b < a for a, b in itertools.pairwise(rates)):
            return [rates[-1] + 1.0, rates[-1]]
        return rates[-2:] if self.shape == CONCAVE else rates[-1:]

    def gains(self, start: int, stop: int) -> Floats:
        """Return what a cut in each gap of a bin adds to the relevance, in bits times counts."""
        left = self._counts[start + 1 : stop] - self._counts[start]
        whole = self._counts[stop] - self._counts[start]
        gained: Floats = _information(left) + _information(whole - left) - _information(whole[np.newaxis])
        return gained

    def best_cut(
        self, edges: Sequence[int], places: Sequence[int], *, only_allowed: bool = True, few_pieces: bool = False
    ) -> int | None:
        """Return the middle of the cut that adds most to the relevance in some bins; of equal ones the leftmost.

        With `few_pieces`, cuts come first after which the bin is in few pieces that are not too large.
        """
        best, middle = -np.inf, None
        for place in places:
            if edges[place + 1] - edges[place] < 2:
                continue
            gains = self.gains(edges[place], edges[place + 1])
            if only_allowed:
                gains = np.where(self.allowed(edges, place), gains, -np.inf)
            if few_pieces:
                gains = self._with_few_pieces(edges[place], edges[place + 1], gains)
            gap = int(np.argmax(gains >= gains.max() - 1e-9 * (1.0 + abs(gains.max()))))
            if gains[gap] > best + 1e-9 * (1.0 + abs(best) if np.isfinite(best) else 0.0):
                best, middle = float(gains[gap]), edges[place] + 1 + gap
        return middle

    def _with_few_pieces(self, start: int, stop: int, gains: Floats) -> Floats:
        """Return the gains of cuts that need at most one piece more than the fewest that some cut needs."""
        middles = np.arange(start + 1, stop)
        pieces = np.ceil((self.rows[middles] - self.rows[start]) / self.max_rows)
        pieces += np.ceil((self.rows[stop] - self.rows[middles]) / self.max_rows)
        fewest = pieces[gains > -np.inf].min(initial=np.inf)
        return np.where(pieces <= fewest + 1, gains, -np.inf)

    def joined(self, gaps: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return gaps without those that break the rules: each time the cut goes that adds least to the relevance."""
        edges = [0, *(np.sort(gaps) + 1).tolist(), self.n_values]
        while len(edges) > 2 and set(self.broken_by(edges)) - {"max_bin_size"}:
            lost = [self._loss(edges, cut) for cut in range(1, len(edges) - 1)]
            suspects = self._suspects(edges) or range(1, len(edges) - 1)
            del edges[min(suspects, key=lambda cut: lost[cut - 1])]
        return np.array(edges[1:-1], dtype=np.int64) - 1

    def _loss(self, edges: list[int], cut: int) -> float:
        low, middle, high = edges[cut - 1 : cut + 2]
        return float(self.gains(low, high)[middle - low - 1])

    def _suspects(self, edges: list[int]) -> list[int]:
        """Return the cuts beside bins that are too small, or between neighbours that do not differ."""
        bins = np.array(edges)
        small = np.flatnonzero(~self.large_enough(bins[:-1], bins[1:]))
        alike = np.flatnonzero(~self._differ(self._of(bins[:-2], bins[1:-1]), self._of(bins[1:-1], bins[2:]))) + 1
        beside = {int(cut) for b in small for cut in (b, b + 1)} | set(alike.tolist())
        return sorted(cut for cut in beside if 0 < cut < len(edges) - 1)

    def filled(self, gaps: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return gaps with those added that the least number and the largest size of bins ask for, where they can."""
        edges = [0, *(np.sort(gaps) + 1).tolist(), self.n_values]
        most = self.limits.max_bins or self.n_values
        while len(edges) <= most:
            large = np.flatnonzero(self.too_large(edges)).tolist()
            if not large and len(edges) > self.limits.min_bins:
                break
            middle = self.best_cut(edges, large, few_pieces=True)
            if middle is None and len(edges) <= self.limits.min_bins:
                middle = self.best_cut(edges, range(len(edges) - 1))
            if middle is None:
                break
            edges = sorted([*edges, middle])
        return np.array(edges[1:-1], dtype=np.int64) - 1

    def stopped_by(self, gaps: NDArray[np.int64]) -> tuple[str, ...]:
        """Return the limits that forbid the further cut that would add most to the relevance."""
        edges = [0, *(np.sort(gaps) + 1).tolist(), self.n_values]
        middle = self.best_cut(edges, range(len(edges) - 1), only_allowed=False)
        if middle is None:
            return ()
        broken = self.broken_by(sorted([*edges, middle]))
        return tuple(name for name in broken if name != "max_bin_size")


# In a larger table of values and classes, it is not looked for what stopped the search.
MAX_CELLS = 1 << 22


def stopped_by(table: ColumnCounts, found: SearchResult, limits: BinLimits) -> tuple[str, ...]:
    """Return the limits that forbid the further cut that would add most to the relevance of what was found."""
    if limits.are_none or table.n_values * table.n_classes > MAX_CELLS or nothing_to_cut(table) is not None:
        return ()
    return Rules(table, limits).stopped_by(found.gaps)


def _values_of(starts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the value of each entry."""
    return np.repeat(np.arange(starts.size - 1), np.diff(starts))


def _columns(rates: Any) -> list[Any]:
    return rates if isinstance(rates, list) else [rates]


def _information(counts: NDArray[np.int64]) -> Floats:
    """Return the sum of n log2 n over the classes of bins, less that of all their rows."""
    return np.asarray(_terms(counts).sum(axis=1) - _terms(counts.sum(axis=1)), dtype=np.float64)


def _terms(counts: NDArray[np.int64]) -> Floats:
    numbers = np.maximum(counts, 1) * 1.0
    logs: Floats = kernels.elementary.log2_of(numbers)
    return numbers * logs


def run_search(search: Any, criterion: Any, table: ColumnCounts, limits: BinLimits) -> SearchResult:
    """Search one column under limits, whether the search knows them or not."""
    knows_all = limits.are_plain or getattr(search, "knows_limits", False)
    found: SearchResult = search.run(criterion, table, limits if knows_all else _plain(limits))
    if limits.are_plain or nothing_to_cut(table) is not None:
        return found
    rules = Rules(table, limits)
    gaps = rules.filled(rules.joined(found.gaps))
    if np.array_equal(gaps, np.sort(found.gaps)):
        return found
    tests = {} if limits.confirm is None else confirmed_cuts(table, gaps, limits, 1.0)
    score = criterion.score(table, gaps)
    stop = "limit" if gaps.size == (limits.max_bins or 0) - 1 else "limits"
    return replace(found, gaps=gaps, stop=stop, score=score, steps=(), refused=None, cuts=None, tests=tests)


def _plain(limits: BinLimits) -> BinLimits:
    """Return those of the limits that every search knows."""
    direction = limits.direction
    return replace(
        limits, min_bins=1, max_rows=np.inf, min_events=0.0, max_pvalue=None, trend=limits.trend if direction else None
    )
