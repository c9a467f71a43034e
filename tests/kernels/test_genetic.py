"""The kernels of the genetic search against exact fractions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise import kernels
from cutwise.counts import ColumnCounts
from cutwise.counts.build import N_BITS
from cutwise.search.fitness import NaiveBayesErrors
from cutwise.search.genetic_cells import class_changes, make_cells
from tests.search import reference_genetic as reference
from tests.search.genetic_tables import D1, D3, D5, joint_of, joint_tables
from tests.strategies import count_tables


@given(count_tables(max_values=12, max_classes=4))
def test_the_walk_is_the_published_one(tables):
    table = ColumnCounts.from_dense(np.arange(len(tables[0])), tables[0])
    assert class_changes(table).tolist() == reference.class_changes(tables[0].tolist())


@given(count_tables(max_values=12, max_classes=4), st.randoms(use_true_random=False))
def test_the_walk_does_not_depend_on_the_names_of_classes(tables, random):
    order = list(range(tables[0].shape[1]))
    random.shuffle(order)
    table, other = (ColumnCounts.from_dense(np.arange(len(t)), t) for t in (tables[0], tables[0][:, order]))
    assert class_changes(table).tolist() == class_changes(other).tolist()


@pytest.mark.parametrize(
    ("data", "cuts"),
    [(D1, [3.5, 4.5, 5.5, 8.5, 10.5, 11.5]), (D3, [1.5, 3.5, 4.5]), (D5, [0.5, 4.5, 5.5])],
)
def test_candidates_of_the_specification(data, cuts):
    table = joint_of(*data).tables[0]
    gaps = class_changes(table)
    assert ((table.values[gaps] + table.values[gaps + 1]) / 2).tolist() == cuts


def test_a_column_whose_class_never_changes_has_no_candidates():
    assert class_changes(joint_of([0, 0, 0, 1, 2], [0, 0, 1, 0, 0]).tables[0]).size == 0
    assert class_changes(joint_of([np.nan] * 3, [0, 1, 0]).tables[0]).size == 0


@given(joint_tables(max_rows=25, max_columns=3, max_classes=4), st.data())
def test_errors_are_those_of_exact_fractions(joint, data):
    check_errors(joint, data)


@given(joint_tables(max_rows=25, max_columns=2, max_classes=3, weighted=True), st.data())
def test_weighted_errors_are_those_of_exact_fractions(joint, data):
    check_errors(joint, data)


def check_errors(joint, data):
    cells = make_cells(joint)
    n = cells.n_candidates
    chosen = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)), dtype=bool)
    columns = [
        [None if rank == -1 else reference.bin_of(rank, gaps[own]) for rank in ranks.tolist()]
        for ranks, gaps, own in zip(
            joint.ranks, cells.gaps, np.split(chosen, cells.first_candidates[1:-1]), strict=True
        )
    ]
    columns += [[None if code == -1 else code for code in codes.tolist()] for codes in joint.nominal]
    weights = cells.weights.tolist()
    exact = reference.naive_bayes_errors(columns, joint.classes.tolist(), weights)
    assert NaiveBayesErrors(cells).errors(cells.ends(chosen)) == pytest.approx(float(exact), abs=1e-12)


@pytest.mark.parametrize("n_rows", [255, 256, 257, 700])
@pytest.mark.parametrize("n_columns", [1, 4, 7])
def test_blocks_of_rows_and_columns(n_rows, n_columns):
    """Rows that just fill a block, or not, and columns that fill the fours, or not."""
    rng = np.random.default_rng(n_rows)
    X = np.repeat(rng.integers(0, 6, (n_rows // 5 + 1, n_columns)), 5, axis=0)[:n_rows]
    y = rng.integers(0, 3, n_rows)
    cells = make_cells(joint_of(X, y))
    assert all(gaps.size == 5 for gaps in cells.gaps)
    everything = np.ones(cells.n_candidates, dtype=bool)
    errors = NaiveBayesErrors(cells).errors(cells.ends(everything))
    # Rows that are alike are counted once, with a weight: fewer fractions.
    alike, weights = np.unique(np.column_stack([X, y]), axis=0, return_counts=True)
    *columns, classes = alike.T.tolist()
    exact = reference.naive_bayes_errors(columns, classes, weights.tolist())
    assert errors == pytest.approx(float(exact), abs=1e-9)


def test_classes_that_tie_share_the_errors():
    cells = make_cells(joint_of([0, 1, 2, 3], [0, 1, 2, 3]))
    none = np.zeros(cells.n_candidates, dtype=bool)
    assert NaiveBayesErrors(cells).errors(cells.ends(none)) == 3.0


def test_fractional_weights_smooth_by_rows():
    """A count of 4 in units of a quarter is one row."""
    rows = ([0, 0, 1, 1, 1, 2], [0, 0, 1, 1, 1, 0])
    whole = make_cells(joint_of(*rows))
    joint = joint_of(*rows, weights=np.full(6, 4))
    quarters = make_cells(type(joint)(tuple(_in_quarters(t) for t in joint.tables), *_rest(joint)))
    for chosen in ([True, True], [True, False], [False, True]):
        ends = whole.ends(np.array(chosen))
        assert NaiveBayesErrors(quarters).errors(ends) == NaiveBayesErrors(whole).errors(ends)


def _in_quarters(table):
    return ColumnCounts(
        table.values, table.by_class, table.by_part, table.missing_by_class, table.missing_by_part, unit=0.25
    )


def _rest(joint):
    return joint.ranks, joint.nominal, joint.classes, joint.n_classes, joint.weights


@given(
    st.lists(st.lists(st.integers(1, 4), min_size=1, max_size=8), min_size=1, max_size=3),
    st.integers(0, 6),
    st.integers(0, 5),
    st.data(),
)
def test_repair_against_the_blackboard(rows_by_cell, min_count, max_cuts, data):
    chosen = [data.draw(st.lists(st.booleans(), min_size=len(r) - 1, max_size=len(r) - 1)) for r in rows_by_cell]
    bits = np.array([bit for own in chosen for bit in own], dtype=bool)
    kernels.joint.genetic.keep_allowed(
        bits,
        np.cumsum([0, *(len(r) - 1 for r in rows_by_cell)]),
        np.array([sum(r[: i + 1]) for r in rows_by_cell for i in range(len(r) - 1)], dtype=np.int64),
        np.array([sum(r) for r in rows_by_cell]),
        np.full(len(rows_by_cell), min_count),
        np.full(len(rows_by_cell), max_cuts),
    )
    expected = [
        reference.keep_allowed(r, own, min_count, max_cuts) for r, own in zip(rows_by_cell, chosen, strict=True)
    ]
    assert bits.tolist() == [bit for own in expected for bit in own]


def test_units_of_an_error_are_exact():
    assert all(kernels.joint.genetic.ERROR_UNITS % k == 0 for k in range(1, 13))
    assert kernels.joint.genetic.ERROR_UNITS << N_BITS < 1 << 63
