"""Files as tables: every format gives the same table, and faults are named."""

from __future__ import annotations

import gzip
import io
import math
import sys
import types

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise.errors import TableError
from cutwise.table import frames
from cutwise.table.columns import is_missing
from cutwise.table.frames import items_of, names_of
from cutwise.table.reading import ReadSettings, columns, read_table, settings
from cutwise.table.reading.binary import with_polars, with_pyarrow
from cutwise.table.reading.columns import NumberReader, TextTable, make_table
from cutwise.table.reading.settings import MISSING
from cutwise.table.writing import csv_text, parquet_bytes
from tests.table.files import CSV, all_formats, excel, parquet


def rows_of(frame):
    columns = [[None if is_missing(item) else item for item in items_of(frame, name)] for name in names_of(frame)]
    return [list(row) for row in zip(*columns, strict=True)]


def read(tmp_path, content, name="t.csv", **settings):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_table(path, ReadSettings(**settings))


def rows(tmp_path, content, name="t.csv", **settings):
    return rows_of(read(tmp_path, content, name, **settings))


@pytest.mark.parametrize(
    ("name", "make", "names", "expected"), all_formats(), ids=lambda x: x if isinstance(x, str) else ""
)
def test_every_format_gives_the_same_table(tmp_path, name, make, names, expected):
    frame = read(tmp_path, make(), name)
    assert names_of(frame) == names
    assert rows_of(frame) == expected


@pytest.mark.parametrize(
    ("name", "make", "names", "expected"),
    [item for item in all_formats() if item[0] in {"t.csv", "t.csv.gz", "t.parquet", "t.xlsx"}],
)
def test_the_standard_input(monkeypatch, name, make, names, expected):
    monkeypatch.setattr(sys, "stdin", types.SimpleNamespace(buffer=io.BytesIO(make())))
    assert rows_of(read_table("-")) == expected


def test_the_standard_input_of_a_named_format(monkeypatch):
    text = b"@relation r\n@attribute a real[0,1]\n@data\n0.5\n"
    monkeypatch.setattr(sys, "stdin", types.SimpleNamespace(buffer=io.BytesIO(text)))
    assert rows_of(read_table("-", ReadSettings(format="keel"))) == [[0.5]]


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_any_table_library_will_do(tmp_path, monkeypatch, library):
    monkeypatch.setattr(frames, "LIBRARIES", (library,))
    frame = read(tmp_path, CSV)
    assert type(frame).__module__.split(".")[0] == library
    assert rows_of(frame)[0] == [37.5, "Bonn", "a, b"]
    assert math.isnan(items_of(frame, "age")[1]) or items_of(frame, "age")[1] is None


def test_without_a_table_library_there_is_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(frames, "LIBRARIES", ())
    with pytest.raises(
        TableError, match=r"No table library is installed. Install one: pip install 'cutwise\[tables\]'"
    ):
        read(tmp_path, CSV)


@pytest.mark.parametrize(("text", "settings", "expected"), [
    ("a,b\n1,x\n", {}, [[1.0, "x"]]),
    ("\ufeffa,b\r\n1,x\r\n", {}, [[1.0, "x"]]),
    ("a,b\r1,x\r", {}, [[1.0, "x"]]),
    ("a;b\n1;x\n", {}, [[1.0, "x"]]),
    ("a\tb\n1\tx\n", {}, [[1.0, "x"]]),
    ("a|b\n1|x\n", {}, [[1.0, "x"]]),
    ("a\n1\n\n2\n", {}, [[1.0], [2.0]]),
    ("a,b\n", {}, []),
    (" a , b \n 1 , x \n", {}, [[1.0, "x"]]),
    ("a;b\n1,5;x\n2,25;y\n", {}, [[1.5, "x"], [2.25, "y"]]),
    ("a;b\n0,125;x\n", {}, [[0.125, "x"]]),
    ("a;b\n1,125;1.5\n", {}, [["1,125", 1.5]]),
    ("a;b\n1,125;x\n", {"decimal": ","}, [[1.125, "x"]]),
    ("a;b\n1,125;x\n", {"decimal": "."}, [["1,125", "x"]]),
    ("a:b\n1:x\n", {"delimiter": ":"}, [[1.0, "x"]]),
    ("a,b\n1,x\n01,y\nz,2\n", {}, [["1", "x"], ["01", "y"], ["z", "2"]]),
    ("a,b\n1,7\n2,8\n", {"texts": frozenset("b")}, [[1.0, "7"], [2.0, "8"]]),
    ("a,b\n-,NA\n1,2\n", {"missing": ("-",)}, [[None, "NA"], [1.0, "2"]]),
    ("a,b\ninf,-Infinity\n1e999,+inf\n", {}, [[math.inf, -math.inf], [math.inf, math.inf]]),
    ("a,b\n1_0,\u0661\n", {}, [["1_0", "\u0661"]]),
    ('a,b\n1,"x\ny"\n2,"say ""no"""\n', {}, [[1.0, "x\ny"], [2.0, 'say "no"']]),
    ("a,b\nNaN,null\n?,\n", {}, [[None, None], [None, None]]),
])  # fmt: skip
def test_csv(tmp_path, text, settings, expected):
    assert rows(tmp_path, text, **settings) == expected


