"""Searching bins by blocks finds what a look at every gap finds."""

from __future__ import annotations

import numpy as np
import pytest

from cutwise import kernels
from cutwise.counts import RowGroups, count_column
from cutwise.criteria import CACC, CAIM, Ameva, Psi
from cutwise.kernels.inputs import ENTROPY, SQUARES, ClassTerms
from cutwise.search import BinLimits, TopDownSearch, top_down

KINDS = ("alternating", "round robin", "noise", "rare", "pairs", "sorted", "waves", "ties")
NO_SUMS = np.zeros((0, 0), dtype=np.int64)


def table_of(kind, n_rows=3000, weights=None):
    rng = np.random.default_rng(sum(map(ord, kind)))
    i = np.arange(n_rows)
    x = i // 3 if kind == "ties" else i
    y = {
        "alternating": i % 2,
        "round robin": i % 7,
        "noise": rng.integers(0, 3, n_rows),
        "rare": (rng.random(n_rows) < 0.01).astype(int),
        "pairs": i // 2 % 2,
        "sorted": np.sort(rng.integers(0, 9, n_rows)),
        "waves": ((np.sin(i / 200) + rng.normal(size=n_rows)) > 0).astype(int),
        "ties": rng.integers(0, 2, n_rows),
    }[kind]
    return count_column(x.astype(np.float64), RowGroups(y, n_classes=int(y.max()) + 1, weights=weights))


def class_terms(kind, table):
    terms = Psi().inputs(table)[2]
    return ClassTerms(kind, table.by_class.totals(), terms.counts, terms.scale, terms.beyond)


def best_gap(table, sums, terms, threshold=np.inf, bin_=None):
    start, stop = (0, table.n_values) if bin_ is None else bin_
    room = tuple(np.zeros((3, table.n_classes), dtype=np.int64))
    return kernels.bins.blocks.best_gap(start, stop, table.by_class.labelled, sums, terms, 1, threshold, 0.0, room)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("term", [SQUARES, ENTROPY])
