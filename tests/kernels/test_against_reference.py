"""Every kernel equals its plain-Python twin, bit for bit (promise 9)."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cutwise import kernels
from cutwise.counts import ColumnCounts
from cutwise.criteria import ExpectedDivergence, NoDivergence, Psi, SplitDivergence
from cutwise.kernels import reference
from cutwise.kernels.inputs import SearchBounds
from tests.strategies import DOUBLES, count_tables, tied_columns

DIVERGENCES = st.one_of(
    st.just(NoDivergence()),
    st.integers(2, 9).map(ExpectedDivergence),
    st.just(SplitDivergence((1,))),
    st.just(SplitDivergence((0, 1, 2))),
)
N_D = st.sampled_from([0.5, 5.0, 50.0, math.inf])
FREE = SearchBounds(100, 0, -1)
BOUNDS = st.builds(SearchBounds, st.integers(0, 9), st.integers(0, 12), st.sampled_from([-1, 0, 1]))


def divergence_term(divergence, table, terms):
    """Return the twin's divergence term of the values start to stop."""
    parts = None if table.part_counts is None else table.part_counts.tolist()
    class_counts = table.class_counts

    def term(start, stop):
        rows = int(class_counts[start:stop].sum())
        if isinstance(divergence, SplitDivergence):
            totals = [sum(row[part] for row in parts) for part in divergence.judged]
            valid = [sum(row[part] for row in parts[start:stop]) for part in divergence.judged]
            return reference.split_term(rows, valid, totals, terms.n_rows, terms.scale)
        return int(terms.expected[rows]) if terms.expected.size else 0

    return term


@given(st.integers(1, 10**10).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
@example((2, 2))
@example((3, 3))
def test_count_terms(numbers):
    count, n_rows = numbers
    scale = kernels.bins.terms.choose_scale(n_rows)
    assert scale == reference.choose_scale(n_rows)
    assert kernels.bins.terms.count_term(count, scale) == reference.count_term(count, scale)


@given(st.integers(1, 3000))
def test_tables_hold_the_terms(n_rows):
    scale = reference.choose_scale(n_rows)
    table = kernels.bins.terms.fill_count_terms(n_rows, scale)
    assert table.tolist() == [reference.count_term(count, scale) for count in range(n_rows + 1)]
    assert int(table.max()) < 2**52


def test_terms_beyond_the_table_are_computed():
    short = np.array([0, 0, 7], dtype=np.int64)
    assert kernels.bins.terms.look_up_count(2, short, 2.0**20) == 7
    assert kernels.bins.terms.look_up_count(3, short, 2.0**20) == reference.count_term(3, 2.0**20)
    n_rows, n_valid = 10**7, 10**6
    rows = 9 * 10**6
    room = kernels.bins.terms.room_for_shares(n_rows, n_valid)
    assert kernels.bins.terms.look_up_expected(
        rows, short, n_rows, n_valid, 2.0**10, None
    ) == kernels.bins.terms.expected_term(rows, n_rows, n_valid, 2.0**10, room)
    assert kernels.bins.terms.look_up_expected(n_rows, short, n_rows, n_valid, 2.0**10, None) == 0


@pytest.mark.parametrize("n_valid", [1, 40, 999, 10**7 - 40, 10**7 - 1])
@pytest.mark.parametrize("rows", [3, 5 * 10**6, 10**7 - 1])
def test_terms_beyond_the_table_with_a_tiny_part(rows, n_valid):
    n_rows = 10**7
    room = np.empty((2, n_rows))
    assert kernels.bins.terms.large_expected_term(rows, n_rows, n_valid, 2.0**20) == pytest.approx(
        kernels.bins.terms.expected_term(rows, n_rows, n_valid, 2.0**20, room), rel=1e-12, abs=1
    )


@example(512, 0.5)
@example(513, 0.1)
@example(513, 0.0)
@example(100_003, 1 / 9)
@example(100_003, 0.999)
@given(st.integers(1, 30_000), st.floats(0.0, 1.0))
def test_expected_terms_of_a_table_are_those_of_its_bins(n_rows, share):
    terms = kernels.bins.terms
    n_valid, scale = round(n_rows * share), reference.choose_scale(n_rows)
    table, room = terms.fill_expected_terms(n_rows, n_valid, scale), np.empty((2, n_rows + terms.N_MOMENTS))
    some = np.unique(np.geomspace(1, n_rows, 60).astype(int))
    exact = [terms.expected_term(rows, n_rows, n_valid, scale, room) for rows in some.tolist()]
    assert table[some].tolist() == pytest.approx(exact, rel=2e-12, abs=1)
    assert table[0] == table[n_rows] == 0


@given(st.data())
def test_split_terms(data):
    n_parts = data.draw(st.integers(1, 4))
    totals = data.draw(st.lists(st.integers(0, 50), min_size=n_parts, max_size=n_parts))
    valid = [data.draw(st.integers(0, total)) for total in totals]
    n_rows = sum(totals) + data.draw(st.integers(1, 50))
    rows = sum(valid) + data.draw(st.integers(0, n_rows - sum(totals)))
    args = (rows, valid, totals, n_rows, 2.0**30)
    arrays = (rows, np.array(valid), np.array(totals), n_rows, 2.0**30)
    assert kernels.bins.terms.split_term(*arrays) == reference.split_term(*args)


@given(st.data(), st.sampled_from([1, 7, 2**40]))
def test_the_bound_of_split_terms_is_one(data, times):
    n_parts = data.draw(st.integers(1, 4))
    counts = st.lists(st.integers(0, 300), min_size=n_parts, max_size=n_parts)
    left, right, others = (np.array(data.draw(counts)) * times for _ in range(3))
    rows = [int(valid.sum()) + times * data.draw(st.integers(1, 300)) for valid in (left, right, others)]
    totals, n_rows = left + right + others, sum(rows)
    scale = kernels.bins.terms.choose_scale(n_rows)
    exact = sum(
        reference.split_term(own, valid, totals, n_rows, scale)
        for own, valid in zip(rows[:2], (left, right), strict=True)
    )
    bound = kernels.bins.terms.least_split_terms(rows[0], left, rows[1], right, totals, n_rows, scale)
    assert bound <= exact
    # Even for a bin without rows of one part what is left of the series is less than a third of the sum.
    assert bound >= 0.7 * exact - 8.0


@example((101, 102, 101))
@given(st.integers(2, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n), st.integers(1, n - 1))))
def test_expected_share_equals_the_sum_over_all_splits(numbers):
    assert kernels.bins.terms.expected_share(*numbers) == pytest.approx(
        reference.expected_share(*numbers), rel=1e-12, abs=1e-15
    )


