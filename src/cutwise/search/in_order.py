"""The scheme with the highest Psi of all whose class rate never falls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels
from cutwise.kernels.inputs import TIE_ABSOLUTE, margin_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from cutwise.criteria import Psi
    from cutwise.kernels.inputs import LabelledRows, RowsByPart, SearchBounds, TermLookup

    Inputs = tuple[LabelledRows, RowsByPart | None, TermLookup]

N_PRICES = 16
# The first search looks at about so many gaps besides the corners of the best rising curve.
N_FIRST = 32
# What is below the best score by so many margins cannot tie with it.
N_MARGINS = 8.0


def first_gaps(zeros: NDArray[np.int64], edges: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the gaps to begin with: the corners of the nearest rising curve, and others at equal distances."""
    n_gaps = zeros.size - 2
    even = np.linspace(0, n_gaps - 1, min(N_FIRST, n_gaps)).astype(np.int64)
    return np.union1d(edges[1:-1] - 1, even)


def best_in_order(criterion: Psi, inputs: Inputs, bounds: SearchBounds) -> tuple[NDArray[np.int64], int, int]:
    """Return the gaps of the best scheme, its gain and its loss in units.

    A search of a few gaps gives a scheme that is nearly the best one. Of all gaps, those are left that may be in
    one as good.
    """
    labelled, parts, terms = inputs
    n_values = labelled.starts.size - 1
    rows = _rows_below(labelled, bounds.riser)
    edges = kernels.bins.monotone.pool_falling(*rows)
    first = _search(criterion, inputs, bounds, first_gaps(rows[0], edges), 0.0)
    if edges.size == 2:
        return first.best, *first.sums(first.best)
    floor = max(first.psi - N_MARGINS * margin_of(first.psi), TIE_ABSOLUTE / 2)
    _, *others = kernels.bins.exact.fill_bin_terms(labelled, parts, terms, bounds.min_count)
    scores = kernels.bins.monotone.rising_scores(*rows, edges, terms.scale, *others)
    weights = _weights(min(bounds.max_cuts, n_values - 1), criterion) / first.unit
    near = kernels.bins.monotone.near_gaps(scores, n_values, weights, -weights * first.whole, floor)
    run = _search(criterion, inputs, bounds, near, floor)
    return near[run.best], *run.sums(run.best)


def _search(criterion: Psi, inputs: Inputs, bounds: SearchBounds, gaps: NDArray[np.int64], floor: float) -> _Run:
    """Search some of the gaps."""
    run = _Run(criterion, _at_gaps(inputs, gaps), bounds, floor)
    for cut in run.worth_trying():
        run.look_at(cut)
    return run


def _at_gaps(inputs: Inputs, gaps: NDArray[np.int64]) -> Inputs:
    """Return the rows with only these gaps between them."""
    labelled, parts, terms = inputs
    edges = np.concatenate([[0], gaps + 1, [labelled.starts.size - 1]])
    joined = None if parts is None else parts._replace(starts=parts.starts[edges])
    return labelled._replace(starts=labelled.starts[edges]), joined, terms


def _weights(max_cuts: int, criterion: Psi) -> NDArray[np.float64]:
    """Return the weight of the relevance by the number of cuts."""
    weights: NDArray[np.float64] = kernels.elementary.exp_of(-np.arange(max_cuts + 1) / float(criterion.n_d))
    return weights


