"""Cuts set by hand in a scheme."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise import EqualFrequencyDiscretizer, FixedCutsDiscretizer, MRmDDiscretizer, Scheme, SchemeError
from cutwise.encode import encode_columns
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
    counted = FixedCutsDiscretizer({name: sorted(kept)}, special_values=[1.0]).fit(X, y).scheme_
    assert edited[name].class_counts == counted[name].class_counts
    assert edited[name].missing_by_class == counted[name].missing_by_class
    assert edited[name].relevance == pytest.approx(counted[name].relevance, abs=1e-12)
    assert Scheme.from_json(edited.to_json()) == edited


def test_new_cuts_drop_what_is_not_known(scheme):
    edited = scheme.with_cuts("age", [30, 45.5, 60])
    old, new = scheme["age"], edited["age"]
    assert (new.cuts, new.edited, new.special_values) == ((30.0, 45.5, 60.0), True, (-999.0,))
    assert new.class_counts == ((0, 0),) * 5
    assert new.missing_by_class == (0, 0)
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
