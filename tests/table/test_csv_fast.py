"""Large CSV files are read by another way: the same table, or the same error."""

from __future__ import annotations

import codecs
import csv
import io
import math
import struct
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cutwise.errors import TableError
from cutwise.table.frames import items_of, names_of
from cutwise.table.reading import ReadSettings, csv_file, read_table
from cutwise.table.reading.csv_file import read_csv
from cutwise.table.reading.settings import MISSING

pytest.importorskip("pyarrow", reason="pyarrow is not installed; it divides large files")

NUMBERS = st.one_of(
    st.floats(allow_nan=False).map(repr),
    st.integers().map(str),
    st.sampled_from(["1e999", "-1e-999", "+5", ".5", "5.", "1_0", "0x1", "1e", "--1", "1,5", "inf", "-Infinity", "٣"]),
    st.from_regex(r"[+-]?[0-9]{1,30}\.[0-9]{0,30}(e-?[0-9]{1,3})?", fullmatch=True),
)
WORDS = st.one_of(
    st.text(max_size=6),
    st.sampled_from([*MISSING, " NA ", " 1 ", "\xa0", 'a"b', '"', '""', "a\nb", "a\r\nb", "-999", "e", "E5", "\ufeff"]),
)
PLAIN_NUMBERS = st.one_of(st.floats(allow_nan=False, allow_infinity=False).map(repr), st.sampled_from(MISSING))
SETTINGS = st.builds(
    ReadSettings,
    delimiter=st.sampled_from([None, ",", ";", "\t", " "]),
    decimal=st.sampled_from([None, ".", ","]),
    missing=st.sampled_from([MISSING, ("", "-999"), ("",), ("", "0.0", "a", " NA ")]),
    texts=st.sampled_from([frozenset(), frozenset({"a"}), frozenset({"a", "b", "x"})]),
)


@st.composite
def files(draw):
    """A file as programs write it, with and without quotes, blank lines and a mark at the beginning."""
    width = draw(st.integers(2, 4))
    kinds = [draw(st.sampled_from([PLAIN_NUMBERS, NUMBERS, WORDS])) for _ in range(width)]
    rows = [[draw(kind) for kind in kinds] for _ in range(draw(st.integers(0, 6)))]
    out = io.StringIO()
    quoting = draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]))
    end = draw(st.sampled_from(["\n", "\r\n", "\n\n", "\r"]))
    delimiter = draw(st.sampled_from(",;\t|"))
    csv.writer(out, delimiter=delimiter, lineterminator=end, quoting=quoting).writerows([list("abcd")[:width], *rows])
    text = out.getvalue().encode("utf-8", "surrogatepass")
    return draw(st.sampled_from([b"", b"", codecs.BOM_UTF8, b"\n"])) + text


def answer(content, settings, least):
    """Return the table as plain data, with doubles to the last bit, or the message of the error."""
    with patch.object(csv_file, "LARGE", least):
        try:
            frame = read_csv(content, settings, "file")
        except TableError as error:
            return str(error)
    return type(frame), {name: [_bits(item) for item in items_of(frame, name)] for name in names_of(frame)}


def _bits(item):
    if isinstance(item, float):
        return "nan" if math.isnan(item) else struct.pack("d", item)
    return item


def same(content, settings=None):
    chosen = ReadSettings() if settings is None else settings
    assert answer(content, chosen, 0) == answer(content, chosen, math.inf)


@given(files(), SETTINGS)
@example(b"a,b\n-0.0,x\n0,y\n", ReadSettings())
@example(b'a,b\n1,"x"y\n', ReadSettings())
@example(b'a,b\n1,x"y"\n', ReadSettings())
@example(b'a,b\n1,"\n', ReadSettings())
@example(b'a,b\n"1",""""\n"",""\n', ReadSettings())
@example(b"a,b\n\n1,2\n\n", ReadSettings())
@example(b"a,b\n\xff,2\n", ReadSettings())
@example(b"a,b\n1,2,3\n", ReadSettings())
def test_both_ways_give_the_same(content, settings):
    same(content, settings)


@given(files(), SETTINGS, st.binary(max_size=6), st.floats(0, 1), st.integers(0, 4))
def test_damaged_files_give_the_same(content, settings, junk, place, n_lost):
    at = int(place * len(content))
    same(content[:at] + junk + content[at + n_lost :], settings)


@given(st.text(st.sampled_from('ab1.,;\t|"\n\r -?é\0+eE'), max_size=60), SETTINGS)
def test_any_text_gives_the_same(text, settings):
    same(text.encode(), settings)


@given(st.lists(st.tuples(PLAIN_NUMBERS, st.sampled_from(["x", "y z", "ü"])), max_size=8))
def test_usual_files_are_read_the_fast_way(rows):
    content = "".join(f"{a},{b}\n" for a, b in [("a", "b"), *rows]).encode()
    with patch.object(csv_file, "LARGE", 0):
        columns = csv_file.divided(content, ",", 2)
    assert [column.to_pylist() for column in columns] == [[row[0] for row in rows], [row[1] for row in rows]]


@pytest.mark.parametrize("text", ["x" * 131_073, "1" * 200_000, '"' + "x" * 140_000 + '"'])
def test_values_that_are_too_long(text):
    same(f"a,b\n1,{text}\n".encode())


def test_lines_longer_than_blocks(monkeypatch):
    monkeypatch.setattr(csv_file, "BLOCK", 64)
    for length in (10, 60, 100, 200):
        same(b"a,b\n" + b"1,2\n" * 40 + b"1," + b"x" * length + b"\n" + b"1,2\n" * 40)


@pytest.mark.parametrize("fault", ["", "1,2\n", '1,"x\n', "1,2,x,4\n", "1,\0,x\n"])
def test_a_large_file_names_the_line_of_a_fault(tmp_path, fault):
    rng = np.random.default_rng(0)
    lines = [
        f"{a!r},{b},{c}\n" for a, b, c in zip(*rng.normal(size=(2, 9000)).tolist(), ["u", "v"] * 4500, strict=True)
    ]
    content = ("a,b,c\n" + "".join(lines) + fault).encode()
    assert len(content) > csv_file.LARGE
    same(content)
    path = tmp_path / "large.csv"
    path.write_bytes(content)
    if not fault:
        assert read_table(path)["a"].tolist() == [float(line.split(",")[0]) for line in lines]
        return
    with pytest.raises(TableError, match="line 9002"):
        read_table(path)
