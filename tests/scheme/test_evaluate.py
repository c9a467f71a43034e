"""A scheme on new data."""

from __future__ import annotations

import dataclasses
import json
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise import EqualFrequencyDiscretizer, EqualWidthDiscretizer, MRmDDiscretizer, Scheme, TableError
from cutwise.classify.explain import Contribution, Explanation
from cutwise.scheme import Evaluation, encode_columns
from tests.report.payloads import PAYLOADS
from tests.strategies import tables


def sample(n, seed, shift=0.0, odds=0.0):
    rng = np.random.default_rng(seed)
    age = rng.normal(45 + shift, 12, n).round()
    table = pd.DataFrame({"age": age, "city": rng.choice(["Bonn", "Rome"], n), "debt": rng.integers(0, 2, n) * 5.0})
    table.loc[rng.random(n) < 0.1, "debt"] = np.nan
    table.loc[rng.random(n) < 0.1, "debt"] = -999.0
    return table, np.where(rng.random(n) < 1 / (1 + np.exp(-(age - 45) / 10 - odds)), "yes", "no")


@pytest.fixture(scope="module")
def scheme():
    return MRmDDiscretizer(special_values={"debt": [-999]}).fit(*sample(3000, 0)).scheme_


@given(table=tables(missing=True), data=st.data())
def test_the_training_rows_themselves_have_not_changed(table, data):
    """The new counts are those that fit made; a weight of 2 is the row twice."""
    X, y = table
    scheme = EqualFrequencyDiscretizer(3, special_values=[1.0]).fit(X, y).scheme_
    found = scheme.evaluate(X, y)
    for old, new in zip(scheme.attributes, found.attributes, strict=True):
        rows = [*old.class_counts, *([old.missing_by_class] if any(old.missing_by_class) else [])]
        assert [one.new_counts for one in new.bins] == rows
        assert (new.index, new.divergence) == pytest.approx((0.0, 0.0), abs=1e-12)
        assert new.class_change == 0.0
        assert new.p_value == new.class_p_value == pytest.approx(1.0)
    assert found.is_stable
    weights = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(y), max_size=len(y))))
    if weights.any():
        repeated = scheme.evaluate(np.repeat(X, weights, axis=0), np.repeat(y, weights))
        assert scheme.evaluate(X, y, sample_weight=weights) == repeated


def test_the_same_law_is_stable(scheme):
    found = scheme.evaluate(*sample(1000, 1))
    assert isinstance(found, Evaluation)
    assert found.verdict == "The bins hold on the new rows."
    assert {attribute.verdict for attribute in found.attributes} == {"stable"}
    assert [one.label for one in found["debt"].bins][-2:] == ["-999", "missing"]


def test_rows_that_move_are_a_shift(scheme):
    found = scheme.evaluate(sample(1000, 1, shift=10)[0])
    assert [a.verdict for a in found.attributes] == ["shifted", "stable", "stable"]
    assert found["age"].index > 0.25
    assert found["age"].divergence > 10 * found["age"].divergence_by_chance
    assert not found.is_stable
    assert found.verdict == "Shifted: 1 of 3 attributes (age)."
    assert scheme.evaluate(sample(2000, 1, shift=5)[0])["age"].verdict == "shifted a little"


def test_classes_that_change_without_a_shift(scheme):
    found = scheme.evaluate(*sample(1000, 1, odds=1.0))
    assert [a.verdict for a in found.attributes] == ["class rates changed"] * 3
    changes = [one.changes[1] for one in found["age"].bins]
    assert all(change.low < change.change < change.high for change in changes)
    assert sum(change.low > 0 for change in changes) >= 3


def test_few_rows_are_not_called_unstable(scheme):
    for seed in range(20):
        found = scheme.evaluate(*sample(5, seed))
        assert {a.verdict for a in found.attributes} == {"too few rows to tell"}
        assert found.is_stable


def test_unseen_categories_and_missing_values():
    train = pd.DataFrame({"city": ["Bonn", "Rome", None] * 100})
    scheme = EqualWidthDiscretizer().fit(train).scheme_
    new = pd.DataFrame({"city": ["Bonn"] * 50 + ["Oslo"] * 30 + ["Lima"] * 10 + [None] * 10})
    found = scheme.evaluate(new)["city"]
    assert [(one.label, one.new_rows) for one in found.bins] == [
        ("Bonn", 50),
        ("Rome", 0),
        ("missing", 10),
        ("unseen categories", 40),
    ]
    assert found.unseen == ("Oslo", "Lima")
    assert found.verdict == "shifted"
    assert "unseen: Oslo, Lima" in str(found)


def test_containers_and_other_columns(scheme):
    X, y = sample(200, 3)
    expected = scheme.evaluate(X, y)
    turned = X[X.columns[::-1]].assign(other="x")
    assert scheme.evaluate(turned, pd.Series(y)) == expected
    assert scheme.evaluate(pl.from_pandas(turned), pl.Series(y)) == expected
    assert scheme.evaluate(X.astype(object).to_numpy(), y.tolist()) == expected
    assert scheme.evaluate(X.to_numpy(dtype=object).tolist(), y[:, None]) == expected
    assert Scheme.from_json(scheme.to_json()).evaluate(X, y) == expected


def test_columns_without_names_are_found_by_place():
    X, y = np.arange(20.0).reshape(10, 2), [0, 1] * 5
    scheme = EqualWidthDiscretizer(2).fit(X, y).scheme_
    expected = scheme.evaluate(X, y)
    assert scheme.evaluate(pd.DataFrame(X), y) == expected
    assert scheme.evaluate(np.ma.masked_array(X, mask=False), np.array(y, dtype=bool)) == expected
    masked = scheme.evaluate(np.ma.masked_array(X, mask=X < 3))
    assert masked["x0"].bins[-1].new_rows == 2


