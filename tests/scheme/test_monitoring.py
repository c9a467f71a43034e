"""A scheme by period: the figures are those of the rows of each period, and chance is taken into account."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.metrics import roc_auc_score

from cutwise import MRmDDiscretizer, TableError
from cutwise.scheme import measures as words
from cutwise.scheme.monitoring import TRAINING
from cutwise.scheme.periods import NO_PERIOD, read_periods


def customers(n, seed, older=0.0):
    rng = np.random.default_rng(seed)
    age = rng.normal(45 + older, 12, n).round()
    city = rng.choice(["Bonn", "Rome", "Ulm"], n)
    paid = rng.random(n) < 1 / (1 + np.exp(-(age - 45) / 10 - 0.5 * (city == "Rome")))
    age[::50] = np.nan
    return pd.DataFrame({"age": age, "city": city}), np.where(paid, "paid", "late")


@pytest.fixture(scope="module")
def scheme():
    return MRmDDiscretizer(max_bins=4).fit(*customers(3000, 0)).scheme_


@pytest.fixture(scope="module")
def new():
    parts = [customers(800, seed, older) for seed, older in ((1, 0), (2, 0), (3, 9))]
    X, y = pd.concat([part[0] for part in parts], ignore_index=True), np.concatenate([part[1] for part in parts])
    days = pd.to_datetime(np.repeat(["2025-01-15", "2025-02-03", "2025-04-30"], 800))
    return X.assign(opened=days), y


def test_each_period_has_the_figures_of_its_rows(scheme, new):
    X, y = new
    found = scheme.evaluate(X, y, by="opened")
    assert found.periods == ("2025-01", "2025-02", "2025-04")
    for place, period in enumerate(found.periods):
        rows = slice(800 * place, 800 * (place + 1))
        alone = scheme.evaluate(X[rows], y[rows])
        for name in scheme.names:
            [one] = [one for one in found[name] if one.period == period]
            assert one.rows == 800
            assert one.psi == pytest.approx(alone[name].index)
            assert one.p_value == pytest.approx(alone[name].p_value)
            assert one.rate == pytest.approx((y[rows] == scheme.event).mean())
            assert one.rate_low < one.rate < one.rate_high


def test_gini_is_that_of_the_rates_of_training(scheme, new):
    X, y = new
    found = scheme.evaluate(X, y, by="opened")
    scores = scheme.transform(X, encode="rate")
    for j, name in enumerate(scheme.names):
        for place, one in enumerate(found[name][1:]):
            rows = slice(800 * place, 800 * (place + 1))
            area = roc_auc_score(y[rows] == scheme.event, scores[rows, j])
            assert one.gini == pytest.approx(2 * area - 1)
            assert one.gini_low < one.gini < one.gini_high
        [training] = [one for one in found[name] if one.period == TRAINING]
        summary = scheme.summary("pandas").set_index("attribute")
        assert training.gini == pytest.approx(summary.loc[name, "gini"])
        assert training.psi is None


def test_the_interval_of_gini_covers_the_truth():
    rng = np.random.default_rng(0)
    rates, shares = np.array([0.05, 0.1, 0.2, 0.4]), np.array([0.4, 0.3, 0.2, 0.1])
    events, others = shares * rates, shares * (1 - rates)
    truth = words.ranked_gini(rates, 1e9 * events, 1e9 * others).gini
    inside = 0
    for _ in range(400):
        rows = rng.multinomial(600, shares)
        hit = rng.binomial(rows, rates)
        found = words.ranked_gini(rates, hit.astype(float), (rows - hit).astype(float))
        inside += found.low <= truth <= found.high
    assert 0.92 <= inside / 400 <= 0.98


def test_a_shift_is_told_with_its_first_period(scheme, new):
    X, y = new
    found = scheme.evaluate(X, y, by=("opened", "month"))
    assert not found.is_stable
    assert found.verdict.startswith("age: shifted in 1 of 3 periods, first 2025-04.")
    assert scheme.evaluate(X[:1600], y[:1600], by="month").is_stable
    assert "The bins hold in every period." in str(scheme.evaluate(X[:1600], by="month"))


def test_chance_alone_gives_about_what_is_said(scheme):
    X, _ = customers(60_000, 5)
    found = scheme.evaluate(X, by=np.repeat(np.arange(200), 300))
    ages = found["age"][1:]
    # Training rows differ from the truth too, in each period by the same amount.
    assert np.mean([one.psi for one in ages]) == pytest.approx(np.mean([one.psi_by_chance for one in ages]), rel=0.35)
    assert sum(one.verdict != words.STABLE for one in found.figures if one.period != TRAINING) <= 2


def test_without_classes_only_shifts_are_compared(scheme, new):
    found = scheme.evaluate(new[0], by="opened")
    assert all(one.gini is None and one.rate is None for one in found.figures if one.period != TRAINING)
    assert "Gini" not in str(found)


def test_the_frame_has_a_row_for_each_attribute_and_period(scheme, new):
    X, y = new
    found = scheme.evaluate(X, y, by="opened")
    frame = found.to_frame("pandas")
    assert len(frame) == 2 * (1 + 3) == len(found.to_frame("polars"))
    assert frame["period"].tolist()[:4] == [TRAINING, *found.periods]
    assert frame["psi"].isna().tolist()[:2] == [True, False]
    assert found.to_dict()["figures"][1]["period"] == "2025-01"
    assert "<table>" in found._repr_html_()


def test_weights_are_rows(scheme, new):
    X, y = new
    twice = scheme.evaluate(pd.concat([X, X]), np.concatenate([y, y]), by="opened")
    assert scheme.evaluate(X, y, np.full(len(y), 2.0), by="opened") == twice


def test_several_classes_have_shifts_only(new):
    X, _ = new
    y = np.arange(len(X)) % 3
    scheme = MRmDDiscretizer().fit(X[["age", "city"]], y).scheme_
    found = scheme.evaluate(X, y, by="opened")
    assert all(one.gini is None for one in found.figures)
    assert replace(scheme, event=1).evaluate(X, y, by="opened")["age"][1].gini is not None


DAYS = [dt.date(2024, 12, 31), dt.datetime(2025, 1, 1, 8, tzinfo=dt.UTC), None]


@pytest.mark.parametrize("unit", ["month", "quarter", "year"])
def test_dates_of_any_kind_are_the_same_periods(unit):
    names = {"month": ["2024-12", "2025-01"], "quarter": ["2024-Q4", "2025-Q1"], "year": ["2024", "2025"]}[unit]
    texts = ["2024-12-31", "2025-01-01T08:00:00", None]
    sources = [DAYS, texts, np.array(["2024-12-31", "2025-01-01T08", "NaT"], dtype="datetime64[h]")]
    sources += [pd.Series(pd.to_datetime(texts, format="ISO8601")), pl.Series(texts)]
    sources += [["31.12.2024", "1.1.2025 08:00", None], ["12/31/2024", "01/01/2025", None]]
    for source in sources:
        found, places = read_periods(None, (source, unit), 3)
        assert found == [*names, NO_PERIOD]
        assert places.tolist() == [0, 1, 2]
        assert unit != "month" or read_periods(None, source, 3)[0] == found


def test_periods_come_in_their_order():
    assert read_periods(None, [10, 9, 9, 100], 4)[0] == ["9", "10", "100"]
    assert read_periods(None, ["b", "a", "b"], 3)[0] == ["a", "b"]
    weeks = ["2025-W10", "2025-W09", "2025-W10"]
    assert read_periods(None, weeks, 3)[0] == ["2025-W09", "2025-W10"]


def test_dates_that_leave_the_month_open_are_no_dates():
    with pytest.raises(TableError, match=r"the value '03/04/2024', which is no date"):
        read_periods(None, (["03/04/2024", "05/06/2024"], "month"), 2)


def test_periods_that_cannot_be_told_apart_from_names(scheme, new):
    X, _ = new
    with pytest.raises(TableError, match=r"no column 'opend' for 'by'\. Did you mean 'opened'\?"):
        scheme.evaluate(X, by="opend")
    with pytest.raises(TableError, match=r"by='month' needs one column of dates, and the table has none"):
        scheme.evaluate(X.drop(columns="opened"), by="month")
    with pytest.raises(TableError, match=r"has several: 'opened', 'closed'"):
        scheme.evaluate(X.assign(closed=X["opened"]), by="month")
    with pytest.raises(TableError, match=r"the value '31\.13\.2024', which is no date"):
        scheme.evaluate(X, by=(["31.13.2024"] * len(X), "month"))
    with pytest.raises(TableError, match=r"'by' has 3 entries for 2400 rows"):
        scheme.evaluate(X, by=[1, 2, 3])
    with pytest.raises(TableError, match=r"2,400 different periods"):
        scheme.evaluate(X, by=np.arange(len(X)))
