"""partial_fit, with finalize and without."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from cutwise import Chi2Discretizer, CountsError, EqualWidthDiscretizer, MDLPDiscretizer, MRmDDiscretizer, TableError
from cutwise.counts.file_format import to_bytes
from cutwise.discretize import stream


def frame(seed, n_rows=200):
    random = np.random.default_rng(seed)
    x = random.normal(size=n_rows)
    town = random.choice(["Rome", "Bern"], n_rows)
    return pd.DataFrame({"x": x, "age": random.integers(18, 60, n_rows), "town": town}), (x > 0.3).astype(int)


def test_a_stream_can_be_used_at_any_time():
    X, y = frame(0)
    discretizer = MDLPDiscretizer()
    with pytest.raises(NotFittedError):
        discretizer.transform(X)
    assert discretizer.partial_fit(X, y) is discretizer
    state = dict(vars(discretizer))
    assert discretizer.transform(X).tolist() == MDLPDiscretizer().fit_transform(X, y).tolist()
    first = discretizer.scheme_
    assert discretizer.scheme_ is first
    assert vars(discretizer) == state
    more, labels = frame(1)
    discretizer.partial_fit(more, labels)
    expected = MDLPDiscretizer().fit(pd.concat([X, more]), np.concatenate([y, labels]))
    assert discretizer.scheme_ == expected.scheme_ != first
    assert [cuts.tolist() for cuts in discretizer.cuts_] == [cuts.tolist() for cuts in expected.cuts_]
    assert discretizer.n_bins_.tolist() == expected.n_bins_.tolist()
    assert [edges.tolist() for edges in discretizer.bin_edges_] == [edges.tolist() for edges in expected.bin_edges_]
    assert discretizer.classes_.tolist() == [0, 1]
    assert discretizer.rank_errors_.tolist() == [0.0, 0.0, 0.0]
    assert discretizer.get_feature_names_out().tolist() == ["x", "age", "town"]


def test_learned_attributes_are_not_there_before():
    for name in ("scheme_", "cuts_", "classes_", "n_bins_", "bin_edges_", "rank_errors_"):
        assert not hasattr(MDLPDiscretizer(), name)
    with pytest.raises(AttributeError, match="'MDLPDiscretizer' object has no attribute 'cuts_'"):
        MDLPDiscretizer().cuts_  # noqa: B018


def test_learning_late_is_the_same_in_threads_and_in_copies():
    X, y = frame(0)
    discretizer = MDLPDiscretizer().partial_fit(X, y)
    expected = MDLPDiscretizer().fit(X, y).transform(X)
    with ThreadPoolExecutor(4) as threads:
        for codes in threads.map(discretizer.transform, [X] * 8):
            assert codes.tolist() == expected.tolist()
    for other in (copy.copy(discretizer), pickle.loads(pickle.dumps(discretizer))):  # noqa: S301
        assert other.transform(X).tolist() == expected.tolist()


def test_learning_late_fails_with_the_reason():
    X, y = frame(0)
    discretizer = MRmDDiscretizer(validation="holdout").partial_fit(X, y)
    with pytest.raises(CountsError, match="compares parts of the rows, and these counts have none"):
        discretizer.transform(X)
    assert repr(discretizer) == "MRmDDiscretizer(validation='holdout')"


def test_finalize_learns_at_once():
    X, y = frame(0)
    discretizer = MDLPDiscretizer()
    with pytest.raises(CountsError, match=r"nothing to learn from yet. Call MDLPDiscretizer\.partial_fit"):
        discretizer.finalize()
    assert discretizer.partial_fit(X, y).finalize() is discretizer
    assert "scheme_" in vars(discretizer)
    more, labels = frame(1)
    discretizer.partial_fit(more, labels).finalize()
    expected = MDLPDiscretizer().fit(pd.concat([X, more]), np.concatenate([y, labels]))
    assert discretizer.scheme_ == expected.scheme_
    assert discretizer.feature_names_in_.tolist() == ["x", "age", "town"]


def test_methods_that_need_rows_have_no_streams():
    assert not hasattr(Chi2Discretizer(), "partial_fit")
    with pytest.raises(AttributeError) as caught:
        Chi2Discretizer().fit_table("table.parquet", "y")
    assert "looks at all columns of a row at once" in str(caught.value.__cause__)


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
    before = to_bytes(discretizer._stream.counts), sorted(vars(discretizer))
    with pytest.raises(error):
        discretizer.partial_fit(change(X), y_change(y))
    assert (to_bytes(discretizer._stream.counts), sorted(vars(discretizer))) == before
    assert discretizer.finalize().scheme_ == MDLPDiscretizer().fit(X, y).scheme_


def test_chunks_without_any_value():
    X, y = frame(0)
    gaps = X.assign(town=None)
    discretizer = MDLPDiscretizer().partial_fit(gaps, y).partial_fit(X, y).partial_fit(gaps, y)
    expected = MDLPDiscretizer().fit(pd.concat([gaps.astype(X.dtypes), X, gaps.astype(X.dtypes)]), np.tile(y, 3))
    assert discretizer.finalize().scheme_ == expected.scheme_


def test_a_grid_beyond_many_values(monkeypatch):
    monkeypatch.setattr(stream, "MAX_VALUES", 300)
    monkeypatch.setattr(stream, "MAX_CELLS", 100)
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
    assert discretizer.scheme_ == MDLPDiscretizer().fit(X[["age"]], y).scheme_


def test_parts():
    X, y = frame(0)
    parts = np.arange(200) % 3
    discretizer = MRmDDiscretizer(validation="crossfit")
    discretizer.partial_fit(X[:90], y[:90], parts=parts[:90]).partial_fit(X[90:], y[90:], parts=parts[90:]).finalize()
    assert discretizer.scheme_ == MRmDDiscretizer(validation="crossfit").fit(X, y, parts=parts).scheme_
    without = MRmDDiscretizer(validation="holdout").partial_fit(X, y)
    with pytest.raises(
        CountsError, match="validation='holdout' compares parts of the rows, and these counts have none"
    ):
        without.finalize()
    with pytest.raises(ValueError, match="marks validation rows by 1 and others by 0; got 2"):
        MRmDDiscretizer(validation="holdout").partial_fit(X, y, parts=parts).finalize()
    with pytest.raises(ValueError, match="MDLPDiscretizer does not compare parts"):
        MDLPDiscretizer().partial_fit(X, y, parts=parts)
    with pytest.raises(ValueError, match="takes no 'parts'"):
        MRmDDiscretizer().partial_fit(X, y, parts=parts)


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
