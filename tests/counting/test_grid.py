"""Columns with many values: what the grid is, and what it costs."""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from cutwise import (
    CountsError,
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    FixedCutsDiscretizer,
    MDLPDiscretizer,
    MRmDDiscretizer,
    count_table,
)
from cutwise.counting import GridCounts
from cutwise.counting.file_format import to_bytes
from cutwise.counting.grid import edges_between, make_lookup
from tests.counting.pieces import Pieces
from tests.strategies import DOUBLES

N_ROWS = 20_000


def rows(seed=0, n_rows=N_ROWS):
    """Columns of different nature, with a class that depends on them."""
    random = np.random.default_rng(seed)
    normal = random.normal(size=n_rows)
    zeros = np.where(random.random(n_rows) < 0.6, 0.0, random.exponential(5.0, n_rows))
    skewed = random.lognormal(3.0, 3.0, n_rows)
    money = np.round(random.gamma(2.0, 80.0, n_rows), 2)
    logit = 2 * normal + (zeros == 0) + np.log(skewed) / 3 - 2
    y = random.random(n_rows) < 1 / (1 + np.exp(-logit))
    gaps = pa.array(np.where(random.random(n_rows) < 0.1, np.nan, normal), from_pandas=True)
    columns = {"normal": normal, "zeros": zeros, "skewed": skewed, "money": money, "gaps": gaps}
    return pa.table({**columns, "y": y.astype(np.int8)})


@pytest.fixture(scope="module")
def table():
    return rows()


@pytest.fixture(scope="module")
def counts(table):
    return count_table(table, "y", max_values=500, max_cells=500)


def test_cells_are_counted_exactly(table, counts):
    y = table["y"].to_numpy()
    for column in counts.columns:
        assert isinstance(column, GridCounts)
        x = np.asarray(table[column.name].to_numpy(zero_copy_only=False), dtype=float)
        cells = np.searchsorted(column.edges, x)
        for cell in (*range(0, column.lows.size, 37), column.lows.size - 1):
            inside = x[(cells == cell) & ~np.isnan(x)]
            held = [np.count_nonzero((cells == cell) & ~np.isnan(x) & (y == label)) for label in counts.classes]
            assert column.by_class[cell].tolist() == held
            if inside.size:
                assert (column.lows[cell], column.highs[cell]) == (inside.min(), inside.max())
        assert column.by_class[-1].sum() == np.isnan(x).sum()


def test_the_rank_error_is_known(table, counts):
    for column in counts.columns:
        rows_of_cell = column.by_class[:-1].sum(axis=1)
        mixed = rows_of_cell[column.lows < column.highs]
        assert column.rank_error == mixed.max() / rows_of_cell.sum() <= 4 / 500
    assert counts.rank_errors.keys() == set(counts.names)


def test_the_grid_depends_on_the_rows_alone(table, counts):
    for seed in range(3):
        pieces = Pieces(table, seed, n_pieces=5)
        pieces.batch_rows = 3_000
        assert to_bytes(count_table(pieces, "y", max_values=500, max_cells=500)) == to_bytes(counts)


def test_frequent_values_have_their_own_cell(counts):
    zeros = counts.column("zeros")
    cell = np.searchsorted(zeros.edges, 0.0)
    assert zeros.lows[cell] == zeros.highs[cell] == 0.0
    assert zeros.by_class[cell].sum() > N_ROWS / 2


@pytest.mark.parametrize("seed", range(4))
def test_frequent_values_of_a_single_column(seed):
    """Alone in a table, a column is sampled by distinct value, which may miss a frequent one."""
    random = np.random.default_rng(seed)
    x = random.normal(size=60_000)
    for value in (0.25, -1.5, 7.0):
        x[random.random(x.size) < 0.1] = value
    table = Pieces(pa.table({"x": x, "y": (x > 0).astype(np.int8)}), seed)
    table.batch_rows = 10_000
    counts = count_table(table, "y", max_values=100, max_cells=100)
    assert table.n_scans > 2
    assert counts.rank_errors["x"] <= 4 / 100
    column = counts.columns[0]
    for value in (0.25, -1.5, 7.0):
        cell = np.searchsorted(column.edges, value)
        assert column.lows[cell] == column.highs[cell] == value


def test_cuts_lie_between_real_values(table, counts):
    scheme = MRmDDiscretizer().fit_counts(counts).scheme_
    for attribute in scheme.attributes:
        x = np.asarray(table[attribute.name].to_numpy(zero_copy_only=False), dtype=float)
        values = np.unique(x[~np.isnan(x)])
        assert (attribute.minimum, attribute.maximum) == (values[0], values[-1])
        for cut in attribute.cuts:
            above = np.searchsorted(values, cut, side="right")
            assert cut == (values[above - 1] + values[above]) / 2
        held = np.histogram(x[~np.isnan(x)], np.nextafter([-np.inf, *attribute.cuts, np.inf], np.inf))[0]
        assert list(attribute.rows) == held.tolist()


def test_little_is_lost_in_psi(table):
    y = table["y"].to_numpy()
    in_memory = MRmDDiscretizer().fit(table.drop_columns(["y"]), y).scheme_
    from_table = MRmDDiscretizer().fit_table(table, "y", max_values=100).scheme_
    for left, right in zip(in_memory.attributes, from_table.attributes, strict=True):
        assert right.score >= left.score - max(0.005 * left.score, 2e-4), left.name


