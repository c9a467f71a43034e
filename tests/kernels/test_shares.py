"""Shares of the divergence that are looked up are those that are computed."""

from __future__ import annotations

import numpy as np
import pytest

from cutwise.kernels.bins import exact, layers, terms

SCALE = 2.0**20


def fill(before, parts_before, rows_by_part):
    """Return the term of every bin."""
    n_values = before.size - 1
    divergence = np.zeros(layers.triangle(n_values + 1), dtype=np.int64)
    exact.fill_split_terms(before, parts_before, rows_by_part, SCALE, divergence)
    return divergence


def check(before, parts_before, rows_by_part):
    divergence = fill(before, parts_before, rows_by_part)
    for stop in range(1, before.size):
        for start in range(stop):
            rows, valid = before[stop] - before[start], parts_before[stop] - parts_before[start]
            expected = terms.split_term(rows, valid, rows_by_part, before[-1], SCALE)
            assert divergence[layers.triangle(stop) + start] == expected


@pytest.mark.parametrize("order", ["dealt", "sorted"])
@pytest.mark.parametrize(
    ("sizes", "n_others"),
    [([30, 30, 31], 3), ([12], 60), ([5, 40, 5, 9], 2), ([9, 40, 40], 0), ([0, 50], 9), ([55], 0)],
)
def test_split_terms_of_all_bins(sizes, n_others, order):
    """Sorted parts have shares that nobody would expect."""
    random = np.random.default_rng(0)
    part_of_row = np.repeat(np.arange(len(sizes) + 1), [*sizes, n_others])
    if order == "dealt":
        random.shuffle(part_of_row)
    first_rows = np.append(0, np.sort(random.choice(np.arange(1, part_of_row.size), 40, replace=False)))
    before = np.append(first_rows, part_of_row.size)
    is_part = part_of_row[:, None] == np.arange(len(sizes))
    parts_before = np.vstack([np.zeros(len(sizes), dtype=np.int64), is_part.cumsum(axis=0)])[before]
    check(before, parts_before, np.array(sizes))


def test_no_memory_for_large_tables():
    rows_by_part = np.array([100_000, 100_000])
    _, first, memory = exact.make_memory(rows_by_part, 200_000)
    assert first.size == memory.size == 0
    check(np.array([0, 200, 200_000]), np.array([[0, 0], [70, 90], [100_000, 100_000]]), rows_by_part)
