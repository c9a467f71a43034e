"""Messy tables: what strings mean is recognised by whole columns, told, and read alike in later tables."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise import ColumnWarning, TableError, clean_table, flag_columns
from cutwise.table.reading import ReadSettings, csv_file, read_table
from tests.table.messy import german, messy_loans


def numbers(*texts, **options):
    """Return what a column of these texts becomes."""
    return clean_table(pd.DataFrame({"x": texts}), **options).table["x"].tolist()


def note(*texts):
    notes = clean_table(pd.DataFrame({"x": texts})).notes
    assert len(notes) == 1
    return notes[0]


@pytest.mark.parametrize("make", [pd.DataFrame, lambda table: pl.DataFrame(table.to_dict("list"))])
def test_a_messy_table_means_what_it_says(make):
    written, meant, _ = messy_loans()
    found = clean_table(make(written))
    table = found.table if isinstance(found.table, pd.DataFrame) else found.table.to_pandas()
    for name in meant:
        if meant[name].dtype == float:
            np.testing.assert_array_equal(table[name].to_numpy(), meant[name].to_numpy())
        else:
            assert [item or None for item in table[name].fillna("")] == [
                item or None for item in meant[name].fillna("")
            ]
    assert found.formats == {
        "income": "1,234.5",
        "debt": "1.234,5",
        "ratio": "1,234.5%",
        "opened": "dd.mm.yyyy",
        "paid_on": "mm/dd/yyyy",
        "owner": "Yes/No",
        "home": "text",
    }
    assert len(found.notes) == 7
    assert found.notes[0].startswith("income: 282 numbers written as text, read as numbers (")


@pytest.mark.parametrize("large", [True, False])
def test_both_readers_of_csv_files_agree(tmp_path, monkeypatch, large):
    written, meant, _ = messy_loans()
    written.to_csv(tmp_path / "loans.csv", index=False)
    monkeypatch.setattr(csv_file, "LARGE", 0 if large else 1 << 30)
    table = read_table(tmp_path / "loans.csv", ReadSettings(clean=True))
    for name in ("income", "debt", "ratio", "opened", "paid_on"):
        np.testing.assert_array_equal(table[name].to_numpy(), meant[name].to_numpy())


def test_the_same_from_parquet_and_excel(tmp_path):
    written, meant, _ = messy_loans(60)
    written.to_parquet(tmp_path / "loans.parquet")
    written.to_excel(tmp_path / "loans.xlsx", index=False)
    for name in ("loans.parquet", "loans.xlsx"):
        table = pl.DataFrame(read_table(tmp_path / name, ReadSettings(clean=True)))
        for column in ("income", "debt", "ratio", "opened", "paid_on"):
            np.testing.assert_array_equal(table[column].to_numpy(), meant[column].to_numpy())


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (("1,234.5", "7"), [1234.5, 7]),
        (("1.234,5", "1.234"), [1234.5, 1234]),
        (("1 234,5", "1\xa0234"), [1234.5, 1234]),
        (("1'234.5", "12"), [1234.5, 12]),
        (("$1,200", "-$3", "(12)", "5-", "+4"), [1200, -3, -12, -5, 4]),
        (("900 €", "1.200 €", "3,5 €"), [900, 1200, 3.5]),
        (("58.9%", "1 %"), [58.9, 1]),
        (("1.5e3", "n/a"), [1500, math.nan]),
        (("1,234", "2,500", "9,125", "7"), [1234, 2500, 9125, 7]),
        (("1,234", "1,234,567"), [1234, 1234567]),
    ],
)
def test_numbers_as_people_write_them(texts, expected):
    np.testing.assert_array_equal(numbers(*texts), expected)


@pytest.mark.parametrize(
    ("texts", "word"),
    [
        (("1,234", "2,345"), "'1,234' may be 1.234 or 1234"),
        (("$1.5", "€2"), "units differ"),
        (("5%", "0.05"), "some numbers are percents"),
        (("1.234,5", "1,234.5"), "both decimal signs"),
        (("01/02/2024", "03/04/2024"), "either part may be the month"),
        (("13/02/2024", "03/14/2024"), "several ways"),
    ],
)
def test_what_stays_in_doubt_stays_text_with_a_word(texts, word):
    assert numbers(*texts) == list(texts)
    assert word in note(*texts)


def test_doubt_is_settled_by_the_caller_or_by_other_columns():
    assert numbers("1,234", "2,345", decimal=".") == [1234, 2345]
    assert numbers("1,234", "2,345", decimal=",") == [1.234, 2.345]
    table = pd.DataFrame({"x": ["1,234", "2,345"], "other": ["1,234.5", "3"]})
    assert clean_table(table).table["x"].tolist() == [1234, 2345]


@pytest.mark.parametrize(
    "texts",
    [("01067", "53113"), ("1,2,3", "4"), ("1-2", "3"), ("12.34.56", "1"), ("a", "b"), ("1/2/23", "3"), ("--5", "1")],
)
def test_names_are_no_numbers(texts):
    assert numbers(*texts) == list(texts)


def test_a_few_odd_values_are_missing_with_a_warning():
    texts = [f"{k},5" for k in range(1000, 1100)]
    texts[7] = "see file"
    with pytest.warns(ColumnWarning, match=r"'x': 1 of 100 values cannot be read as numbers, such as 'see file'"):
        found = numbers(*texts)
    assert math.isnan(found[7])
    assert found[8] == 1008.5


def test_later_tables_are_read_as_the_first_one():
    formats = {"x": "1.234,5"}
    assert numbers("1.234", "2.500", formats=formats) == [1234, 2500]
    assert numbers("7", "8", formats=formats) == [7, 8]
    clean = pd.DataFrame({"x": [1.25, 2.5]})
    assert clean_table(clean, formats).table is clean
    with pytest.warns(ColumnWarning, match="such as 'abc'"):
        assert np.isnan(numbers("1.234", "abc", formats=formats)[1])
    with pytest.raises(TableError, match=r"'x' held numbers \(1.234,5\) in fit; none .* such as 'abc'"):
        numbers("abc", "n/a", formats=formats)
    with pytest.raises(TableError, match="no format '1x'"):
        numbers("1", formats={"x": "1x"})
    other = clean_table(pd.DataFrame({"x": ["1234.5", "2.25"]}), formats)
    assert other.table["x"].tolist() == [1234.5, 2.25]
    assert "written otherwise than in fit" in other.notes[0]
    assert numbers("yes", "N", "YES", formats={"x": "Yes/No"}) == ["Yes", "No", "Yes"]
    assert numbers("02/03/2024", formats={"x": "mm/dd/yyyy"}) == [19756]
    assert numbers("1,234", formats={"x": "number"}) == [1234]
    assert numbers("1.234", "1.234e0", formats=formats) == [1234, 1.234]
    assert numbers("1", "2", formats={"x": "text"}) == ["1", "2"]


def test_dates_of_frames_are_days():
    table = pd.DataFrame({"x": pd.to_datetime(["1970-01-02", None, "1969-12-31 12:00"], format="mixed")})
    np.testing.assert_array_equal(clean_table(table).table["x"], [1, np.nan, -0.5])
    found = clean_table(
        pl.DataFrame({"x": [None, "2024-02-29", "2024-02-30"] * 20 + [f"20{k}-01-01" for k in range(10, 99)]})
    )
    assert found.formats == {"x": "text"}
    assert clean_table(table.rename(index={0: 5})).table.index.tolist() == [5, 1, 2]


def test_columns_of_other_types_are_not_touched():
    table = pd.DataFrame({"a": pd.Categorical(["1,5", "2"]), "b": [True, False], "c": [1, 2], "d": [[1], [2]]})
    found = clean_table(table)
    assert found.table is table
    assert found.notes == ()


@given(st.lists(st.text(max_size=12), max_size=8))
def test_no_text_breaks_it(texts):
    table = pd.DataFrame({"x": pd.Series(texts, dtype=object)})
    found = clean_table(table)
    assert len(found.table) == len(texts)
    assert clean_table(table, found.formats).table["x"].tolist() == pytest.approx(
        found.table["x"].tolist(), nan_ok=True
    )


@given(st.lists(st.floats(0, 1e9).map(lambda x: round(x, 2)), min_size=1, max_size=20))
def test_every_number_comes_back(values):
    assert numbers(*[f"{x:,.2f}" for x in values]) == values
    assert numbers(*[german(x) for x in values]) == values


def test_what_is_not_worth_learning_from():
    rng = np.random.default_rng(0)
    n = 400
    table = pd.DataFrame(
        {
            "key": rng.permutation(n),
            "customer": rng.choice(10**6 - 10**5, n, replace=False) + 10**5,
            "name": [f"n{k}" for k in range(n)],
            "remark": [f"r{k % 250}" for k in range(n)],
            "land": "de",
            "income": rng.lognormal(10, 1, n).round(),
            "age": rng.integers(18, 90, n),
            "x": rng.normal(size=n),
            "day": np.arange(n) + 18000.0,
        }
    )
    found = flag_columns(table, {"day": "yyyy-mm-dd"})
    assert list(found) == ["key", "customer", "name", "remark", "land"]
    assert found["remark"] == "its texts hardly repeat: 250 of 400 differ"
    assert flag_columns(table[:20][["key", "name"]]) == {}


@pytest.mark.parametrize("values", [["x", None], ["x", "?"], ["x", ""], [1.0, None]])
def test_one_value_or_none_may_be_a_box_that_is_ticked(values):
    assert flag_columns(pd.DataFrame({"box": values * 50})) == {}
    assert list(flag_columns(pd.DataFrame({"box": values[:1] * 100}))) == ["box"]
