"""Scorecards against their formulas, written down again with plain numpy."""

from __future__ import annotations

import time

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from cutwise import EqualFrequencyDiscretizer, MRmDDiscretizer, ScorecardClassifier
from cutwise.classify.scorecard.logistic import Rows, left_out_loss, log_losses, regress
from cutwise.errors import TableError
from tests.classify.scorecard.loans import BINS, CARD, SHAPES, STRANGE, X, Y, loans

CARDS = pytest.mark.parametrize("card", [CARD, SHAPES], ids=["logistic", "additive"])


def codes_of(card, table):
    """The codes of a table, missing values as a bin."""
    return card.scheme_.transform(table)


def woe_by_hand(codes, is_event):
    """The weight of evidence of each row's bin, with half a row added to every count of a bin that has rows."""
    found = np.zeros(codes.size)
    bins = np.unique(codes)
    for code in bins:
        own = codes == code
        events, others = (own & is_event).sum() + 0.5, (own & ~is_event).sum() + 0.5
        e, o = is_event.sum() + bins.size / 2, (~is_event).sum() + bins.size / 2
        found[own] = np.log(others / o) - np.log(events / e)
    return found


def test_coefficients_are_those_of_scikit_learn_on_weights_by_hand():
    is_event = Y == "bad"
    codes = codes_of(CARD, X)
    used = [CARD.scheme_.names.index(name) for name in CARD.columns_]
    columns = np.column_stack([woe_by_hand(codes[:, j], is_event) for j in used])
    oracle = LogisticRegression(C=1.0, tol=1e-10, max_iter=10_000).fit(columns, ~is_event)
    assert CARD.coefficients_[used] == pytest.approx(oracle.coef_[0], abs=1e-6)
    assert CARD.intercept_ == pytest.approx(oracle.intercept_[0], abs=1e-6)
    assert CARD.converged_
    bad = CARD.classes_.tolist().index("bad")
    assert CARD.predict_proba(X)[:, bad] == pytest.approx(oracle.predict_proba(columns)[:, 0], abs=1e-7)
    # The weights of evidence of the scheme are the same ones.
    woe = CARD.scheme_.transform(X, encode="woe")[:, used]
    assert woe == pytest.approx(columns, abs=1e-12)


@pytest.mark.parametrize("scale", [(20, 600, 50), (40, 500, 1), (15, 0, 0.25)])
def test_points_follow_the_formulas(scale):
    pdo, base, odds = scale
    card = clone(CARD).set_params(pdo=pdo, base_score=base, base_odds=odds, rounding=None).fit(X, Y)
    bad = card.classes_.tolist().index("bad")
    p = card.predict_proba(X)[:, bad]
    expected = base - pdo / np.log(2) * np.log(odds) + pdo / np.log(2) * np.log((1 - p) / p)
    assert card.points(X) == pytest.approx(expected, abs=1e-7)
    assert card.rounding_error_ == 0.0
    # Twice the odds: pdo points more. At the base odds: the base score.
    assert (
        np.interp(np.log(odds), np.sort(np.log((1 - p) / p)), np.sort(card.points(X))) == pytest.approx(base, abs=1e-6)
        or not np.log((1 - p) / p).min() < np.log(odds) < np.log((1 - p) / p).max()
    )


def test_points_of_a_bin_follow_the_formula():
    table = CARD.to_frame("pandas")
    used = len(CARD.columns_)
    factor = 20 / np.log(2)
    rest = (600 - factor * np.log(50) + factor * CARD.intercept_) / used
    assert table["points"].to_numpy() == pytest.approx(np.round(factor * table["coefficient"] * table["woe"] + rest))
    assert list(table.columns[[0, 1, 2, 5, 6, 7, 8]]) == [
        "column", "bin", "rows", "rate", "woe", "coefficient", "points",
    ]  # fmt: skip
    assert table.groupby("column")["rows"].sum().eq(len(X)).all()
    assert table.groupby("column")["events"].sum().eq((Y == "bad").sum()).all()


