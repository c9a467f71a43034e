"""Files: how they are found, and faults that end in one error with the file and the column."""

from __future__ import annotations

import gzip
import os
from itertools import chain
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq
import pytest

from cutwise import count_table
from cutwise.errors import TableError
from cutwise.table.engines import open_source
from tests.table.engines.summaries import rows_of

TABLE = pa.table({"x": np.arange(3000) / 7, "y": [f"t{i * i % 997}" for i in range(3000)]})


def write(table, path):
    pq.write_table(table, path, row_group_size=1000, write_page_checksum=True)


def rows(thing, columns):
    return sorted(chain.from_iterable(open_source(thing).fold(columns, rows_of)), key=repr)


def damage(path, group, column):
    """Overwrite the middle of what a row group holds of a column."""
    about = pq.read_metadata(path).row_group(group).column(column)
    half = about.total_compressed_size // 2
    with Path(path).open("r+b") as file:
        file.seek((about.dictionary_page_offset or about.data_page_offset) + half)
        file.write(b"\xff" * (half // 2))


@pytest.mark.parametrize("checksum", [True, False])
@pytest.mark.parametrize("n_files", [1, 3])
def test_a_corrupt_row_group(tmp_path, n_files, checksum):
    for i in range(n_files):
        path = tmp_path / f"{i}.parquet"
        pq.write_table(TABLE, path, row_group_size=1000, write_page_checksum=checksum, compression="gzip")
    damage(path, 1, 1)
    source = open_source(tmp_path)
    with pytest.raises(TableError, match=rf"The file '.*{path.name}', row group 1, column 'y' cannot be read"):
        list(source.fold(["x", "y"], rows_of))
    assert sum(map(len, source.fold(["x"], rows_of))) == 3000 * n_files


def test_wrong_numbers_that_only_the_checksum_tells(tmp_path):
    path = tmp_path / "a.parquet"
    pq.write_table(TABLE, path, compression="none", use_dictionary=False, write_page_checksum=True)
    damage(path, 0, 0)
    assert pq.read_table(path)["x"] != TABLE["x"]
    with pytest.raises(TableError, match=r"The file '.*a\.parquet', row group 0, column 'x' cannot be read"):
        list(open_source(path).fold(["x"], rows_of))


def test_a_corrupt_row_group_of_a_dataset(tmp_path):
    for name in ("a", "b"):
        pq.write_table(TABLE, tmp_path / f"{name}.parquet", row_group_size=1000, compression="gzip")
    damage(tmp_path / "b.parquet", 1, 1)
    with pytest.raises(TableError, match=r"The file '.*b\.parquet', row group 1, column 'y' cannot be read"):
        list(open_source(pyarrow.dataset.dataset(tmp_path)).fold(["x", "y"], rows_of))


def test_a_dataset_whose_columns_change(tmp_path):
    pq.write_table(pa.table({"x": [1.0]}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"x": ["abc"]}), tmp_path / "b.parquet")
    with pytest.raises(TableError, match=r"The Arrow dataset cannot be read: .*abc"):
        list(open_source(pyarrow.dataset.dataset(tmp_path)).fold(["x"], rows_of))


def test_a_corrupt_footer(tmp_path):
    write(TABLE, tmp_path / "a.parquet")
    (tmp_path / "a.parquet").write_bytes((tmp_path / "a.parquet").read_bytes()[:-20])
    with pytest.raises(TableError, match=r"The file '.*a\.parquet' is no Parquet file that can be read"):
        open_source(tmp_path / "a.parquet")


@pytest.mark.parametrize("name", ["empty.parquet", "empty.csv", "empty.csv.gz"])
def test_empty_files(tmp_path, name):
    (tmp_path / name).touch()
    with pytest.raises(TableError, match=name.replace(".", r"\.")):
        open_source(tmp_path / name)


def test_files_without_rows(tmp_path):
    write(TABLE, tmp_path / "a.parquet")
    write(TABLE.slice(0, 0), tmp_path / "b.parquet")
    assert len(rows(tmp_path, ["x"])) == 3000
    (tmp_path / "a.csv").write_text("x,y\n")
    assert rows(tmp_path / "a.csv", ["x", "y"]) == []
    assert open_source(tmp_path / "a.csv").kinds == {"x": "numeric", "y": "numeric"}


@pytest.mark.parametrize("name", ["gone.parquet", "gone.csv", "no/such/folder/x.parquet"])
def test_absent_files(tmp_path, name):
    with pytest.raises(TableError, match=f"There is no file '.*{name}'"):
        open_source(str(tmp_path / name))
    write(TABLE, tmp_path / "a.parquet")
    with pytest.raises(TableError, match=f"There is no file '.*{name}'"):
        open_source([tmp_path / "a.parquet", tmp_path / name])


def test_patterns_without_files(tmp_path):
    with pytest.raises(TableError, match=r"No file matches the pattern '.*x-\*\.parquet'"):
        open_source(tmp_path / "x-*.parquet")
    with pytest.raises(TableError, match="holds no files"):
        open_source(tmp_path)
    with pytest.raises(TableError, match="The list of files is empty"):
        open_source([])


def test_what_is_no_path():
    with pytest.raises(TableError, match="found 3 of type int"):
        open_source([3])
    with pytest.raises(TableError, match="is no file of this machine"):
        open_source("s3://bucket/x.parquet")


def test_formats(tmp_path):
    (tmp_path / "a.dat").write_text("x")
    with pytest.raises(TableError, match="Unknown file extension"):
        open_source(tmp_path / "a.dat")
    (tmp_path / "a.csv").write_text("x\n1\n")
    write(TABLE, tmp_path / "b.parquet")
    with pytest.raises(TableError, match=r"a\.csv' \(CSV\) and '.*b\.parquet' \(Parquet\)"):
        open_source([tmp_path / "a.csv", tmp_path / "b.parquet"])


def test_folders(tmp_path):
    (tmp_path / "deep").mkdir()
    write(TABLE, tmp_path / "deep" / "a.parquet")
    write(TABLE, tmp_path / "b.parquet")
    (tmp_path / "_SUCCESS").touch()
    (tmp_path / ".b.parquet.crc").touch()
    assert len(rows(tmp_path, ["x"])) == 6000
    (tmp_path / "year=2020").mkdir()
    write(TABLE, tmp_path / "year=2020" / "a.parquet")
    with pytest.raises(TableError, match="has columns in the names of its folders, such as 'year=2020'"):
        open_source(tmp_path)


def test_a_file_named_twice(tmp_path):
    write(TABLE, tmp_path / "a.parquet")
    with pytest.raises(TableError, match=r"a\.parquet' is named twice"):
        open_source([tmp_path / "a.parquet", str(tmp_path / "*.parquet")])


def test_names_that_look_like_patterns(tmp_path):
    for name, value in (("x[1]", 1.0), ("x1", 2.0)):
        pq.write_table(pa.table({"x": [value]}), tmp_path / f"{name}.parquet")
        (tmp_path / f"{name}.csv").write_text(f"x\n{value}\n")
    assert rows(tmp_path / "x[1].parquet", ["x"]) == [(1.0,)]
    assert rows(tmp_path / "x[1].csv", ["x"]) == [(1.0,)]


CHANGED = {
    "numbers to texts": (pa.table({"x": [1.0]}), pa.table({"x": ["a"]}), r"Column 'x' has the type double in the file"),
    "texts to numbers": (pa.table({"x": ["a"]}), pa.table({"x": [1]}), r"Column 'x' has the type string in the file"),
    "to booleans": (pa.table({"x": [1]}), pa.table({"x": [True]}), r"and bool in the file '.*b\."),
    "texts to booleans": (pa.table({"x": ["a"]}), pa.table({"x": [True]}), r"and bool in the file '.*b\."),
    "absent": (pa.table({"x": [1], "y": [2]}), pa.table({"y": [1]}), r"b\.\w+' has no column 'x', which .*a\."),
    "new": (pa.table({"y": [1]}), pa.table({"x": [1], "y": [2]}), r"a\.\w+' has no column 'x', which .*b\."),
}


@pytest.mark.parametrize("case", CHANGED)
def test_columns_that_change_between_parquet_files(tmp_path, case):
    first, second, message = CHANGED[case]
    pq.write_table(first, tmp_path / "a.parquet")
    pq.write_table(second, tmp_path / "b.parquet")
    with pytest.raises(TableError, match=message):
        open_source(tmp_path)


def test_columns_that_change_between_csv_files(tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n1,a\n")
    (tmp_path / "b.csv").write_text("x,y\nabc,a\n")
    with pytest.raises(
        TableError, match=r"Column 'x' has the type double in the file '.*a\.csv' and string in .*b\.csv"
    ):
        open_source(tmp_path)
    (tmp_path / "b.csv").write_text("y\na\n")
    with pytest.raises(TableError, match=r"b\.csv' has no column 'x'"):
        open_source(tmp_path)


def test_types_that_go_together(tmp_path):
    pq.write_table(
        pa.table({"i": pa.array([1], pa.int8()), "f": [1], "t": ["a"], "n": pa.nulls(1)}), tmp_path / "a.parquet"
    )
    other = {"t": pa.array(["b"]).dictionary_encode(), "n": ["c"], "f": pa.array([0.5], pa.float32()), "i": [2**60]}
    pq.write_table(pa.table(other), tmp_path / "b.parquet")
    source = open_source(tmp_path)
    assert source.kinds == {"i": "numeric", "f": "numeric", "t": "nominal", "n": "nominal"}
    assert rows(tmp_path, ["i", "f", "t", "n"]) == sorted([(1, 1.0, "a", None), (2**60, 0.5, "b", "c")], key=repr)


@pytest.mark.parametrize("end", ["parquet", "csv"])
def test_a_file_that_is_deleted_meanwhile(tmp_path, end):
    for i in range(3):
        pq.write_table(pa.table({"x": [1.0]}), tmp_path / f"{i}.parquet")
        (tmp_path / f"{i}.csv").write_text("x\n1\n")
    source = open_source(str(tmp_path / f"*.{end}"))
    (tmp_path / f"1.{end}").unlink()
    with pytest.raises(TableError, match=rf"The file '.*1\.{end}' (is gone|cannot be read)"):
        list(source.fold(["x"], rows_of))


def test_a_file_that_is_rewritten_meanwhile(tmp_path):
    path = tmp_path / "a.parquet"
    write(TABLE, path)
    source = open_source(path)
    write(TABLE.select(["y"]), path)
    with pytest.raises(TableError, match="no column 'x'"):
        list(source.fold(["x"], rows_of))
    write(TABLE.slice(0, 10), path)
    with pytest.raises(TableError, match=r"The file '.*a\.parquet', row group [12]"):
        list(source.fold(["x"], rows_of))


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="needs a user who may not read everything")
def test_a_file_that_may_not_be_read(tmp_path):
    write(TABLE, tmp_path / "a.parquet")
    (tmp_path / "a.parquet").chmod(0)
    with pytest.raises(TableError, match=r"a\.parquet"):
        open_source(tmp_path / "a.parquet")


def test_squeezed_csv(tmp_path):
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(b"x;y\n1,5;a\n"))
    assert rows(tmp_path / "a.csv.gz", ["x", "y"]) == [(1.5, "a")]
    (tmp_path / "b.csv.gz").write_bytes(gzip.compress(b"x;y\n1,5;a\n" * 100)[:-10])
    with pytest.raises(TableError, match=r"b\.csv\.gz"):
        open_source(tmp_path / "b.csv.gz")


def test_a_text_that_all_rows_share_does_not_fill_the_memory(tmp_path):
    n_rows = 40_000
    words = pa.DictionaryArray.from_arrays(pa.array(np.zeros(n_rows, np.int32)), pa.array(["x" * 20_000]))
    table = pa.table({"a": words, "b": np.arange(n_rows) % 2})
    path = tmp_path / "t.parquet"
    pq.write_table(table, path, store_schema=False, write_statistics=False, row_group_size=n_rows)
    assert path.stat().st_size < 1 << 15
    with pytest.raises(TableError, match=r"Column 'a' has 762 MiB of text in 40,000 rows"):
        count_table(path, "b")
