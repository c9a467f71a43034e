"""Cuts set by hand in a scheme."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise import EqualFrequencyDiscretizer, FixedCutsDiscretizer, MRmDDiscretizer, Scheme, SchemeError
from cutwise.scheme import encode_columns
from tests.strategies import tables


@pytest.fixture(scope="module")
def scheme():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"age": rng.integers(18, 80, 300).astype(float), "city": rng.choice(["Bonn", "Rome"], 300)})
    X.loc[:20, "age"] = -999
    X.loc[20:30, "age"] = np.nan
    y = np.where(X["age"] + rng.normal(0, 20, 300) > 50, "yes", "no")
    return MRmDDiscretizer(special_values={"age": [-999]}).fit(X, y).scheme_


@given(table=tables(missing=True, max_columns=2), data=st.data())
def test_joined_bins_are_those_of_the_rows(table, data):
    """Dropping cuts gives the counts and the relevance that counting the rows anew gives."""
    X, y = table
    scheme = EqualFrequencyDiscretizer(5, special_values=[1.0]).fit(X, y).scheme_
    name = scheme.names[-1]
    kept = data.draw(st.lists(st.sampled_from(scheme[name].cuts), unique=True) if scheme[name].cuts else st.just([]))
    edited = scheme.with_cuts(name, sorted(kept))
    counted = FixedCutsDiscretizer({name: sorted(kept)}, special_values=[1.0], others="one_bin").fit(X, y).scheme_
    assert edited[name].class_counts == counted[name].class_counts
    assert edited[name].missing_by_class == counted[name].missing_by_class
    assert edited[name].relevance == pytest.approx(counted[name].relevance, abs=1e-12)
    assert Scheme.from_json(edited.to_json()) == edited


def test_new_cuts_drop_what_is_not_known(scheme):
    edited = scheme.with_cuts("age", [30, 45.5, 60])
    old, new = scheme["age"], edited["age"]
    assert (new.cuts, new.edited, new.special_values) == ((30.0, 45.5, 60.0), True, (-999.0,))
    assert all(math.isnan(rows) for rows in new.rows[:4])
    assert not new.is_counted
    assert new.class_counts[4] == old.class_counts[-1]
    assert new.missing_by_class == old.missing_by_class
    assert (new.score, new.relevance, new.divergence) == (0.0, 0.0, 0.0)
    assert (new.minimum, new.maximum, new.stop) == (old.minimum, old.maximum, old.stop)
    assert edited["city"] is scheme["city"]
    assert scheme["age"] is old
    assert Scheme.from_json(edited.to_json()) == edited
    table = pd.DataFrame({"age": [30.0, 30.1, -999, 80], "city": ["Bonn"] * 4})
    assert encode_columns(edited, table)[:, 0].tolist() == [0, 1, 4, 3]


def test_the_same_cuts_are_no_edit(scheme):
    assert scheme.with_cuts("age", scheme["age"].cuts) is scheme
    assert scheme.with_cuts("age", np.array(scheme["age"].cuts)) is scheme


def test_no_cuts_are_one_bin(scheme):
    edited = scheme.with_cuts("age", [])["age"]
    assert edited.labels == ("(-inf, inf)", "-999")
    assert sum(edited.rows) == sum(scheme["age"].rows)
    assert edited.relevance == 0.0


def test_relevance_is_the_score_where_it_is_the_criterion(scheme):
    other = dataclasses.replace(scheme, criterion="relevance")
    edited = other.with_cuts("age", scheme["age"].cuts[:1])["age"]
    assert edited.score == edited.relevance > 0
    assert scheme.with_cuts("age", scheme["age"].cuts[:1])["age"].score == 0.0


@pytest.mark.parametrize("number", [np.float32(2), np.int8(2), Fraction(2), 2])
def test_any_real_number_is_a_cut(scheme, number):
    cut = scheme.with_cuts("age", [number])["age"].cuts[0]
    assert (cut, type(cut)) == (2.0, float)


@pytest.mark.parametrize(
    ("cuts", "message"),
    [
        ([2, 1], "must ascend, but 1.0 follows 2.0"),
        ([1, 1.0], "must ascend, but 1.0 follows 1.0"),
        ([0.0, -0.0], "must ascend"),
        ([float("nan")], "must be finite numbers, but one of them is nan"),
        ([1, float("inf")], "one of them is inf"),
        ([10**400], "must be finite numbers"),
        ([True], "one of them is True"),
        (["1"], "one of them is '1'"),
        ([None], "one of them is None"),
        ("12", "must be a list of numbers, such as"),
        (3, "must be a list of numbers, such as"),
        ([[1], [2]], "must be finite numbers"),
    ],
)
def test_wrong_cuts(scheme, cuts, message):
    with pytest.raises(SchemeError, match=message):
        scheme.with_cuts("age", cuts)
    with pytest.raises((SchemeError, ValueError), match=message if isinstance(cuts, list) else "cuts"):
        FixedCutsDiscretizer(cuts).fit([[1.0], [2.0]])


def test_wrong_attributes(scheme):
    with pytest.raises(SchemeError, match="'city' is nominal"):
        scheme.with_cuts("city", [1])
    with pytest.raises(KeyError, match="no attribute 'town'"):
        scheme.with_cuts("town", [1])


@given(table=tables(missing=True, max_columns=2), data=st.data())
def test_counts_are_kept_where_they_follow_and_counted_where_rows_are_given(table, data):
    X, y = table
    scheme = EqualFrequencyDiscretizer(4, special_values=[1.0]).fit(X, y).scheme_
    name = scheme.names[0]
    numbers = st.floats(-30, 30) | (st.sampled_from(scheme[name].cuts) if scheme[name].cuts else st.just(0.5))
    cuts = sorted({cut + 0.0 for cut in data.draw(st.lists(numbers, max_size=5))})
    edited = scheme.with_cuts(name, cuts)
    counted = FixedCutsDiscretizer({name: cuts}, special_values=[1.0], others="one_bin").fit(X, y).scheme_[name]
    ends = {-math.inf, math.inf, *scheme[name].cuts}
    edges = [-math.inf, *cuts, math.inf]
    for code, known in enumerate(edited[name].class_counts):
        follows = code > len(cuts) or {edges[code], edges[code + 1]} <= ends
        assert follows != math.isnan(sum(known))
        assert not follows or known == counted.class_counts[code]
    assert Scheme.from_json(edited.to_json()) == edited
    assert Scheme.from_json(edited.to_json()).to_json() == edited.to_json()
    again = edited.recount(X, y)
    assert again[name].class_counts == counted.class_counts
    assert again[name].missing_by_class == counted.missing_by_class
    assert again[name].relevance == pytest.approx(counted.relevance, abs=1e-12)
    assert [a for a in again.attributes if a.name != name] == [a for a in scheme.attributes if a.name != name]
    assert scheme.recount(X, y) == scheme


def test_unknown_counts_are_shown_as_unknown(scheme):
    edited = scheme.with_cuts("age", sorted([30, *scheme["age"].cuts]))
    assert "unknown" in str(edited)
    assert "relevance unknown (see Scheme.recount)" in str(edited)
    assert "unknown" in edited._repr_html_()
    assert "unknown" in edited["age"]._repr_html_()
    assert "null" in edited.to_json()
    assert "no rows counted" in [text.get_text() for text in edited.plot("age").texts]
    from cutwise.report import html_report

    assert "the rows of its bins are not known" in html_report(edited)


def test_recounting_needs_the_classes(scheme):
    table = pd.DataFrame({"age": [30.0], "city": ["Bonn"]})
    with pytest.raises(SchemeError, match=r"counts rows by class \('no', 'yes'\). Give the classes"):
        scheme.recount(table)
    again = scheme.recount(table, ["yes"], sample_weight=[2.5])
    assert sum(again["age"].rows) == 2.5
    assert again["city"].class_counts == ((0, 2.5), (0, 0))


def test_evaluating_says_what_to_count(scheme):
    table = pd.DataFrame({"age": [30.0, 50.0] * 20, "city": ["Bonn", "Rome"] * 20})
    found = scheme.with_cuts("age", [33.25]).evaluate(table, ["no", "yes"] * 20)
    assert found["age"].verdict == "no training counts"
    assert "scheme.recount(X, y)" in found.verdict
    assert "nan" not in str(found) + str(found["age"])
    assert found.training_rows == 300