def test_counts_are_those_of_the_codes(scheme):
    X, _ = sample(300, 5)
    codes = encode_columns(scheme, X)
    found = scheme.evaluate(X)
    for j, attribute in enumerate(found.attributes):
        n_bins = scheme.attributes[j].n_bins
        rows = np.bincount(codes[:, j][codes[:, j] >= 0], minlength=n_bins)
        assert [one.new_rows for one in attribute.bins[:n_bins]] == rows.tolist()
        assert sum(one.new_share for one in attribute.bins) == pytest.approx(1.0)


def test_cuts_by_hand_have_nothing_to_compare(scheme):
    found = scheme.with_cuts("age", [33.3]).evaluate(*sample(100, 1))
    assert found["age"].verdict == "no training counts"
    assert found["age"].index is None
    assert [one.new_rows > 0 for one in found["age"].bins] == [True, True]
    assert "No training counts: 1 of 3 attributes (age)." in found.verdict
    assert "age" in str(found)
    assert "-" in str(found["age"])


def test_as_plain_data(scheme):
    found = scheme.evaluate(*sample(300, 2))
    data = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert data["verdict"] == found.verdict
    assert data["attributes"][0]["bins"][0]["changes"][1]["low"] == found["age"].bins[0].changes[1].low
    with pytest.raises(KeyError, match="no attribute 'town'"):
        found["town"]
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.new_rows = 3


def test_many_classes_in_words():
    X, y = np.arange(90.0)[:, None], np.arange(90) // 30
    found = EqualWidthDiscretizer(3).fit(X, y).scheme_.evaluate(X, y[::-1])
    assert "largest change" in str(found["x0"])
    assert "-100.0" in str(found["x0"])


# pandas cannot hold halves of characters.
@pytest.mark.parametrize("payload", [text for text in PAYLOADS if "\ud800" not in text])
def test_hostile_names_are_shown_and_never_markup(payload):
    X = pd.DataFrame({payload: [payload, "b"] * 20})
    scheme = EqualWidthDiscretizer().fit(X, [payload, "x"] * 20).scheme_
    found = scheme.evaluate(X.replace({payload: payload + "!"}), [payload, "x"] * 20)
    told = Explanation(
        target=payload,
        against=(payload,),
        probability=0.5,
        score=0.0,
        prior=0.0,
        attributes=(
            Contribution(name=payload, value=payload, code=0, bin=payload, weights={payload: 1.0}, log_odds=0.0),
        ),
    )
    shown = (scheme, scheme.attributes[0], found, found.attributes[0], told)
    for page in [one._repr_html_() for one in shown]:
        tags = {part.split(">")[0].split(" ")[0].strip("/") for part in page.split("<")[1:]}
        assert tags <= {"table", "caption", "thead", "tbody", "tr", "th", "td", "bdi", "details", "summary"}
        assert page.count('="') == page.count("style=")
    assert not {"\x07", "\x1b", "\u202e"} & set(str(found) + str(found.attributes[0]))


def test_long_schemes_stay_short_in_notebooks():
    X = np.random.default_rng(0).normal(size=(200, 120))
    page = EqualFrequencyDiscretizer(30).fit(X).scheme_._repr_html_()
    assert "and 20 more attributes" in page
    assert page.count("…</bdi>") == 100


def test_an_attribute_in_a_notebook():
    X = [[1.0], [2.0], [3.0], [None]] * 5
    page = EqualWidthDiscretizer(2).fit(X).scheme_["x0"]._repr_html_()
    cells = re.findall(r"<bdi>(.*?)</bdi>", page)
    assert cells == ["code", "bin", "rows", "share", "0", "(-inf, 2]", "10", "50.0%", "1", "(2, inf)", "5", "25.0%",
                     "", "missing", "5", "25.0%"]  # fmt: skip
    many = EqualWidthDiscretizer(300).fit(np.arange(900.0)[:, None]).scheme_["x0"]._repr_html_()
    assert "… and 200 more bins" in many


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"X": pd.DataFrame({"age": [1.0]})}, "lacks the column 'city' of the scheme \\(2 of 3 are lacking\\)"),
        ({"X": np.ones((2, 2))}, r"the 3 columns of the scheme in its order, got the shape \(2, 2\)"),
        ({"X": [[1, 2], [1]]}, r"got the shape \(2,\)"),
        ({"X": sample(5, 0)[0].iloc[:0]}, "0 rows"),
        ({"X": sample(5, 0)[0].assign(age="old")}, "'age': expected a number, found 'old'"),
        ({"y": ["yes"]}, "1 entries for 5 rows"),
        ({"y": ["yes"] * 4 + ["maybe"]}, "1 labels that are no class of the scheme, first 'maybe' in row 4"),
        ({"y": [None] * 5}, "first None in row 0"),
        ({"y": [1] * 5}, "first 1 in row 0; its classes are 'no', 'yes'"),
        ({"sample_weight": [-1] * 5}, "row 0 has -1.0"),
    ],
)
def test_wrong_samples(scheme, change, message):
    arguments = {"X": sample(5, 0)[0], **change}
    with pytest.raises(ValueError, match=message):
        scheme.evaluate(**arguments)


def test_errors_are_the_librarys_own(scheme):
    with pytest.raises(TableError):
        scheme.evaluate(3)