class _Run:
    """One search: the terms of all bins, and the best scheme so far.

    Schemes with a Psi below the floor are not sought.
    """

    def __init__(self, criterion: Psi, inputs: Inputs, bounds: SearchBounds, floor: float) -> None:
        labelled, parts, terms = inputs
        self.n_values = labelled.starts.size - 1
        self.unit = terms.n_rows * terms.scale
        self.max_cuts = min(bounds.max_cuts, self.n_values - 1)
        self.weights = _weights(self.max_cuts, criterion)
        self.relevance, self.divergence, self.allowed = kernels.bins.exact.fill_bin_terms(
            labelled, parts, terms, bounds.min_count
        )
        self.whole = int(self.relevance[kernels.bins.layers.triangle(self.n_values)])
        self.ranked = kernels.bins.monotone.rank_bins(*_rows_below(labelled, bounds.riser))
        self.best = np.empty(0, dtype=np.int64)
        self.psi = 0.0
        self.floor = floor

    def scores(self, weight: float) -> NDArray[np.float64]:
        """Return the scores of all bins."""
        scores: NDArray[np.float64] = kernels.bins.exact.weigh(self.relevance, self.divergence, self.allowed, weight)
        return scores

    def worth_trying(self) -> Iterator[int]:
        """Yield numbers of cuts, the most promising first, while one may beat the best scheme."""
        even = self.scores(1.0)
        uppers = self._price_bounds(even)
        last = self.max_cuts
        while last > 0 and not self._beats(uppers[last]):
            last -= 1
        totals, lasts, origins = kernels.bins.monotone.best_by_cuts(even, *self.ranked, self.n_values, last)
        uppers = self.weights[: last + 1] * (totals - self.whole) / self.unit
        for cut in range(1, last + 1):
            if totals[cut] > -np.inf:
                self.keep(kernels.bins.monotone.trace_back(lasts, origins, cut, self.n_values))
        for cut in sorted(range(1, last + 1), key=lambda cut: -uppers[cut]):
            if self._beats(uppers[cut]):
                yield cut

    def _price_bounds(self, even: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return a bound on Psi for each number of cuts."""
        _, free = kernels.bins.monotone.best_at_price(even, *self.ranked, self.n_values, 0.0)
        totals = np.full(self.max_cuts + 1, free)
        for i in range(1, N_PRICES):
            price = max(free - self.whole, 1.0) * 2.0**-i
            _, total = kernels.bins.monotone.best_at_price(even, *self.ranked, self.n_values, price)
            totals = np.minimum(totals, total + price * np.arange(self.max_cuts + 1))
        return np.asarray(self.weights * (totals - self.whole) / self.unit)

    def _beats(self, psi: float) -> bool:
        return psi - self.psi > margin_of(psi) and psi > self.floor

    def look_at(self, n_cuts: int) -> None:
        """Find the best scheme with exactly so many cuts, and keep it if it is better."""
        scores = self.scores(self.weights[n_cuts])
        _, lasts, origins = kernels.bins.monotone.best_by_cuts(scores, *self.ranked, self.n_values, n_cuts)
        self.keep(kernels.bins.monotone.trace_back(lasts, origins, n_cuts, self.n_values))

    def keep(self, gaps: NDArray[np.int64]) -> None:
        """Keep a scheme if it is better than the best so far, or as good with fewer cuts."""
        gain, loss = self.sums(gaps)
        psi = (self.weights[gaps.size] * gain - loss) / self.unit
        margin = margin_of(psi)
        if psi - self.psi > margin or (gaps.size < self.best.size and psi - self.psi > -margin):
            self.best, self.psi = gaps, psi

    def sums(self, gaps: NDArray[np.int64]) -> tuple[int, int]:
        """Return the gain and the loss of a scheme in units."""
        add = kernels.bins.exact.sum_terms
        gain = int(add(gaps, self.relevance, self.n_values)) - self.whole
        return gain, int(add(gaps, self.divergence, self.n_values))


def _rows_below(labelled: LabelledRows, riser: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows of the other class and of the rising one among the first 0, 1, 2, … values."""
    values = np.repeat(np.arange(labelled.starts.size - 1), np.diff(labelled.starts))
    rows = np.zeros((2, labelled.starts.size), dtype=np.int64)
    np.add.at(rows, ((labelled.labels == riser).astype(np.int64), values + 1), labelled.counts)
    sums = np.cumsum(rows, axis=1)
    return sums[0], sums[1]
