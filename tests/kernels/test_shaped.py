"""The fast search by rates against the one that tries every bin before."""

from __future__ import annotations

import numpy as np
import pytest

from cutwise import kernels
from cutwise.kernels.inputs import FREE, ONE_PEAK, RISING


@pytest.mark.parametrize("shape", [FREE, RISING, ONE_PEAK])
@pytest.mark.parametrize("seed", range(12))
def test_search_by_rates_finds_what_trying_every_bin_finds(shape, seed):
    shaped = kernels.bins.shaped
    random = np.random.default_rng(seed)
    n_values, max_cuts = int(random.integers(2, 14)), 6
    # Few different rates and scores, so that many schemes tie; some bins are forbidden.
    sizes = random.integers(1, 4, n_values)
    rows = np.append(0, np.cumsum(sizes)) * 1.0
    events = np.append(0, np.cumsum(random.integers(0, sizes + 1))) * 1.0
    scores = random.integers(0, 5, n_values * (n_values + 1) // 2) * 1.0
    scores[random.random(scores.size) < 0.2] = -np.inf

    slow, slow_gaps = shaped.best_after_one(scores, events, rows, max_cuts, shape, 0.0)
    ranked = shaped.rank_neighbours(events, rows, shape)
    fast, fast_gaps = shaped.best_by_rates(scores, *ranked, n_values, max_cuts, shape)

    np.testing.assert_array_equal(fast, slow)
    for cut in np.flatnonzero(slow > -np.inf):
        np.testing.assert_array_equal(fast_gaps[cut, :cut], slow_gaps[cut, :cut])


@pytest.mark.parametrize("shape", [FREE, RISING, ONE_PEAK])
def test_the_best_total_at_a_price_is_that_of_the_best_number_of_cuts(shape):
    shaped = kernels.bins.shaped
    random = np.random.default_rng(5)
    sizes = random.integers(1, 9, 12)
    rows = np.append(0, np.cumsum(sizes)) * 1.0
    events = np.append(0, np.cumsum(random.integers(0, sizes + 1))) * 1.0
    scores = random.integers(0, 50, 78) * 1.0
    ranked = shaped.rank_neighbours(events, rows, shape)

    totals, _ = shaped.best_by_rates(scores, *ranked, 12, 11, shape)

    for price in (0.0, 7.0, 100.0):
        best = shaped.best_at_price(scores, *ranked, 12, price, shape)
        assert best == (totals - price * np.arange(12)).max()
