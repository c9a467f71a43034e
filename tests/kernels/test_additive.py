"""Exact search over additive scores, free and with rates that never fall, against full enumeration."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from cutwise import kernels
from tests.kernels import reference_additive as reference


@st.composite
def problems(draw, max_values=9):
    """Scores of all bins, offsets, and the rows of two classes among the first values."""
    n_values = draw(st.integers(1, max_values))
    elements = st.one_of(st.integers(-8, 8).map(float), st.just(-np.inf))
    scores = draw(hnp.arrays(np.float64, n_values * (n_values + 1) // 2, elements=elements))
    scores[n_values * (n_values - 1) // 2] = draw(st.integers(-8, 8))
    max_cuts = draw(st.integers(0, n_values - 1))
    shape = draw(st.sampled_from(["concave", "free", "none"]))
    offsets = np.zeros(max_cuts + 1)
    if shape == "concave":
        offsets = -np.rint(draw(st.integers(1, 8)) * np.sqrt(np.arange(max_cuts + 1)))
    if shape == "free":
        offsets = draw(hnp.arrays(np.float64, max_cuts + 1, elements=st.integers(-8, 8).map(float)))
    counts = draw(hnp.arrays(np.int64, (n_values, 2), elements=st.integers(0, 3)))
    counts[counts.sum(axis=1) == 0, 0] = 1
    prefix = np.vstack([np.zeros((1, 2), dtype=np.int64), counts.cumsum(axis=0)])
    return scores, offsets, n_values, prefix[:, 0].copy(), prefix[:, 1].copy()


def as_function(scores):
    return lambda start, stop: float(scores[stop * (stop - 1) // 2 + start])


@given(problems())
def test_free_search_equals_enumeration(problem):
    scores, offsets, n_values, _, _ = problem
    found = kernels.bins.exact.best_cuts_with_offsets(scores, offsets, n_values)
    assert found.tolist() == reference.best_cuts(as_function(scores), offsets, n_values)


@given(problems())
def test_monotone_search_equals_enumeration(problem):
    scores, offsets, n_values, zeros, ones = problem

    def allowed(bins):
        return reference.never_falls(bins, zeros, ones)

    by_rate, places = kernels.bins.monotone.rank_bins(zeros, ones)
    found = kernels.bins.monotone.best_cuts(scores, by_rate, places, offsets, n_values)
    assert found.tolist() == reference.best_cuts(as_function(scores), offsets, n_values, allowed)


@given(problems())
def test_monotone_search_for_each_number_of_cuts(problem):
    scores, _, n_values, zeros, ones = problem
    expected = reference.best_by_cuts(as_function(scores), n_values, lambda b: reference.never_falls(b, zeros, ones))
    by_rate, places = kernels.bins.monotone.rank_bins(zeros, ones)
    totals, lasts, origins = kernels.bins.monotone.best_by_cuts(scores, by_rate, places, n_values, n_values - 1)
    for n_cuts in range(n_values):
        total, gaps = expected.get(n_cuts, (-np.inf, None))
        assert totals[n_cuts] == total
        if gaps is not None:
            assert kernels.bins.monotone.trace_back(lasts, origins, n_cuts, n_values).tolist() == gaps


@example([(1 << 40, 1), ((1 << 40) - 1, 1)])
@given(st.lists(st.tuples(st.integers(0, 1 << 20), st.integers(1, 1 << 20)), min_size=1, max_size=12))
def test_the_ranks_of_the_bins(counts):
    table = np.array(counts, dtype=np.int64)
    zeros, ones = (np.append(0, table[:, label].cumsum()) for label in (0, 1))
    by_rate, places = kernels.bins.monotone.rank_bins(zeros, ones)
    n_values = len(counts)
    for stop in range(1, n_values + 1):
        base = stop * (stop - 1) // 2
        starts = by_rate[base : base + stop].tolist()
        assert sorted(starts) == list(range(stop))
        for start, follower in pairwise(starts):
            assert reference.never_falls([(start, stop), (follower, stop)], zeros, ones)
        for start in range(1, stop):
            before = [reference.never_falls([(first, start), (start, stop)], zeros, ones) for first in range(start)]
            assert places[base + start] == sum(before)
