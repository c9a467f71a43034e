"""CSV for people: no text becomes a formula, numbers stay numbers."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise.table.writing import csv_text

FORMULA = ("=", "+", "-", "@", "\t", "\r")
TEXTS = st.text(st.one_of(st.sampled_from("=+-@\t\r'\",1e."), st.characters(exclude_categories=["Cs"])), max_size=6)


def cells(text):
    return list(csv.reader(io.StringIO(text, newline="")))


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=6), TEXTS)
def test_no_text_begins_a_formula(rows, name):
    table = {"a": [row[0] for row in rows], f"b{name}": [row[1] for row in rows]}
    found = cells(csv_text(table))
    for row, values in zip(found[1:], rows, strict=True):
        for cell, value in zip(row, values, strict=True):
            assert cell in {value, f"'{value}"}
            if cell.startswith(FORMULA):
                assert cell == value
                float(cell)


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=6))
def test_raw_texts_come_back(rows):
    found = cells(csv_text({"a": [row[0] for row in rows], "b": [row[1] for row in rows]}, raw=True))
    assert found == [["a", "b"], *map(list, rows)]


@pytest.mark.parametrize(("value", "cell"), [
    (-5, "-5"), (-0.5, "-0.5"), (5.0, "5"), (1e300, "1e+300"), ("-999", "-999"), ("+1", "+1"), ("-inf", "'-inf"),
    ("=A1", "'=A1"), ("@x", "'@x"), ("\tx", "'\tx"), ("a=b", "a=b"), ("", ""), (None, ""),
    (float("nan"), ""), (True, "True"),
])  # fmt: skip
def test_cells(value, cell):
    assert cells(csv_text({"a": [value], "b": ["x"]}))[1] == [cell, "x"]


def test_names_are_texts_too():
    assert csv_text({"=a": [1], "b": [2]}) == "'=a,b\n1,2\n"
    assert csv_text({"=a": [1], "b": [2]}, raw=True) == "=a,b\n1,2\n"
    assert csv_text({"a": [1], "b": [2]}, delimiter="\t") == "a\tb\n1\t2\n"


def test_a_lone_column_keeps_its_rows():
    assert csv_text({"a": ["x", None, "y,z"]}) == 'a\nx\n""\n"y,z"\n'


def test_equal_values_of_other_kinds_look_as_they_are():
    columns = {"a": [1, True, 1.0, "1"], "b": [0.0, -0.0, False, None], "c": ["x", "x", 1, 1]}
    assert csv_text(columns) == "a,b,c\n1,0,x\nTrue,-0,x\n1,False,1\n1,,1\n"
