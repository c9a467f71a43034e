"""The registry: every name of the plan makes a method that works."""

from __future__ import annotations

import pickle
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from threadpoolctl import threadpool_limits

from cutwise import AODEClassifier, PreconditionedLogisticClassifier
from cutwise.paper import explainable_boosting, yardsticks
from cutwise.paper.evaluate import RAW, CellTask, FoldProtocol, Measure
from cutwise.paper.explainable_boosting import ExplainableBoosting, StallWatch
from cutwise.paper.registry import METHODS, NOT_QUICK, OTHER_MRMD, PLAN, QUICK, REQUEST_PLAN, SLOW, tasks
from cutwise.paper.yardsticks import TwoOnCodes
from tests.versions import needs_rows_to_stop_by


def load(name):
    X, y = load_iris(return_X_y=True, as_frame=True)
    rows = np.arange(0, 150, 3)
    X = X.iloc[rows].assign(colour=np.where(rows % 2, "red", "blue"))
    X.iloc[3, 0] = np.nan
    return SimpleNamespace(X=pd.DataFrame(X), y=y.to_numpy()[rows].astype(str))


@pytest.mark.parametrize("discretizer", [name for name in PLAN if name != "emd"])
def test_every_method_of_the_plan(discretizer):
    task = CellTask("iris", discretizer, 0, 0, PLAN[discretizer])
    for result in Measure(load, METHODS, FoldProtocol(n_folds=5))(task):
        assert result.error == ""
        assert result.accuracy >= 60, result
        assert (result.n_cuts == 0) == (discretizer == RAW)


def test_seeded_methods_give_the_same_twice():
    work = Measure(load, METHODS, FoldProtocol(n_folds=5))
    for discretizer in ("mrmd", "mr-t", "mrmd-crossfit"):
        first, second = (
            [(r.n_cuts, r.log_loss) for r in work(CellTask("iris", discretizer, 0, 1, ("nb",)))] for _ in "ab"
        )
        assert first == second


def test_the_paper_s_settings():
    data = load("iris")
    X, y = data.X.iloc[:, 1:4], data.y
    found = METHODS.discretizers["mrmd"](X, y, 5).fit(X, y)
    assert METHODS.discretizers["mr-t"](X, y, 5).max_cuts == [2 * cuts.size for cuts in found.cuts_]
    assert METHODS.discretizers["ameva"](X, y, 5).all_classes
    assert not METHODS.discretizers["ameva-plain"](X, y, 5).all_classes
    assert (found.n_d, found.validation, found.random_state) == (50, "holdout", 5)
    assert [METHODS.discretizers[f"mrmd-nd-{n_d}"](X, y, 5).n_d for n_d in (2, 200)] == [2, 200]
    assert [METHODS.discretizers[name](X, y, 5).prune_for for name in ("joint", "joint-nb")] == [None, "naive_bayes"]


def test_the_average_is_that_of_both_posteriors():
    X, y = [[0, 1], [1, 0], [1, 1], [2, 0]] * 5, ["a", "b", "b", "a"] * 5
    both = [AODEClassifier(n_bins=[3, 2]).fit(X, y), PreconditionedLogisticClassifier(n_bins=[3, 2]).fit(X, y)]
    mean = TwoOnCodes(n_bins=[3, 2]).fit(X, y).predict_proba(X)
    np.testing.assert_allclose(mean, sum(each.predict_proba(X) for each in both) / 2)


def test_methods_travel_to_workers():
    copy = pickle.loads(pickle.dumps(METHODS))  # noqa: S301
    assert copy.discretizers.keys() == METHODS.discretizers.keys()


def test_tasks():
    listed = tasks(["iris", "wine"], {"mdlp": ("nb", "c45")}, repeats=2, n_folds=3)
    assert len(listed) == 12
    assert listed[0] == CellTask("iris", "mdlp", 0, 0, ("nb", "c45"))
    assert len(set(listed)) == 12
    assert len(tasks(["iris"])) == 10 * len(PLAN)
    assert len(set(QUICK)) == 10


def test_what_is_measured_on_request():
    usual, asked = (
        {(discretizer, name) for discretizer, names in plan.items() for name in names} for plan in (PLAN, REQUEST_PLAN)
    )
    assert not usual & asked
    named = [(RAW, "rvfl-tuned"), ("mdlp", "rnb-published"), *((name, "nb") for name in OTHER_MRMD)]
    for discretizer, classifier in named:
        (result,) = Measure(load, METHODS, FoldProtocol(n_folds=5))(CellTask("iris", discretizer, 0, 0, (classifier,)))
        assert result.error == ""
        assert result.accuracy >= 60
    assert set(SLOW) <= METHODS.raw_classifiers.keys()


