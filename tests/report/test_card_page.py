"""The page of a scorecard shows its numbers, and never runs what is in the data."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from cutwise import ScorecardClassifier
from cutwise.report import card_report, write_card_report
from tests.classify.scorecard.loans import CARD, SHAPES, X, Y
from tests.report.payloads import PAYLOADS


@pytest.mark.parametrize("card", [CARD, SHAPES], ids=["logistic", "additive"])
def test_points_and_reasons_are_on_the_page(card, tmp_path):
    found = card.evaluate(X, Y)
    write_card_report(tmp_path / "card.html", card, performance={"training rows": found})
    page = (tmp_path / "card.html").read_text()
    assert page == card_report(card, performance={"training rows": found})
    for name in (*card.columns_, *card.dropped_):
        assert f"<bdi>{name}</bdi>" in page
    assert f"{found.gini.value:.3f} ({found.gini.low:.3f} to {found.gini.high:.3f})" in page
    assert "(neutral)" in page
    assert "<script" not in page


def test_names_in_the_data_are_text():
    names = [*PAYLOADS][:4]
    random = np.random.default_rng(0)
    table = pd.DataFrame({name: random.normal(size=600) for name in names})
    y = np.where(table.sum(axis=1) + random.normal(size=600) > 0, names[0], names[1])
    card = ScorecardClassifier(min_iv=0.0).fit(table, y)
    page = card_report(card, names[2], {names[3]: card.evaluate(table, y)})
    assert "<script" not in page
    assert "onerror=" not in page.replace("&", "").split("<bdi>")[0]


def test_other_models_are_refused():
    with pytest.raises(TypeError, match="not for int"):
        card_report(3)
