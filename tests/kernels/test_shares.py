"""Shares of the divergence that are looked up are those that are computed."""

from __future__ import annotations

import numpy as np
import pytest

from cutwise.kernels.bins import exact, terms


@pytest.mark.parametrize("sizes", [[30, 30, 31], [12], [5, 40, 5, 9], [9, 40, 40]])
def test_recalled_terms(sizes):
    random = np.random.default_rng(0)
    rows_by_part = np.array(sizes)
    n_rows = 3 + sum(sizes)
    kinds, memory = exact.make_memory(rows_by_part, n_rows)
    assert memory.shape == (len(set(sizes)), n_rows + 1, max(sizes) + 1)
    for _ in range(3000):
        valid = random.integers(0, rows_by_part + 1)
        rows = int(valid.sum() + random.integers(0, 4))
        expected = terms.split_term(rows, valid, rows_by_part, n_rows, 2.0**20)
        for _ in range(2):
            assert exact.recalled_term(rows, valid, rows_by_part, n_rows, 2.0**20, kinds, memory) == expected


def test_no_memory_for_large_tables():
    rows_by_part = np.array([10_000, 10_000])
    kinds, memory = exact.make_memory(rows_by_part, 20_000)
    assert memory.size == 0
    valid = np.array([70, 90])
    expected = terms.split_term(200, valid, rows_by_part, 20_000, 2.0**20)
    assert exact.recalled_term(200, valid, rows_by_part, 20_000, 2.0**20, kinds, memory) == expected