def test_what_is_left_out_when_in_a_hurry_is_there_otherwise():
    assert set(NOT_QUICK) <= PLAN.keys() | set(PLAN[RAW])


def test_the_forest_takes_missing_values_beside_many_categories():
    frame = pd.DataFrame({"a": [1.0, np.nan, 3.0, 4.0] * 5, "b": [*"cdefghijklmnopqrs", None, "c", "d"]})
    y = np.array([0, 1] * 10)
    assert yardsticks.forest(0).fit(frame, y).predict(frame).shape == (20,)


@needs_rows_to_stop_by
def test_tuned_boosting_takes_missing_values_and_rare_classes():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=90), "b": rng.choice([*"cde", None], 90)})
    y = np.where(frame["a"] > 0, "high", "low")
    y[:2] = "rare"
    # As in a run of the paper; several threads of scikit-learn may leave other filters of warnings behind.
    with threadpool_limits(1):
        model = yardsticks.boosting_tuned(0).fit(frame, y)
    assert model.predict_proba(frame).shape == (90, 3)
    assert np.mean(model.predict(frame) == y) > 0.9


def stalls_at(losses, gains, **settings):
    """Return the first step after which boosting two pairs has stalled, None if it never has."""
    watch = StallWatch(2, **{"max_rounds": 100, "smoothing_rounds": 2, "early_stopping_rounds": 5} | settings)
    for step, (loss, gain) in enumerate(zip(losses, gains, strict=True), start=1):
        watch.tried(gain)
        watch.stepped(loss)
        if watch.has_stalled:
            return step
    return None


def test_boosting_has_stalled_far_above_its_least_loss_without_splits_alone():
    steps = np.arange(50)
    high, none = np.where(steps < 3, 1.0, 2.0 - 1e-6 * steps), np.zeros(50)
    # Four steps smooth, from the fifth one on ten steps are waited for.
    assert stalls_at(high, none) == 15
    assert stalls_at(high, steps < 20) == 30
    assert stalls_at(high, steps % 9 == 0) is None
    assert stalls_at(high - 0.92 * (steps > 2), none) is None  # less than a tenth above the least one
    # A loss that falls could come back, unless few steps are left.
    falling = np.where(steps < 3, 1.0, 2.0 - 1e-3 * steps)
    assert stalls_at(falling, none) is None
    assert stalls_at(falling, none, max_rounds=60) == 35
    assert stalls_at(np.where(steps < 3, 1.0, 2.0 + 1e-3 * steps), none) == 15
    # What is no number stays so; what was infinite once could come back.
    assert stalls_at(np.where(steps < 3, 1.0, np.nan), none) == 15
    assert stalls_at(np.where((steps > 2) & (steps < 10), np.inf, 1.0), none) is None


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning")  # it warns of missing values
def test_the_explainable_boosting_machine():
    pytest.importorskip("interpret", reason="needs the extra `peers`")
    iris = load("iris")
    assert np.mean(yardsticks.ebm(0).fit(iris.X, iris.y).predict(iris.X) == iris.y) > 0.9


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_the_explainable_boosting_machine_is_the_same_where_bags_have_stalled(monkeypatch):
    pytest.importorskip("interpret", reason="needs the extra `peers`")
    from interpret.glassbox import ExplainableBoostingClassifier

    stalled = []

    class Noted(StallWatch):
        def stepped(self, loss):
            super().stepped(loss)
            if self.has_stalled:  # no step follows
                stalled.append(loss)

    monkeypatch.setattr(explainable_boosting, "StallWatch", Noted)
    rng = np.random.default_rng(56)
    X = rng.normal(size=(40, 5))
    y = np.argmax(X @ rng.normal(size=(5, 6)), axis=1)
    ended = ExplainableBoosting(56, max_rounds=1000).fit(X, y)
    whole = ExplainableBoostingClassifier(max_rounds=1000, random_state=56, n_jobs=1).fit(X, y)
    assert len(stalled) >= 3
    assert np.array_equal(ended.predict_proba(X), whole.predict_proba(X))
