"""The kernels of the joint cells equal their plain-Python twins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise import kernels
from cutwise.counts.joint import CLASS_COLUMN, JointCells, JointRows, make_groups
from cutwise.criteria import ExpectedDivergence, JointPsi, NoDivergence, SplitDivergence
from cutwise.criteria.joint_psi import JointScale
from tests.joint_tables import joint_tables
from tests.kernels import reference_joint as twin

DIVERGENCES = st.one_of(
    st.just(NoDivergence()),
    st.integers(2, 9).map(ExpectedDivergence),
    st.just(SplitDivergence((1,))),
    st.just(SplitDivergence((0, 1, 2))),
)


def prepare(drawn, divergence):
    """Return the rows of a joint table, its scale, its cells uncut, and the twin's lists."""
    joint, parts = drawn
    rows = JointPsi(5.0, divergence).rows(joint, parts)
    scale = JointScale.of(JointPsi(5.0, divergence), rows)
    cells = rows._cells_of([column.ranks for column in rows.columns])
    lists = (rows.classes.tolist(), rows.counts.tolist(), rows.parts.tolist(), rows.rows_by_part.tolist(), scale.terms)
    return rows, scale, cells, list(map(tuple, cells.codes.T.tolist())), lists


@given(st.integers(0, 2**40 + 1), st.integers(-(2**31), 2**31 - 1))
def test_mix(column, code):
    assert int(kernels.joint.joint.mix(column, code)) == twin.mix(column, code)


@given(joint_tables(), DIVERGENCES)
def test_cells_are_the_rows_that_agree(drawn, divergence):
    rows, scale, cells, table, lists = prepare(drawn, divergence)
    now = cells.now.arrays
    same = [[a == b for b in table] for a in table]
    assert (now.cell_of_row[:, None] == now.cell_of_row).tolist() == same
    entries = list(zip(table, lists[0], strict=True))
    assert (now.entry_of_row[:, None] == now.entry_of_row).tolist() == [[a == b for b in entries] for a in entries]
    assert cells.now.n_cells == len(set(table))
    for cell in range(cells.now.n_cells):
        inside = now.cell_of_row == cell
        assert now.cells.counts[cell] == rows.counts[inside].sum()
        assert now.cells.keys[cell] == twin.key_of(table[now.cells.rows[cell]])
        assert kernels.joint.joint.find_group(now.cells.keys[cell], now.cells) == cell
        assert now.by_part[cell].tolist() == [
            rows.counts[inside & (rows.parts == part)].sum() for part in range(rows.rows_by_part.size)
        ]
    assert kernels.joint.joint.find_group(np.uint64(12345), now.cells) == -1
    sums = scale.sums(cells.now, 0)
    assert (sums.gain + scale.whole, sums.loss) == twin.sums_of(table, *lists)


def test_keys_that_share_a_slot_stay_apart():
    keys = np.array([5, 5 + 16, 5 + 32, 5, 5 + 16], dtype=np.uint64)
    groups = make_groups(5)
    assert groups.slots.size == 16
    ids = np.empty(5, dtype=np.int32)
    assert kernels.joint.joint.group_rows(keys, np.ones(5, dtype=np.int64), groups, ids) == 3
    assert ids.tolist() == [0, 1, 2, 0, 1]
    assert [kernels.joint.joint.find_group(key, groups) for key in keys] == [0, 1, 2, 0, 1]
    assert kernels.joint.joint.find_group(np.uint64(5 + 48), groups) == -1


@given(joint_tables(nominal=False), DIVERGENCES)
def test_merging_two_bins(drawn, divergence):
    rows, scale, cells, table, lists = prepare(drawn, divergence)
    if not rows.columns:
        return
    width = max(column.n_values for column in rows.columns)
    left_of = np.full((len(rows.columns), width), -1, dtype=np.int64)
    for j, column in enumerate(rows.columns):
        left_of[j, 1 : column.n_values] = np.arange(column.n_values - 1)
    now = cells.now
    gains, losses = np.zeros_like(left_of), np.zeros_like(left_of)
    kernels.joint.joint.merge_bins(
        *(cells.codes, np.arange(len(rows.columns)), left_of, now.arrays, now.n_cells, now.n_entries, scale.terms),
        *(np.empty(now.n_cells, dtype=np.int64), np.empty(width, dtype=np.uint64), gains, losses),
    )
    before = twin.sums_of(table, *lists)
    for j, column in enumerate(rows.columns):
        for code in range(1, column.n_values):
            after = twin.sums_of(twin.merged(table, j, code - 1, code), *lists)
            assert (gains[j, code], losses[j, code]) == (after[0] - before[0], after[1] - before[1])


