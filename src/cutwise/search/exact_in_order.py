"""Exact search for the scheme with the highest Psi among those whose class rate never falls.

The weight of the relevance changes with the number of cuts k, so each k has its own scores.
B(k), the best sum with weight 1 under the same limits, bounds Psi for every k, as in
`kernels/exact.py`; only a k whose bound beats the best scheme seen so far is searched.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from cutwise.criteria import Psi
    from cutwise.kernels.inputs import Bounds, Labelled, Parts, Terms

N_PRICES = 16


def best_in_order(
    criterion: Psi, inputs: tuple[Labelled, Parts | None, Terms], bounds: Bounds
) -> tuple[NDArray[np.int64], int, int]:
    """Return the gaps of the best scheme, its gain and its loss in units."""
    run = _Run(criterion, inputs, bounds)
    for cut in run.worth_trying():
        run.look_at(cut)
    return run.best, *run.sums(run.best)


class _Run:
    """One search: the terms of all bins, and the best scheme so far."""

    def __init__(self, criterion: Psi, inputs: tuple[Labelled, Parts | None, Terms], bounds: Bounds) -> None:
        labelled, parts, terms = inputs
        self.n_values = labelled.starts.size - 1
        self.n_d = float(criterion.n_d)
        self.unit = terms.n_rows * terms.scale
        self.max_cuts = min(bounds.max_cuts, self.n_values - 1)
        self.relevance, self.divergence, self.allowed = kernels.exact.fill_bin_terms(
            labelled, parts, terms, bounds.min_count
        )
        self.whole = int(self.relevance[kernels.exact.triangle(self.n_values)])
        self.ranked = kernels.monotone.rank_bins(*_rows_below(labelled, bounds.riser))
        self.best = np.empty(0, dtype=np.int64)
        self.psi = 0.0

    def scores(self, weight: float) -> NDArray[np.float64]:
        """Return the scores of all bins."""
        scores: NDArray[np.float64] = kernels.exact.weigh(self.relevance, self.divergence, self.allowed, weight)
        return scores

    def worth_trying(self) -> Iterator[int]:
        """Yield numbers of cuts, the most promising first, while one may beat the best scheme."""
        even = self.scores(1.0)
        uppers = self._price_bounds(even)
        last = self.max_cuts
        while last > 0 and not self._beats(uppers[last]):
            last -= 1
        totals, lasts, origins = kernels.monotone.best_by_cuts(even, *self.ranked, self.n_values, last)
        for cut in range(1, last + 1):
            uppers[cut] = self._upper(cut, totals[cut])
            if totals[cut] > -np.inf:
                self.keep(kernels.monotone.trace_back(lasts, origins, cut, self.n_values))
        for cut in sorted(range(1, last + 1), key=lambda cut: -uppers[cut]):
            if self._beats(uppers[cut]):
                yield cut

    def _price_bounds(self, even: NDArray[np.float64]) -> list[float]:
        """Return a bound on Psi for each number of cuts."""
        uppers = [math.inf] * (self.max_cuts + 1)
        _, free = kernels.monotone.best_at_price(even, *self.ranked, self.n_values, 0.0)
        prices = [0.0, *(max(free - self.whole, 1.0) * 2.0**-i for i in range(1, N_PRICES))]
        for price in prices:
            _, total = kernels.monotone.best_at_price(even, *self.ranked, self.n_values, price)
            uppers = [min(upper, self._upper(cut, total + price * cut)) for cut, upper in enumerate(uppers)]
        return uppers

    def _upper(self, n_cuts: int, total: float) -> float:
        return float(kernels.elementary.exp(-n_cuts / self.n_d)) * (total - self.whole) / self.unit

    def _beats(self, psi: float) -> bool:
        return bool(psi - self.psi > kernels.splitting.margin_of(psi))

    def look_at(self, n_cuts: int) -> None:
        """Find the best scheme with exactly so many cuts, and keep it if it is better."""
        scores = self.scores(kernels.elementary.exp(-n_cuts / self.n_d))
        _, lasts, origins = kernels.monotone.best_by_cuts(scores, *self.ranked, self.n_values, n_cuts)
        self.keep(kernels.monotone.trace_back(lasts, origins, n_cuts, self.n_values))

    def keep(self, gaps: NDArray[np.int64]) -> None:
        """Keep a scheme if it is better than the best so far, or as good with fewer cuts."""
        gain, loss = self.sums(gaps)
        psi = (kernels.elementary.exp(-gaps.size / self.n_d) * gain - loss) / self.unit
        margin = kernels.splitting.margin_of(psi)
        if psi - self.psi > margin or (gaps.size < self.best.size and psi - self.psi > -margin):
            self.best, self.psi = gaps, psi

    def sums(self, gaps: NDArray[np.int64]) -> tuple[int, int]:
        """Return the gain and the loss of a scheme in units."""
        add = kernels.exact.sum_terms
        gain = int(add(gaps, self.relevance, self.n_values)) - self.whole
        return gain, int(add(gaps, self.divergence, self.n_values))


def _rows_below(labelled: Labelled, riser: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows of the other class and of the rising one among the first 0, 1, 2, … values."""
    values = np.repeat(np.arange(labelled.starts.size - 1), np.diff(labelled.starts))
    rows = np.zeros((2, labelled.starts.size), dtype=np.int64)
    np.add.at(rows, ((labelled.labels == riser).astype(np.int64), values + 1), labelled.counts)
    sums = np.cumsum(rows, axis=1)
    return sums[0], sums[1]
