"""Tests of cuts: whether a cut is better than the best one that chance gives in its bin."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cutwise import kernels
from cutwise.criteria.category_chance import chance_of_difference
from cutwise.criteria.chance import BOTH_SIDES, CutPlaces, chance_of_best, expected_loss, likelihood_ratio
from cutwise.search.result import CutTest

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from cutwise.counts import ColumnCounts
    from cutwise.search.result import BinLimits, SearchResult


class TestedBin(NamedTuple):
    """A bin of the values start to stop - 1, and a gap in which it may be cut; counts are by class."""

    start: int
    stop: int
    gap: int
    left: NDArray[np.int64]
    whole: NDArray[np.int64]


class CutTester:
    """Tests the cuts of one column in the bins that they split.

    Parameters
    ----------
    table : ColumnCounts
    limits : BinLimits
        Gaps in which they allow no cut are no rivals.
    """

    def __init__(self, table: ColumnCounts, limits: BinLimits) -> None:
        self._table = table
        self._limits = limits
        self._min_count = limits.min_count(table)
        entries = table.by_class
        self._counts_up_to = np.append(0, np.cumsum(entries.counts))[entries.starts]
        self._squares_up_to = None if table.design_effect == 1.0 else _squares_up_to(table)
        categories = limits.categories
        self._categories_up_to = None if categories is None else np.append(0, np.cumsum(categories.sum(axis=1)))

    def test(self, cut: TestedBin) -> CutTest:
        """Test a cut."""
        if self._limits.categories is not None:
            return CutTest(self._chance_of_categories(cut, self._limits.categories), 0.0)
        unit = self._table.unit
        ratio = likelihood_ratio(cut.left, cut.whole - cut.left, unit)
        below = self._counts_up_to[cut.start]
        counts = self._counts_up_to[cut.start + 1 : cut.stop] - below
        n_counts = int(self._counts_up_to[cut.stop] - below)
        least = max(self._min_count, 1)
        is_rival = (counts >= least) & (n_counts - counts >= least)
        places = CutPlaces(cut.whole, counts[is_rival])
        if unit != 1.0:
            places = self._effective_places(cut, is_rival, n_counts)
        p_value = chance_of_best(ratio, places, self._sides(cut.whole))
        distance = _distance(counts, cut.gap - cut.start, n_counts)
        loss = expected_loss(ratio, int(np.count_nonzero(cut.whole)), distance, self._table.n_rows * unit)
        return CutTest(p_value, loss)

    def _chance_of_categories(self, cut: TestedBin, categories: NDArray[np.int64]) -> float:
        """Return how often the categories of a bin differ as much by chance."""
        ends = self._counts_up_to[[cut.start, cut.stop]]
        first, last = np.searchsorted(self._categories_up_to, ends)  # type: ignore[arg-type]
        weight = 1.0 if self._table.unit == 1.0 else self._table.unit / self._table.design_effect
        return chance_of_difference(categories[first:last], weight)

    def _sides(self, whole: NDArray[np.int64]) -> tuple[bool, bool]:
        """Return on which sides of its mean the rarer class may be, left of a cut."""
        riser = self._limits.riser
        if riser < 0 or self._limits.either:
            return BOTH_SIDES
        return (True, False) if 2 * whole[riser] <= whole.sum() else (False, True)

    def _effective_places(self, cut: TestedBin, is_rival: NDArray[np.bool_], n_counts: int) -> CutPlaces:
        """Return the bin as one of rows without weights, in which classes vary as they do in the weighted one.

        A left half with the share u of the weight and the share v of the squared weights has a likelihood ratio that is
        larger than that of such rows by a factor, which follows from the variance of a weighted sum.
        """
        unit = self._table.unit
        total = n_counts * unit
        shares = (self._counts_up_to[cut.start + 1 : cut.stop] - self._counts_up_to[cut.start])[is_rival] / n_counts
        if self._squares_up_to is None:
            squared, of_squares = total, shares
        else:
            up_to = self._squares_up_to[cut.start : cut.stop + 1] - self._squares_up_to[cut.start]
            squared, of_squares = float(up_to[-1]), up_to[1:-1][is_rival] / up_to[-1]
        n_rows = max(2, round(total * total / squared))
        scales = squared / total * (of_squares * (1.0 - 2.0 * shares) + shares * shares) / (shares * (1.0 - shares))
        times = np.clip(np.rint(of_squares * n_rows).astype(np.int64), 1, n_rows - 1)
        firsts = np.flatnonzero(np.diff(times, prepend=0))
        largest = np.maximum.reduceat(scales, firsts) if firsts.size else scales
        return CutPlaces(_rounded(cut.whole, n_rows), times[firsts], largest)


def _squares_up_to(table: ColumnCounts) -> NDArray[np.float64]:
    """Return the sums of squared weights up to each value, 0 first.

    How the weight of a value is made up is not known, only the sum of squares of all rows: rows are taken to be as
    heavy as that allows, up to one weight for all values.
    """
    entries = table.by_class
    weights = np.diff(np.append(0, np.cumsum(entries.counts))[entries.starts]) * table.unit
    wanted = table.design_effect * float(weights.sum())
    ascending = np.sort(weights)
    squares, above = np.cumsum(ascending * ascending), ascending.sum() - np.cumsum(ascending)
    # With the heaviest row as heavy as one of the values, the sum is this.
    sums = squares + ascending * above
    first = int(np.searchsorted(sums, wanted))
    if first == weights.size:
        by_value = weights * weights * (wanted / float(squares[-1]))
    else:
        before = (float(squares[first - 1]), float(above[first - 1])) if first else (0.0, float(ascending.sum()))
        by_value = weights * np.minimum(weights, (wanted - before[0]) / before[1])
    return np.append(0.0, np.cumsum(by_value))


def _rounded(counts: NDArray[np.int64], n_rows: int) -> NDArray[np.int64]:
    """Return about n_rows rows with these shares of the classes, at least one of each that is present."""
    rows = np.rint(counts * (n_rows / counts.sum())).astype(np.int64)
    rows = np.where(counts > 0, np.maximum(rows, 1), 0)
    rows[np.argmax(rows)] += n_rows - rows.sum()
    return np.maximum(rows, (counts > 0).astype(np.int64))


def _distance(counts: NDArray[np.int64], at: int, n_counts: int) -> float:
    """Return how far the gaps beside a cut are on average: -log of the correlation with their statistics."""
    near = [int(counts[i]) for i in (at - 1, at, at + 1) if 0 <= i < counts.size and 0 < counts[i] < n_counts]
    odds = [count / (n_counts - count) for count in near]
    return 0.5 * float(kernels.elementary.log_of(odds[-1] / odds[0])) / (len(odds) - 1) if len(odds) > 1 else math.inf


def confirmed_cuts(table: ColumnCounts, gaps: NDArray[np.int64], limits: BinLimits, alpha: float) -> dict[int, CutTest]:
    """Test the cuts of a scheme, in each bin the one with the largest likelihood ratio first.

    Where that one is not confirmed, it is left out, and with it the other cuts of its bin.
    """
    tester = CutTester(table, limits)
    bounds, sums = _bounds(table, np.sort(gaps))
    tests = {}
    bins = [(0, len(bounds) - 1)]
    while bins:
        low, high = bins.pop()
        if high - low < 2:
            continue
        whole = sums[high] - sums[low]
        ratios = np.array([likelihood_ratio(sums[i] - sums[low], sums[high] - sums[i]) for i in range(low + 1, high)])
        middle = low + 1 + int(np.argmax(ratios >= ratios.max() * (1.0 - 1e-9)))
        gap = int(bounds[middle]) - 1
        found = tester.test(TestedBin(bounds[low], bounds[high], gap, sums[middle] - sums[low], whole))
        if found.p_value <= alpha:
            tests[gap] = found
            bins += [(low, middle), (middle, high)]
    return tests


def _bounds(table: ColumnCounts, gaps: NDArray[np.int64]) -> tuple[list[int], NDArray[np.int64]]:
    """Return the first value of each bin, and the counts by class of all values before it; with both ends."""
    ends = table.bin_ends(gaps)
    sums = np.cumsum(table.by_class.by_bin(ends), axis=0)
    return [0, *ends.tolist()], np.vstack([np.zeros_like(sums[:1]), sums])


def with_confirmed_cuts(
    run: Callable[[BinLimits], SearchResult], table: ColumnCounts, limits: BinLimits
) -> SearchResult:
    """Search with ever fewer cuts until all of them are confirmed.

    The result is what the search finds with at most so many cuts: of an exact search, the best of all such schemes.
    """
    found = run(limits)
    if limits.confirm is None:
        return found
    is_limited = False
    while True:
        # The least number of bins is kept whether their cuts are confirmed or not.
        is_needed = 0 < found.gaps.size < limits.min_bins
        tests = confirmed_cuts(table, found.gaps, limits, 1.0 if is_needed else limits.confirm)
        if len(tests) == found.gaps.size:
            break
        is_limited = True
        found = run(replace(limits, max_bins=max(len(tests) + 1, limits.min_bins)))
    stop = "not_confirmed" if is_limited else found.stop
    return replace(found, stop=stop, tests=tests)
