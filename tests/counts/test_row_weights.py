"""A row of weight w counts as w rows that are alike, wherever rows are counted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.base import clone

from cutwise import EqualFrequencyDiscretizer, MDLPDiscretizer, MRmDDiscretizer, TableError, count_table
from cutwise.counts import scanning
from cutwise.counts.file_format import to_bytes
from tests.counts.pieces import Pieces, arrow_tables

FEATURES = ["number", "whole", "town", "is_new"]
SEEDS = st.integers(0, 2**32 - 1)


def with_weights(table, seed, kind=np.int64):
    weights = np.random.default_rng(seed).integers(0, 4, table.num_rows).astype(kind)
    assume(weights.any())
    repeated = table.take(pa.array(np.repeat(np.arange(table.num_rows), weights.astype(np.int64))))
    return table.append_column("n", pa.array(weights)), repeated, weights


def bytes_of_counts(counts):
    """Return the bytes of weighted counts but for the number of rows that were weighted."""
    assert counts.n_records is not None
    return to_bytes(replace(counts, n_records=None))


def labels_of(table):
    return table["y"].to_numpy(zero_copy_only=False)


@given(table=arrow_tables(), seed=SEEDS, kind=st.sampled_from([np.int64, np.uint8, np.float32]), few=st.booleans())
def test_the_counts_are_those_of_repeated_rows(table, seed, kind, few):
    weighted, repeated, _ = with_weights(table, seed, kind)
    limits = {} if few else {"max_values": 2, "max_cells": 3}
    counts = count_table(Pieces(weighted, seed), "y", columns=FEATURES, parts="part", weight="n", **limits)
    assert counts.n_rows == repeated.num_rows
    assert bytes_of_counts(counts) == to_bytes(
        count_table(Pieces(repeated, seed), "y", columns=FEATURES, parts="part", **limits)
    )


@pytest.mark.parametrize("discretizer", [MDLPDiscretizer(), MRmDDiscretizer(), EqualFrequencyDiscretizer(3)], ids=repr)
@given(table=arrow_tables(), seed=SEEDS)
def test_the_scheme_is_that_of_weights_in_memory(discretizer, table, seed):
    weighted, _, weights = with_weights(table, seed)
    expected = clone(discretizer).fit(table.select(FEATURES), labels_of(table), sample_weight=weights)
    fitted = clone(discretizer).fit_table(Pieces(weighted, seed), "y", columns=FEATURES, weight="n")
    assert fitted.scheme_.to_json() == expected.scheme_.to_json()


@given(table=arrow_tables(), seed=SEEDS)
def test_parts_and_weights(table, seed):
    weighted, _, weights = with_weights(table, seed)
    parts = table["part"].to_numpy()
    discretizer = MRmDDiscretizer(validation="crossfit")
    expected = clone(discretizer).fit(table.select(FEATURES), labels_of(table), weights, parts=parts)
    fitted = clone(discretizer).fit_table(Pieces(weighted, seed), "y", parts="part", weight="n")
    assert fitted.scheme_.to_json() == expected.scheme_.to_json()
    streamed = clone(discretizer)
    for rows in np.array_split(np.arange(table.num_rows), 2):
        if weights[rows].any():
            chunk = table.take(pa.array(rows))
            streamed.partial_fit(chunk.select(FEATURES), labels_of(chunk), weights[rows], parts[rows])
    assert streamed.finalize().scheme_.to_json() == expected.scheme_.to_json()


def test_finer_cells_know_the_weights(monkeypatch):
    """Nearly all of the weight lies in a small range of the column, which the first grid does not see."""
    monkeypatch.setattr(scanning, "LEAST_ROWS", 64)
    monkeypatch.setattr(scanning, "ROWS_PER_CELL", 2)
    random = np.random.default_rng(0)
    x = random.uniform(size=4000)
    table = pa.table({"x": x, "y": (x > 0.5).astype(int), "n": np.where(abs(x - 0.5) < 0.02, 500, 1)})
    repeated = table.take(pa.array(np.repeat(np.arange(4000), table["n"].to_numpy())))
    limits = {"max_values": 100, "max_cells": 32}
    counts = count_table(table, "y", weight="n", **limits)
    assert bytes_of_counts(counts) == to_bytes(count_table(repeated.drop_columns("n"), "y", **limits))
    assert counts.rank_errors["x"] <= 4 / 32


def test_without_a_target():
    table = pa.table({"x": [1.0, 2.0, 3.0, 4.0], "n": [5, 0, 1, 1]})
    fitted = EqualFrequencyDiscretizer(2).fit_table(table, weight="n")
    expected = EqualFrequencyDiscretizer(2).fit([[1.0]] * 5 + [[3.0], [4.0]])
    assert fitted.cuts_[0].tolist() == expected.cuts_[0].tolist()
    streamed = EqualFrequencyDiscretizer(2).partial_fit(table.select(["x"]), sample_weight=[5, 0, 1, 1]).finalize()
    assert streamed.scheme_.to_json() == fitted.scheme_.to_json()


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (
            [1.0, 2.5],
            r"The column of weights 'n' holds 2\.5\. It tells how often a row counts: use whole numbers from 0",
        ),
        ([1, -1], r"The column of weights 'n' holds -1\.0"),
        ([1.0, np.nan], r"The column of weights 'n' holds nan"),
        ([1.0, np.inf], r"The column of weights 'n' holds inf"),
        ([1, 1 << 50], r"The column of weights 'n' holds 1125899906842624\.0"),
        ([1, None], r"The column of weights 'n' has no value in 1 of 2 rows"),
        ([0, 0], r"The table has 0 rows with a weight above 0 in 'n'"),
        (["1", "2"], r"The column of weights 'n' holds no numbers"),
    ],
)
def test_weights_that_cannot_be_used(weights, message):
    table = pa.table({"x": [1.0, 2.0], "y": [0, 1], "n": weights})
    with pytest.raises(TableError, match=message):
        MDLPDiscretizer().fit_table(table, "y", weight="n")


def test_too_many_rows_in_all():
    table = pa.table({"x": np.arange(100.0), "y": np.arange(100) % 2, "n": np.full(100, (1 << 47) - 1)})
    with pytest.raises(TableError, match=r"The weights in 'n' add up to 14,073,748,835,532,700 rows, more than can be"):
        count_table(table, "y", weight="n")


def test_a_column_has_one_task():
    table = pa.table({"x": [1.0, 2.0], "y": [0, 1], "n": [1, 2]})
    with pytest.raises(TableError, match=r"'n' is named twice among 'target', 'parts', 'weight' and 'columns'"):
        count_table(table, "y", columns=["x", "n"], weight="n")
    with pytest.raises(TableError, match=r"The table has no column 'm'"):
        count_table(table, "y", weight="m")
    assert count_table(table, "y", weight="n").names == ("x",)


@pytest.mark.parametrize(("weights", "found"), [([0.5, 2.0], r"one is 0\.5"), ([1e14, 1.0], r"these add up to 1e\+14")])
def test_weights_of_a_chunk_that_cannot_be_used(weights, found):
    X = pd.DataFrame({"x": [1.0, 2.0]})
    discretizer = MDLPDiscretizer().partial_fit(X, [0, 1])
    with pytest.raises(ValueError, match=rf"must be whole numbers, how often each row counts.*{found}"):
        discretizer.partial_fit(X, [0, 1], sample_weight=weights)
    assert discretizer.finalize().scheme_ == MDLPDiscretizer().fit(X, [0, 1]).scheme_


def test_more_values_than_there_was_room_for():
    """The room for values grows in the midst of a slice."""
    random = np.random.default_rng(1)
    table = pa.table(
        {"x": random.normal(size=3000), "y": random.integers(0, 2, 3000), "n": random.integers(0, 5, 3000)}
    )
    repeated = table.take(pa.array(np.repeat(np.arange(3000), table["n"].to_numpy()))).drop_columns("n")
    counts = count_table(table, "y", weight="n")
    assert bytes_of_counts(counts) == to_bytes(count_table(repeated, "y"))
    grid = count_table(repeated, "y", max_values=100, max_cells=50).grid
    on_grid = count_table(table, "y", weight="n", grid=grid, max_values=1000)
    assert bytes_of_counts(on_grid) == to_bytes(count_table(repeated, "y", grid=grid, max_values=1000))


def test_a_share_of_a_stream_is_a_share_of_its_weight():
    X = pd.DataFrame({"x": np.arange(60.0)})
    y, weights = X["x"].to_numpy() % 20 > 9, np.where(X["x"] < 30, 9, 1)
    discretizer = MDLPDiscretizer(min_bin_size=0.25)
    expected = clone(discretizer).fit(X, y, sample_weight=weights)
    for rows in (slice(0, 25), slice(25, 60)):
        discretizer.partial_fit(X[rows], y[rows], sample_weight=weights[rows])
    assert discretizer.finalize().scheme_ == expected.scheme_
    assert 1 < expected.n_bins_[0] < clone(discretizer).set_params(min_bin_size=0.01).fit(X, y).n_bins_[0]