def test_special_values_keep_their_bin(table):
    x = table["normal"].to_numpy().copy()
    x[::50] = -999.0
    special = pa.table({"x": x, "noise": table["skewed"], "y": table["y"]})
    fitted = MDLPDiscretizer(special_values={"x": [-999]}).fit_table(special, "y", max_values=100, max_cells=50)
    assert fitted.rank_errors_[0] > 0
    assert fitted.scheme_["x"].special_values == (-999.0,)
    assert fitted.scheme_["x"].rows[-1] == N_ROWS / 50
    assert fitted.scheme_["x"].minimum == x[x > -999].min()


def test_special_values_within_a_cell_are_refused(counts):
    value = float(counts.column("normal").lows[250])
    with pytest.raises(CountsError, match=r"Column 'normal': the special value .* Count the table again"):
        MDLPDiscretizer(special_values={"normal": [value]}).fit_counts(counts)


@pytest.mark.parametrize("cuts", [[0.0, 1.25], {"normal": [0.0, 1.25]}], ids=repr)
def test_given_cuts_are_edges_of_the_grid(table, cuts):
    discretizer = FixedCutsDiscretizer(cuts, others="one_bin")
    expected = clone(discretizer).fit(table.drop_columns(["y"]), table["y"].to_numpy()).scheme_["normal"]
    found = discretizer.fit_table(table, "y", max_values=100, max_cells=50).scheme_["normal"]
    assert (found.cuts, found.class_counts) == (expected.cuts, expected.class_counts)


def test_equal_widths_and_frequencies(table):
    y = table["y"].to_numpy()
    wide = EqualWidthDiscretizer(5)
    expected = wide.fit(table.drop_columns(["y"]), y).cuts_
    assert all(map(np.array_equal, wide.fit_table(table, max_values=100).cuts_, expected))
    frequent = EqualFrequencyDiscretizer(4).fit_table(table, "y", columns=["normal"], max_values=100).scheme_
    assert max(frequent["normal"].rows) - min(frequent["normal"].rows) < 4 * N_ROWS * 4 / 4096


def test_a_shared_grid(table, counts):
    halves = table.slice(0, 7_000), table.slice(7_000)
    total = count_table(halves[0], "y", grid=counts.grid) + count_table(halves[1], "y", grid=counts.grid)
    assert to_bytes(total) == to_bytes(counts)


def test_other_grids_do_not_add_up(table, counts):
    other = count_table(table.slice(0, 9_000), "y", max_values=500, max_cells=400)
    with pytest.raises(CountsError, match=r"Column 'normal' was counted on two different grids.*grid=counts\.grid"):
        other + counts


def test_a_grid_from_few_rows_serves_more(table):
    """A column that was counted by value at first goes on the grid of these values when there are too many."""
    few = count_table(table.slice(0, 200), "y", max_values=500)
    assert few.grid.exact == set(few.names)
    rest = count_table(table.slice(200), "y", grid=few.grid, max_values=500)
    total = few + rest
    assert total.n_rows == N_ROWS
    again = rest + few
    assert to_bytes(again) == to_bytes(total)
    assert MDLPDiscretizer().fit_counts(total).cuts_[0].size > 0


def test_a_grid_has_its_cells(table, counts):
    with pytest.raises(CountsError, match="A grid has its cells already"):
        count_table(table, "y", grid=counts.grid, special_values=[0])


@pytest.mark.parametrize("limits", [{"max_values": 1, "max_cells": 1}, {"max_values": 1, "max_cells": 2}])
def test_few_cells(table, limits):
    counts = count_table(table.slice(0, 100), "y", **limits)
    assert 0 < max(counts.rank_errors.values()) <= 1
    assert MDLPDiscretizer().fit_counts(counts).scheme_.names == counts.names


def test_a_grid_without_the_column(table, counts):
    with pytest.raises(CountsError, match="The grid has no column 'new'"):
        count_table(table.rename_columns([*table.column_names[:-2], "new", "y"]), "y", grid=counts.grid)


@given(st.lists(DOUBLES.filter(np.isfinite), min_size=1, max_size=60, unique=True), st.data())
def test_cells_are_found(edges, data):
    from cutwise.kernels import tallies

    edges = np.unique(np.array(edges) + 0.0)
    near = st.sampled_from(edges.tolist()).map(lambda x: math.nextafter(x, math.inf))
    values = data.draw(st.lists(st.one_of(DOUBLES, st.sampled_from(edges.tolist()), near), max_size=50))
    raw = np.array([*values, np.nan, np.inf, -np.inf])
    tidied = np.empty(raw.size)
    tallies.tidy(raw, tidied)
    cells = np.empty(raw.size, dtype=np.int32)
    tallies.find_cells(tidied, tidied.view(np.uint64), edges, make_lookup(edges), cells)
    expected = np.searchsorted(edges, tidied)
    expected[np.isnan(raw)] = edges.size + 1
    assert cells.tolist() == expected.tolist()


@given(st.lists(st.tuples(st.integers(-50, 50), st.integers(1, 100)), min_size=1, max_size=60), st.integers(1, 20))
def test_edges_share_out_the_rows(pairs, n_cells):
    values = np.unique([value for value, _ in pairs]).astype(float)
    weights = np.array([weight for _, weight in pairs[: values.size]])
    edges = edges_between(values, weights, n_cells)
    cells = np.searchsorted(edges, values)
    for cell in np.unique(cells):
        inside = cells == cell
        assert np.count_nonzero(inside) == 1 or weights[inside].sum() <= 3 * weights.sum() / n_cells
