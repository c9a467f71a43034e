"""The search for the cheapest partition under MODL."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cutwise.counts import ColumnCounts, RowGroups, count_column, place_cuts
from cutwise.criteria import ModlCriterion
from cutwise.scheme import STOP_REASONS
from cutwise.search import BinLimits, ModlSearch
from tests.kernels import reference_modl as reference
from tests.strategies import count_tables

VECTORS = {
    "D1": (range(1, 13), [0, 0, 0, 1, 0, 1, 1, 1, 2, 2, 1, 2], [5.5], 16.842683),
    "D2": (range(1, 13), [0] * 4 + [1] * 4 + [2] * 4, [4.5, 8.5], 15.119917),
    "D3": ([1, 1, 2, 2, 3, 4, 4, 5, 6, 6], [0, 0, 0, 1, 1, 1, 0, 1, 1, 1], [], 10.047588),
    "D4": (range(1, 13), [0, 0, 0, 2, 0, 2, 2, 2, 3, 3, 2, 3], [5.5], 16.842683),
    "D5": ([0] * 6 + [1, 2, 3, 4, 5, 6], [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 1], [], 11.878568),
    "D6": ([0] * 4 + list(range(1, 9)), [0] * 4 + [1] * 4 + [2] * 4, [0.5, 4.5], 15.119917),
}
# The first searches exactly, the second has to merge.
SEARCHES = [ModlSearch(), ModlSearch(max_values=2)]


def table_of(counts, unit=1.0):
    return replace(ColumnCounts.from_dense(np.arange(len(counts)), counts), unit=unit)


def column(n_rows, n_classes, seed, strength=2.0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n_rows)
    score = strength * np.sin(3 * x) + rng.normal(size=n_rows)
    y = np.searchsorted(np.quantile(score, np.arange(1, n_classes) / n_classes), score)
    return count_column(x, RowGroups(y, n_classes))


@pytest.mark.parametrize("name", VECTORS)
@pytest.mark.parametrize("search", SEARCHES)
def test_vectors(name, search):
    x, y, cuts, cost = VECTORS[name]
    table = count_column(np.array(x, dtype=float), RowGroups(np.array(y), max(y) + 1))
    found = search.run(ModlCriterion(), table)
    assert place_cuts(table, found.gaps).tolist() == cuts
    assert ModlCriterion().cost(table, found.gaps) == pytest.approx(cost, abs=5e-7)


@given(count_tables(max_values=8, max_classes=3, max_count=9))
def test_exact_search_equals_enumeration(tables):
    counts = tables[0]
    n_present = int(counts.any(axis=0).sum())
    lowest, gaps = reference.cheapest(counts.tolist(), lambda bins: reference.cost(bins, n_present))
    found = ModlSearch().run(ModlCriterion(), table_of(counts))
    assert ModlCriterion().cost(table_of(counts), found.gaps) == pytest.approx(lowest, rel=1e-9)
    assert found.gaps.size == len(gaps)


@given(count_tables(max_values=7, max_classes=3, max_count=9), st.sampled_from([0, 1, -1]))
def test_exact_search_with_unlabelled_rows_equals_enumeration(tables, direction):
    counts = tables[0]
    assume(direction == 0 or counts.shape[1] == 3)
    n_present = int(counts[:, :-1].any(axis=0).sum())
    assume(n_present > 1)

    def allowed(bins):
        if direction == 0:
            return True
        rows = [(b[1], b[0])[::direction] for b in bins]
        return min(map(sum, rows)) > 0 and all(a[0] * b[1] <= b[0] * a[1] for a, b in pairwise(rows))

    lowest, gaps = reference.cheapest(counts.tolist(), lambda bins: reference.unlabelled_cost(bins, n_present), allowed)
    criterion, table = ModlCriterion(unlabelled=True), table_of(counts)
    found = ModlSearch().run(criterion, table, BinLimits(direction=direction))
    assert criterion.cost(table, found.gaps) == pytest.approx(lowest, rel=1e-9)
    assert found.gaps.size == len(gaps)


LIMITS = st.builds(
    BinLimits,
    max_bins=st.one_of(st.none(), st.integers(1, 5)),
    min_rows=st.sampled_from([0.0, 1.0, 3.0, 7.5]),
    direction=st.sampled_from([-1, 0, 1]),
)


def keeps(limits, bins, unit):
    """Tell whether bins [bin, class] keep the limits."""
    if len(bins) == 1:
        return True
    rows = [tuple(int(count) for count in row[:2])[:: limits.direction or 1] for row in bins]
    return (
        (limits.max_bins is None or len(bins) <= limits.max_bins)
        and all(sum(map(int, row)) * unit >= limits.min_rows for row in bins)
        and (limits.direction == 0 or all(a[1] * b[0] <= b[1] * a[0] for a, b in pairwise(rows)))
    )


@given(count_tables(max_values=8, max_classes=2, max_count=9), LIMITS, st.sampled_from([1.0, 0.4]))
def test_exact_search_within_limits_equals_enumeration(tables, limits, unit):
    counts = tables[0]
    table, criterion = table_of(counts, unit), ModlCriterion()
    assume(counts.any(axis=0).all())
    found = ModlSearch().run(criterion, table, limits)
    lowest = min(
        criterion.cost(table, gaps)
        for gaps in schemes(len(counts))
        if keeps(limits, table.by_class.by_bin(table.bin_ends(np.array(gaps, dtype=int))), unit)
    )
    assert criterion.cost(table, found.gaps) == pytest.approx(lowest, rel=1e-9)


def schemes(n_values):
    return [[gap for gap in range(n_values - 1) if code >> gap & 1] for code in range(1 << (n_values - 1))]


@given(count_tables(max_values=25, max_classes=4, max_count=9), LIMITS, st.sampled_from([1.0, 0.4, 3.0]))
@pytest.mark.parametrize("search", SEARCHES)
def test_limits_are_kept(search, tables, limits, unit):
    counts = tables[0]
    if counts.shape[1] > 2:
        limits = replace(limits, direction=0)
    table = table_of(counts, unit)
    found = search.run(ModlCriterion(), table, limits)
    assert found.stop in STOP_REASONS
    assert (np.diff(found.gaps) > 0).all()
    assert keeps(limits, table.by_class.by_bin(table.bin_ends(found.gaps)), unit)
    if found.score is not None:
        assert found.score == ModlCriterion().score(table, found.gaps)


@given(count_tables(max_values=40, max_classes=4, max_count=4))
def test_merging_never_beats_the_exact_search(tables):
    table = table_of(tables[0])
    exact, merged = (ModlCriterion().cost(table, search.run(ModlCriterion(), table).gaps) for search in SEARCHES)
    assert merged >= exact * (1 - 1e-9)


@pytest.mark.parametrize(("n_classes", "share"), [(2, 0.7), (4, 0.6)])
def test_merging_is_mostly_as_good_as_the_exact_search(n_classes, share):
    criterion = ModlCriterion()
    tables = [column(600, n_classes, seed, strength=0.2 * seed) for seed in range(20)]
    costs = [[criterion.cost(t, ModlSearch(m).run(criterion, t).gaps) for m in (1000, 50)] for t in tables]
    exact, merged = np.array(costs).T
    assert (merged <= exact * (1 + 1e-9)).mean() >= share
    assert (merged <= exact * 1.01).all()


@given(count_tables(max_values=12, max_classes=3, max_count=6), st.permutations([0, 1, 2]))
@pytest.mark.parametrize("search", SEARCHES)
def test_the_order_of_classes_does_not_matter(search, tables, order):
    counts = tables[0]
    other = counts[:, [label for label in order if label < counts.shape[1]]]
    here, there = (search.run(ModlCriterion(), table_of(c)).gaps.tolist() for c in (counts, other))
    assert here == there


@given(count_tables(max_values=12, max_classes=3, max_count=6))
def test_all_labelled_gives_the_same_cuts(tables):
    counts = tables[0]
    with_label = np.hstack([counts, np.zeros((len(counts), 1), dtype=int)])
    plain = ModlSearch().run(ModlCriterion(), table_of(counts))
    partly = ModlSearch().run(ModlCriterion(unlabelled=True), table_of(with_label))
    costs = [ModlCriterion().cost(table_of(counts), found.gaps) for found in (plain, partly)]
    assert costs[0] == pytest.approx(costs[1], rel=1e-9)
    assert plain.gaps.size == partly.gaps.size


def test_unlabelled_rows_sharpen_a_cut():
    """Where labels say only that a change lies in a wide gap, the unlabelled rows say where."""
    x = np.concatenate([np.linspace(0, 1, 40), np.linspace(5, 6, 40), [0.5] * 10, [5.5] * 10])
    y = np.concatenate([np.full(80, 2), np.zeros(10), np.ones(10)]).astype(int)
    table = count_column(x, RowGroups(y, 3))
    found = ModlSearch().run(ModlCriterion(unlabelled=True), table)
    assert found.gaps.size == 1
    assert found.score.relevance == 1.0


@pytest.mark.parametrize("n_classes", [2, 40])
def test_a_large_column_is_merged(n_classes):
    table = column(5000, n_classes, seed=1)
    found = ModlSearch(200).run(ModlCriterion(), table)
    assert found.stop == "no_change"
    assert found.n_candidates is None
    criterion = ModlCriterion()
    lowest = criterion.cost(table, found.gaps) * (1 - 1e-9)
    gaps = found.gaps.tolist()
    assert gaps
    for i in range(len(gaps)):
        assert criterion.cost(table, gaps[:i] + gaps[i + 1 :]) >= lowest
        for shift in (-5, -1, 1, 5):
            assert criterion.cost(table, [*gaps[:i], gaps[i] + shift, *gaps[i + 1 :]]) >= lowest


def test_more_bins_than_the_exact_search_takes():
    """Merging alone finds schemes with more bins than max_values."""
    counts = np.tile([[40, 0], [0, 40]], (30, 1))
    found = ModlSearch(10).run(ModlCriterion(), table_of(counts))
    assert found.gaps.tolist() == list(range(59))
    limited = ModlSearch(10).run(ModlCriterion(), table_of(counts), BinLimits(max_bins=30))
    assert limited.gaps.size <= 29


@pytest.mark.parametrize("unlabelled", [False, True])
@pytest.mark.parametrize("direction", [0, 1])
def test_a_large_column_is_thinned(unlabelled, direction):
    table = column(3000, 2, seed=2)
    if unlabelled:
        entries = replace(table.by_class, labels=np.where(np.arange(3000) % 3, 2, table.by_class.labels), n_labels=3)
        entries = replace(entries, labels=entries.labels.astype(np.int32))
        table = replace(table, by_class=entries, missing_by_class=np.zeros(3, dtype=int))
    found = ModlSearch(300).run(ModlCriterion(unlabelled=unlabelled), table, BinLimits(direction=direction))
    assert found.n_candidates == (None if not (unlabelled or direction) else 299)
    assert found.gaps.size > 0


def test_too_many_cells_are_thinned(monkeypatch):
    monkeypatch.setattr("cutwise.search.modl.MAX_CELLS", 1000)
    found = ModlSearch(50).run(ModlCriterion(), column(3000, 2, seed=3))
    assert found.n_candidates < 500
    assert found.stop == "no_change"


@pytest.mark.parametrize(
    ("counts", "stop"),
    [
        (np.zeros((0, 2)), "no_values"),
        ([[3, 4]], "one_value"),
        ([[3, 0], [2, 0]], "one_class"),
        ([[3, 0, 0], [2, 0, 4]], "one_class"),
        ([[0, 0, 2], [0, 0, 4]], "one_class"),
    ],
)
def test_degenerate_tables(counts, stop):
    table = table_of(np.array(counts, dtype=int).reshape(-1, len(counts[0]) if len(counts) else 2))
    unlabelled = table.n_classes == 3
    found = ModlSearch().run(ModlCriterion(unlabelled=unlabelled), table)
    assert found.stop == stop
    assert found.gaps.size == 0