@CARDS
def test_the_score_is_the_sum_of_rounded_points(card):
    by_column = card.points(X, by_column=True)
    assert by_column.shape == (len(X), len(card.columns_))
    assert card.points(X) == pytest.approx(by_column.sum(axis=1), abs=1e-9)
    decimals = card.rounding
    assert (by_column == np.round(by_column, decimals)).all()
    exact = clone(card).set_params(rounding=None).fit(X, Y).points(X)
    apart = np.abs(card.points(X) - exact).max()
    assert 0.0 < apart <= card.rounding_error_ < 0.5 * len(card.columns_) * 10.0**-decimals


def test_the_rounding_error_is_that_of_the_worst_combination():
    table = CARD.to_frame("pandas")
    factor = 20 / np.log(2)
    rest = (600 - factor * np.log(50) + factor * CARD.intercept_) / len(CARD.columns_)
    apart = table["points"] - (factor * table["coefficient"] * table["woe"] + rest)
    ranges = apart.groupby(table["column"])
    assert CARD.rounding_error_ == pytest.approx(max(ranges.max().sum(), -ranges.min().sum()))


def test_what_is_not_used_is_told():
    assert {"age", "home", "arrears"} < set(CARD.columns_)
    assert CARD.dropped_["noise"] == "all rows are in one bin"
    (left,) = {"income", "twin"} - set(CARD.columns_)
    assert CARD.dropped_[left].startswith("correlation 0.9")
    assert set(CARD.columns_) | set(CARD.dropped_) == set(X.columns)
    floor = clone(CARD).set_params(min_iv=0.2).fit(X, Y)
    weak = [name for name, why in floor.dropped_.items() if why.endswith("below 0.2")]
    assert weak == [name for name, iv in zip(X.columns, CARD.information_values_, strict=True) if 0 < iv < 0.2]


def test_of_columns_alike_the_one_that_says_more_stays():
    values = dict(zip(X.columns, CARD.information_values_, strict=True))
    used = "income" if "income" in CARD.columns_ else "twin"
    assert values[used] == max(values["income"], values["twin"])
    both = clone(CARD).set_params(max_correlation=1.0, signs=False).fit(X, Y)
    assert {"income", "twin"} <= set(both.columns_)


def turned_table():
    """A column that speaks for the event alone and against it beside the other: its coefficient is negative."""
    random = np.random.default_rng(0)
    a = random.integers(0, 2, 3000).astype(float)
    b = np.where(random.random(3000) < 0.8, a, 1 - a)
    risk = 2.0 * a - 1.0 * b - 0.8
    return np.column_stack([a, b]), (random.random(3000) < 1 / (1 + np.exp(-risk))).astype(int)


@pytest.mark.parametrize("model", ["logistic", "additive"])
def test_a_column_of_the_wrong_sign_is_dropped_and_told(model):
    table, y = turned_table()
    free = ScorecardClassifier(event=1, signs=False, model=model).fit(table, y)
    assert free.columns_ == ("x0", "x1")
    card = ScorecardClassifier(event=1, model=model).fit(table, y)
    assert card.columns_ == ("x0",)
    assert "sign" in card.dropped_["x1"] if model == "logistic" else "speak against" in card.dropped_["x1"]
    if model == "logistic":
        assert free.coefficients_[1] < 0.0
        assert card.coefficients_[1] == 0.0


def test_forward_takes_what_lowers_the_loss_of_rows_left_out():
    card = clone(CARD).set_params(selection="forward", max_correlation=1.0, min_iv=0.0).fit(X, Y)
    assert {"age", "arrears"} <= set(card.columns_)
    assert "noise" in card.dropped_
    random = np.random.default_rng(3)
    ids = X.assign(id=random.permutation(len(X)).astype(str))
    greedy = clone(card).fit(ids, Y)
    assert "left out would not fall" in greedy.dropped_["id"]
    assert greedy.columns_ == card.columns_


def test_the_loss_of_rows_left_out_is_near_that_of_fits_without_them():
    random = np.random.default_rng(5)
    columns = random.normal(size=(40, 2))
    wins = (random.random(40) < 1 / (1 + np.exp(-columns[:, 0]))).astype(float)
    rows = Rows(columns, wins, np.ones(40))
    exact = 0.0
    for row in range(40):
        rest = np.arange(40) != row
        weights = regress(Rows(columns[rest], wins[rest], np.ones(39)), 1.0).weights
        exact += log_losses(weights[:1] + columns[[row]] @ weights[1:], wins[[row]])[0]
    found = regress(rows, 1.0)
    at_once = left_out_loss(rows, columns, found)
    assert at_once == pytest.approx(exact, rel=0.005)
    assert at_once > found.loss


