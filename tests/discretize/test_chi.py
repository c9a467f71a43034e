"""ChiMerge and the Chi2 family as estimators."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise import Chi2Discretizer, ChiMergeDiscretizer, ExtendedChi2Discretizer, ModifiedChi2Discretizer, Scheme
from tests.discretize.test_contract import Recorder
from tests.search.chi_tables import COLUMNS
from tests.strategies import tables
from tests.versions import needs_callbacks

METHODS = [ChiMergeDiscretizer(0.3), Chi2Discretizer(0.1), ModifiedChi2Discretizer(), ExtendedChi2Discretizer()]
JOINT = METHODS[1:]
every_method = pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)
every_joint_method = pytest.mark.parametrize("method", JOINT, ids=lambda method: type(method).__name__)


def cuts_of(method, X, y, **options):
    return [cuts.tolist() for cuts in method.fit(X, y, **options).cuts_]


@pytest.mark.parametrize("name", list(COLUMNS))
def test_chimerge_on_known_columns(name):
    x, y = COLUMNS[name]
    expected = {"D1": [5.5], "D2": [4.5, 8.5], "D3": [1.5], "D4": [5.5], "D5": [0.5], "D6": [0.5, 4.5]}
    assert cuts_of(ChiMergeDiscretizer(), np.array(x, dtype=float)[:, None], y) == [expected[name]]


@every_method
def test_weights_are_repetitions(method):
    rng = np.random.default_rng(3)
    X, y, weights = rng.integers(0, 12, (90, 3)), rng.integers(0, 3, 90), rng.integers(0, 4, 90)
    assert cuts_of(method, X, y, sample_weight=weights) == cuts_of(
        method, np.repeat(X, weights, axis=0), np.repeat(y, weights)
    )


@every_method
@given(data=st.data())
def test_rows_and_names_of_classes_do_not_matter(method, data):
    X, y = data.draw(tables(missing=True))
    order = data.draw(st.permutations(range(len(y))))
    names = np.array(data.draw(st.permutations("abcd")))
    assert cuts_of(method, X, y) == cuts_of(method, X[order], names[y[order]])


@every_method
def test_the_scheme_is_written_and_read(method):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"x": rng.normal(size=60), "kind": rng.choice(["a", "b"], 60), "empty": np.nan})
    text = method.fit(X, rng.integers(0, 2, 60)).scheme_.to_json()
    assert Scheme.from_json(text).to_json() == text
    assert json.loads(text)["criterion"] == "chi-square"


@every_method
def test_special_values_stay_out_of_the_cutting(method):
    x = np.array([-999.0, -999, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    y = np.array([1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 1])
    fitted = method.set_params(special_values=[-999]).fit(x[:, None], y)
    method.set_params(special_values=None)
    assert fitted.cuts_[0].tolist() == [4.5]
    assert fitted.transform(x[:, None]).ravel().tolist() == [2, 2, 0, 0, 0, 0, 1, 1, 1, 1, 1]


@every_joint_method
def test_missing_values_are_a_symbol(method):
    """Where the missing ones are, a second column need not tell the classes apart."""
    flag = np.array([np.nan, 1.0] * 20)
    X, y = np.column_stack([flag, np.arange(40.0)]), np.array([0, 1] * 20)
    assert cuts_of(method, X, y) == [[], []]


@needs_callbacks
@every_joint_method
def test_one_task_for_all_columns(method):
    recorder = Recorder()
    method.set_callbacks(recorder).fit(np.arange(20.0).reshape(10, 2), [0, 1] * 5)
    method.set_callbacks()
    assert recorder.seen == ["setup", ("begin", "fit"), ("end", "fit"), "teardown"]


@every_method
def test_limits(method):
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(300, 2)), rng.integers(0, 2, 300)
    fitted = method.set_params(max_bins=4, min_bin_size=0.1).fit(X, y)
    method.set_params(max_bins=None, min_bin_size=None)
    assert (fitted.n_bins_ <= 4).all()
    for attribute in fitted.scheme_.attributes:
        assert np.sum(attribute.class_counts, axis=1).min() >= 30


def test_chimerge_in_one_direction():
    rng = np.random.default_rng(6)
    x = rng.normal(size=500)
    y = rng.random(500) < 1 / (1 + np.exp(x))
    fitted = {way: ChiMergeDiscretizer(monotonic=way, event=True).fit(x[:, None], y) for way in ("auto", "decreasing")}
    assert fitted["auto"].cuts_[0].tolist() == fitted["decreasing"].cuts_[0].tolist()
    counts = np.array(fitted["auto"].scheme_.attributes[0].class_counts)
    assert (np.diff(counts[:, 1] / counts.sum(axis=1)) <= 0).all()


@every_joint_method
def test_order_of_columns_only_decides_who_goes_first(method):
    """A column that tells the classes apart by itself makes the others needless, wherever it stands."""
    rng = np.random.default_rng(7)
    noise, y = rng.normal(size=(200, 2)), np.repeat([0, 1], 100)
    X = np.column_stack([noise, np.arange(200.0)])
    assert cuts_of(method, X, y)[2] == [99.5]
    assert cuts_of(method, X[:, ::-1], y)[0] == [99.5]


def test_two_equal_halves_are_no_minority():
    """Extended Chi2 does as its article says, Modified Chi2 keeps the cut."""
    X, y = np.arange(8.0)[:, None], [0, 0, 0, 0, 1, 1, 1, 1]
    assert cuts_of(ExtendedChi2Discretizer(), X, y) == [[]]
    assert cuts_of(ModifiedChi2Discretizer(), X, y) == [[3.5]]


def test_modified_chi2_keeps_satimage_consistent(paper_data):
    table = pd.read_csv(paper_data / "satimage.csv", dtype={"class": str})
    X, y = table.drop(columns="class"), table["class"]
    fitted = ModifiedChi2Discretizer().fit(X, y)
    codes = pd.DataFrame(fitted.transform(X))
    n_classes = y.groupby([codes[column] for column in codes]).nunique()
    assert n_classes.max() == 1
    assert fitted.n_bins_.max() < X.nunique().min()
