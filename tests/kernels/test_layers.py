"""Totals side by side against all schemes, and bounds that hold."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from cutwise.kernels.bins import layers
from cutwise.kernels.bins.splitting import weight_of

N_VALUES = 9


def sum_of(scores, gaps, n_values=N_VALUES):
    """Return the sum of the scores of a scheme's bins."""
    edges = [0, *(gap + 1 for gap in gaps), n_values]
    return sum(scores[layers.triangle(edges[i + 1]) + edges[i]] for i in range(len(edges) - 1))


def schemes(n_values=N_VALUES):
    """Return all schemes."""
    return [gaps for k in range(n_values) for gaps in combinations(range(n_values - 1), k)]


def random_scores(seed):
    """Return scores of all bins, some of them forbidden; the bin of all values is not."""
    random = np.random.default_rng(seed)
    scores = random.integers(-50, 50, layers.triangle(N_VALUES + 1)).astype(np.float64)
    scores[random.random(scores.size) < 0.2] = -np.inf
    scores[layers.triangle(N_VALUES)] = -3.0
    return scores


@pytest.mark.parametrize("seed", range(10))
def test_layers(seed):
    scores = random_scores(seed)
    found = layers.fill_layers(scores, N_VALUES, N_VALUES - 1)
    for n_cuts in range(N_VALUES):
        best = max(sum_of(scores, gaps) for gaps in schemes() if len(gaps) == n_cuts)
        assert found[n_cuts, N_VALUES] == best
        if best > -np.inf:
            assert sum_of(scores, layers.trace_back(found, scores, n_cuts, N_VALUES).tolist()) == best


@pytest.mark.parametrize("seed", range(10))
def test_prices(seed):
    scores, prices = random_scores(seed), np.array([0.0, 0.5, 4.0, 16.0, -8.0])
    found = layers.totals_at_prices(scores, N_VALUES, prices)
    for price, totals in zip(prices, found, strict=True):
        gaps, total = layers.best_at_price(scores, N_VALUES, price)
        assert total == totals[N_VALUES] == max(sum_of(scores, gaps) - price * len(gaps) for gaps in schemes())
        assert layers.trace_price(totals, scores, N_VALUES, price).tolist() == gaps.tolist()


@pytest.mark.parametrize("n_d", [2.0, 5.0, 50.0])
@pytest.mark.parametrize("seed", range(10))
def test_bounds_by_prices_hold(seed, n_d):
    random = np.random.default_rng(seed)
    size = layers.triangle(N_VALUES + 1)
    relevance, divergence = random.integers(-900, 0, size), random.integers(0, 300, size)
    allowed = random.random(size) < 0.9
    whole = layers.triangle(N_VALUES)
    relevance[whole], allowed[whole] = -2000, True
    best = np.full(N_VALUES, -np.inf)
    for gaps in schemes():
        if sum_of(~allowed, gaps) == 0:
            gain = sum_of(relevance, gaps) - relevance[whole]
            psi = (weight_of(len(gaps), n_d) * gain - sum_of(divergence, gaps)) / 100.0
            best[len(gaps)] = max(best[len(gaps)], psi)
    uppers = np.full(N_VALUES, np.inf)
    uppers[0] = -np.inf
    layers.tighten_by_prices(relevance, divergence, allowed, N_VALUES, n_d, 100.0, 1500, -1e6, uppers)
    assert (uppers[1:] >= best[1:] - 1e-9).all()
    assert np.isfinite(uppers[1:]).all()
    assert (uppers[1:] <= best[1:] + 1e-9).any()


def test_next_number_of_cuts():
    uppers = np.array([9.0, 1.0, 3.0, 2.0, 4.0])
    assert layers.next_to_search(uppers, 2, 1.0) == 4
    assert layers.next_to_search(uppers, 2, 4.0) == 0
    # As good with fewer cuts is enough.
    assert layers.next_to_search(uppers, 5, 4.0) == 4
