"""Every engine gives the same counts, byte for byte, and so the same scheme."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from cutwise import ColumnWarning, MRmDDiscretizer, TableError, count_table
from cutwise.counts.file_format import to_bytes
from tests.table.engines.tables import ENGINES, READABLE


@pytest.fixture(scope="module")
def table():
    random = np.random.default_rng(0)
    x = random.normal(size=400)
    extremes = [np.inf, -np.inf, -0.0, 0.0, 5e-324, 1.7976931348623157e308, 0.1, None]
    return pa.table(
        {
            "x": pa.array([*extremes * 5, *x[40:]]),
            "single": pa.array(random.normal(size=400).astype(np.float32)),
            "large": pa.array(random.integers(-(2**60), 2**60, 400)),
            "few": pa.array([None if i % 7 == 0 else i % 5 for i in range(400)], pa.int16()),
            "price": pa.array([f"{i % 90}.25" for i in range(400)]).cast(pa.decimal128(12, 2)),
            "town": pa.array([None if i % 9 == 0 else f"t{i % 4}ä" for i in range(400)]),
            "is_new": pa.array([None if i % 6 == 0 else i % 5 > 2 for i in range(400)]),
            "y": pa.array(np.where(x + random.normal(size=400) > 0, "yes", "no").tolist()),
        }
    )


@pytest.mark.parametrize("options", [{}, {"max_values": 100, "max_cells": 40}], ids=["by value", "by cell"])
@pytest.mark.parametrize("engine", [name for name in READABLE if name != "arrow reader"])
def test_the_same_counts(engine, options, table, tmp_path):
    counts = count_table(ENGINES[engine](table, tmp_path), "y", **options)
    assert to_bytes(counts) == to_bytes(count_table(table, "y", **options))


@pytest.mark.parametrize("engine", [name for name in READABLE if name != "arrow reader"])
def test_weights(engine, table, tmp_path):
    weighted = table.append_column("n", pa.array([i % 3 for i in range(400)]))
    repeated = table.take(pa.array([i for i in range(400) for _ in range(i % 3)]))
    counts = count_table(ENGINES[engine](weighted, tmp_path), "y", weight="n", max_values=100, max_cells=40)
    assert to_bytes(replace(counts, n_records=None)) == to_bytes(
        count_table(repeated, "y", max_values=100, max_cells=40)
    )


def test_the_scheme_of_memory(table, tmp_path):
    features = table.drop_columns(["y"])
    with pytest.warns(ColumnWarning, match="'large' holds whole numbers beyond"):
        expected = MRmDDiscretizer().fit(features, table["y"]).scheme_.to_json()
    assert MRmDDiscretizer().fit_table(ENGINES["parquet"](table, tmp_path), "y").scheme_.to_json() == expected


def test_a_stream_that_can_be_read_once(table):
    counts = count_table(table.to_reader(), "y")
    assert to_bytes(counts) == to_bytes(count_table(table, "y"))
    with pytest.raises(TableError, match="can be read only once"):
        count_table(table.to_reader(), "y", max_values=100)
