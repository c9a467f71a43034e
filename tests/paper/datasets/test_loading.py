"""Loading: the right table from the right file, and one clear error for each wrong one."""

from __future__ import annotations

import contextlib
import math
import os
import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise.errors import DatasetError, DatasetWarning, TableError
from cutwise.paper import datasets
from cutwise.paper.datasets import Catalogue, files, load
from cutwise.paper.datasets.loading import FetchRecord, record_path
from cutwise.table.frames import LIBRARIES
from tests.paper.datasets.tiny import CATALOGUE, CONTENT, ROWS, TINY, describe_table


def write(folder, content, **changes):
    """Put a file there, and return a catalogue that knows its hash."""
    (folder / "tiny.csv").write_bytes(content)
    return Catalogue((describe_table(content=content, **changes),))


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_set_is_a_table_and_its_classes(tiny_folder, library):
    tiny = load("tiny", library, folder=tiny_folder, catalogue=CATALOGUE)
    assert type(tiny.X).__module__.startswith(library)
    assert tiny.y.dtype.kind == "U"
    assert tiny.y.tolist() == ["yes", "no", "yes", "yes"]
    assert (tiny.name, tiny.nominal, tiny.about, tiny.match) == ("tiny", ("colour",), TINY, "exact")
    assert tiny.sha256 == TINY.sha256
    columns = tiny.X.to_pydict() if library == "pyarrow" else {name: list(tiny.X[name]) for name in TINY.columns}
    assert list(columns) == list(TINY.columns)
    for j, name in enumerate(TINY.columns):
        found = [None if isinstance(item, float) and math.isnan(item) else item for item in columns[name]]
        assert found == [row[j] for row in ROWS]


def test_numbers_are_doubles_and_categories_texts(tiny_folder):
    import polars as pl
    import pyarrow as pa

    tables = {name: load("tiny", name, folder=tiny_folder, catalogue=CATALOGUE).X for name in LIBRARIES}
    assert [str(kind) for kind in tables["pandas"].dtypes[["size", "Price"]]] == ["float64", "float64"]
    assert tables["polars"].dtypes == [pl.Float64, pl.String, pl.Float64]
    assert tables["polars"].null_count().row(0) == (1, 1, 0)
    assert tables["pyarrow"].schema.types == [pa.float64(), pa.string(), pa.float64()]


def test_the_default_library_is_the_first_that_is_installed(tiny_folder, monkeypatch):
    installed = {"polars", "pyarrow"}
    monkeypatch.setattr("cutwise.table.frames.find_spec", lambda name: name if name in installed else None)
    assert type(load("tiny", folder=tiny_folder, catalogue=CATALOGUE).X).__module__.startswith("polars")
    with pytest.raises(TableError, match=r"'pandas' is not installed\. Install one: pip install"):
        load("tiny", "pandas", folder=tiny_folder, catalogue=CATALOGUE)
    installed.clear()
    with pytest.raises(TableError, match="No table library is installed"):
        load("tiny", folder=tiny_folder, catalogue=CATALOGUE)


def test_an_unknown_library_is_refused(tiny_folder):
    with pytest.raises(TableError, match=r"no table library 'excel' here; choose one of 'pandas', 'polars', 'pyarrow'"):
        load("tiny", "excel", folder=tiny_folder, catalogue=CATALOGUE)


def test_the_folder_is_the_users(tiny_folder, monkeypatch):
    monkeypatch.setenv("CUTWISE_DATA", str(tiny_folder))
    assert datasets.folder() == tiny_folder
    assert load("teeny", catalogue=CATALOGUE).name == "tiny"


def test_an_absent_file_or_folder_is_an_error(tmp_path):
    with pytest.raises(DatasetError, match=r"'tiny' is not at .*: the file does not exist\. Fetch it: cutwise"):
        load("tiny", folder=tmp_path, catalogue=CATALOGUE)
    with pytest.raises(DatasetError, match=r"its folder does not exist\. .* or set CUTWISE_DATA"):
        load("tiny", folder=tmp_path / "none", catalogue=CATALOGUE)


def test_what_cannot_be_read_is_an_error(tmp_path):
    (tmp_path / "tiny.csv").mkdir()
    with pytest.raises(DatasetError, match=r"tiny\.csv' cannot be read: "):
        load("tiny", folder=tmp_path, catalogue=CATALOGUE)


