"""partial_fit and finalize."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from cutwise import CountsError, EqualWidthDiscretizer, MDLPDiscretizer, MRmDDiscretizer, TableError
from cutwise.counts.file_format import to_bytes
from cutwise.discretize import chunks


def frame(seed, n_rows=200):
    random = np.random.default_rng(seed)
    x = random.normal(size=n_rows)
    town = random.choice(["Rome", "Bern"], n_rows)
    return pd.DataFrame({"x": x, "age": random.integers(18, 60, n_rows), "town": town}), (x > 0.3).astype(int)


def test_the_scheme_comes_with_finalize():
    X, y = frame(0)
    discretizer = MDLPDiscretizer()
    with pytest.raises(CountsError, match=r"nothing to learn from yet. Call MDLPDiscretizer\.partial_fit"):
        discretizer.finalize()
    assert discretizer.partial_fit(X, y) is discretizer
    with pytest.raises(NotFittedError):
        discretizer.transform(X)
    assert discretizer.finalize() is discretizer
    first = discretizer.scheme_
    assert discretizer.transform(X).shape == (200, 3)
    more, labels = frame(1)
    discretizer.partial_fit(more, labels)
    assert discretizer.scheme_ is first
    discretizer.finalize()
    expected = MDLPDiscretizer().fit(pd.concat([X, more]), np.concatenate([y, labels]))
    assert discretizer.scheme_ == expected.scheme_
    assert discretizer.feature_names_in_.tolist() == ["x", "age", "town"]


def test_arrays_have_no_names():
    X, y = frame(0)
    discretizer = MDLPDiscretizer().partial_fit(X[["x", "age"]].to_numpy(), y).finalize()
    assert discretizer.scheme_.names == ("x0", "x1")
    assert not hasattr(discretizer, "feature_names_in_")


def test_new_classes_may_come_later():
    X, y = frame(0)
    discretizer = MDLPDiscretizer()
    for label in ("high", "low"):
        rows = (y == 1) == (label == "high")
        discretizer.partial_fit(X[rows], np.full(rows.sum(), label))
    assert discretizer.finalize().scheme_ == MDLPDiscretizer().fit(X, np.where(y == 1, "high", "low")).scheme_


@pytest.mark.parametrize(
    ("change", "y_change", "error"),
    [
        (lambda X: X.assign(x="text"), lambda y: y, CountsError),
        (lambda X: X.assign(town=pd.Timestamp("2020-01-01")), lambda y: y, TableError),
        (lambda X: X.drop(columns="age"), lambda y: y, ValueError),
        (lambda X: X.rename(columns={"age": "years"}), lambda y: y, ValueError),
        (lambda X: X, lambda y: [None, *y[1:]], TableError),
        (lambda X: X, lambda y: np.where(y, "a", "b"), CountsError),
        (lambda X: X, lambda y: y + 0.5, ValueError),
        (lambda X: X, lambda y: y[1:], ValueError),
    ],
)
def test_a_bad_chunk_changes_nothing(change, y_change, error):
    X, y = frame(0)
    discretizer = MDLPDiscretizer().partial_fit(X, y)
    before = to_bytes(discretizer._stream), sorted(vars(discretizer))
    with pytest.raises(error):
        discretizer.partial_fit(change(X), y_change(y))
    assert (to_bytes(discretizer._stream), sorted(vars(discretizer))) == before
    assert discretizer.finalize().scheme_ == MDLPDiscretizer().fit(X, y).scheme_


def test_chunks_without_any_value():
    X, y = frame(0)
    gaps = X.assign(town=None)
    discretizer = MDLPDiscretizer().partial_fit(gaps, y).partial_fit(X, y).partial_fit(gaps, y)
    expected = MDLPDiscretizer().fit(pd.concat([gaps.astype(X.dtypes), X, gaps.astype(X.dtypes)]), np.tile(y, 3))
    assert discretizer.finalize().scheme_ == expected.scheme_


def test_a_grid_beyond_many_values(monkeypatch):
    monkeypatch.setattr(chunks, "MAX_VALUES", 300)
    monkeypatch.setattr(chunks, "MAX_CELLS", 100)
    discretizer = MRmDDiscretizer(special_values={"x": [0.125]})
    every, labels = [], []
    for seed in range(5):
        X, y = frame(seed)
        X.loc[:4, "x"] = 0.125
        discretizer.partial_fit(X, y)
        every.append(X)
        labels.append(y)
    discretizer.finalize()
    assert discretizer.rank_errors_.tolist()[1:] == [0.0, 0.0]
    assert 0 < discretizer.rank_errors_[0] < 0.05
    expected = MRmDDiscretizer(special_values={"x": [0.125]}).fit(pd.concat(every), np.concatenate(labels)).scheme_
    assert discretizer.scheme_["age"] == expected["age"]
    assert discretizer.scheme_["x"].rows[-1] == expected["x"].rows[-1] == 25
    assert discretizer.scheme_["x"].score == pytest.approx(expected["x"].score, abs=0.05)
    assert sum(discretizer.scheme_["x"].rows) == 1000


def test_fit_forgets_the_stream():
    X, y = frame(0)
    discretizer = MDLPDiscretizer().partial_fit(X, y)
    more, labels = frame(1)
    discretizer.fit(more, labels)
    assert not hasattr(discretizer, "rank_errors_")
    discretizer.partial_fit(X, y).finalize()
    assert discretizer.scheme_ == MDLPDiscretizer().fit(X, y).scheme_


def test_a_new_stream_begins_anew():
    X, y = frame(0)
    discretizer = MDLPDiscretizer().fit(X, y).partial_fit(X[["age"]], y)
    fresh = MDLPDiscretizer().partial_fit(X[["age"]], y)
    assert sorted(vars(discretizer)) == sorted(vars(fresh))
    with pytest.raises(NotFittedError):
        discretizer.transform(X)
    assert discretizer.finalize().scheme_ == MDLPDiscretizer().fit(X[["age"]], y).scheme_


def test_parts():
    X, y = frame(0)
    parts = np.arange(200) % 3
    discretizer = MRmDDiscretizer(validation="crossfit")
    discretizer.partial_fit(X[:90], y[:90], parts[:90]).partial_fit(X[90:], y[90:], parts[90:]).finalize()
    assert discretizer.scheme_ == MRmDDiscretizer(validation="crossfit").fit(X, y, parts=parts).scheme_
    without = MRmDDiscretizer(validation="holdout").partial_fit(X, y)
    with pytest.raises(
        CountsError, match="validation='holdout' compares parts of the rows, and these counts have none"
    ):
        without.finalize()
    with pytest.raises(ValueError, match="marks validation rows by 1 and others by 0; got 2"):
        MRmDDiscretizer(validation="holdout").partial_fit(X, y, parts).finalize()
    with pytest.raises(ValueError, match="MDLPDiscretizer does not compare parts"):
        MDLPDiscretizer().partial_fit(X, y, parts)
    with pytest.raises(ValueError, match="takes no 'parts'"):
        MRmDDiscretizer().partial_fit(X, y, parts)


def test_tables_need_a_column_of_parts():
    X, y = frame(0)
    table = X.assign(y=y)
    with pytest.raises(ValueError, match=r"validation='crossfit' deals the rows .* name a column"):
        MRmDDiscretizer(validation="crossfit").fit_table(table, "y")
    with pytest.raises(ValueError, match="takes no 'parts'"):
        MRmDDiscretizer().fit_table(table, "y", parts="age")
    with pytest.raises(ValueError, match="MDLPDiscretizer does not compare parts"):
        MDLPDiscretizer().fit_table(table, "y", parts="age")
    with pytest.raises(CountsError, match="MDLPDiscretizer needs the class of each row"):
        MDLPDiscretizer().fit_table(table)


def test_without_classes():
    X, _ = frame(0)
    discretizer = EqualWidthDiscretizer(4)
    discretizer.partial_fit(X[:70]).partial_fit(X[70:]).finalize()
    assert discretizer.scheme_ == EqualWidthDiscretizer(4).fit(X).scheme_


def test_a_stream_can_be_copied():
    X, y = frame(0)
    discretizer = MDLPDiscretizer().partial_fit(X[:100], y[:100])
    for other in (copy.deepcopy(discretizer), pickle.loads(pickle.dumps(discretizer))):  # noqa: S301
        assert other.partial_fit(X[100:], y[100:]).finalize().scheme_ == MDLPDiscretizer().fit(X, y).scheme_
    assert discretizer.finalize().scheme_ == MDLPDiscretizer().fit(X[:100], y[:100]).scheme_