def test_the_bound_of_a_block_is_above_all_of_its_gains(kind, term):
    table = table_of(kind, 1000)
    block, terms = kernels.bins.blocks.BLOCK, class_terms(term, table)
    entries = table.by_class.labelled
    sums = kernels.bins.blocks.sum_blocks(entries)
    start, stop = 13, table.n_values - 5
    origin, whole = (np.zeros(table.n_classes, dtype=np.int64) for _ in range(2))
    kernels.bins.splitting.load_bin(0, start, entries, origin)
    kernels.bins.splitting.load_bin(start, stop, entries, whole)
    n_rows = int(whole.sum())
    total = sum(kernels.bins.blocks.class_term(int(count), label, terms) for label, count in enumerate(whole))
    term_of_bin = kernels.bins.blocks.joined(total, n_rows, terms)
    blocks = kernels.bins.blocks
    for first in range(block, stop - block - 1, block):
        left = sums[first // block] - origin
        gaps = (first, first + block, entries, whole, left, term_of_bin, n_rows, terms, 1, np.inf)
        _, gain = blocks.scan_gaps(*gaps)
        bound_of = blocks.bound_of_squares if term == SQUARES else blocks.bound_of_entropy
        bound = bound_of(sums[first // block], sums[first // block + 1], origin, whole, n_rows, terms)
        assert bound - (0.0 if term == SQUARES else term_of_bin) >= gain * (1 - 1e-9) - 1e-12


def gains_of(table, terms, start, stop):
    """Return the gains of all gaps of a bin, each from the counts on its two sides."""
    counts = np.cumsum(table.class_counts[start:stop], axis=0)

    def term(counts):
        rows = counts.sum(axis=1)
        if terms.kind == SQUARES:
            return (counts**2 / terms.class_rows).sum(axis=1) / rows
        return terms.by_count[counts].sum(axis=1) - terms.by_count[rows]

    return term(counts[:-1]) + term(counts[-1] - counts[:-1]) - term(counts[-1:])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("term", [SQUARES, ENTROPY])
def test_blocks_find_the_best_gap_and_the_first_that_reaches_a_threshold(kind, term):
    table = table_of(kind)
    terms, sums = class_terms(term, table), kernels.bins.blocks.sum_blocks(table.by_class.labelled)
    for bin_ in ((0, table.n_values), (37, table.n_values - 3), (64, 128), (0, 2), (500, 900)):
        gains = gains_of(table, terms, *bin_)
        gap, largest = best_gap(table, sums, terms, bin_=bin_)
        assert largest == pytest.approx(gains.max(), rel=1e-9)
        assert term == SQUARES or gap == bin_[0] + np.argmax(gains)
        for share in (0.1234, 0.5678, 0.9876):
            found = best_gap(table, sums, terms, threshold=share * gains.max(), bin_=bin_)
            assert found[0] == bin_[0] + np.argmax(gains >= share * gains.max())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("min_count", [1, 7])
@pytest.mark.parametrize("weighted", [False, True])
def test_relevance_alone_gives_the_steps_of_the_general_search(kind, min_count, weighted):
    weights = np.random.default_rng(1).integers(1, 9, 3000) if weighted else None
    table = table_of(kind, weights=weights)
    labelled, parts, terms = Psi().inputs(table)
    bounds = BinLimits(min_rows=float(min_count)).bounds(table)
    general = kernels.bins.splitting.add_cuts(
        labelled, parts, terms, np.inf, bounds.max_cuts, bounds if bounds.restrict else None
    )
    kernel = kernels.bins.blocks
    for sums in (kernel.bounding_sums(labelled), NO_SUMS):
        by_class = ClassTerms(ENTROPY, np.empty(0, dtype=np.int64), terms.counts, terms.scale, terms.beyond)
        alone = kernel.add_relevant_cuts(labelled, sums, by_class, terms.n_rows, bounds.max_cuts, bounds.min_count)
        assert alone[1:] == general[1:]
        assert np.array_equal(alone[0], general[0])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("criterion", [CACC(), CACC(1), Ameva()])
@pytest.mark.parametrize("min_rows", [0.0, 20.0])
def test_large_bins_get_the_cuts_of_a_look_at_every_gap(kind, criterion, min_rows, monkeypatch):
    table = table_of(kind)
    limits = BinLimits(min_rows=min_rows)
    every = TopDownSearch().run(criterion, table, limits)
    monkeypatch.setattr(top_down, "LARGE_BIN", 2)
    found = TopDownSearch().run(criterion, table, limits)
    assert found.gaps.tolist() == every.gaps.tolist()
    assert found.stop == every.stop
    assert [step.gap for step in found.steps] == [step.gap for step in every.steps]
    assert [step.score.value for step in found.steps] == pytest.approx([step.score.value for step in every.steps])


def make_peaks(scanner, _):
    scanner._peaks = scanner._peaks or kernels.bins.peaks.find_peaks(scanner._table)
    return True


@pytest.mark.parametrize("seed", range(40))
def test_peaks_give_the_cuts_of_a_look_at_every_gap(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    n_rows, n_classes = int(rng.integers(3, 900)), int(rng.choice([2, 9, 70, 500]))
    x = rng.integers(0, rng.choice([20, 300, 10**9]), n_rows).astype(np.float64)
    y = rng.integers(0, n_classes, n_rows)
    if seed % 3 == 0:
        y = np.sort(y)[np.argsort(np.argsort(x))]
    weights = rng.integers(1, 5, n_rows) * rng.choice([1.0, 0.25]) if seed % 4 == 1 else None
    table = count_column(x, RowGroups(y, n_classes=n_classes, weights=weights))
    limits = BinLimits(min_rows=float(rng.choice([0.0, 3.0])))
    every = TopDownSearch().run(CAIM(), table, limits)
    monkeypatch.setattr(top_down, "PEAKED_BIN", 1)
    monkeypatch.setattr(top_down.KernelScanner, "_knows_peaks", make_peaks)
    monkeypatch.setattr(kernels.bins.peaks, "width_of", lambda _: int(rng.integers(1, 40)))
    found = TopDownSearch().run(CAIM(), table, limits)
    assert found.gaps.tolist() == every.gaps.tolist()
    assert found.steps == every.steps
    assert (found.stop, found.refused) == (every.stop, every.refused)


def test_peaks_are_made_once_many_large_bins_were_scanned(monkeypatch):
    rng = np.random.default_rng(0)
    x, y = np.arange(3000.0), rng.integers(0, 1000, 3000)
    table = count_column(x, RowGroups(y, n_classes=1000))
    made = []
    find_peaks = kernels.bins.peaks.find_peaks
    monkeypatch.setattr(kernels.bins.peaks, "find_peaks", lambda table: made.append(table) or find_peaks(table))
    found = TopDownSearch().run(CAIM(), table)
    assert len(made) == 1
    monkeypatch.setattr(top_down, "PEAKED_BIN", 1 << 40)
    assert TopDownSearch().run(CAIM(), table).steps == found.steps
    TopDownSearch().run(CAIM(), count_column(x, RowGroups(y % 2, n_classes=2)))
    assert len(made) == 1
