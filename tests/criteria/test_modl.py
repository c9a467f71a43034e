"""The cost of MODL, with and without labels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise.counts import ColumnCounts
from cutwise.criteria import ModlCriterion, modl_cost, mutual_information, unlabelled_modl_cost
from tests.kernels import reference_modl as reference
from tests.strategies import count_tables

D1 = [0, 0, 0, 1, 0, 1, 1, 1, 2, 2, 1, 2]
Q = [[4, 0, 0], [1, 3, 1], [0, 1, 2]]


def distinct(y):
    return ColumnCounts.from_dense(np.arange(1, len(y) + 1), np.eye(max(y) + 1, dtype=int)[y])


def test_vectors():
    table = distinct(D1)
    assert ModlCriterion().cost(table, [4]) == pytest.approx(16.842683, abs=5e-7)
    assert ModlCriterion().cost(table, []) == pytest.approx(17.225676, abs=5e-7)
    assert modl_cost(Q) == pytest.approx(19.145268, abs=5e-7)
    assert unlabelled_modl_cost(Q, [0, 0, 0]) == pytest.approx(19.145268, abs=5e-7)
    assert unlabelled_modl_cost([[3, 0], [1, 2]], [3, 3]) == pytest.approx(10.551114, abs=5e-7)


@given(count_tables(max_classes=4))
def test_the_definition(tables):
    counts = tables[0]
    n_present = int(counts.any(axis=0).sum())
    assert modl_cost(counts) == pytest.approx(reference.cost(counts.tolist(), n_present), abs=1e-9)
    assert modl_cost(np.hstack([counts, np.zeros_like(counts)])) == modl_cost(counts)
    assert modl_cost(counts[:, ::-1]) == modl_cost(counts)


@given(count_tables(max_classes=4))
def test_the_definition_without_all_labels(tables):
    counts = tables[0]
    n_present = int(counts[:, :-1].any(axis=0).sum())
    if n_present:
        cost = unlabelled_modl_cost(counts[:, :-1], counts[:, -1])
        assert cost == pytest.approx(reference.unlabelled_cost(counts.tolist(), n_present), abs=1e-9)


@given(count_tables(max_classes=4), st.sampled_from([1.0, 0.5, 0.3]))
def test_all_labelled_costs_the_same(tables, unit):
    counts = tables[0]
    none = np.zeros(len(counts), dtype=int)
    assert unlabelled_modl_cost(counts, none, unit) == pytest.approx(modl_cost(counts, unit), rel=1e-12)


@given(count_tables(max_classes=3))
def test_a_unit_of_weight(tables):
    """Counts in other units cost the same where log-factorials need no whole numbers."""
    counts = tables[0]
    assert modl_cost(counts * 4, 0.25) == pytest.approx(modl_cost(counts), rel=1e-12)
    others = np.full(len(counts), 8)
    expected = unlabelled_modl_cost(counts * 4, others, 0.25)
    assert unlabelled_modl_cost(counts * 8, others * 2, 0.125) == pytest.approx(expected, rel=1e-12)


def test_score():
    table = distinct(D1)
    criterion = ModlCriterion()
    score = criterion.score(table, [4])
    assert score.value == pytest.approx(1 - 16.842683 / 17.225676, abs=1e-7)
    assert score.relevance == pytest.approx(mutual_information([[4, 1, 0], [0, 4, 3]]))
    assert score.divergence == 0.0
    assert criterion.score(table, []) == (0.0, 0.0, 0.0)
    assert criterion.score(table, list(range(11))).value < 0
    partly = ModlCriterion(unlabelled=True).score(table, [4])
    assert partly.relevance == pytest.approx(mutual_information([[4, 1], [0, 4]]))


@pytest.mark.parametrize("counts", [[[1]], [[0, 1]], [[1, 0], [0, 1]]])
def test_tables_that_cost_next_to_nothing(counts):
    table = ColumnCounts.from_dense(np.arange(len(counts)), counts)
    assert ModlCriterion().score(table, []).value == 0.0
    light = replace(table, unit=1e-9)
    assert ModlCriterion().score(light, list(range(len(counts) - 1))).value == 0.0


def test_no_rows_cost_nothing():
    assert modl_cost(np.zeros((1, 2), dtype=int)) == 0.0
