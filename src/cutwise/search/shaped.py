"""Exact searches under limits that the fast ones do not know: the best of all schemes that keep them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cutwise import kernels
from cutwise.kernels.inputs import CONCAVE, margin_of
from cutwise.search.limited import Rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from cutwise.counts import ColumnCounts
    from cutwise.criteria import ModlCriterion, Psi
    from cutwise.search.result import BinLimits

    Floats = NDArray[np.float64]

# So many cuts are looked at first; more of them only if a bound says that they may be better.
N_FIRST = 4
# By how much the price of a cut falls from one bound to the next, and how many there are.
CHEAPER, N_PRICES = 8.0, 4


def most_values(limits: BinLimits) -> int:
    """Return how many values can be searched."""
    is_bent = limits.trend in ("concave", "convex")
    return int(kernels.bins.shaped.MAX_CONCAVE if is_bent else kernels.bins.shaped.MAX_VALUES)


class ShapedBins:
    """The bins of a column that the limits allow.

    Parameters
    ----------
    table : ColumnCounts
    limits : BinLimits
    """

    def __init__(self, table: ColumnCounts, limits: BinLimits) -> None:
        self.rules = Rules(table, limits)
        self.n_values = table.n_values
        self.least_cuts = limits.min_bins - 1
        self.most_cuts = limits.max_cuts(table)
        stops, starts = np.tril_indices(self.n_values + 1, -1)
        self.allowed = self.rules.large_enough(starts, stops)
        self.allowed[kernels.bins.layers.triangle(self.n_values)] = True
        self.fits = self.rules.rows[stops] - self.rules.rows[starts] <= self.rules.max_rows

    def best_by_cuts(self, scores: Floats, max_cuts: int) -> tuple[Floats, NDArray[np.int64]]:
        """Return the best totals with 0, 1, …, max_cuts cuts, and their gaps."""
        rules = self.rules
        columns = (scores, rules.events, rules.rows, max_cuts)
        if rules.shape == CONCAVE:
            found = kernels.bins.shaped.best_after_two(*columns, rules.least)
        elif rules.least > 0.0:
            found = kernels.bins.shaped.best_after_one(*columns, rules.shape, rules.least)
        else:
            found = kernels.bins.shaped.best_by_rates(scores, *self._ranked, self.n_values, max_cuts, rules.shape)
        totals, gaps = found
        return totals, gaps

    def bounds(self, scores: Floats) -> Floats:
        """Return what no total with 0, 1, … cuts exceeds."""
        free = float(kernels.bins.layers.best_at_price(scores, self.n_values, 0.0)[1])
        totals = np.full(self.most_cuts + 1, free)
        if self.rules.shape == CONCAVE or self.rules.least > 0.0:
            return totals
        whole = scores[kernels.bins.layers.triangle(self.n_values)]
        price = free - whole if np.isfinite(whole) else abs(free)
        for _ in range(N_PRICES):
            total = kernels.bins.shaped.best_at_price(scores, *self._ranked, self.n_values, price, self.rules.shape)
            totals = np.minimum(totals, total + price * np.arange(totals.size))
            price /= CHEAPER
        return totals

    @cached_property
    def _ranked(self) -> tuple[NDArray[np.int16], ...]:
        rules = self.rules
        ranked: tuple[NDArray[np.int16], ...] = kernels.bins.shaped.rank_neighbours(
            rules.events, rules.rows, rules.shape
        )
        return ranked


class Objective(NamedTuple):
    """What is to be as large as possible.

    Parameters
    ----------
    scores_of : callable
        Takes a number of cuts and which bins are allowed, and returns the scores of all bins that schemes with so many
        cuts are compared by. None stands for scores whose sums bound those of every number.
    value_of : callable
        Returns the value of a scheme.
    bound : callable
        Takes a number of cuts and a sum of scores for None, and returns what no such scheme exceeds.
    """

    scores_of: Callable[[int | None, NDArray[np.bool_]], Floats]
    value_of: Callable[[NDArray[np.int64]], float]
    bound: Callable[[int, float], float]


class _Kept(NamedTuple):
    """The best scheme so far."""

    value: float
    gaps: NDArray[np.int64]


def best_scheme(bins: ShapedBins, objective: Objective) -> NDArray[np.int64]:
    """Return the gaps of the best scheme; that with the fewest cuts of equal ones.

    If no scheme has few enough rows in each bin, that limit is left out; if none has enough bins, the one with
    most bins is taken.
    """
    allowed = bins.allowed & bins.fits
    best = _best_of_allowed(bins, objective, allowed)
    if best is None:
        best = _best_of_allowed(bins, objective, bins.allowed)
    assert best is not None  # noqa: S101 - a scheme without a cut is allowed
    return best.gaps


def _best_of_allowed(bins: ShapedBins, objective: Objective, allowed: NDArray[np.bool_]) -> _Kept | None:
    first = min(bins.most_cuts, max(N_FIRST, bins.least_cuts))
    best = _among(bins, objective, allowed, first)
    if best is None or first == bins.most_cuts:
        return best if first == bins.most_cuts else _among(bins, objective, allowed, bins.most_cuts)
    totals = bins.bounds(objective.scores_of(None, allowed))
    last = bins.most_cuts
    while last > first and objective.bound(last, float(totals[last])) - best.value <= margin_of(best.value):
        last -= 1
    return best if last == first else _among(bins, objective, allowed, last)


def _among(bins: ShapedBins, objective: Objective, allowed: NDArray[np.bool_], max_cuts: int) -> _Kept | None:
    """Return the best scheme with at most so many cuts, None if there is none."""
    totals, gaps = bins.best_by_cuts(objective.scores_of(None, allowed), max_cuts)
    possible = np.flatnonzero(totals > -np.inf)
    enough = possible[possible >= bins.least_cuts]
    numbers = (enough if enough.size else possible[-1:]).tolist()
    best: _Kept | None = None
    for cut in numbers:
        best = _better(best, gaps[cut, :cut], objective)
    uppers = {cut: objective.bound(cut, float(totals[cut])) for cut in numbers}
    for cut in sorted(numbers, key=lambda cut: -uppers[cut]):
        if best is not None and uppers[cut] - best.value > margin_of(best.value):
            _, own = bins.best_by_cuts(objective.scores_of(cut, allowed), cut)
            best = _better(best, own[cut, :cut], objective)
    return best


def _better(best: _Kept | None, gaps: NDArray[np.int64], objective: Objective) -> _Kept:
    value = objective.value_of(gaps)
    if best is None or value - best.value > margin_of(value):
        return _Kept(value, gaps.copy())
    is_as_good = gaps.size < best.gaps.size and value - best.value > -margin_of(value)
    return _Kept(value, gaps.copy()) if is_as_good else best


def best_psi_in_shape(criterion: Psi, table: ColumnCounts, limits: BinLimits) -> tuple[NDArray[np.int64], int, int]:
    """Return the gaps of the scheme with the highest Psi under limits, its gain and its loss in units."""
    inputs = criterion.inputs(table)
    unit, n_values = inputs[2].n_rows * inputs[2].scale, table.n_values
    relevance, divergence, _ = kernels.bins.exact.fill_bin_terms(*inputs, 0)
    whole = int(relevance[kernels.bins.layers.triangle(n_values)])
    weights = kernels.elementary.exp_of(-np.arange(n_values) / float(criterion.n_d))
    add = kernels.bins.exact.sum_terms

    def sums(gaps: NDArray[np.int64]) -> tuple[int, int]:
        return int(add(gaps, relevance, n_values)) - whole, int(add(gaps, divergence, n_values))

    def scores_of(n_cuts: int | None, allowed: NDArray[np.bool_]) -> Floats:
        weight = 1.0 if n_cuts is None else weights[n_cuts]
        scores: Floats = kernels.bins.exact.weigh(relevance, divergence, allowed, weight)
        return scores

    def value_of(gaps: NDArray[np.int64]) -> float:
        gain, loss = sums(gaps)
        return float(weights[gaps.size] * gain - loss) / unit

    def bound(n_cuts: int, total: float) -> float:
        return float(weights[n_cuts] * (total - whole)) / unit

    gaps = best_scheme(ShapedBins(table, limits), Objective(scores_of, value_of, bound))
    return gaps, *sums(gaps)


def cheapest_in_shape(criterion: ModlCriterion, table: ColumnCounts, limits: BinLimits) -> NDArray[np.int64]:
    """Return the gaps of the cheapest partition under limits."""
    terms = criterion.terms(table)
    plain = kernels.modl.modl.fill_scores(table.by_class.labelled, terms, 0)
    offsets = kernels.modl.modl.fill_offsets(table.n_values - 1, terms)

    def scores_of(n_cuts: int | None, allowed: NDArray[np.bool_]) -> Floats:  # noqa: ARG001
        return np.where(allowed, plain, -np.inf)

    def value_of(gaps: NDArray[np.int64]) -> float:
        return float(kernels.bins.exact.sum_terms(gaps, plain, table.n_values) + offsets[gaps.size])

    def bound(n_cuts: int, total: float) -> float:
        return total + float(offsets[n_cuts])

    return best_scheme(ShapedBins(table, limits), Objective(scores_of, value_of, bound))
