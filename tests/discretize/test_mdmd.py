"""MDmD as a discretizer."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from cutwise import MDmDDiscretizer, MRmDDiscretizer, Scheme
from tests.joint_tables import exclusive_or
from tests.versions import needs_callbacks

MODES = ["expected", "crossfit", "holdout"]


@pytest.fixture(scope="module")
def table():
    """A number and a category that are informative about the class only jointly, and noise of both kinds."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "colour": rng.choice(["red", "green", "blue", "grey"], 600),
            "size": rng.random(600).round(3),
            "kind": rng.choice(["a", "b"], 600),
            "noise": rng.random(600).round(3),
        }
    )
    return X, (X["size"] > 0.4) ^ (X["kind"] == "b")


@pytest.mark.parametrize("validation", MODES)
def test_columns_that_matter_together(table, validation):
    X, y = table
    fitted = MDmDDiscretizer(validation=validation, place="readable", random_state=0).fit(X, y)
    assert [cuts.tolist() for cuts in fitted.cuts_] == [[], [0.4], [], []]
    assert fitted.in_cells_.tolist() == [False, True, True, False]
    assert fitted.n_cells_ == 4
    assert fitted.joint_score_.relevance == pytest.approx(1.0, abs=0.01)
    scores = [attribute.score for attribute in fitted.scheme_.attributes]
    assert scores[0] == scores[3] == 0.0
    assert min(scores[1:3]) > 0.9
    assert fitted.scheme_.criterion == "share of joint Psi"
    assert Scheme.from_json(fitted.scheme_.to_json()) == fitted.scheme_
    assert "no single change of a cut" in str(fitted.scheme_)


@pytest.mark.parametrize("validation", MODES)
def test_the_same_for_any_number_of_jobs(validation):
    X, y = exclusive_or(400, 3, seed=1, flipped=0.1)
    schemes = {
        MDmDDiscretizer(validation=validation, random_state=0, n_jobs=jobs).fit(X, y).scheme_.to_json()
        for jobs in (None, 1, 2, 4)
    }
    assert len(schemes) == 1


def test_given_parts():
    X, y = exclusive_or(300, 1, seed=2)
    parts = np.arange(300) % 4
    crossfit = MDmDDiscretizer(validation="crossfit").fit(X, y, parts=parts)
    assert "n_splits" not in crossfit.scheme_.parameters
    renamed = MDmDDiscretizer(validation="crossfit").fit(X, y, parts=10 - 3 * parts)
    assert crossfit.scheme_.to_json() == renamed.scheme_.to_json()
    assert crossfit.joint_score_ == renamed.joint_score_
    # A validation part without rows has nothing to diverge from.
    holdout = MDmDDiscretizer(validation="holdout").fit(X, y, parts=np.zeros(300, dtype=int))
    assert holdout.joint_score_.divergence == 0.0


def test_one_column_is_judged_as_by_mrmd():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(500, 1))
    y = (np.sin(3 * X[:, 0]) + rng.normal(size=500) > 0).astype(int)
    together, alone = MDmDDiscretizer().fit(X, y), MRmDDiscretizer().fit(X, y)
    assert together.joint_score_.value >= alone.scheme_["x0"].score
    assert together.scheme_["x0"].score == pytest.approx(together.joint_score_.value, abs=1e-9)


def test_columns_that_do_not_enter_are_named():
    X, y = exclusive_or(500, 4, seed=4)
    fitted = MDmDDiscretizer(max_attributes=2).fit(X, y)
    stops = [attribute.stop for attribute in fitted.scheme_.attributes]
    assert stops == ["joint_optimum"] * 2 + ["left_out"] * 4
    assert fitted.transform(X)[:, 2:].max() == 0


def test_special_and_missing_values_are_codes_of_their_own():
    rng = np.random.default_rng(5)
    x = rng.integers(0, 40, 400).astype(float)
    y = x > 19
    x[:50], y[:50] = -999, True
    x[50:100] = np.nan
    y[50:100] = False
    fitted = MDmDDiscretizer(special_values=[-999]).fit(x[:, None], y)
    assert fitted.cuts_[0].tolist() == [19.5]
    assert fitted.n_cells_ == 4
    shares = np.bincount(y) / 400
    assert fitted.joint_score_.relevance == pytest.approx(-(shares * np.log2(shares)).sum())
    without_cut = MDmDDiscretizer(max_bins=1, special_values=[-999]).fit(x[:, None], y)
    assert (without_cut.n_cells_, without_cut.joint_score_.value) == (1, 0.0)


class Recorder:
    """A callback that notes what it sees."""

    def __init__(self):
        self.seen = []

    def setup(self, estimator, context):
        self.seen.append("setup")

    def on_fit_task_begin(self, estimator, context):
        self.seen.append(("begin", context.task_name))

    def on_fit_task_end(self, estimator, context):
        self.seen.append(("end", context.task_name))

    def teardown(self, estimator, context):
        self.seen.append("teardown")


@needs_callbacks
@pytest.mark.parametrize("n_jobs", [None, 2])
def test_callbacks_see_every_start(n_jobs):
    X, y = exclusive_or(100, 0, seed=6)
    recorder = Recorder()
    MDmDDiscretizer(n_jobs=n_jobs).set_callbacks(recorder).fit(X, y)
    start = [("begin", "start"), ("end", "start")]
    assert recorder.seen == ["setup", ("begin", "fit"), *start * 4, ("end", "fit"), "teardown"]
