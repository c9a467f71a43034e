"""The sample of rows and the table of distinct values, against plain Python."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cutwise.counts.sampling import HashSampler
from cutwise.counts.tallies import ExactTally, RowSlice, TidiedValues
from cutwise.kernels.bins import counting

NUMBERS = st.lists(st.sampled_from([0.0, 1.0, 2.5, np.nan, -3.0, 1e300, 7.0, 8.0, 9.0]), min_size=1, max_size=60)


def tidied(numbers):
    values = np.empty(len(numbers))
    counting.tidy(np.array(numbers, dtype=float), values)
    return TidiedValues(values, values.view(np.uint64))


def parts_of(column, bounds):
    places = [0, *sorted(bound % (column.values.size + 1) for bound in bounds), column.values.size]
    return [TidiedValues(column.values[a:b], column.bits[a:b]) for a, b in itertools.pairwise(places) if b > a]


@given(NUMBERS, st.lists(st.integers(0, 60), max_size=4), st.integers(1, 8))
def test_samples_join(numbers, bounds, size):
    column = tidied(numbers)
    whole = HashSampler(size, 1)
    whole.add([column])
    expected = whole.sample()
    joined = None
    for part in reversed(parts_of(column, bounds)):
        sampler = HashSampler(size, 1)
        for row in range(part.values.size):
            sampler.add([TidiedValues(part.values[row : row + 1], part.bits[row : row + 1])])
        joined = sampler.sample() if joined is None else joined.joined(sampler.sample(), size)
    assert joined.hashes.tolist() == expected.hashes.tolist()
    assert joined.weights.tolist() == expected.weights.tolist()
    assert np.array_equal(joined.values, expected.values, equal_nan=True)
    values, weights = expected.column(0)
    assert dict(zip(values, weights, strict=True)).items() <= Counter(column.values.tolist()).items()
    assert values.size >= min(size, np.unique(values).size) - 1


@given(NUMBERS, st.integers(1, 9), st.data())
def test_distinct_values(numbers, most, data):
    column = tidied(numbers)
    labels = data.draw(st.lists(st.integers(0, 2), min_size=len(numbers), max_size=len(numbers)))
    classes = np.array(labels, dtype=np.int32)
    tally = ExactTally(most)
    taken = tally.add(column, RowSlice(classes, np.empty(0, dtype=np.int32), None, 3, 0))
    seen = [x for x in numbers[:taken] if not np.isnan(x)]
    if taken < len(numbers):
        assert len(set(seen)) == most
        assert numbers[taken] not in seen
    counts = tally.counts("x")
    assert counts.values.tolist() == sorted(set(seen))
    for value, by_class in zip(counts.values, counts.by_class, strict=False):
        held = [np.count_nonzero((column.values == value)[:taken] & (classes[:taken] == label)) for label in range(3)]
        assert by_class.tolist() == held
    assert counts.by_class[-1].sum() == np.isnan(numbers[:taken]).sum()


def test_tidy():
    raw = np.array([-0.0, np.inf, -np.inf, np.nan, -np.nan, 1.5])
    column = tidied(raw)
    assert np.array_equal(column.values, [0.0, np.finfo(float).max, np.finfo(float).min, np.nan, np.nan, 1.5], True)
    assert not np.signbit(column.values[0])
    assert column.bits[3] == column.bits[4]


def test_hashes_look_random():
    hashes = np.zeros(100_000, dtype=np.uint64)
    counting.mix_rows(np.arange(100_000, dtype=float).view(np.uint64), hashes)
    assert np.unique(hashes).size == hashes.size
    shares = np.bincount((hashes >> np.uint64(56)).astype(int), minlength=256) / hashes.size
    assert abs(shares * 256 - 1).max() < 0.25