@pytest.mark.skipif(os.name == "nt" or os.getuid() == 0, reason="needs a user whom file permissions bind")
def test_a_file_without_permission_is_an_error(tiny_folder):
    (tiny_folder / "tiny.csv").chmod(0)
    with pytest.raises(DatasetError, match=r"cannot be read: Permission denied"):
        load("tiny", folder=tiny_folder, catalogue=CATALOGUE)


def test_every_changed_byte_is_noticed(tmp_path):
    for place in range(len(CONTENT)):
        changed = bytearray(CONTENT)
        changed[place] ^= 1
        (tmp_path / "tiny.csv").write_bytes(changed)
        with pytest.raises(DatasetError, match=f"not the one that is known: its SHA-256 is .*, not {TINY.sha256}"):
            load("tiny", folder=tmp_path, catalogue=CATALOGUE)


def test_a_huge_file_is_not_read(tiny_folder, monkeypatch):
    monkeypatch.setattr("cutwise.paper.datasets.loading.MAX_BYTES", len(CONTENT) - 1)
    with pytest.raises(DatasetError, match="is larger than"):
        load("tiny", folder=tiny_folder, catalogue=CATALOGUE)


HEAD = b"size,colour,Price,class\n"


@pytest.mark.parametrize(("content", "message"), [
    (b"", r"line 1, names 0 columns, not 4"),
    (b"size,colour,class\n1,red,yes\n", r"line 1, names 3 columns, not 4"),
    (b"size,colour,price,class\n", r"line 1: column 3 is 'price', not 'Price'"),
    (b"\xef\xbb\xbf" + HEAD, r"line 1: column 1 is '\\ufeffsize', not 'size'"),
    (HEAD + b"1,red,2,yes\n1,red,2\n", r"line 3, has 3 fields, not 4"),
    (HEAD + b"1,red,2,yes,\n", r"line 2, has 5 fields, not 4"),
    (HEAD + b"\n", r"line 2, has 0 fields, not 4"),
    (HEAD + b"1,red,2,yes\nx,red,2,yes\n", r"line 3, column 'size': 'x' is no number"),
    (HEAD + b"1,red,nan,yes\n", r"line 2, column 'Price': 'nan' is no number"),
    (HEAD + b"1,red,inf,yes\n", r"line 2, column 'Price': 'inf' is no number"),
    (HEAD + b"1e999,red,1,yes\n", r"line 2, column 'size': '1e999' is no number"),
    (HEAD + b"1_0,red,1,yes\n", r"line 2, column 'size': '1_0' is no number"),
    (HEAD + b" 1,red,1,yes\n", r"line 2, column 'size': ' 1' is no number"),
    (HEAD + "\u0661,red,1,yes\n".encode(), r"line 2, column 'size': '\u0661' is no number"),
    (HEAD + b"1" * 5000 + b",red,1,yes\n", r"line 2, column 'size': '1+' is no number"),
    (HEAD + b"1,red,1,\n", r"line 2: the class is missing"),
    (HEAD + b'1,"red,1,yes\n', r"line 2: a quote is opened and not closed"),
    (HEAD + b'1,"red"x,1,yes\n', "line 2: after a closing quote something else than the delimiter follows"),
    (HEAD + b"1,red\xff,1,yes\n", r"is not UTF-8 \(byte 29\)"),
    (HEAD + b"1," + b"r" * 200_000 + b",1,yes\n", r"line 2: .* a value is longer than 131,072"),
    (HEAD + b"1,red,1,yes\n", r"but 1 rows, not 4, 0 missing values, not 2, 0 rows of class 'no', not 1, 1 rows of "),
    (HEAD + b",red,1,yes\n,red,1,no\n1,red,1,yes\n1,red,1,maybe\n", r"but 1 rows of class 'maybe', not 0"),
    (HEAD + b"1,red,1,yes\n1,red,1,no\n,,1,yes\n,red,1,yes\n", r"but 3 missing values, not 2: "),
])  # fmt: skip
def test_each_fault_has_its_message(tmp_path, content, message):
    """The catalogue knows the hash, so that what is wrong inside the file is found."""
    catalogue = write(tmp_path, content)
    with pytest.raises(DatasetError, match=message):
        load("tiny", folder=tmp_path, catalogue=catalogue)


def note(folder, content, match="other rows", difference="2 rows, not 4", **changes):
    path = folder / "tiny.csv"
    path.write_bytes(content)
    sha256 = describe_table(content=content).sha256
    record = replace(FetchRecord("tiny", sha256, match, difference, "http://somewhere"), **changes)
    record_path(path).write_bytes(record.to_bytes())


OTHER = HEAD + b"1,red,2,yes\n2,blue,3,no\n"