@given(joint_tables(), DIVERGENCES, st.data())
def test_sweeping_a_column(drawn, divergence, data):
    rows, scale, _, _, lists = prepare(drawn, divergence)
    numeric = [j for j, column in enumerate(rows.columns) if not column.whole]
    if not numeric:
        return
    j = data.draw(st.sampled_from(numeric))
    gaps = [
        column.every_gap if column.whole else column.every_gap[: data.draw(st.integers(0, column.n_values - 1))]
        for column in rows.columns
    ]
    cells = rows.cells(gaps)
    column = rows.columns[j]
    if gaps[j].size == 0:
        cells.replace(j, column.symbols())
    table = list(map(tuple, cells.codes.T.tolist()))
    before = twin.sums_of(table, *lists)
    now = cells.now.arrays
    gains, losses = np.full((2, column.n_values), 77, dtype=np.int64)
    kernels.joint.joint.sweep(
        *(column.order(), column.ranks, cells.counts, cells.parts, now, scale.terms),
        *(np.full((3, cells.n_rows), 5), np.full(now.by_part.shape, 5), gains, losses),
    )
    for gap in range(column.n_values - 1):
        after = twin.sums_of(twin.cut_at(table, column.ranks.tolist(), gap), *lists)
        assert (gains[gap], losses[gap]) == (after[0] - before[0], after[1] - before[1])


@given(joint_tables(), DIVERGENCES)
def test_pairs_of_columns(drawn, divergence):
    rows, scale, cells, table, lists = prepare(drawn, divergence)
    arrays = cells.now.arrays
    scores = kernels.joint.joint.score_pairs(
        cells.codes, cells.classes, cells.counts, cells.parts, arrays, scale.terms, CLASS_COLUMN
    )
    if rows.columns:
        assert {pair: int(scores[pair]) for pair in np.ndindex(scores.shape)} == twin.score_pairs(table, *lists)


@given(joint_tables(), st.integers(2, 9).map(ExpectedDivergence), st.data())
def test_losses_between_whole_rows(drawn, divergence, data):
    _, scale, _, _, _ = prepare(drawn, divergence)
    count = data.draw(st.integers(0, scale.terms.n_rows))
    assert kernels.joint.joint.expected_loss(count, scale.terms) == twin.expected_loss(count, scale.terms)
    assert kernels.joint.joint.expected_loss(scale.terms.n_rows, scale.terms) == 0


@given(joint_tables(), DIVERGENCES)
def test_equal_rows_are_joined(drawn, divergence):
    _, scale, cells, table, lists = prepare(drawn, divergence)
    assert len(set(zip(table, lists[0], lists[2] or [0] * len(table), strict=True))) == len(table)
    assert scale.sums(cells.joined().now, 0) == scale.sums(cells.now, 0)


@given(joint_tables(), DIVERGENCES, st.data())
def test_replacing_and_leaving_out_a_column(drawn, divergence, data):
    rows, scale, cells, table, lists = prepare(drawn, divergence)
    if not rows.columns:
        return
    j = data.draw(st.integers(0, len(rows.columns) - 1))
    other = np.array(data.draw(st.lists(st.integers(-2, 2), min_size=len(table), max_size=len(table))), dtype=np.int32)
    dropped = [(*row[:j], *row[j + 1 :]) for row in table]
    gain, loss = twin.sums_of(dropped, *lists)
    assert scale.sums(cells.without(j), 0) == (gain - scale.whole, loss, 0)
    cells.replace(j, other)
    gain, loss = twin.sums_of([(*row[:j], code, *row[j + 1 :]) for row, code in zip(table, other, strict=True)], *lists)
    assert scale.sums(cells.now, 0) == (gain - scale.whole, loss, 0)


def test_memory_grows_with_the_rows_alone():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 1000, (40, 500)).astype(np.int32)
    cells = JointCells(
        codes, np.zeros(500, np.int64), np.ones(500, np.int64), np.empty(0, np.int64), np.empty(0, np.int64)
    )
    assert cells.now.n_cells == 500
    assert cells.now.arrays.cells.slots.size <= 4 * 500


def test_rows_without_weight_and_columns_without_a_gap_are_left_out():
    from tests.joint_tables import make_joint

    joint = make_joint(
        [[0, 1, 1, 0], [3, 3, 3, 3]], [0, 1, 1, 0], nominal=[[0, 1, 5, 0], [2, 2, -1, 2]], weights=[1, 1, 0, 2]
    )
    rows = JointRows.from_table(joint)
    assert [(column.source, column.whole, column.n_values) for column in rows.columns] == [(0, False, 2), (0, True, 2)]
    assert rows.counts.tolist() == [3, 1]
    assert rows.columns[1].ranks.tolist() == [0, 1]


@pytest.mark.parametrize("n_rows", [1, 2, 3, 1000])
def test_hash_tables_are_never_full(n_rows):
    assert make_groups(n_rows).slots.size > n_rows
