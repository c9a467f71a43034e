"""A score as a scheme: its figures by period are those of the score."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from cutwise import Scheme, TableError
from cutwise.discretize import score_scheme
from tests.classify.scorecard.loans import CARD, X, Y, loans


def test_points_of_a_scorecard_by_period():
    scheme = Scheme.from_json(CARD.score_scheme(X, Y).to_json())
    assert (scheme.names, scheme.event) == (("score",), "bad")
    new, y = loans(2000, 8)
    points = CARD.points(new)
    found = scheme.evaluate(points[:, None], y, by=np.repeat([1, 2], 1000))
    training, *periods = found["score"]
    assert training.gini == pytest.approx(2 * roc_auc_score(Y == "good", CARD.points(X)) - 1, abs=0.02)
    for one, rows in zip(periods, (slice(0, 1000), slice(1000, 2000)), strict=True):
        assert one.gini == pytest.approx(2 * roc_auc_score(y[rows] == "good", points[rows]) - 1, abs=0.03)
        assert one.rate == (y[rows] == "bad").mean()
    assert found.is_stable
    assert not scheme.evaluate(points[:, None] - 40, y, by=np.repeat([1, 2], 1000)).is_stable


def test_scores_are_one_number_for_each_row():
    with pytest.raises(TableError, match=r"got the shape \(2, 2\)"):
        score_scheme([[1, 2], [3, 4]], [0, 1])