@pytest.mark.parametrize("n_rows", [2_000, 50_000, 3_000_000])
@pytest.mark.parametrize("n_splits", [2, 9, 100])
@pytest.mark.parametrize("share", [0.0005, 0.01, 0.3, 0.5, 0.9, 0.999])
def test_series_replaces_the_sum(n_rows, n_splits, share):
    rows, n_valid = round(n_rows * share), n_rows // n_splits
    mean = rows * n_valid / n_rows
    room = np.empty((2, max(rows, kernels.bins.terms.N_MOMENTS) + 1))
    exact = kernels.bins.terms.expected_share_by_sum(rows, n_rows, n_valid, *room)
    if mean >= kernels.bins.terms.SERIES_FROM:
        series = kernels.bins.terms.expected_share_by_series(rows, n_rows, n_valid, room[0])
        assert series == pytest.approx(exact, rel=2e-9)
    if mean >= kernels.bins.terms.SHORT_SERIES_FROM:
        short = kernels.bins.terms.expected_share_by_short_series(rows, n_rows, n_valid)
        assert short == pytest.approx(exact, rel=3e-9)
    if rows >= 1000:
        leading = n_rows * (n_rows - rows) / (8 * math.log(2) * (n_rows - 1) * n_valid * (n_rows - n_valid))
        assert leading == pytest.approx(exact, rel=0.003 if n_splits <= 9 else 0.05)


@given(st.lists(st.lists(DOUBLES, max_size=12), min_size=1, max_size=7))
def test_merging(runs):
    runs = [sorted(value + 0.0 for value in run) for run in runs]
    starts = np.cumsum([0, *map(len, runs)])
    values = np.array([value for run in runs for value in run])
    merged, labels = kernels.bins.counting.merge_runs(values, starts)
    assert list(zip(merged.tolist(), labels.tolist(), strict=True)) == reference.merge_runs(runs)