@pytest.mark.parametrize(("content", "settings", "message"), [
    ("", {}, "is empty"),
    ("\n\n", {}, "is empty"),
    ("a,b\n1,x\n2\n", {}, "line 3, has 1 values for 2 columns"),
    ('a,b\n"x\ny",1\n2\n', {}, "line 4, has 1 values for 2 columns"),
    ("a,b\n1,x\n2,y,z\n", {}, "line 3, has 3 values for 2 columns"),
    ('a,b\n1,x\n2,"y\n3,z\n', {}, "line 3: a quote is opened and not closed"),
    ('a,b\n1,"x"y\n', {}, "line 2: after a closing quote"),
    (b"a,b\n1,\0\n", {}, "line 2, holds a NUL character"),
    (b"a,b\n1,\xff\n", {}, r"is not UTF-8: byte 6 \(0xff\) is wrong. Set its encoding"),
    ("a,b\n1,é\n".encode("utf-16"), {}, r"begins like UTF-16 \(byte 0\), not UTF-8"),
    (b"a,b\n1,x\n", {"encoding": "utf-16"}, "is not UTF-16"),
    (b"a,b\n1,x\n", {"encoding": "klingon"}, "There is no encoding 'klingon'"),
    (b"a,b\n1,x\n", {"encoding": "base64"}, "There is no encoding 'base64'"),
    ("1,2\n3,4\n", {}, "begins with numbers"),
    ("a,a\n1,2\n", {}, "has two columns 'a'"),
    ("a,\n1,2\n", {}, "Column 2 of the file .* has no name"),
    ("a;b\n1,125;x\n", {}, "'1,125' may be a number with a decimal comma or a thousand"),
    ("a|b;c|d\n1|2;3|4\n", {}, "both semicolon and bar could separate the values. Set delimiter=';' or delimiter='.'"),
    ("a,b\n1,2\n", {"delimiter": "::"}, "The delimiter is '::'"),
    ("a,b\n1,2\n", {"decimal": ","}, "The decimal sign is ','"),
    ("a;b\n1;2\n", {"decimal": "x"}, "The decimal sign is 'x'"),
    ("a,b\n1,2\n", {"format": "weka"}, "There is no format 'weka'. Known are csv, parquet"),
    (",".join(f"c{j}" for j in range(10**6)), {}, "has 1,000,000 columns; at most 10,000"),
    ("a,b\n1," + "x" * 200_000, {}, "line 2: .* or a value is longer than 131,072"),
])  # fmt: skip
def test_faults_of_csv_are_named(tmp_path, content, settings, message):
    with pytest.raises(TableError, match=message):
        read(tmp_path, content, **settings)


def test_sizes_are_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(settings, "MAX_LINE", 50)
    with pytest.raises(TableError, match="line 2, has more than 50 characters"):
        read(tmp_path, "a,b\n1," + "x" * 60)
    monkeypatch.setattr(settings, "MAX_CELLS", 5)
    with pytest.raises(TableError, match="has more than 5 values"):
        read(tmp_path, "a,b\n1,2\n3,4\n5,6\n")
    with pytest.raises(TableError, match="3 rows and 3 columns, which is more than is read"):
        read(tmp_path, parquet(), "t.parquet")
    monkeypatch.setattr(settings, "MAX_BYTES", 1 << 20)
    with pytest.raises(TableError, match="has more than 1 MiB"):
        read(tmp_path, b"a\n" + b"1\n" * (1 << 20))
    with pytest.raises(TableError, match="has more than 1 MiB"):
        read(tmp_path, gzip.compress(b"a\n" + b"1\n" * (1 << 20)), "t.csv.gz")


