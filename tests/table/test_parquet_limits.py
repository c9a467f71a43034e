"""A Parquet file that holds too much is refused before it is read (promises 19 and 22)."""

from __future__ import annotations

import io
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cutwise.errors import TableError
from cutwise.table.reading import read_table, settings
from cutwise.table.reading.binary import with_polars, with_pyarrow
from tests.table.test_hostile_files import in_256_mib

BOTH = pytest.mark.parametrize("read", [with_pyarrow, with_polars])


def content(n_rows, n_columns, text="a"):
    out = io.BytesIO()
    pq.write_table(pa.table({f"c{j}": [text] * n_rows for j in range(n_columns)}), out)
    return out.getvalue()


def check_refused(read, data):
    with pytest.raises(TableError, match="more than is read"):
        read(data, "file")


@BOTH
def test_too_many_cells(monkeypatch, read):
    monkeypatch.setattr(settings, "MAX_CELLS", 12)
    assert len(read(content(4, 3), "file")) == 4
    check_refused(read, content(13, 1))
    check_refused(read, content(5, 3))


@BOTH
def test_too_many_columns(monkeypatch, read):
    monkeypatch.setattr(settings, "MAX_COLUMNS", 3)
    assert len(read(content(1, 3), "file")) == 1
    check_refused(read, content(1, 4))


def test_too_many_bytes(monkeypatch):
    monkeypatch.setattr(settings, "MAX_BYTES", 1 << 10)
    assert len(with_pyarrow(content(2, 1), "file")) == 2
    check_refused(with_pyarrow, content(2, 1, "a" * (1 << 14)))


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of memory is set in the way of Linux")
def test_a_small_file_of_very_many_rows_fails_in_256_mib(tmp_path):
    path = tmp_path / "bomb.parquet"
    with pq.ParquetWriter(path, pa.schema({"a": pa.int8()})) as writer:
        for _ in range(11):
            writer.write_table(pa.table({"a": pa.nulls(10_000_000, pa.int8())}))
    assert path.stat().st_size < 1 << 18
    with pytest.raises(TableError, match="110,000,000 rows"):
        read_table(path)
    assert "110,000,000 rows and 1 columns, which is more than is read" in in_256_mib(path)
