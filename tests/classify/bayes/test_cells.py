"""The kernels of cells against their plain twins."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from cutwise import kernels
from cutwise.classify.bayes.tables import find_cells
from tests.classify.bayes import reference_cells


@st.composite
def cell_tables(draw):
    """Codes, some of them unknown, and where the cells of each attribute begin."""
    n_bins = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    shape = (draw(st.integers(0, 12)), len(n_bins))
    codes = draw(hnp.arrays(np.int32, shape, elements=st.integers(-2, 5)))
    return codes, np.concatenate(([0], np.cumsum(n_bins)))


@given(cell_tables(), st.integers(1, 4), st.booleans())
def test_counting(table, n_classes, weighted):
    codes, offsets = table
    labels = np.arange(codes.shape[0]) % n_classes
    weights = np.arange(codes.shape[0]) * 0.25 if weighted else np.empty(0)
    found, expected = np.zeros((2, offsets[-1], n_classes))
    kernels.bayes.losses.count_cells(codes, offsets, labels, weights, found)
    reference_cells.count_cells(codes, offsets, labels, weights, expected)
    assert np.array_equal(found, expected)


@given(cell_tables(), st.integers(1, 15), st.randoms(use_true_random=False))
def test_sums(table, width, random):
    codes, offsets = table
    values = np.array([[random.random() for _ in range(width)] for _ in range(offsets[-1])])
    found, expected = np.ones((2, codes.shape[0], width))
    kernels.bayes.losses.sum_cells(find_cells(codes, offsets), values, found)
    reference_cells.sum_cells(codes, offsets, values, expected)
    assert np.array_equal(found, expected)


@given(cell_tables(), st.integers(1, 15), st.randoms(use_true_random=False))
def test_adding_to_cells(table, width, random):
    codes, offsets = table
    values = np.array([[random.random() for _ in range(width)] for _ in codes]).reshape(-1, width)
    found, expected = np.zeros((2, offsets[-1], width))
    kernels.bayes.losses.add_to_cells(find_cells(codes, offsets), values, found)
    reference_cells.add_to_cells(codes, offsets, values, expected)
    assert np.array_equal(found, expected)