def test_what_is_no_file(tmp_path):
    for path, message in (
        (tmp_path / "none.csv", "There is no file .*none.csv'"),
        (tmp_path / "data", "Unknown file extension: .data."),
        (tmp_path / "data.xls", "old format of Excel"),
        (tmp_path / "x\0.csv", "cannot be read"),
    ):
        with pytest.raises(TableError, match=message):
            read_table(path)
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(TableError, match="is a folder"):
        read_table(tmp_path / "folder.csv")


KEEL = "@relation r\n@attribute a real [0, 1]\n@attribute b{x,y}\n@inputs a\n@outputs b\n@data\n"


@pytest.mark.parametrize(("text", "message"), [
    ("", "has no @data line"),
    ("@relation r\n@attribute a real\n", "has no @data line"),
    ("@relation r\n@data\n1\n", "is empty"),
    ("hello\n@data\n", "line 1: 'hello' is out of place"),
    ("@attribute a date\n@data\n", "line 1: .* is no attribute with a type"),
    ("@attribute a real [0\n@data\n", "line 1: .* is no range"),
    ("@attribute a {x\n@data\n", "line 1: the list of categories of 'a' has no end"),
    ("@attribute a real\n@attribute a real\n@data\n", "line 2: the name 'a' is taken"),
    ("@attribute a real\n@inputs b\n@data\n", "line 2: there is no attribute 'b'"),
    (KEEL + "1\n", "line 7: 1 values for 2 attributes"),
    (KEEL + "1,x\none,x\n", "line 8: 'one' of 'a' is no number"),
    (KEEL + "1,z\n", "line 7: 'z' is no category of 'b'"),
])  # fmt: skip
def test_faults_of_keel_are_named(tmp_path, text, message):
    with pytest.raises(TableError, match=message):
        read(tmp_path, text, "t.dat")


def test_faults_of_arff_are_named(tmp_path):
    with pytest.raises(TableError, match=r"The file '.*t.arff', line 3: 2 values for 1 attributes. Mend that line."):
        read(tmp_path, "@attribute a real\n@data\n1,2\n", "t.arff")
    assert rows(tmp_path, "@attribute é {x,'?'}\n@data\n'?'\n".encode("latin-1"), "t.arff", encoding="latin-1") == [
        ["?"]
    ]


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1" + b"\0" * 50 + b"PAR1", b"a,b\n1,2\n"])
@pytest.mark.parametrize("name", ["t.parquet", "t.xlsx"])
def test_what_is_no_parquet_and_no_excel(tmp_path, content, name):
    if name == "t.xlsx":
        pytest.importorskip("openpyxl", reason="Excel files need the extra excel")
    with pytest.raises(TableError, match="is no "):
        read(tmp_path, content, name)


def test_excel_sheets(tmp_path):
    content = excel([["a", "b", None], [1, True, None], ["2", "x", None], [None, None, None]])
    assert rows(tmp_path, content, "t.xlsx") == [[1.0, "True"], [2.0, "x"]]
    with pytest.raises(TableError, match="has no sheet 'two'; it has 'Sheet'"):
        read(tmp_path, content, "t.xlsx", sheet="two")
    with pytest.raises(TableError, match="row 3, has a value beside the 1 columns"):
        read(tmp_path, excel([["a"], [1], [1, 2]]), "t.xlsx")
    with pytest.raises(TableError, match="is empty"):
        read(tmp_path, excel([]), "t.xlsx")


def test_without_openpyxl_there_is_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr("cutwise.table.reading.binary.find_spec", lambda name: None)
    with pytest.raises(TableError, match=r"Excel files need openpyxl. Install it: pip install 'cutwise\[excel\]'."):
        read(tmp_path, b"PK", "t.xlsx")


