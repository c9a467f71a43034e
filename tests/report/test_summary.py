"""What the page is made from: the counts behind a scheme, the gaps to edit in, the histogram."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cutwise import EqualWidthDiscretizer, MDLPDiscretizer, MRmDDiscretizer, TableError
from cutwise.counts import ColumnCounts, RowGroups, count_column, cut_between
from cutwise.report import count_rows, write_report
from cutwise.report.editing import (
    MOST_WHOLE_BARS,
    N_BARS,
    editing_gaps,
    histogram,
    hold_multiple,
    log_histogram,
    short_cuts,
)
from cutwise.report.summary import MOST_GAPS, summarize
from tests.strategies import FINITE, tables

X = np.array([[1.0, 5.0], [2.0, 5.0], [3.0, 6.0], [4.0, np.nan]] * 5)
Y = ["no", "no", "yes", "yes"] * 5


@given(tables(missing=True))
def test_gaps_hold_every_cut_and_every_row(table):
    X, y = table
    fitted = MRmDDiscretizer().fit(X, y)
    page = summarize(fitted.scheme_, count_rows(fitted, X, y))
    json.dumps(page, allow_nan=False)
    for item, attribute in zip(page["attributes"], fitted.scheme_.attributes, strict=True):
        gaps = item["gaps"]
        assert set(attribute.cuts) <= set(gaps["cuts"])
        assert gaps["cuts"] == sorted(set(gaps["cuts"]))
        assert len(gaps["counts"]) == len(gaps["cuts"]) + 1
        assert np.sum(gaps["counts"]) == sum(attribute.rows)
        assert all(low <= cut <= high for low, cut, high in zip(gaps["lows"], gaps["cuts"], gaps["highs"], strict=True))


@given(
    st.lists(st.tuples(FINITE, FINITE).filter(lambda pair: pair[0] != pair[1]), min_size=1, max_size=20),
    st.sampled_from([1, 2, 5]),
    st.integers(-20, 20),
)
def test_multiples_in_gaps_are_found(pairs, factor, power):
    """The plain twin looks at the multiples around the low end, one by one, as people write them."""
    lows, highs = np.array([sorted(pair) for pair in pairs]).T
    found = hold_multiple(lows, highs, factor, np.array([power]))
    for low, high, holds in zip(lows.tolist(), highs.tolist(), found.tolist(), strict=True):
        first = math.floor(Fraction(low) / (factor * Fraction(10) ** power))
        if abs(first * factor) < 2**52:
            decimals = [float(f"{(first + k) * factor}e{power}") for k in range(-1, 3)]
            assert holds == any(low <= decimal < high for decimal in decimals)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e7])
@pytest.mark.parametrize("shape", ["normal", "lognormal", "far", "negative"])
def test_round_numbers_lie_in_gaps_of_the_page(shape, scale):
    random = np.random.default_rng(0)
    x = {
        "normal": random.normal(size=20_000),
        "lognormal": random.lognormal(0, 2, 20_000),
        "far": 1000 + random.random(20_000),
        "negative": -random.exponential(1, 20_000),
    }[shape] * scale
    table = count_column(x, RowGroups(np.zeros(x.size, dtype=np.int64), 1))
    attribute = EqualWidthDiscretizer(2).fit(x[:, None]).scheme_["x0"]
    gaps = editing_gaps(table, attribute, "midpoint", 1500)
    assert len(gaps["cuts"]) <= 1502
    lows, highs = np.array(gaps["lows"]), np.array(gaps["highs"])
    power = math.floor(math.log10(np.ptp(x))) - 2
    # All multiples of a step that is a hundredth of the range or more, and the numbers of one or two digits.
    steps = [(factor, power + up) for factor in (1, 2, 5) for up in (1, 2)] + [(5, power)]
    numbers = {
        float(f"{m * factor}e{p}")
        for factor, p in steps
        for m in range(math.ceil(x.min() / (factor * 10.0**p)), math.floor(x.max() / (factor * 10.0**p)) + 1)
    }
    top = math.floor(math.log10(np.abs(x).max()))
    numbers |= {
        sign * float(f"{digits}e{top - down}") for sign in (-1, 1) for digits in range(1, 100) for down in (1, 2)
    }
    inside = np.array(sorted(number for number in numbers if x.min() <= number < x.max()))
    assert inside.size > 50
    held = ((lows <= inside[:, None]) & (inside[:, None] < highs)).any(axis=1)
    assert inside[~held].tolist() == []


@given(st.lists(FINITE, min_size=2, max_size=20, unique=True), st.data())
def test_numbers_of_eight_digits_lie_in_the_gap_where_they_belong(values, data):
    values = np.unique(np.array(values) + 0.0)
    table = ColumnCounts.from_dense(values, [[1]] * values.size)
    attribute = EqualWidthDiscretizer(2).fit([[0.0], [1.0]]).scheme_["x0"]
    gaps = editing_gaps(table, replace(attribute, cuts=()), "midpoint", 100)
    value = data.draw(st.sampled_from(values.tolist()))
    number = float(f"{value:.{data.draw(st.integers(0, 7))}e}")
    assert len(gaps["cuts"]) == values.size - 1
    if values[0] <= number < values[-1]:
        [place] = [
            i for i, (low, high) in enumerate(zip(gaps["lows"], gaps["highs"], strict=True)) if low <= number < high
        ]
        assert values[place] <= number < values[place + 1]


@pytest.mark.parametrize("place", ["midpoint", "readable", "value"])
def test_counts_are_exact_everywhere_in_a_gap(place):
    random = np.random.default_rng(0)
    X, y = random.normal(size=(3000, 1)), random.integers(0, 3, 3000)
    fitted = MDLPDiscretizer(place=place).fit(X, y)
    [table] = count_rows(fitted, X, y)
    gaps = editing_gaps(table, fitted.scheme_["x0"], place, 100)
    assert 90 <= len(gaps["cuts"]) <= 102
    for low, cut, high in zip(gaps["lows"], gaps["cuts"], gaps["highs"], strict=True):
        below = np.searchsorted(table.values, cut, side="right")
        assert np.searchsorted(table.values, low, side="right") == below
        assert np.searchsorted(table.values, high) == below


@given(st.lists(st.tuples(FINITE, FINITE).filter(lambda pair: pair[0] != pair[1]), min_size=1, max_size=20))
def test_short_cuts_lie_in_their_gaps(pairs):
    lows, highs = np.array([sorted(pair) for pair in pairs]).T
    middles = np.array([cut_between(low, high) for low, high in zip(lows.tolist(), highs.tolist(), strict=True)])
    cuts = short_cuts(lows, highs, middles)
    assert (lows <= cuts).all()
    assert (cuts < highs).all()


def test_short_cuts_are_as_short_as_readable_ones():
    values = np.unique(np.random.default_rng(0).normal(0, 100, 2000))
    lows, highs = values[:-1], values[1:]
    cuts = short_cuts(lows, highs, (lows + highs) / 2)
    exact = [cut_between(low, high, "readable") for low, high in zip(lows.tolist(), highs.tolist(), strict=True)]
    assert [len(repr(cut)) for cut in cuts.tolist()] == [len(repr(cut)) for cut in exact]


@given(tables())
@example((np.array([[0.0], [61.0], [1.0]]), np.zeros(3, dtype=int)))
@example((np.array([[0.0], [62.5], [1.0]]), np.zeros(3, dtype=int)))
def test_a_histogram_holds_every_row(table):
    X, y = table
    for counts in count_rows(MRmDDiscretizer().fit(X, y), X, y):
        bars = histogram(counts)
        if bars is not None:
            is_whole = (counts.values == np.round(counts.values)).all()
            assert 2 <= len(bars["counts"]) <= (MOST_WHOLE_BARS if is_whole else N_BARS) + 1
            assert np.sum(bars["counts"]) == counts.n_rows
            assert bars["width"] > 0


def test_grids_have_a_bar_for_each_value():
    bars = histogram(ColumnCounts.from_dense([10, 20, 50], [[1, 0], [2, 1], [0, 4]]))
    assert bars == {"start": 5.0, "width": 10.0, "counts": [[1, 0], [2, 1], [0, 0], [0, 0], [0, 4]]}


def test_no_histogram_where_doubles_end():
    for values in ([-1.7e308, 1.7e308], [0.0, 5e-324], [1.0, 1.0000000000000002], [-1.797e308, -1.78e308]):
        assert histogram(ColumnCounts.from_dense(values, [[1, 0], [0, 1]])) is None


def test_several_cuts_in_one_gap():
    X = np.array([[0.0], [1.0], [100.0]] * 4)
    fitted = EqualWidthDiscretizer(n_bins=10).fit(X, [0, 1, 1] * 4)
    [item] = summarize(fitted.scheme_, count_rows(fitted, X, [0, 1, 1] * 4))["attributes"]
    assert set(fitted.cuts_[0]) <= set(item["gaps"]["cuts"])
    assert np.sum(item["gaps"]["counts"], axis=0).tolist() == [4, 8]


def test_many_values_are_thinned():
    X, y = np.arange(10_000.0)[:, None], np.arange(10_000) % 3
    fitted = MRmDDiscretizer().fit(X, y)
    [item] = summarize(fitted.scheme_, count_rows(fitted, X, y))["attributes"]
    assert item["n_gaps"] == 9999
    assert len(item["gaps"]["cuts"]) <= MOST_GAPS + len(fitted.cuts_[0]) + 1


def test_other_rows_are_refused():
    fitted = MRmDDiscretizer().fit(X, Y)
    with pytest.raises(TableError, match="Attribute 'x0' was learned from other rows"):
        count_rows(fitted, X + 1, Y)
    with pytest.raises(TableError, match="its columns are 2, those given are 1"):
        count_rows(fitted, X[:, :1], Y)
    with pytest.raises(TableError, match="its classes are"):
        count_rows(fitted, X, ["a", "b"] * 10)


def test_a_report_is_written_whole(tmp_path):
    path = tmp_path / "report.html"
    fitted = MRmDDiscretizer().fit(X, Y)
    write_report(path, fitted, X, Y, title="Twenty rows")
    first = path.read_bytes()
    assert b"<h1><bdi>Twenty rows</bdi></h1>" in first
    with pytest.raises(TableError):
        write_report(path, fitted, X + 1, Y)
    assert path.read_bytes() == first
    assert list(tmp_path.iterdir()) == [path]


def test_bars_of_whole_numbers_hold_as_many_of_them_each():
    years = np.arange(1900.0, 2024.0)
    bars = histogram(ColumnCounts.from_dense(years, np.ones((124, 2), dtype=int)))
    assert (bars["start"], bars["width"]) == (1899.5, 2.0)
    assert {sum(row) for row in bars["counts"]} == {4}
    ages = histogram(ColumnCounts.from_dense(np.arange(18.0, 80.0), np.ones((62, 2), dtype=int)))
    assert (ages["start"], ages["width"], len(ages["counts"])) == (17.5, 1.0, 62)
    tens = histogram(ColumnCounts.from_dense(np.arange(30.0, 5000.0, 10.0), np.ones((497, 2), dtype=int)))
    assert (tens["width"], tens["start"] % 1) == (50.0, 0.0)
    assert sum(map(sum, tens["counts"])) == 994


def test_a_logarithmic_axis_is_for_skewed_columns():
    rng = np.random.default_rng(0)

    def bars(values):
        return log_histogram(count_column(values, RowGroups(np.zeros(values.size, dtype=np.int64), n_classes=1)))

    incomes = np.exp(rng.normal(10, 1.0, 2000))
    found = bars(incomes)
    assert found["zero"] is None
    assert found["start"] == pytest.approx(np.log10(incomes.min()))
    expected, _ = np.histogram(np.log10(incomes), 60)
    assert [sum(row) for row in found["counts"]] == pytest.approx(expected, abs=1)
    balances = bars(np.where(rng.random(2000) < 0.3, 0.0, incomes - 5000))
    assert balances["zero"] > 0
    assert sum(map(sum, balances["counts"])) == 2000
    assert bars(rng.normal(size=2000)) is None
    assert bars(np.arange(10.0)) is None
