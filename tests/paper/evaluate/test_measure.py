"""Measuring: nothing of the held-out rows is seen, and failures are results."""

from __future__ import annotations

import pickle
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import log_loss

from cutwise import MDLPDiscretizer, NaiveBayesClassifier
from cutwise.paper.evaluate import RAW, CellTask, FoldProtocol, Measure, NamedMethods

ROWS = 90
RNG = np.random.default_rng(0)
Y = np.array(["a", "b", "c"])[np.arange(ROWS) % 3]
TABLE = pd.DataFrame(
    {
        "number": np.where(RNG.random(ROWS) < 0.1, np.nan, np.arange(ROWS) % 3 + RNG.normal(0, 0.4, ROWS)),
        "text": np.where(RNG.random(ROWS) < 0.1, None, np.where(Y == "b", "x", "y")),
    }
)
CALLS: list[str] = []


def load(name):
    CALLS.append(name)
    return SimpleNamespace(X=TABLE, y=Y)


class Spy:
    """A classifier that remembers what it saw."""

    seen: tuple = ()

    def fit(self, X, y):
        Spy.seen = (X, y)
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        Spy.seen += (X,)
        return np.full((len(X), self.classes_.size), 1 / self.classes_.size)


def make_mdlp(X, y, seed):
    return MDLPDiscretizer()


def make_bayes(n_bins, seed):
    return NaiveBayesClassifier(n_bins=n_bins)


def make_spy(seed):
    return Spy()


def fail(*_):
    message = "no\nluck"
    raise RuntimeError(message)


METHODS = NamedMethods({"mdlp": make_mdlp, "bad": fail}, {"nb": make_bayes, "bad": fail}, {"spy": make_spy})


def measure(*cell, protocol=None):
    task = CellTask("toy", cell[0], 0, 0, tuple(cell[1:]))
    return list(Measure(load, METHODS, protocol or FoldProtocol(n_folds=3))(task))


def test_figures_are_those_of_scikit_learn():
    protocol = FoldProtocol(n_folds=3)
    [result] = measure("mdlp", "nb", protocol=protocol)
    held_out = protocol.folds("toy", Y, 0) == 0
    X = TABLE.fillna({"number": TABLE["number"][~held_out].mean(), "text": TABLE["text"][~held_out].mode()[0]})
    bins = MDLPDiscretizer().fit(X[~held_out], Y[~held_out])
    model = NaiveBayesClassifier(n_bins=bins.n_bins_).fit(bins.transform(X[~held_out]), Y[~held_out])
    codes = bins.transform(X[held_out])
    assert result.n_rows == 30
    assert result.n_correct == (model.predict(codes) == Y[held_out]).sum()
    assert result.log_loss == pytest.approx(log_loss(Y[held_out], model.predict_proba(codes)), abs=1e-12)
    assert result.n_cuts == sum(cuts.size for cuts in bins.cuts_)
    assert result.accuracy == 100 * result.n_correct / 30


def test_held_out_rows_do_not_decide_what_fills_the_gaps():
    measure(RAW, "spy")
    X, y, X_test = Spy.seen
    held_out = FoldProtocol(n_folds=3).folds("toy", Y, 0) == 0
    assert not X.isna().any().any()
    assert not X_test.isna().any().any()
    mean = TABLE["number"][~held_out].mean()
    gaps = TABLE["number"][held_out].isna().to_numpy()
    assert gaps.any()
    np.testing.assert_allclose(X_test["number"].to_numpy()[gaps], mean)
    np.testing.assert_array_equal(y, Y[~held_out])


def test_a_failing_method_is_a_result():
    results = measure("mdlp", "bad", "nb")
    assert [result.error.startswith("RuntimeError: no luck (test_measure.py:") for result in results] == [True, False]
    assert results[1].n_rows == 30
    assert all("no luck" in result.error for result in measure("bad", "nb", "bad"))
    assert "unknown. Known are: bad, mdlp" in measure("other", "nb")[0].error
    assert "unknown" in measure("mdlp", "other")[0].error


def test_only_the_first_cell_carries_the_time_of_the_bins(monkeypatch):
    ticks = iter(range(100))
    monkeypatch.setattr("cutwise.paper.evaluate.measure.time.perf_counter", lambda: float(next(ticks)))
    assert [result.seconds for result in measure("mdlp", "nb", "nb")] == [2.0, 1.0]


def test_a_class_without_training_rows_has_the_smallest_probability():
    y = np.array(["a"] * 5 + ["b"] * 4 + ["z"])
    X = pd.DataFrame({"v": np.arange(10.0)})
    folds = FoldProtocol(n_folds=2).folds("lone", y, 0)
    task = CellTask("lone", RAW, 0, int(folds[-1]), ("spy",))
    [result] = Measure(lambda name: SimpleNamespace(X=X, y=y), METHODS, FoldProtocol(n_folds=2))(task)
    n = result.n_rows
    assert result.log_loss == pytest.approx(((n - 1) * np.log(2) + 15 * np.log(10)) / n)


def test_a_data_set_is_read_once_for_tasks_that_follow_each_other():
    CALLS.clear()
    work = Measure(load, METHODS, FoldProtocol(n_folds=4))
    for fold in range(4):
        for discretizer, classifier in (("mdlp", "nb"), (RAW, "spy")):
            list(work(CellTask("once", discretizer, 0, fold, (classifier,))))
    assert CALLS == ["once"]


def test_it_can_be_sent_to_another_process():
    copy = pickle.loads(pickle.dumps(Measure(load, METHODS)))  # noqa: S301
    assert next(iter(copy(CellTask("sent", "mdlp", 0, 0, ("nb",))))).error == ""
