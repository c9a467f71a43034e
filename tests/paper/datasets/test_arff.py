"""ARFF: what OpenML writes is read, everything else is refused with the line named."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import json
from pathlib import Path

import pytest
import sklearn.datasets
from hypothesis import given
from hypothesis import strategies as st

from cutwise.errors import DatasetError
from cutwise.paper.datasets.services import read_arff
from cutwise.table.reading import arff

HEAD = b"@relation r\n@attribute a numeric\n@attribute b {x,'y z'}\n@attribute c string\n@data\n"
RECORDED = Path(sklearn.datasets.__file__).parent / "tests" / "data" / "openml"


def rows_of(body):
    return read_arff(HEAD + body).rows


def test_a_plain_table():
    table = read_arff(HEAD + b"1,x,hello\n-2.5e3,'y z',\"it's, so\"\n")
    assert table.columns == ("a", "b", "c")
    assert table.rows == [["1", "x", "hello"], ["-2.5e3", "y z", "it's, so"]]


@pytest.mark.parametrize(("body", "rows"), [
    (b"", []),
    (b"?,?,?\n", [[None, None, None]]),
    (b"1,x,'?'\n", [["1", "x", "?"]]),
    (b"% comment\n\n  1 , x ,  two words  \r\n", [["1", "x", "two words"]]),
    (b"1,x,'a\\'b\\\\c'", [["1", "x", "a'b\\c"]]),
    (b'1,"y z",""', [["1", "y z", ""]]),
    (b"1,x,", [["1", "x", ""]]),
    (b"1,x,don't", [["1", "x", "don't"]]),
])  # fmt: skip
def test_rows(body, rows):
    assert rows_of(body) == rows


def test_names_and_types_in_any_dress():
    head = b"% top\n@RELATION 'a b'\n@ATTRIBUTE 'it\\'s' REAL\n@Attribute\t\"q r\" INTEGER\n"
    text = head + b"@attribute s { 1, 2 , '3' }\n@DATA\n1,2,3"
    assert read_arff(b"\xef\xbb\xbf" + text).columns == ("it's", "q r", "s")


@pytest.mark.parametrize(("text", "message"), [
    (b"", "no @data line"),
    (b"@relation r\n@attribute a numeric\n", "no @data line"),
    (b"@relation r\n@data\n", "line 2: no attribute comes before @data"),
    (b"hello\n", "line 1: 'hello' is out of place"),
    (b"@attribute a numeric\n@relation r\n", "line 2: '@relation r' is out of place"),
    (b"@attribute a numeric\n@attribute a numeric\n@data", "line 2: the name 'a' is taken"),
    (b"@attribute a\n@data", "line 1: the type '' of 'a' is not"),
    (b"@attribute a date\n@data", "line 1: the type 'date' of 'a' is not"),
    (b"@attribute a relational\n@data", "the type 'relational'"),
    (b"@attribute a {x\n@data", "the type '{x' of 'a'"),
    (b"@attribute 'a numeric\n@data", "line 1: .* is no attribute"),
    (b"@attribute a {x,'y}\n@data", "line 1: .* is no list of values"),
    (HEAD + b"1,x\n", "line 6: 2 values for 3 attributes"),
    (HEAD + b"1,x,y,z\n", "line 6: 4 values for 3 attributes"),
    (HEAD + b"1,x,y\none,x,y\n", "line 7: 'one' of 'a' is no number"),
    (HEAD + b"nan,x,y\n", "'nan' of 'a' is no number"),
    (HEAD + b",x,y\n", "'' of 'a' is no number"),
    (HEAD + b"1,w,y\n", "line 6: 'w' is no category of 'b'"),
    (HEAD + b"1,X,y\n", "line 6: 'X' is no category of 'b'"),
    (HEAD + b"{0 1, 1 x}\n", "line 6: sparse rows are not read"),
    (HEAD + b"1,x,'open\n", "line 6: \"'open\" is no list of values"),
    (HEAD + b"1,x,'a'b\n", "line 6: .* is no list of values"),
    (HEAD + b"1,x,y,{5}\n", "line 6: .* is no list of values"),
    (HEAD + b"1,x,a\0b\n", "line 6: it holds a NUL"),
    (HEAD + b"1,x,\xff\n", "is not UTF-8"),
    (HEAD.decode().encode("utf-16"), "is not UTF-8"),
])  # fmt: skip
def test_faults_are_named(text, message):
    with pytest.raises(DatasetError, match=message):
        read_arff(text)


def test_sizes_are_bounded(monkeypatch):
    monkeypatch.setattr(arff, "MAX_LINE", 50)
    with pytest.raises(DatasetError, match="line 6: the line is too long"):
        rows_of(b"1,x," + b"y" * 50)
    with pytest.raises(DatasetError, match="is no attribute"):
        read_arff(b"@attribute a {" + b"x," * 50 + b"y}\n@data\n")
    monkeypatch.setattr(arff, "MAX_COLUMNS", 2)
    with pytest.raises(DatasetError, match="line 4: too many columns"):
        rows_of(b"")
    monkeypatch.setattr(arff, "MAX_COLUMNS", 3)
    with pytest.raises(DatasetError, match=r"line 6: .* is no list of values"):
        rows_of(b"1,x,y,z")
    monkeypatch.setattr(arff, "MAX_CELLS", 5)
    with pytest.raises(DatasetError, match="line 7: there are more than 5 values"):
        rows_of(b"1,x,y\n1,x,y\n")


def quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


PLAIN = st.text(st.characters(exclude_characters="\n\r\0", exclude_categories=["Cs"]), max_size=8)


@given(
    st.lists(
        st.tuples(PLAIN, PLAIN.filter(lambda text: text), st.floats(allow_nan=False, allow_infinity=False)), max_size=5
    )
)
def test_quoted_values_come_back(rows):
    categories = ",".join(quoted(category) for category in {"never", *(row[1] for row in rows)})
    head = f"@attribute s string\n@attribute n {{{categories}}}\n@attribute x real\n@data\n"
    body = "\n".join(f"{quoted(text)},{quoted(category)},{number!r}" for text, category, number in rows)
    found = read_arff((head + body).encode())
    assert [[text, category, float(number)] for text, category, number in found.rows] == [list(row) for row in rows]


@given(st.binary(max_size=200), st.integers(0, 200))
def test_damage_gives_a_table_or_the_one_error(junk, place):
    text = HEAD + b"1,x,hello\n2,'y z',\"a, b\"\n"
    with contextlib.suppress(DatasetError):
        read_arff(text[:place] + junk + text[place:])


@pytest.mark.parametrize("number", [2, 61, 561, 40675, 40945, 40966, 1119])
def test_recorded_answers_of_openml_are_read(number):
    """scikit-learn ships what OpenML once answered, for its own tests."""
    folder = RECORDED / f"id_{number}"
    if not folder.is_dir():
        pytest.skip("this scikit-learn comes without its recorded answers of OpenML")
    facts = json.loads(gzip.decompress((folder / f"api-v1-jd-{number}.json.gz").read_bytes()))["data_set_description"]
    content = gzip.decompress(next(folder.glob("data-v1-dl-*.arff.gz")).read_bytes())
    table = read_arff(content)
    assert facts["default_target_attribute"] in table.columns
    assert table.rows
    if number == 61:
        assert hashlib.md5(content).hexdigest() == facts["md5_checksum"]  # noqa: S324
