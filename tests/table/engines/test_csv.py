"""CSV files beyond memory hold what they hold in memory."""

from __future__ import annotations

from itertools import chain

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cutwise.errors import TableError
from cutwise.table.engines import open_source
from cutwise.table.reading import read_table
from tests.table.engines.summaries import rows_of

CELLS = st.one_of(
    st.floats(allow_nan=False).map(repr),
    st.integers(-(10**20), 10**20).map(str),
    st.sampled_from(["", "NA", "NaN", "nan", "?", "null", "inf", "-INF", "+Infinity", "1e999", ".5", "5.", "1_000"]),
    st.sampled_from(["true", "2020-01-01", "0x10", " 12 ", "\t7", "\u00a03", "a b", "it's", '"q"', "x,y", "one\nline"]),
    st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=5),
)
NUMBERS = st.one_of(st.floats(allow_nan=False).map(repr), st.sampled_from(["", "?", " 1 ", "1e5", "-.5", "inf"]))


COLUMNS = st.one_of(st.lists(NUMBERS, min_size=4, max_size=4), st.lists(CELLS, min_size=4, max_size=4))


def quoted(cell):
    return '"' + cell.replace('"', '""') + '"'


@given(columns=st.lists(COLUMNS, min_size=2, max_size=3), quote=st.booleans())
@example(columns=[["1", "?", "2", "x"], ["1", "?", "2", ""]], quote=False)
def test_the_same_as_in_memory(columns, quote, tmp_path_factory):
    path = tmp_path_factory.mktemp("csv") / "table.csv"
    plain = quote or any(char in cell for column in columns for cell in column for char in ',"\n\r')
    lines = [",".join(map(quoted if plain else str, row)) for row in zip(*columns, strict=True)]
    header = ",".join(f"c{j}" for j in range(len(columns)))
    path.write_text("\n".join([header, *lines]) + "\n", newline="", encoding="utf-8")
    try:
        expected = read_table(path)
    except TableError:
        return
    source = open_source(path)
    found = chain.from_iterable(source.fold(list(source.names), rows_of))
    frame = open_source(expected)
    assert source.kinds == frame.kinds
    rows = chain.from_iterable(frame.fold(list(frame.names), rows_of))
    assert sorted(map(repr, found)) == sorted(map(repr, rows))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n3\n", "CSV Error on Line: 3"),
        ("a,b\n1,2,3\n", "CSV Error on Line: 2"),
        ('a,b\n1,"2\n', "table.csv"),
        ("1,2\n3,4\n", "begins with numbers"),
        ("a,a\n3,4\n", "two columns 'a'"),
        ("a,\n3,4\n", "Column 2 of the file .* has no name"),
        ("a,b\n1,\0\n", "holds a NUL character"),
        ("a;b\n1,234;2\n", "1,234"),
    ],
)
def test_faults(text, message, tmp_path):
    (tmp_path / "table.csv").write_text(text)
    with pytest.raises(TableError, match=message):
        open_source(tmp_path / "table.csv")


def test_a_fault_beyond_the_first_lines(tmp_path):
    """What the first rows look like does not decide what a column is."""
    (tmp_path / "late.csv").write_text("a,b\n" + "1,2\n" * 30_000 + "1,abc\n")
    source = open_source(tmp_path / "late.csv")
    assert source.kinds == {"a": "numeric", "b": "nominal"}
    assert sum(map(len, source.fold(["a", "b"], rows_of))) == 30_001
    (tmp_path / "late.csv").write_text("a,b\n" + "1,2\n" * 30_000 + "1\n")
    with pytest.raises(TableError, match=r"late\.csv' cannot be read: .*Line: 30002"):
        open_source(tmp_path / "late.csv")


def test_long_starts(tmp_path):
    """Only the first lines are looked at for the delimiter."""
    (tmp_path / "long.csv").write_text("a|b\n" + f"{'x' * 60}|1,5\n" * 20_000)
    source = open_source(tmp_path / "long.csv")
    assert source.kinds == {"a": "nominal", "b": "numeric"}
    assert sum(source.fold(["b"], total)) == 30_000


def total(batches):
    return sum(batch.column("b").to_numpy().sum() for batch in batches)