@CARDS
def test_what_training_never_saw_is_neutral_and_no_reason(card):
    """An unseen category, a first gap: the log-odds are those without the column."""
    names = list(card.columns_)
    points = pd.DataFrame(card.points(STRANGE, by_column=True), columns=names)
    factor = 20 / np.log(2)
    neutral = np.round((600 - factor * np.log(50) + factor * card.intercept_) / len(names), card.rounding)
    assert points["home"][0] == neutral
    assert points["age"][1] == points["age"][3] == neutral
    reasons = card.reasons(STRANGE, k=len(names))
    assert "home" not in reasons[0]
    assert "age" not in reasons[1]
    # Missing values that training had are a bin of their own.
    assert points["home"][2] != neutral
    woe = card.scheme_.transform(STRANGE, encode="woe")
    assert woe[0, list(X.columns).index("home")] == 0.0


@CARDS
@pytest.mark.parametrize("against", ["best", "mean"])
def test_reasons_are_the_largest_costs_in_order(card, against):
    table = pd.concat([X.head(300), STRANGE])
    found = card.reasons(table, k=3, against=against)
    frame = card.to_frame("pandas")
    points = card.points(table, by_column=True)
    best = []
    for name in card.columns_:
        own = frame[(frame["column"] == name) & (frame["rows"] > 0)]
        best.append(own["points"].max() if against == "best" else np.average(own["points"], weights=own["rows"]))
    woe = card.scheme_.transform(table, encode="woe")[:, [list(X.columns).index(name) for name in card.columns_]]
    for row in range(len(table)):
        costs = [(best[j] - points[row, j], j) for j in range(len(best)) if woe[row, j] != 0.0]
        expected = [card.columns_[j] for cost, j in sorted(costs, key=lambda one: (-one[0], one[1])) if cost > 1e-9]
        assert found[row].tolist() == [*expected, None, None, None][:3]


def test_a_million_reasons_take_seconds():
    rows = X.iloc[np.random.default_rng(0).integers(0, len(X), 1_000_000)]
    before = time.perf_counter()
    assert CARD.reasons(rows).shape == (1_000_000, 4)
    assert time.perf_counter() - before < 60.0


def test_it_foresees_new_rows():
    table, y = loans(seed=8)
    bad = CARD.classes_.tolist().index("bad")
    assert roc_auc_score(y == "bad", CARD.predict_proba(table)[:, bad]) > 0.66
    assert roc_auc_score(y == "bad", -CARD.points(table)) > 0.66
    assert roc_auc_score(y == "bad", SHAPES.predict_proba(table)[:, bad]) > 0.66


@pytest.mark.parametrize("event", ["bad", "good"])
def test_the_event_decides_the_side(event):
    card = ScorecardClassifier(BINS, event=event).fit(X, Y)
    assert card.event_ == event
    assert card.scheme_.event == event
    assert card.points(X)[event == Y].mean() < card.points(X)[event != Y].mean()
    assert card.predict_proba(X) == pytest.approx(CARD.predict_proba(X), abs=1e-9)
    assert card.decision_function(X) == pytest.approx(
        np.log(card.predict_proba(X) @ [0, 1] / (card.predict_proba(X) @ [1, 0]))
    )


def test_the_rarer_class_is_the_event_unless_the_bins_say_otherwise():
    assert ScorecardClassifier(BINS).fit(X, Y).event_ == "bad"
    assert ScorecardClassifier(clone(BINS).set_params(event="good")).fit(X, Y).event_ == "good"
    with pytest.raises(ValueError, match="'badd' is none of the classes"):
        ScorecardClassifier(event="badd").fit(X, Y)


