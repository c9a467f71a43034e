"""Settings by column, in every way to learn."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.utils._param_validation import InvalidParameterError

from cutwise import (
    ChiMergeDiscretizer,
    EMDDiscretizer,
    JointDiscretizer,
    MDLPDiscretizer,
    MRmDDiscretizer,
    Scheme,
    count_table,
)
from cutwise.errors import ColumnWarning
from tests.methods import JOINT, SUPERVISED


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    x = rng.integers(0, 30, (600, 3)).astype(float)
    frame = pd.DataFrame(x, columns=["age", "income", "debt"])
    rate = 0.1 + 0.8 * (np.abs(x[:, 0] - 15) > 8) * 0.7 + 0.01 * x[:, 1] * (x[:, 0] > 3)
    return frame, np.where(rng.random(600) < rate, "bad", "good")


def same_as_alone(method, table, **settings):
    """Fit with settings by column, and check each column against a fit with its own settings."""
    frame, y = table
    together = clone(method).set_params(**settings).fit(frame, y)
    for name in frame:
        own = {key: value.get(name) for key, value in settings.items()}
        alone = clone(method).set_params(**own).fit(frame[[name]], y)
        assert together.scheme_[name] == alone.scheme_[name]
    return together


SETTINGS = [
    {"max_bins": {"age": 2, "debt": 3}},
    {"min_bin_size": {"age": 100, "income": 0.3}},
    {"monotonic": {"age": "valley", "income": "increasing"}, "max_bins": {"age": 5}},
    {"min_bins": {"debt": 4}, "max_bin_size": {"age": 0.3}},
    {"min_events": {"age": 60}, "max_pvalue": {"income": 0.001}},
]


@pytest.mark.parametrize("method", SUPERVISED, ids=repr)
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_each_column_has_its_own_settings(method, settings, table):
    same_as_alone(method, table, **settings)


@pytest.mark.parametrize("method", JOINT, ids=repr)
def test_methods_that_look_at_all_columns_keep_the_limits_of_each(method, table):
    frame, y = table
    fitted = clone(method).set_params(max_bins={"age": 2, "income": 1}, min_bin_size={"debt": 200}).fit(frame, y)
    scheme = fitted.scheme_
    assert scheme["age"].n_bins <= 2
    assert scheme["income"].n_bins == 1
    assert scheme["debt"].n_bins == 1 or min(scheme["debt"].rows) >= 200
    free = clone(method).fit(frame, y).scheme_
    assert free["age"].n_bins > 2 or free["income"].n_bins > 1 or len(scheme["debt"].cuts) <= len(free["debt"].cuts)


def test_confirmed_cuts_of_one_column(table):
    fitted = same_as_alone(MDLPDiscretizer(), table, confirm={"age": 1e-9})
    assert fitted.scheme_.parameters["confirm"] == {"age": 1e-9}
    summary = fitted.scheme_.summary().set_index("attribute")["confirmed"]
    assert summary["age"] == "yes"
    assert summary["income"] != "yes"


def test_categories_of_one_column_are_grouped(table):
    frame, y = table
    both = pd.DataFrame({"city": frame["age"].map("c{:.0f}".format), "area": frame["debt"].map("d{:.0f}".format)})
    scheme = MDLPDiscretizer(nominal={"city": "group"}, confirm=0.01).fit(both, y).scheme_
    assert scheme["city"].n_bins < 30
    assert scheme["area"].n_bins == 30


def test_columns_without_names_are_named_by_their_place(table):
    frame, y = table
    by_place = MDLPDiscretizer(max_bins={0: 2, np.int64(2): 1}).fit(frame.to_numpy(), y).scheme_
    by_name = MDLPDiscretizer(max_bins={"x0": 2, "x2": 1}).fit(frame.to_numpy(), y).scheme_
    assert by_place == by_name
    assert by_place.parameters["max_bins"] == {"x0": 2, "x2": 1}
    special = MDLPDiscretizer(special_values={1: [0.0]}).fit(frame.to_numpy(), y).scheme_
    assert special["x1"].special_values == (0.0,)


def test_every_way_to_learn(table):
    frame, y = table
    settings = {"max_bins": {"age": 3}, "monotonic": {"age": "auto", "debt": "peak"}, "min_events": {"income": 5}}
    fitted = MRmDDiscretizer(**settings).fit(frame, y)
    whole = frame.assign(y=y)
    by_table = MRmDDiscretizer(**settings).fit_table(whole, "y")
    by_counts = MRmDDiscretizer(**settings).fit_counts(count_table(whole, "y"))
    stream = MRmDDiscretizer(**settings)
    for start in range(0, 600, 200):
        stream.partial_fit(frame[start : start + 200], y[start : start + 200])
    assert by_table.scheme_ == by_counts.scheme_ == stream.scheme_ == fitted.scheme_
    assert Scheme.from_json(fitted.scheme_.to_json()) == fitted.scheme_


@pytest.mark.parametrize("parameter", ["max_bins", "min_bin_size", "monotonic", "special_values", "nominal", "confirm"])
def test_an_unknown_column_is_named(parameter, table):
    value = {"special_values": [1.0], "monotonic": "peak", "nominal": "group", "confirm": 0.1}.get(parameter, 2)
    words = f"'{parameter}' names the column 'agee', but the table has 'age', 'income', 'debt'. Did you mean 'age'?"
    with pytest.raises(ValueError, match=words.replace("?", r"\?")):
        MDLPDiscretizer(**{parameter: {"agee": value}}).fit(*table)
    with pytest.raises(ValueError, match="names the column 3, but the table has"):
        MDLPDiscretizer(**{parameter: {3: value}}).fit(table[0].to_numpy(), table[1])


def test_a_wrong_value_is_told_with_its_column(table):
    with pytest.raises(InvalidParameterError, match=r"'max_bins' parameter .* Got 0 for the column 'age' instead"):
        MDLPDiscretizer(max_bins={"age": 0}).fit(*table)
    with pytest.raises(InvalidParameterError, match="Got 'rising' for the column 'age' instead"):
        MDLPDiscretizer(monotonic={"age": "rising"}).fit(*table)
    with pytest.raises(InvalidParameterError, match="Got 'peak' for the column 'age' instead"):
        JointDiscretizer(monotonic={"age": "peak"}).fit(*table)


def test_limits_that_contradict_each_other(table):
    with pytest.raises(ValueError, match="min_bins=5 is more than max_bins=3"):
        MDLPDiscretizer(min_bins=5, max_bins={"age": 3}).fit(*table)
    with pytest.raises(ValueError, match=r"min_bin_size=0.4 is more than max_bin_size=100"):
        MDLPDiscretizer(min_bin_size=0.4, max_bin_size=100).fit(*table)


def test_limits_that_cannot_be_met_are_told(table):
    frame, y = table
    mostly = frame.assign(age=np.where(frame["age"] < 25, 0.0, frame["age"]))
    with pytest.warns(ColumnWarning, match="'age' has a bin of .* rows where max_bin_size allows 60; no cut is left"):
        MRmDDiscretizer(max_bin_size=0.1).fit(mostly[["age"]], y)
    with pytest.warns(ColumnWarning, match="'age' has 3 of min_bins=5 bins, and 1 more columns; no cut is left"):
        MDLPDiscretizer(min_bins=5, max_pvalue=1e-6).fit(frame[["age", "income"]], y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        MRmDDiscretizer(max_bin_size=0.3).fit(frame, y)


def test_more_than_two_classes_need_an_event():
    x, y = np.arange(90.0)[:, None], np.repeat(["a", "b", "c"], 30)
    for name, value in (("monotonic", "peak"), ("min_events", 3), ("max_pvalue", 0.1)):
        with pytest.raises(ValueError, match=f"{name}=.* the target y has 3 classes. Name the one"):
            MDLPDiscretizer(**{name: value}).fit(x, y)
    attribute = MDLPDiscretizer(monotonic="peak", event="b").fit(x, y).scheme_["x0"]
    assert [counts[1] for counts in attribute.class_counts] == [0, 30, 0]
    assert MDLPDiscretizer(monotonic="increasing", event="b").fit(x, y).scheme_["x0"].class_counts[-1][1] == 30


def test_auto_finds_a_turn(table):
    frame, y = table
    for method in (MDLPDiscretizer(), MRmDDiscretizer(search="exact"), ChiMergeDiscretizer()):
        scheme = clone(method).set_params(monotonic="auto", event="bad").fit(frame, y).scheme_
        assert scheme["age"].trend == "valley"
        assert scheme["age"].trend_costs["increasing"] > scheme["age"].trend_costs["valley"]
        assert "trend: valley, chosen (bits of relevance that each would cost: increasing" in str(scheme)


def test_a_genetic_search_keeps_the_size_of_each_column(table):
    frame, y = table
    scheme = EMDDiscretizer(min_bin_size={"age": 150}, max_evaluations=200, random_state=0).fit(frame, y).scheme_
    assert scheme["age"].n_bins == 1 or min(scheme["age"].rows) >= 150