@given(st.lists(st.lists(st.integers(0, 6).map(float), max_size=12), min_size=1, max_size=6), st.data())
def test_counting(runs, data):
    pairs = reference.merge_runs(runs)
    values = np.array([value for value, _ in pairs])
    labels = np.array([run for _, run in pairs], dtype=np.int32)
    ascending = np.sort(data.draw(st.lists(st.integers(0, 3), min_size=len(runs), max_size=len(runs)))).astype(np.int32)
    anyhow = np.array(data.draw(st.permutations(range(len(runs)))), dtype=np.int32)
    distinct, expected = reference.count_rows(pairs, ascending.tolist())
    sizes = kernels.bins.counting.count_entries(values, labels, ascending)
    entries = kernels.bins.counting.fill_entries(values, labels, None, ascending, *sizes)
    assert kernels.bins.counting.pick_distinct(values, sizes[0]).tolist() == distinct
    assert as_dicts(*entries) == expected
    _, expected = reference.count_rows(pairs, anyhow.tolist())
    assert (
        as_dicts(*kernels.bins.counting.count_unordered(values, labels, None, anyhow, len(runs), len(distinct)))
        == expected
    )


@given(st.lists(st.lists(DOUBLES, max_size=6), min_size=1, max_size=5), st.data())
def test_packing(runs, data):
    values = [value for run in runs for value in run]
    starts = np.cumsum([0, *map(len, runs)])[:-1]
    stops = np.array([start + data.draw(st.integers(0, len(run))) for start, run in zip(starts, runs, strict=True)])
    packed, bounds = reference.pack_runs(values, starts, stops)
    array = np.array(values, dtype=float)
    assert kernels.bins.counting.pack_runs(array, starts, stops).tolist() == bounds
    assert array[: bounds[-1]].tolist() == packed


@given(count_tables(), st.sets(st.integers(0, 8)))
def test_counting_bins(tables, gaps):
    counts, _ = tables
    table = ColumnCounts.from_dense(np.arange(len(counts)), counts)
    gaps = sorted(gap for gap in gaps if gap < len(counts) - 1)
    entries = table.by_class
    ends = table.bin_ends(np.array(gaps, dtype=np.int64))
    found = kernels.bins.counting.count_bins(entries.starts, entries.labels, entries.counts, entries.n_labels, ends)
    assert found.tolist() == reference.bins_of(counts.tolist(), gaps)


def as_dicts(starts, labels, counts):
    return [dict(zip(labels[a:b].tolist(), counts[a:b].tolist(), strict=True)) for a, b in itertools.pairwise(starts)]


@given(count_tables(), DIVERGENCES, N_D, st.integers(0, 12))
def test_greedy_search(tables, divergence, n_d, max_cuts):
    table = ColumnCounts.from_dense(np.arange(len(tables[0])), *tables)
    check_greedy(table, Psi(n_d, divergence), SearchBounds(max_cuts, 0, -1))


@given(count_tables(max_classes=2), DIVERGENCES, N_D, BOUNDS)
def test_greedy_search_within_bounds(tables, divergence, n_d, bounds):
    check_greedy(ColumnCounts.from_dense(np.arange(len(tables[0])), *tables), Psi(n_d, divergence), bounds)


@given(tied_columns(), st.one_of(st.just(NoDivergence()), st.just(ExpectedDivergence(3))), N_D)
def test_greedy_search_with_ties(column, divergence, n_d):
    x, y = column
    counts = np.zeros((int(x.max()) + 1, 3), dtype=np.int64)
    np.add.at(counts, (x.astype(int), y), 1)
    check_greedy(ColumnCounts.from_dense(np.unique(x), counts), Psi(n_d, divergence), FREE)