def test_a_given_scheme_is_taken_as_it_is():
    scheme = CARD.scheme_.with_cuts("age", [30, 50])
    card = ScorecardClassifier(scheme, event="bad").fit(X, Y)
    assert card.scheme_["age"].cuts == (30.0, 50.0)
    rows = card.to_frame("pandas").query("column == 'age'")["rows"].tolist()
    assert rows == [*np.histogram(X["age"], [-np.inf, 30.5, 50.5, np.inf])[0], 0]
    codes_with_gaps = MRmDDiscretizer(missing="code").fit(X, Y).scheme_
    assert ScorecardClassifier(codes_with_gaps).fit(X, Y).scheme_.missing == "bin"


def test_a_weight_is_a_number_of_rows_and_their_order_does_not_matter():
    weights = np.random.default_rng(1).integers(0, 4, len(X))
    rows = np.random.default_rng(2).permutation(np.repeat(np.arange(len(X)), weights))
    settings = {"selection": "forward", "min_iv": 0.0}
    weighted = clone(CARD).set_params(**settings).fit(X, Y, sample_weight=weights)
    repeated = clone(CARD).set_params(**settings).fit(X.iloc[rows], Y[rows])
    assert weighted.to_json() == repeated.to_json()


@CARDS
def test_frames_of_polars_have_the_same_points(card):
    frame = pl.from_pandas(X)
    assert np.array_equal(card.points(frame), card.points(X))
    again = clone(card).fit(frame, Y.tolist())
    assert np.array_equal(again.points(X), card.points(X))
    assert again.to_frame("polars").equals(pl.from_pandas(card.to_frame("pandas")))


def test_without_any_column_the_score_is_that_of_the_base_rate():
    noise = np.random.default_rng(0).normal(size=(500, 2))
    y = np.arange(500) % 5 == 0
    card = ScorecardClassifier().fit(noise, y)
    assert card.columns_ == ()
    assert card.predict_proba(noise)[:, 1] == pytest.approx(0.2)
    assert set(card.points(noise)) == {np.round(600 - 20 / np.log(2) * (np.log(50) - np.log(4)))}
    assert card.reasons(noise, k=2).tolist() == [[None, None]] * 500
    assert len(card.to_frame("pandas")) == 0


def test_importances_are_shares():
    assert CARD.feature_importances_.sum() == pytest.approx(1.0)
    dropped = [name in CARD.dropped_ for name in X.columns]
    assert (CARD.feature_importances_[dropped] == 0.0).all()


def test_wrong_use_is_told():
    with pytest.raises(ValueError, match="3 classes"):
        ScorecardClassifier().fit(X, np.arange(len(X)) % 3)
    with pytest.raises(ValueError, match="one class only, 'bad'"):
        ScorecardClassifier().fit(X, ["bad"] * len(X))
    with pytest.raises(ValueError, match="model='additive'"):
        ScorecardClassifier(monotonic="auto").fit(X, Y)
    with pytest.raises(TableError, match="'home', but its categories have no order"):
        ScorecardClassifier(model="additive", monotonic={"home": "increasing"}).fit(X, Y)
    with pytest.raises(ValueError, match="from 1 on, not 0"):
        CARD.reasons(X, k=0)
    with pytest.raises(ValueError, match="'best' or 'mean', not 'worst'"):
        CARD.reasons(X, against="worst")
    with pytest.raises(NotFittedError):
        ScorecardClassifier().points_table_  # noqa: B018


def test_shapes_are_monotone_where_they_must_be():
    card = ScorecardClassifier(
        EqualFrequencyDiscretizer(10), event="bad", model="additive", monotonic={"income": "decreasing"}, rounding=None
    ).fit(X, Y)
    frame = card.to_frame("pandas").query("column == 'income' and bin != 'missing'")
    assert (np.diff(frame["points"]) >= -1e-9).all()


def test_shapes_that_cannot_follow_the_evidence_leave_the_base_rate():
    """A shape that must rise where the rate falls is flat; a flat one is dropped, and nothing of it stays."""
    falling = pd.DataFrame({"age": X["age"]})
    card = ScorecardClassifier(
        EqualFrequencyDiscretizer(5), event="bad", model="additive", monotonic={"age": "increasing"}
    ).fit(falling, Y)
    assert card.columns_ == ()
    assert "speak against" in card.dropped_["age"]
    assert card.predict_proba(falling)[:, 0] == pytest.approx((Y == "bad").mean(), abs=1e-9)
