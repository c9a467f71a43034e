"""With few distinct values the scheme of a table is that of the rows in memory, byte for byte."""

from __future__ import annotations

import functools
import operator

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from cutwise import MDLPDiscretizer, MRmDDiscretizer, count_table
from tests.counting.pieces import Pieces, arrow_tables
from tests.methods import ONE_BY_ONE

FEATURES = ["number", "whole", "town", "is_new"]
SEEDS = st.integers(0, 2**32 - 1)


def in_memory(discretizer, table):
    y = table["y"].to_numpy(zero_copy_only=False)
    return clone(discretizer).fit(table.select(FEATURES), y).scheme_.to_json()


@pytest.mark.parametrize("discretizer", ONE_BY_ONE, ids=repr)
@given(table=arrow_tables(), seed=SEEDS, special=st.sampled_from([None, [-999, 0]]))
def test_every_method(discretizer, table, seed, special):
    discretizer = clone(discretizer).set_params(special_values=special)
    expected = in_memory(discretizer, table)
    fitted = clone(discretizer).fit_table(Pieces(table, seed), "y", columns=FEATURES)
    assert fitted.scheme_.to_json() == expected
    assert not fitted.rank_errors_.any()
    assert fitted.feature_names_in_.tolist() == FEATURES


@pytest.mark.filterwarnings("ignore::cutwise.errors.ColumnWarning")
@pytest.mark.parametrize(
    "limits",
    [{"min_bin_size": 0.1}, {"max_bins": 2}, {"min_bin_size": 2, "place": "readable"}, {"missing": "bin"}],
    ids=repr,
)
@given(table=arrow_tables(), seed=SEEDS)
def test_limits(limits, table, seed):
    discretizer = MDLPDiscretizer(**limits)
    fitted = clone(discretizer).fit_table(Pieces(table, seed), "y", columns=FEATURES)
    assert fitted.scheme_.to_json() == in_memory(discretizer, table)


@pytest.mark.parametrize("search", ["greedy", "exact"])
@pytest.mark.parametrize("validation", ["holdout", "crossfit"])
@given(table=arrow_tables(), seed=SEEDS)
def test_named_parts(validation, search, table, seed):
    discretizer = MRmDDiscretizer(validation=validation, search=search)
    y, parts = (table[name].to_numpy(zero_copy_only=False) for name in ("y", "part"))
    expected = clone(discretizer).fit(table.select(FEATURES), y, parts=parts).scheme_.to_json()
    fitted = clone(discretizer).fit_table(Pieces(table, seed), "y", parts="part")
    assert fitted.scheme_.to_json() == expected


@given(table=arrow_tables(), seed=SEEDS, n_machines=st.integers(1, 4))
def test_counts_add_up(table, seed, n_machines):
    random = np.random.default_rng(seed)
    machines = random.integers(0, n_machines, table.num_rows)
    parts = [table.filter(pa.array(machines == machine)) for machine in np.unique(machines)]
    counts = [count_table(part, "y", columns=FEATURES) for part in parts]
    random.shuffle(counts)
    total = functools.reduce(operator.add, counts)
    assert total.n_rows == table.num_rows
    assert MDLPDiscretizer().fit_counts(total).scheme_.to_json() == in_memory(MDLPDiscretizer(), table)


@given(table=arrow_tables(), seed=SEEDS)
def test_streams_in_any_order(table, seed):
    random = np.random.default_rng(seed)
    bounds = np.sort(random.integers(0, table.num_rows + 1, 3)).tolist()
    chunks = [table.slice(a, b - a) for a, b in zip([0, *bounds], [*bounds, table.num_rows], strict=True) if b > a]
    random.shuffle(chunks)
    discretizer = MRmDDiscretizer()
    for chunk in chunks:
        discretizer.partial_fit(chunk.select(FEATURES), chunk["y"].to_numpy(zero_copy_only=False))
    assert discretizer.finalize().scheme_.to_json() == in_memory(MRmDDiscretizer(), table)


def test_few_values_take_one_scan():
    table = Pieces(pa.table({"a": [1, 2, 3, 4], "y": [0, 0, 1, 1]}), 0)
    MDLPDiscretizer().fit_table(table, "y")
    assert table.n_scans == 1