def check_greedy(table, criterion, bounds):
    labelled, parts, terms = criterion.inputs(table)
    tried, n_cuts, stop = kernels.bins.splitting.add_cuts(
        labelled, parts, terms, float(criterion.n_d), bounds.max_cuts, bounds if bounds.restrict else None
    )
    term = divergence_term(criterion.divergence, table, terms)
    expected = reference.add_cuts(table.class_counts.tolist(), term, terms.n_rows, terms.scale, criterion.n_d, bounds)
    steps = [tuple(step) for step in tried.tolist()]
    assert (steps, n_cuts, ("no_gain", "limit", "all_cut", "no_room")[stop]) == expected


@given(count_tables(max_values=9), DIVERGENCES, N_D)
def test_exact_search_equals_enumeration(tables, divergence, n_d):
    table = ColumnCounts.from_dense(np.arange(len(tables[0])), *tables)
    check_exact(table, Psi(n_d, divergence))


@given(count_tables(max_values=9), DIVERGENCES, N_D, st.integers(0, 8), st.integers(0, 12))
def test_exact_search_within_bounds(tables, divergence, n_d, max_cuts, min_count):
    table = ColumnCounts.from_dense(np.arange(len(tables[0])), *tables)
    check_exact(table, Psi(n_d, divergence), SearchBounds(max_cuts, min_count, -1))


@pytest.mark.slow
@given(count_tables(max_values=13), DIVERGENCES, N_D)
def test_exact_search_equals_enumeration_of_twelve_candidates(tables, divergence, n_d):
    table = ColumnCounts.from_dense(np.arange(len(tables[0])), *tables)
    check_exact(table, Psi(n_d, divergence))


def test_exact_search_on_twelve_candidates():
    rng = np.random.default_rng(0)
    for n_d in (5.0, 50.0):
        table = ColumnCounts.from_dense(np.arange(13), rng.integers(0, 4, (13, 2)) + 1)
        check_exact(table, Psi(n_d, ExpectedDivergence()))


def check_exact(table, criterion, bounds=FREE):
    labelled, parts, terms = criterion.inputs(table)
    gaps, gain, loss = kernels.bins.exact.best_cuts(labelled, parts, terms, float(criterion.n_d), bounds)
    counts, term = table.class_counts.tolist(), divergence_term(criterion.divergence, table, terms)
    whole, _ = reference.sums_of([], counts, term, terms.scale)
    relevance, divergence = reference.sums_of(gaps.tolist(), counts, term, terms.scale)
    assert (gain, loss) == (relevance - whole, divergence)
    psi = criterion.score_of_units(gaps.size, gain, loss, terms).value
    best = reference.best_psi(counts, term, terms.n_rows, terms.scale, criterion.n_d, bounds)
    assert psi == pytest.approx(best, rel=2e-9, abs=2e-12)


@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.data())
def test_cells_of_codes(n_bins, data):
    codes = data.draw(st.lists(st.tuples(*(st.integers(-1, 5) for _ in n_bins)), min_size=1, max_size=9))
    firsts = [1 + sum(n_bins[:j]) for j in range(len(n_bins))]
    cells = np.empty((len(codes), len(n_bins) + 1), dtype=np.int32)
    none = 1 + sum(n_bins)
    rows = np.array(codes, dtype=np.int32)
    kernels.additive.cells.place_codes(rows, np.array(firsts), np.array(n_bins), none, cells)
    assert cells.tolist() == [reference.place_codes(row, firsts, n_bins, none) for row in codes]


@given(st.lists(st.one_of(DOUBLES, st.sampled_from([math.nan, math.inf, -math.inf])), max_size=30), st.data())
def test_assigning(values, data):
    size = data.draw(st.sampled_from([0, 1, 3, kernels.bins.counting.FEW_CUTS, 40]))
    pool = data.draw(st.lists(DOUBLES, min_size=size, max_size=size))
    more = data.draw(st.sampled_from([0, 0, 300, 3000]))
    cuts = np.unique(np.array([*pool, *np.linspace(-5.0, 5.0, more)], dtype=float) + 0.0)
    values = [*values, *cuts.tolist()]
    codes = np.empty(len(values), dtype=np.int32)
    blocks = kernels.bins.counting.blocks_of_cuts(cuts)
    kernels.bins.counting.assign_codes(np.array(values, dtype=float), *blocks, -1, codes)
    assert codes.tolist() == [reference.assign_code(value, cuts.tolist(), -1) for value in values]
