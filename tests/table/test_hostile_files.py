"""Damaged and hostile files: a table or the one error, in bounded memory."""

from __future__ import annotations

import contextlib
import gzip
import io
import re
import subprocess
import sys
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise.errors import TableError
from cutwise.table.reading import FORMATS, ReadSettings, binary, read_table, settings
from tests.table.files import all_formats


@pytest.mark.parametrize(("name", "make"), [item[:2] for item in all_formats()], ids=lambda x: str(x)[:9])
@given(damage=st.tuples(st.binary(max_size=40), st.floats(0, 1), st.one_of(st.none(), st.integers(0, 5))))
def test_damage_gives_a_table_or_the_one_error(tmp_path_factory, name, make, damage):
    junk, place, n_lost = damage
    whole = make()
    at = int(place * len(whole))
    damaged = whole[:at] + junk + (b"" if n_lost is None else whole[at + n_lost :])
    path = tmp_path_factory.mktemp("damaged") / name
    path.write_bytes(damaged)
    with contextlib.suppress(TableError):
        read_table(path)


@pytest.mark.parametrize("form", sorted(set(FORMATS) - {"excel"}))
@given(junk=st.binary(max_size=300))
def test_anything_gives_a_table_or_the_one_error(form, junk):
    with contextlib.suppress(TableError):
        FORMATS[form](junk, ReadSettings(), "file")


@given(st.text(st.sampled_from('ab1.,;\t|"\n\r -?é\0'), max_size=60))
def test_any_text_gives_a_table_or_the_one_error(text):
    with contextlib.suppress(TableError):
        FORMATS["csv"](text.encode(), ReadSettings(), "file")


LIMITED = """
import resource, sys
from cutwise.table.reading import read_table
from cutwise.errors import TableError
with open("/proc/self/statm") as file:
    used = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (256 << 20), used + (256 << 20)))
try:
    read_table(sys.argv[1])
except TableError as error:
    print(error)
"""


def in_256_mib(path, first=""):
    done = subprocess.run(
        [sys.executable, "-c", first + LIMITED, str(path)], capture_output=True, text=True, check=False, timeout=120
    )
    return done.stdout + done.stderr[-300:]


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of memory is set in the way of Linux")
def test_bombs_and_long_lines_fail_in_256_mib(tmp_path):
    bomb = tmp_path / "bomb.csv.gz"
    with gzip.open(bomb, "wb", compresslevel=9) as file:
        for _ in range(640):
            file.write(b"0" * (1 << 20))
    assert bomb.stat().st_size < 1 << 20
    assert "expands more than 200 times" in in_256_mib(bomb)
    line = tmp_path / "line.csv"
    with line.open("wb") as file:
        for _ in range(60):
            file.write(b"a," * (1 << 19))
    assert "has more than 16,777,216 characters" in in_256_mib(line)


def test_an_archive_that_expands_too_far_is_not_opened(tmp_path):
    pytest.importorskip("openpyxl", reason="Excel files need the extra excel")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b"0" * (70 << 20))
    path = tmp_path / "bomb.xlsx"
    path.write_bytes(out.getvalue())
    with pytest.raises(TableError, match="expands to 70 MiB, which is too much"):
        read_table(path)


def parquet_of_one_text(path, n_rows, length):
    pa = pytest.importorskip("pyarrow", reason="Parquet files need the extra tables")
    pq = pytest.importorskip("pyarrow.parquet")
    words = pa.DictionaryArray.from_arrays(pa.array(np.zeros(n_rows, np.int32)), pa.array(["x" * length]))
    table = pa.table({"a": words})
    pq.write_table(table, path, store_schema=False, write_statistics=False, row_group_size=n_rows)


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of memory is set in the way of Linux")
def test_a_small_parquet_file_does_not_expand(tmp_path):
    path = tmp_path / "bomb.parquet"
    parquet_of_one_text(path, 5_000_000, 4000)
    assert path.stat().st_size < 1 << 15
    assert "rows and 1 columns of 19,073 MiB, which is more than is read" in in_256_mib(
        path, "import pyarrow.parquet, pyarrow.compute"
    )


@pytest.mark.parametrize("read", ["with_pyarrow", "with_polars"])
def test_both_readers_of_parquet_know_the_limit(tmp_path, monkeypatch, read):
    path = tmp_path / "t.parquet"
    parquet_of_one_text(path, 1000, 5000)
    frame = getattr(binary, read)(path.read_bytes(), "file")
    assert frame["a"][3] is not None
    assert "dictionary" not in str(getattr(frame, "schema", ""))
    monkeypatch.setattr(settings, "MAX_BYTES", 1 << 20)
    with pytest.raises(TableError, match="of 4 MiB, which is more than is read"):
        getattr(binary, read)(path.read_bytes(), "file")


def sheet_of(cells, dimension=b"A1:CV1048576"):
    """Return an .xlsx file whose sheet has these cells, such as <row r="1">…</row>."""
    openpyxl = pytest.importorskip("openpyxl", reason="Excel files need the extra excel")
    out, changed = io.BytesIO(), io.BytesIO()
    book = openpyxl.Workbook()
    book.active["A1"] = 1
    book.save(out)
    with zipfile.ZipFile(out) as old, zipfile.ZipFile(changed, "w", zipfile.ZIP_DEFLATED) as new:
        for item in old.infolist():
            content = old.read(item)
            if item.filename == "xl/worksheets/sheet1.xml":
                content = re.sub(b"<sheetData>.*</sheetData>", b"<sheetData>%s</sheetData>" % cells, content)
                content = re.sub(b'<dimension ref="[^"]*"', b'<dimension ref="%s"' % dimension, content)
            new.writestr(item, content)
    return changed.getvalue()


def cell(place, number):
    return b'<c r="%s"><v>%d</v></c>' % (place.encode(), number)


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of memory is set in the way of Linux")
def test_a_far_cell_does_not_fill_the_memory(tmp_path):
    path = tmp_path / "far.xlsx"
    head = b'<row r="1">%s</row>' % cell("A1", 7)
    path.write_bytes(sheet_of(head + b'<row r="1048576">%s</row>' % cell("CV1048576", 1)))
    assert "has a value beside the 1 columns with names" in in_256_mib(path)
    wide = b"".join(b'<row r="%d">%s</row>' % (row, cell(f"XFD{row}", 1)) for row in range(2, 3000))
    path.write_bytes(sheet_of(head + wide))
    assert "has more than" in in_256_mib(path)


def test_a_sheet_that_says_it_is_smaller_is_read_whole(tmp_path):
    rows = b"".join(b'<row r="%d">%s%s</row>' % (r, cell(f"A{r}", r), cell(f"B{r}", 2 * r)) for r in range(2, 20_000))
    head = b'<row r="1">%s%s</row>' % (cell("A1", 7), cell("B1", 8))
    path = tmp_path / "small.xlsx"
    path.write_bytes(sheet_of(head + rows, dimension=b"A1:A2"))
    assert read_table(path).shape == (19_998, 2)
