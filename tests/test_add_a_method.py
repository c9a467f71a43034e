"""The method that the guide adds is a full member of the family."""

from __future__ import annotations

import doctest
import sys
import types
import warnings
from pathlib import Path

import numpy as np
import pytest
from sklearn.utils.estimator_checks import check_estimator

GUIDE = Path(__file__).parents[1] / "docs" / "add-a-method.md"


@pytest.fixture(autouse=True)
def _leaves_no_trace():
    """Switch the check of the global state off: scikit-learn's checks draw from it."""


@pytest.fixture(scope="module")
def gini():
    """The discretizer of the guide."""
    program = doctest.script_from_examples(GUIDE.read_text(encoding="utf-8"))
    module = types.ModuleType("guide")
    with pytest.MonkeyPatch.context() as patch:
        # Pickle finds a class by its module.
        patch.setitem(sys.modules, "guide", module)
        exec(compile(program, GUIDE.name, "exec", dont_inherit=True), module.__dict__)  # noqa: S102
        yield module.GiniDiscretizer


def test_scikit_learn_checks(gini):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_estimator(gini())


def test_its_documentation_is_filled_in(gini):
    assert "min_bin_size : int, float or None" in gini.__doc__
    assert "{" not in gini.__doc__.replace('{"', "")


def test_weights_and_limits(gini):
    rng = np.random.default_rng(0)
    X, y, weights = rng.normal(size=(60, 2)), rng.integers(0, 2, 60), rng.integers(0, 3, 60)
    weighted = gini().fit(X, y, sample_weight=weights)
    repeated = gini().fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert weighted.scheme_.to_json() == repeated.scheme_.to_json()
    assert (gini(max_bins=2).fit(X, y).n_bins_ <= 2).all()
