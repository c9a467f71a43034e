"""Rows are dealt into parts evenly, class by class."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise import MRmDDiscretizer
from cutwise.criteria import ExpectedDivergence
from cutwise.discretize import seen as dealing
from cutwise.validation import CheckedRows, deal_rows


@given(st.lists(st.integers(0, 3), min_size=1, max_size=80), st.integers(2, 9), st.integers(0, 100))
def test_parts_get_their_share_of_each_class(classes, n_parts, seed):
    classes = np.array(classes)
    parts = deal_rows(classes, n_parts, np.random.RandomState(seed))
    sizes = np.bincount(parts, minlength=n_parts)
    assert np.ptp(sizes) <= 1
    for label in np.unique(classes):
        assert np.ptp(np.bincount(parts[classes == label], minlength=n_parts)) <= 1


def test_the_deal_is_random_but_repeatable():
    classes = np.repeat([0, 1], 50)
    deals = [deal_rows(classes, 5, np.random.RandomState(seed)).tolist() for seed in (0, 0, 1)]
    assert deals[0] == deals[1] != deals[2]


@pytest.mark.parametrize(("n_rows", "n_valid"), [(90, 10), (91, 11), (8, 1)])
def test_a_ninth_is_held_out(n_rows, n_valid):
    codes = np.arange(n_rows) % 2
    rows = CheckedRows(None, np.arange(2), codes, n_rows)
    parts = dealing._row_parts(MRmDDiscretizer(validation="holdout", random_state=0), rows, None)
    assert parts.sum() == n_valid
    assert set(parts) == {0, 1}


@pytest.mark.parametrize(("n_rows", "n_valid"), [(90, 10), (86, 10), (14, 2), (13, 1), (2, 1)])
def test_the_expected_part_is_the_nearest_whole_number(n_rows, n_valid):
    assert ExpectedDivergence(9).n_valid(n_rows) == n_valid


def test_random_parts_are_those_of_the_seed():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 2)), rng.integers(0, 2, 200)
    for validation in ("holdout", "crossfit"):
        first, again, other = (
            MRmDDiscretizer(validation=validation, random_state=seed).fit(X, y).scheme_.to_json() for seed in (0, 0, 1)
        )
        assert first == again != other
