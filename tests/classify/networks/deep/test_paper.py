"""The networks under their names in the paper's runner."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from sklearn.datasets import load_iris

from cutwise.paper.evaluate import RAW, CellTask, FoldProtocol, Measure
from cutwise.paper.registry import METHODS


def load(name):
    X, y = load_iris(return_X_y=True, as_frame=True)
    return SimpleNamespace(X=X.iloc[::3], y=y.to_numpy()[::3])


@pytest.mark.parametrize("name", ["resnet", "ftt"])
def test_measured_like_the_others(name):
    (result,) = Measure(load, METHODS, FoldProtocol(n_folds=5))(CellTask("iris", RAW, 0, 0, (name,)))
    assert result.error == ""
    assert result.accuracy >= 60