def test_without_pyarrow_polars_reads_and_writes(tmp_path, monkeypatch):
    for module in ("reading.binary", "writing"):
        monkeypatch.setattr(f"cutwise.table.{module}.find_spec", lambda name: name == "polars" or None)
    frame = read(tmp_path, parquet_bytes({"a": [1.5, None], "b": ["x", "y"]}), "t.parquet")
    assert type(frame).__module__.startswith("polars")
    assert rows_of(frame) == [[1.5, "x"], [None, "y"]]
    for module in ("reading.binary", "writing"):
        monkeypatch.setattr(f"cutwise.table.{module}.find_spec", lambda name: None)
    with pytest.raises(TableError, match="Parquet files need pyarrow or polars"):
        read(tmp_path, parquet(), "t.parquet")
    with pytest.raises(TableError, match="Parquet files need pyarrow or polars"):
        parquet_bytes({"a": [1]})


def test_parquet_of_both_libraries_and_row_labels(tmp_path):
    import pandas as pd

    out = io.BytesIO()
    pd.DataFrame({"a": [1, 2], "b": ["x", "y"]}, index=[5, 7]).to_parquet(out)
    for reader in (with_pyarrow, with_polars):
        frame = reader(out.getvalue(), "file")
        assert rows_of(frame) == [[1, "x"], [2, "y"]]
        with pytest.raises(TableError, match="is no Parquet file that can be read"):
            reader(out.getvalue()[:-20], "file")


CELLS = st.one_of(
    st.none(),
    st.floats(allow_nan=False),
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=6),
)


def as_read(column):
    """Return what a column of values is after a way through CSV."""
    stripped = [value.strip() if isinstance(value, str) else value for value in column]
    return [None if value in {"", "NA", "NaN", "nan", "?", "null"} else value for value in stripped]


@given(st.lists(st.tuples(CELLS, st.floats(allow_nan=False), st.sampled_from(["x", "=y", "a,b", None])), max_size=8))
def test_what_is_written_raw_is_read_back(tmp_path_factory, table):
    first, second, third = ([row[j] for row in table] for j in range(3))
    path = tmp_path_factory.mktemp("csv") / "t.csv"
    path.write_text(csv_text({"p": first, "q": second, "r": third}, raw=True), encoding="utf-8", newline="")
    frame = read_table(path, ReadSettings(delimiter=",", texts=frozenset("r")))
    assert items_of(frame, "q") == second
    assert [None if is_missing(item) else item for item in items_of(frame, "r")] == third
    found = [None if is_missing(item) else item for item in items_of(frame, "p")]
    texts = [
        None if value is None else repr(value).removesuffix(".0") if isinstance(value, float) else value
        for value in first
    ]
    if any(isinstance(item, str) for item in found):
        assert found == as_read(texts)


@given(st.lists(st.one_of(st.none(), st.text(max_size=5), st.integers(), st.floats(allow_nan=False)), max_size=5))
def test_parquet_is_written_and_read(values):
    kinds = {type(value) for value in values if value is not None}
    if len(kinds) > 1 or any(isinstance(value, int) and abs(value) >= 1 << 62 for value in values):
        return
    if any(isinstance(value, str) and any(0xD800 <= ord(char) < 0xE000 for char in value) for value in values):
        return
    assert items_of(with_pyarrow(parquet_bytes({"a": values}), "file"), "a") == values


NUMBER_TEXTS = st.sampled_from(
    [
        "1",
        " 2.5 ",
        "-1e3",
        "+.5",
        "1_000",
        "nan",
        "NaN",
        "inf",
        "-Infinity",
        "",
        " ",
        "?",
        " NA",
        "\u0661",
        "1e999",
        "0x1",
        "-9",
    ]
)


@given(st.lists(NUMBER_TEXTS, max_size=6), st.sampled_from([MISSING, ("", "-9")]))
def test_fast_and_careful_reading_agree(texts, missing):
    careful = NumberReader(missing, ".")
    careful._is_simple = False
    fast, slow = NumberReader(missing, ".").read(texts), careful.read(texts)
    assert (fast is None) == (slow is None)
    if fast is not None:
        np.testing.assert_array_equal(fast, slow)


@pytest.mark.parametrize("chunk", [1, 2, 3, 4096])
@given(st.lists(st.tuples(NUMBER_TEXTS, st.sampled_from(["1", "x", ""])), max_size=7))
def test_the_size_of_chunks_does_not_matter(chunk, table):
    whole = make_table(TextTable(("a", "b"), lambda: table), "file", missing=MISSING)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "_CHUNK", chunk)
        parts = make_table(TextTable(("a", "b"), lambda: table), "file", missing=MISSING)
    assert rows_of(parts) == rows_of(whole)