@pytest.mark.parametrize("match", ["same rows", "other rows"])
def test_a_fetched_file_that_differs_is_loaded_with_one_warning(tmp_path, match):
    note(tmp_path, OTHER, match)
    with pytest.warns(DatasetWarning, match=r"'tiny' is not quite the paper's: 2 rows, not 4\.") as caught:
        tiny = load("tiny", folder=tmp_path, catalogue=CATALOGUE)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert (tiny.match, tiny.y.tolist()) == (match, ["yes", "no"])


def test_a_fetched_file_with_the_papers_values_is_loaded_in_silence(tmp_path):
    note(tmp_path, CONTENT.replace(b"20.0", b"20"), "exact", "")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tiny = load("tiny", folder=tmp_path, catalogue=CATALOGUE)
    assert tiny.match == "exact"
    assert tiny.sha256 != TINY.sha256


@pytest.mark.parametrize("changes", [{"sha256": "0" * 64}, {"name": "other"}])
def test_a_note_of_another_file_does_not_count(tmp_path, changes):
    note(tmp_path, OTHER, **changes)
    with pytest.raises(DatasetError, match="not the one that is known"):
        load("tiny", folder=tmp_path, catalogue=CATALOGUE)


@pytest.mark.parametrize(
    "text",
    [b"", b"{}", b"[]", b"nonsense", b'{"format":"cutwise fetched data set","version":1}', b"[" * 10**5, b"\xff"],
)
def test_a_damaged_note_is_an_error(tmp_path, text):
    note(tmp_path, OTHER)
    record_path(tmp_path / "tiny.csv").write_bytes(text)
    with pytest.raises(DatasetError, match=r"fetched\.json' is damaged: .* Delete it and .* fetch the set again"):
        load("tiny", folder=tmp_path, catalogue=CATALOGUE)


def test_a_note_with_a_wrong_word_is_damaged(tmp_path):
    note(tmp_path, OTHER, match="perfect")
    with pytest.raises(DatasetError, match="'match' must be one of exact, same rows, other rows, not 'perfect'"):
        load("tiny", folder=tmp_path, catalogue=CATALOGUE)


def test_rows_keep_their_hash_when_numbers_are_written_otherwise():
    text = CONTENT.replace(b"1.5", b"+15e-1").replace(b"20.0", b"020.").replace(b"1e-07", b".0000001")
    assert text != CONTENT
    table = files.read_table(text, TINY, "x")
    assert table.values_sha256() == TINY.values_sha256
    swapped = files.DatasetRows(table.columns, table.rows[::-1])
    assert swapped.values_sha256() != TINY.values_sha256
    assert swapped.rows_sha256() == TINY.rows_sha256


def test_minus_zero_is_zero():
    assert files.row_line([-0.0, None, "a"]) == files.row_line([0.0, None, "a"])


@pytest.mark.parametrize("name", datasets.names())
def test_the_papers_sets_load(paper_data, name):
    loaded = load(name, "polars", folder=paper_data)
    about = loaded.about
    assert loaded.match == "exact"
    assert loaded.X.shape == (about.n_rows, len(about.columns))
    assert loaded.X.null_count().sum_horizontal().item() == about.n_missing
    labels, counts = np.unique(loaded.y, return_counts=True)
    assert dict(zip(labels.tolist(), counts.tolist(), strict=True)) == about.class_counts
    table = files.read_table((paper_data / about.file).read_bytes(), about, about.file)
    assert (table.values_sha256(), table.rows_sha256()) == (about.values_sha256, about.rows_sha256)


WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), min_size=1, max_size=6)
NUMBERS = st.none() | st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(st.tuples(NUMBERS, st.none() | WORDS, NUMBERS, WORDS), max_size=6))
def test_what_is_written_is_read(rows):
    table = files.DatasetRows(TINY.columns, [list(row) for row in rows])
    found = files.read_table(files.write_table(table), TINY, "x")
    assert found.values_sha256() == table.values_sha256()
    assert found == table


@given(st.binary(max_size=100), st.integers(0, len(CONTENT)), st.integers(0, 20))
def test_damage_gives_a_table_or_the_one_error(junk, place, n_lost):
    with contextlib.suppress(DatasetError):
        files.read_table(CONTENT[:place] + junk + CONTENT[place + n_lost :], TINY, "x")


def test_a_carriage_return_is_not_written():
    with pytest.raises(DatasetError, match="holds a carriage return"):
        files.write_table(files.DatasetRows(TINY.columns, [[1.0, "a\rb", 2.0, "yes"]]))
