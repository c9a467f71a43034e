"""Counts of tables: what adds up, what does not, and files of them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise import CountsError, EqualWidthDiscretizer, MDLPDiscretizer, TableCounts, TableError, count_table
from cutwise.counts.file_format import DIGEST, MAGIC, check_counts, from_bytes, to_bytes
from cutwise.counts.mergeable import ExactCounts
from cutwise.persist import strict
from tests.counts.pieces import arrow_tables

SMALL = pa.table({"age": [31, 52, None, 40], "town": ["Bern", None, "Rome", "Rome"], "y": ["b", "a", "b", "a"]})


@pytest.fixture(scope="module")
def content():
    random = np.random.default_rng(0)
    many = pa.array(random.normal(size=400))
    columns = {"many": many, "few": random.integers(0, 5, 400), "town": random.choice(["a", "b"], 400).tolist()}
    table = pa.table({**columns, "part": random.integers(0, 3, 400), "y": random.integers(0, 2, 400)})
    counts = count_table(table, "y", parts="part", max_values=50, max_cells=20)
    assert [column.kind for column in counts.columns] == ["grid", "exact", "nominal"]
    return to_bytes(counts)


@given(arrow_tables(max_rows=15))
def test_files_keep_everything(tmp_path, table):
    counts = count_table(table, "y", parts="part")
    assert counts.save(tmp_path / "one.counts") == tmp_path / "one.counts"
    read = TableCounts.load(tmp_path / "one.counts")
    assert to_bytes(read) == to_bytes(counts)
    assert (read.classes, read.parts, read.names) == (counts.classes, counts.parts, counts.names)


def test_adding_leaves_both_as_they_were(content):
    left, right = from_bytes(content), from_bytes(content)
    assert (left + right).n_rows == 800
    assert to_bytes(left) == to_bytes(right) == content


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (SMALL.rename_columns(["size", "town", "y"]), "Only counts of the same columns add up"),
        (SMALL.rename_columns(["age", "town", "z"]), "Only counts of the same target add up"),
        (SMALL.set_column(2, "y", pa.array([1, 2, 3, 4])), "The classes are number and text"),
        (
            SMALL.set_column(1, "town", pa.array([1, 2, 3, 4])),
            "'town' holds numbers in one of the tables and categories",
        ),
        (SMALL.set_column(1, "town", pa.array([True] * 4)), "'town' holds categories that are boolean and text"),
    ],
)
def test_what_does_not_add_up(other, message):
    target = other.column_names[-1]
    with pytest.raises(CountsError, match=message):
        count_table(SMALL, "y") + count_table(other, target)


def test_parts_do_not_add_up_with_none():
    parts = SMALL.append_column("part", pa.array([0, 1, 0, 1]))
    with pytest.raises(CountsError, match="same parts"):
        count_table(parts, "y", parts="part") + count_table(SMALL, "y")
    with pytest.raises(TypeError):
        count_table(SMALL, "y") + 1


def test_columns_without_values_are_of_any_kind():
    none = SMALL.set_column(1, "town", pa.nulls(4, pa.float64())).set_column(0, "age", pa.nulls(4, pa.string()))
    counts = count_table(SMALL, "y"), count_table(none, "y")
    assert to_bytes(counts[0] + counts[1]) == to_bytes(counts[1] + counts[0])
    assert (counts[0] + counts[1]).column("town").categories == ("Bern", "Rome")
    assert (counts[1] + counts[0]).column("age").values.tolist() == [31.0, 40.0, 52.0]


def test_classes_that_only_some_machines_have():
    counts = count_table(SMALL.slice(0, 1), "y") + count_table(SMALL.slice(1, 1), "y")
    assert counts.classes == ("a", "b")
    assert counts.column("age").by_class.tolist() == [[0, 1], [1, 0], [0, 0]]


def test_without_a_target():
    counts = count_table(SMALL.drop_columns(["y"]), None)
    assert counts.classes == ("all rows",)
    expected = EqualWidthDiscretizer(3).fit(SMALL.drop_columns(["y"])).scheme_.to_json()
    assert EqualWidthDiscretizer(3).fit_counts(counts).scheme_.to_json() == expected
    with pytest.raises(CountsError, match="MDLPDiscretizer needs the class of each row"):
        MDLPDiscretizer().fit_counts(counts)


def test_many_labels_are_no_classes():
    table = pa.table({"x": list(range(450)), "y": [*range(150)] * 3})
    expected = EqualWidthDiscretizer(3).fit(table.select(["x"]), table["y"].to_numpy()).scheme_.to_json()
    assert EqualWidthDiscretizer(3).fit_table(table, "y").scheme_.to_json() == expected


def test_only_counts_are_counts():
    with pytest.raises(CountsError, match="got list"):
        MDLPDiscretizer().fit_counts([[1, 2]])


# --- files that are damaged or made up ---


def signed(body):
    return body + hashlib.sha256(body).digest()


def changed(content, change):
    """Return a file with another header and a checksum that is right."""
    body = content[:-DIGEST]
    end = body.index(b"\n", len(MAGIC))
    header = json.loads(body[len(MAGIC) : end])
    change(header)
    return signed(MAGIC + json.dumps(header).encode() + body[end:])


def test_no_file_of_counts(tmp_path):
    path = tmp_path / "x.counts"
    path.write_bytes(b"PAR1 and so on")
    with pytest.raises(CountsError, match=r"x\.counts: This is no file of counts"):
        TableCounts.load(path)
    with pytest.raises(FileNotFoundError):
        TableCounts.load(tmp_path / "absent")


def test_every_cut_is_noticed(content):
    for size in (*range(200), *range(200, len(content), 97)):
        with pytest.raises(CountsError):
            from_bytes(content[:size])


@given(place=st.integers(0, 10**9), bit=st.integers(0, 7))
def test_every_flipped_bit_is_noticed(content, place, bit):
    damaged = bytearray(content)
    damaged[place % len(content)] ^= 1 << bit
    with pytest.raises(CountsError):
        from_bytes(bytes(damaged))


@given(place=st.integers(0, 10**9), byte=st.integers(0, 255))
def test_changed_files_with_a_right_checksum(content, place, byte):
    """Whatever is in it, the reader gives counts that fit each other or raises CountsError."""
    damaged = bytearray(content[:-DIGEST])
    damaged[place % len(damaged)] = byte
    try:
        counts = from_bytes(signed(bytes(damaged)))
    except CountsError:
        return
    MDLPDiscretizer().fit_counts(counts)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda h: h.update(version=2), "Version 2 of the format is unknown"),
        (lambda h: h.update(version=True), "Version True"),
        (lambda h: h.update(extra=1), "unknown key 'extra'"),
        (lambda h: h.pop("parts"), "The header lacks 'parts'"),
        (lambda h: h.update(n_rows=401), "do not sum to 401 rows"),
        (lambda h: h.update(n_rows=-1), "'n_rows' is -1"),
        (lambda h: h.update(n_rows=1e3), "'n_rows' is 1000.0"),
        (lambda h: h.update(target=5), "'target' is 5"),
        (lambda h: h.update(classes=[1, 0]), "The classes must ascend"),
        (lambda h: h.update(classes=["a", 0]), "mix"),
        (lambda h: h.update(classes=[0]), "shorter|longer|do not sum"),
        (lambda h: h.update(classes=[]), "sum|longer|class"),
        (lambda h: h.update(classes="ab"), "'classes' must be a list"),
        (lambda h: h.update(classes=[[0], [1]]), "must be strings, booleans or numbers"),
        (lambda h: h.update(parts=[0.5, 1, 2]), "whole numbers"),
        (lambda h: h["columns"].pop(), "longer than its arrays"),
        (lambda h: h.update(columns=[]), "longer than its arrays"),
        (lambda h: h["columns"][0].update(size=10**11), "shorter than its arrays"),
        (lambda h: h["columns"][0].update(size=10**15), "has the size"),
        (lambda h: h["columns"][0].update(size=0), "shorter than its arrays"),
        (lambda h: h["columns"][0].update(size=-3), "has the size"),
        (lambda h: h["columns"][0].update(kind="pickle"), "'kind' must be one of exact, grid, nominal, not 'pickle'"),
        (lambda h: h["columns"][0].update(kind=["exact"]), "'kind' must be one of exact, grid, nominal"),
        (lambda h: h["columns"][0].update(name="few"), "names of the columns must differ"),
        (lambda h: h["columns"][0].update(name=7), "must have names"),
        (lambda h: h["columns"][2].update(categories=["a"]), "number of categories"),
        (lambda h: h["columns"][2].update(categories=["a", None]), "strings, booleans or numbers"),
        (lambda h: h["columns"][2].update(categories=7), "'categories' must be a list"),
        (lambda h: h["columns"].append(7), "A column must be an object"),
    ],
)
def test_hostile_headers(content, change, message):
    with pytest.raises(CountsError, match=message):
        from_bytes(changed(content, change))


@pytest.mark.parametrize("header", [b"[1]", b"{", b"[" * 100_000, b'{"version":1,"version":1}', b"\xff", b'{"a":NaN}'])
def test_headers_that_are_no_json_object(header):
    with pytest.raises(CountsError):
        from_bytes(signed(MAGIC + header + b"\n"))


# --- tables that cannot be counted ---


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        ({}, {"target": "z"}, "no column 'z'"),
        ({}, {"target": "y", "columns": ["agee"]}, "Did you mean 'age'"),
        ({}, {"target": "y", "columns": "age"}, "must be a list of names"),
        ({}, {"target": "y", "columns": []}, "at least 1 column"),
        ({}, {"target": "y", "columns": ["age", "y"]}, "'y' is named twice"),
        ({}, {"target": "y", "parts": "y"}, "'y' is named twice"),
        ({}, {"target": "y", "max_categories": 1}, "Column 'town' has more than 1 different labels, such as 'Rome'"),
        ({}, {"target": "y", "parts": "town"}, "parts 'town' has no value|whole numbers"),
        ({"y": ["a", None, "b", "a"]}, {"target": "y"}, "The target 'y' has no label in 1 of 4 rows"),
        ({"part": [0.5, 1, 2, 3]}, {"target": "y", "parts": "part"}, "Parts must be whole numbers; one of them is 0.5"),
        ({"part": [None, 1, 2, 3]}, {"target": "y", "parts": "part"}, "parts 'part' has no value"),
        ({"day": pa.array([1, 2, 3, 4], pa.date32())}, {"target": "y"}, "'day' has the type date32.*'columns'"),
        ({"day": pa.array([1, 2, 3, 4], pa.date32())}, {"target": "day"}, "'day' has the type date32"),
    ],
)
def test_what_cannot_be_counted(change, options, message):
    table = pa.table({**{name: SMALL[name] for name in SMALL.column_names}, **change})
    with pytest.raises(TableError, match=message):
        count_table(table, **options)


def test_no_rows():
    with pytest.raises(TableError, match="0 rows"):
        count_table(SMALL.slice(0, 0), "y")


def test_no_pieces():
    class Nothing:
        names, kinds = ("x", "y"), {"x": "numeric", "y": "numeric"}

        def fold(self, columns, summarise):
            return iter(())

    with pytest.raises(TableError, match="0 rows"):
        count_table(Nothing(), "y")


@pytest.mark.parametrize("limit", ["max_values", "max_cells", "max_categories"])
@pytest.mark.parametrize("value", [0, -1, 2.5, None, True])
def test_limits_are_whole_numbers(limit, value):
    with pytest.raises(ValueError, match=f"'{limit}' must be a whole number from 1 on"):
        count_table(SMALL, "y", **{limit: value})


@pytest.mark.parametrize("value", ["text", [["a"]]])
def test_special_values_are_numbers(value):
    with pytest.raises(ValueError, match="'special_values' of column 'age' must be numbers"):
        count_table(SMALL, "y", special_values=value)


def test_a_measurement_is_no_target():
    table = pa.table({"x": list(range(3_000)), "y": np.linspace(0, 1, 3_000)})
    with pytest.raises(TableError, match="The target 'y' has more than 1,024 different labels"):
        count_table(table, "y")
    with pytest.raises(CountsError, match=r"The target 'y' holds continuous values, such as 0\.0003"):
        MDLPDiscretizer().fit_table(table.slice(0, 50), "y")


def test_a_table_that_changes_meanwhile():
    class Growing:
        names, kinds, n_rows = ("x", "y"), {"x": "numeric", "y": "numeric"}, 100

        def fold(self, columns, summarise):
            self.n_rows += 1
            table = pa.table({"x": np.arange(self.n_rows) / 7, "y": np.arange(self.n_rows) % 2})
            yield summarise(iter(table.select(list(columns)).to_batches()))

    with pytest.raises(TableError, match=r"changed while it was counted: 101 rows at first, 102 later"):
        count_table(Growing(), "y", max_values=10)


def test_sums_never_wrap(content):
    counts = from_bytes(content)
    many = replace(counts, n_rows=(1 << 53) - 1)
    with pytest.raises(CountsError, match=r"9,007,199,254,741,391 rows, and at most 9,007,199,254,740,991"):
        many + counts
    with pytest.raises(CountsError, match="do not sum to"):
        to_bytes(many)


def test_counts_whose_sum_wraps_to_the_right_number_are_refused():
    n_rows, n_values = (1 << 53) - 1, 1 << 11
    by_class = np.full((n_values + 1, 1), n_rows)
    by_class[-1] = 0
    by_class[0] += n_rows - int(by_class.sum())  # in 64 bits the sum is now right
    no_parts, values = np.zeros((n_values + 1, 0), dtype=np.int64), np.arange(n_values, dtype=np.float64)
    column = ExactCounts(name="a", by_class=by_class, by_part=no_parts, values=values)
    assert int(by_class.sum()) == n_rows
    with pytest.raises(CountsError, match=r"larger than the number of rows|do not sum to"):
        check_counts(TableCounts(None, ("all rows",), (), n_rows, (column,)))


def test_a_description_that_could_not_be_read_back_is_not_written(content, monkeypatch):
    monkeypatch.setattr(strict, "MAX_CHARACTERS", 50)
    with pytest.raises(CountsError, match="As JSON the description of the counts takes"):
        to_bytes(_whole(content))


def _whole(content):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(strict, "MAX_CHARACTERS", 1 << 20)
        return from_bytes(content)
