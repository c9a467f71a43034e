"""Every limit and trend, against trying every set of cuts."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency

from cutwise.counts import ColumnCounts
from cutwise.criteria import CAIM, MDL, ChiSquare, ExpectedDivergence, ModlCriterion, Psi, SplitDivergence
from cutwise.search import BinLimits, ExactSearch, GreedySearch, MergeSearch, ModlSearch, TopDownSearch
from cutwise.search.limited import Rules, run_search
from tests.strategies import count_tables

TRENDS = ["increasing", "decreasing", "peak", "valley", "concave", "convex"]


def in_trend(rates, trend):
    steps = np.diff(rates)
    if trend in ("decreasing", "valley", "convex"):
        steps = -steps
    if trend in ("increasing", "decreasing"):
        return bool((steps >= -1e-13).all())
    if trend in ("peak", "valley"):
        return any((steps[:i] >= -1e-13).all() and (steps[i:] <= 1e-13).all() for i in range(len(steps) + 1))
    return trend is None or bool((np.diff(steps) <= 1e-11).all())


def keeps(table, gaps, limits, *, sizes=True):
    """Tell whether a scheme keeps all limits, from its counts."""
    counts = table.by_class.by_bin(table.bin_ends(np.array(gaps, dtype=np.int64)))
    rows, events = counts.sum(axis=1), counts[:, limits.event]
    good = in_trend(events / rows, limits.trend)
    if sizes:
        good &= rows.max() <= limits.max_rows and len(rows) >= limits.min_bins
    good &= limits.max_bins is None or len(rows) <= limits.max_bins
    if len(rows) > 1:
        good &= rows.min() >= limits.min_rows and np.minimum(events, rows - events).min() >= limits.min_events
    if limits.max_pvalue is not None:
        for left, right in itertools.pairwise(np.column_stack([events, rows - events])):
            pair = np.array([left, right])
            if not pair.sum(axis=0).all() or chi2_contingency(pair, correction=False).pvalue > limits.max_pvalue:
                good = False
    return bool(good)


def every_scheme(table):
    gaps = range(table.n_values - 1)
    return itertools.chain.from_iterable(itertools.combinations(gaps, k) for k in range(table.n_values))


LIMITS = st.builds(
    BinLimits,
    max_bins=st.one_of(st.none(), st.integers(2, 5)),
    min_rows=st.sampled_from([0.0, 0.0, 3.0]),
    min_bins=st.sampled_from([1, 1, 2, 4]),
    max_rows=st.sampled_from([math.inf, math.inf, 9.0]),
    min_events=st.sampled_from([0.0, 0.0, 1.0, 2.0]),
    max_pvalue=st.sampled_from([None, None, 0.2, 0.5]),
    trend=st.sampled_from([None, *TRENDS]),
    event=st.sampled_from([0, 1]),
)
TABLES = count_tables(max_values=8, max_classes=2, max_count=7)
CRITERIA = st.builds(
    Psi, st.sampled_from([2.0, 50.0]), st.sampled_from([ExpectedDivergence(4), SplitDivergence((0, 1, 2))])
)


def table_of(tables):
    return ColumnCounts.from_dense(np.arange(len(tables[0])), *tables)


def best_value(table, limits, value):
    """Return the best value of all schemes that keep the limits, after those that cannot be met are left out."""
    schemes = list(every_scheme(table))
    kept = [gaps for gaps in schemes if keeps(table, gaps, limits)]
    if not kept:
        kept = [gaps for gaps in schemes if keeps(table, gaps, limits, sizes=False)]
        rows = {
            gaps: table.by_class.by_bin(table.bin_ends(np.array(gaps, dtype=np.int64))).sum(axis=1) for gaps in kept
        }
        small = [gaps for gaps in kept if rows[gaps].max() <= limits.max_rows]
        kept = small or kept
        enough = [gaps for gaps in kept if len(gaps) + 1 >= limits.min_bins]
        kept = enough or [gaps for gaps in kept if len(gaps) == max(map(len, kept))]
    return max(value(np.array(gaps, dtype=np.int64)) for gaps in kept)


@given(TABLES, CRITERIA, LIMITS)
def test_exact_search_of_psi(tables, criterion, limits):
    table = table_of(tables)
    if limits.are_plain or table.n_classes < 2:
        return
    found = ExactSearch().run(criterion, table, limits)
    if found.stop != "optimum":
        return
    best = best_value(table, limits, lambda gaps: criterion.score(table, gaps).value)
    assert found.score.value == pytest.approx(best, rel=2e-9, abs=1e-11)
    assert criterion.score(table, found.gaps).value == pytest.approx(best, rel=2e-9, abs=1e-11)


@given(TABLES, LIMITS)
def test_exact_search_of_modl(tables, limits):
    table, criterion = table_of(tables[:1]), ModlCriterion()
    if limits.are_plain or table.n_classes < 2:
        return
    found = ModlSearch().run(criterion, table, limits)
    if found.stop != "optimum":
        return
    best = best_value(table, limits, lambda gaps: -criterion.cost(table, gaps))
    assert -criterion.cost(table, found.gaps) == pytest.approx(best, rel=2e-9)


SEARCHES = [
    (GreedySearch(), Psi(50.0, ExpectedDivergence(4))),
    (TopDownSearch(), MDL()),
    (TopDownSearch(), CAIM()),
    (MergeSearch(), ChiSquare()),
]


@pytest.mark.parametrize(("search", "criterion"), SEARCHES, ids=repr)
@given(tables=TABLES, limits=LIMITS)
def test_other_searches_keep_the_limits(search, criterion, tables, limits):
    table = table_of(tables[:1])
    if table.n_classes < 2:
        return
    found = run_search(search, criterion, table, limits)
    assert keeps(table, found.gaps, limits, sizes=False)
    rules = Rules(table, limits)
    counts = table.by_class.by_bin(table.bin_ends(found.gaps)).sum(axis=1)
    is_full = limits.max_bins is not None and counts.size >= limits.max_bins
    if found.stop in ("one_class", "one_value", "no_values") or is_full:
        return
    edges = [0, *(found.gaps + 1).tolist(), table.n_values]
    if counts.size < limits.min_bins:
        assert not any(rules.allowed(edges, b).any() for b in range(counts.size))
    for b in np.flatnonzero(counts > limits.max_rows):
        assert not rules.allowed(edges, int(b)).any()


@given(TABLES, LIMITS)
def test_what_the_rules_allow_is_what_every_check_allows(tables, limits):
    table = table_of(tables[:1])
    if table.n_classes < 2 or table.n_values < 2:
        return
    rules = Rules(table, limits)
    for gaps in every_scheme(table):
        if not keeps(table, gaps, limits, sizes=False):
            continue
        edges = [0, *(gap + 1 for gap in gaps), table.n_values]
        for place in range(len(edges) - 1):
            for gap, is_allowed in zip(
                range(edges[place], edges[place + 1] - 1), rules.allowed(edges, place), strict=True
            ):
                free = BinLimits(**{**vars(limits), "max_bins": None})
                assert is_allowed == keeps(table, sorted([*gaps, gap]), free, sizes=False)


def test_a_cut_that_is_not_confirmed_is_made_for_the_least_number_of_bins():
    rng = np.random.default_rng(0)
    counts = rng.integers(1, 9, (30, 2))
    table = ColumnCounts.from_dense(np.arange(30), counts)
    limits = BinLimits(min_bins=3, confirm=0.001, event=1)
    for search, criterion in ((GreedySearch(), Psi()), (ExactSearch(), Psi()), (TopDownSearch(), MDL())):
        found = run_search(search, criterion, table, limits)
        assert found.gaps.size == 2
        assert sorted(found.tests) == found.gaps.tolist()
        assert run_search(search, criterion, table, BinLimits(confirm=0.001)).gaps.size == 0


def test_the_limit_that_forbids_the_next_cut_is_told():
    counts = np.array([[9, 1], [1, 9], [9, 1], [1, 9]])
    table = ColumnCounts.from_dense(np.arange(4), counts)
    assert Rules(table, BinLimits(max_bins=2, event=1)).stopped_by(np.array([0])) == ("max_bins",)
    assert Rules(table, BinLimits(trend="increasing", event=1)).stopped_by(np.array([0])) == ("monotonic",)
    assert Rules(table, BinLimits(min_events=3, event=1)).stopped_by(np.array([], dtype=np.int64)) == ("min_events",)
    assert Rules(table, BinLimits(event=1)).stopped_by(np.array([0])) == ()
