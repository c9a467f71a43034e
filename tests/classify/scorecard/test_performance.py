"""The figures of a score, against scikit-learn, simulation and counting."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score, roc_curve

from cutwise.classify.scorecard.performance import ScoredRows, measure
from tests.classify.scorecard.loans import CARD, X, Y, loans

NEW, NEW_Y = loans(3_000, seed=9)
FOUND = CARD.evaluate(NEW, NEW_Y)
BAD = CARD.classes_.tolist().index("bad")
P = CARD.predict_proba(NEW)[:, BAD]


def test_figures_are_those_of_scikit_learn():
    is_bad = NEW_Y == "bad"
    assert FOUND.auc.value == pytest.approx(roc_auc_score(is_bad, -CARD.points(NEW)))
    assert FOUND.gini.value == pytest.approx(2 * FOUND.auc.value - 1)
    false, true, _ = roc_curve(is_bad, -CARD.points(NEW), drop_intermediate=False)
    assert FOUND.ks.value == pytest.approx((true - false).max())
    assert FOUND.log_loss == pytest.approx(log_loss(is_bad, P))
    assert FOUND.brier == pytest.approx(brier_score_loss(is_bad, P))
    assert FOUND.expected_rate == pytest.approx(P.mean())
    table = FOUND.roc_table("pandas")
    assert table["share_of_events"].to_numpy() == pytest.approx(true[1:])
    assert table["share_of_others"].to_numpy() == pytest.approx(false[1:])
    assert table.iloc[-1][["rows", "events", "lift"]].tolist() == [3_000, is_bad.sum(), 1.0]
    own = table[table["score"] == FOUND.ks_score].iloc[0]
    assert own["share_of_events"] - own["share_of_others"] == pytest.approx(FOUND.ks.value)


def test_the_interval_of_auc_is_that_of_delong():
    """Every pair of an event and another row, counted."""
    scores, is_bad = CARD.points(NEW), NEW_Y == "bad"
    bad, good = scores[is_bad][:, None], scores[~is_bad][None, :]
    wins = (bad < good) + 0.5 * (bad == good)
    error = np.sqrt(wins.mean(axis=1).var(ddof=1) / bad.size + wins.mean(axis=0).var(ddof=1) / good.size)
    area = wins.mean()
    width = 1.959964 * error / (area * (1 - area))
    low = 1 / (1 + np.exp(-(np.log(area / (1 - area)) - width)))
    assert FOUND.auc.low == pytest.approx(low, abs=1e-7)
    assert FOUND.gini.low == pytest.approx(2 * low - 1, abs=1e-7)


@pytest.mark.parametrize("name", ["auc", "ks"])
def test_intervals_cover_as_often_as_they_say(name):
    random = np.random.default_rng(4)
    # Two normal scores one standard deviation apart: AUC is Phi(1 / sqrt 2), KS is 2 Phi(1 / 2) - 1.
    true = {"auc": 0.7602499389, "ks": 0.3829249225}[name]
    hits = 0
    for _ in range(400):
        is_event = np.arange(600) < 200
        rows = ScoredRows(random.normal(size=600) - is_event, np.full(600, 1 / 3), is_event, np.ones(600))
        found = getattr(measure(rows, 2, 0.9), name)
        hits += found.low <= true <= found.high
    # KS is the largest of many differences, so that it lies above the true one in the mean.
    assert hits / 400 > (0.86 if name == "auc" else 0.75)


def test_bands_hold_all_rows_and_exact_intervals():
    bands = FOUND.calibration_table("pandas")
    assert bands["rows"].sum() == 3_000
    assert bands["events"].sum() == (NEW_Y == "bad").sum()
    assert (bands["low"].to_numpy()[1:] > bands["high"].to_numpy()[:-1]).all()
    assert 5 <= len(bands) <= 10
    for _, band in bands.iterrows():
        exact = binomtest(int(band["events"]), int(band["rows"])).proportion_ci(0.95)
        assert (band["rate_low"], band["rate_high"]) == pytest.approx((exact.low, exact.high))
        own = (CARD.points(NEW) >= band["low"]) & (CARD.points(NEW) <= band["high"])
        assert band["expected_rate"] == pytest.approx(P[own].mean())
        assert band["inside"] == ("yes" if exact.low <= band["expected_rate"] <= exact.high else "no")


def test_a_weight_is_a_number_of_rows_in_the_figures():
    weights = np.random.default_rng(0).integers(0, 3, len(NEW))
    rows = np.repeat(np.arange(len(NEW)), weights)
    one, two = CARD.evaluate(NEW, NEW_Y, weights), CARD.evaluate(NEW.iloc[rows], NEW_Y[rows])
    assert (one.auc.value, one.ks.value, one.log_loss) == pytest.approx((two.auc.value, two.ks.value, two.log_loss))
    assert one.bands["rate"] == pytest.approx(two.bands["rate"])


def test_it_prints_as_text():
    text = str(FOUND)
    assert text.startswith("3,000 rows")
    assert f"KS    {FOUND.ks.value:.4f}" in text


def test_wrong_use_is_told():
    with pytest.raises(ValueError, match="class 'awful'"):
        CARD.evaluate(X.head(2), ["bad", "awful"])
    with pytest.raises(ValueError, match="one class only"):
        CARD.evaluate(X.head(2), ["bad", "bad"])
    with pytest.raises(ValueError, match="'bands'"):
        CARD.evaluate(X, Y, bands=0)
    with pytest.raises(ValueError, match="'level'"):
        CARD.evaluate(X, Y, level=1)
