"""Damaged and hostile files: a table or the one error, in bounded memory."""

from __future__ import annotations

import contextlib
import gzip
import io
import subprocess
import sys
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise.errors import TableError
from cutwise.table.reading import FORMATS, ReadSettings, read_table
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


def in_256_mib(path):
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(path)], capture_output=True, text=True, check=False, timeout=120
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
