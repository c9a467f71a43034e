"""Categories that share a bin: codes, labels, JSON, and groups set by hand."""

from __future__ import annotations

import json
import math

import pandas as pd
import pytest

from cutwise import MDLPDiscretizer, Scheme, SchemeError
from cutwise.scheme import NominalAttribute

TOWNS = NominalAttribute(
    name="town",
    groups=(("Bonn", "Ulm"), ("Köln",)),
    class_counts=((3, 1), (0, 4)),
    missing_by_class=(1, 0),
    score=0.5,
    relevance=0.5,
    divergence=0.0,
    stop="no_gain",
    p_values=(0.01,),
)


def scheme_of(attribute=TOWNS, missing="code"):
    return Scheme(method="MDLP", classes=("no", "yes"), attributes=(attribute,), missing=missing)


@pytest.mark.parametrize(("missing", "code"), [("code", -1), ("bin", 2)])
def test_codes_are_those_of_the_group(missing, code):
    table = pd.DataFrame({"town": ["Ulm", "Köln", " Bonn", None, "Rom", "NA"]})
    assert scheme_of(missing=missing).transform(table)[:, 0].tolist() == [0, 1, 0, code, -1, code]


def test_what_a_group_is_called():
    assert TOWNS.labels == ("{Bonn, Ulm}", "Köln")
    assert (TOWNS.categories, TOWNS.codes, TOWNS.n_bins) == (("Bonn", "Ulm", "Köln"), (0, 0, 1), 2)
    assert "{Bonn, Ulm}" in str(scheme_of())
    assert "{Bonn, Ulm}" in scheme_of()._repr_html_()


def test_a_frame_has_a_row_for_each_group():
    frame = scheme_of().to_frame("pandas")
    assert frame["bin"].tolist() == ["{Bonn, Ulm}", "Köln", "missing"]
    assert frame["p_value"].tolist()[1] == 0.01
    assert frame["expected_loss"].isna().all()


def test_json_lists_the_groups():
    data = scheme_of().to_dict()["attributes"][0]
    assert data["groups"] == [["Bonn", "Ulm"], ["Köln"]]
    assert "categories" not in data
    assert Scheme.from_json(scheme_of().to_json()) == scheme_of()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"groups": [["Bonn"], []]}, "a group has no category"),
        ({"groups": [["Bonn", "Ulm"], ["Bonn"]]}, "'Bonn' appears twice"),
        ({"groups": [["Bonn", "Ulm"]]}, "1 groups, but counts for 2"),
        ({"groups": "Bonn"}, "'groups'"),
        ({"groups": [["Bonn", None], ["Ulm"]]}, "town"),
        ({"categories": ["Bonn", "Köln"]}, "categories"),
        ({"p_values": [0.1, 0.1]}, "'p_values' has 2 numbers for 2 bins"),
        ({"p_values": [0.0]}, "above 0"),
        ({"p_values": []}, "must not be empty"),
        ({"expected_losses": [0.1]}, "expected_losses"),
    ],
)
def test_json_that_contradicts_itself_is_refused(change, words):
    data = scheme_of().to_dict()
    data["attributes"][0] |= change
    with pytest.raises(SchemeError, match=words):
        Scheme.from_json(json.dumps(data))


def test_groups_set_by_hand_add_up_or_are_not_known():
    X = pd.DataFrame({"town": ["a", "a", "b", "b", "c", None]})
    y = ["no", "yes", "yes", "yes", "no", "no"]
    scheme = MDLPDiscretizer().fit(X, y).scheme_
    joined = scheme.with_groups("town", [["a", "c"], ["b"]])
    assert joined["town"].class_counts == ((2, 1), (0, 2))
    assert joined["town"].edited
    assert joined["town"].relevance == pytest.approx(
        scheme.recount(X, y).with_groups("town", [["a", "c"], "b"])["town"].relevance
    )
    divided = joined.with_groups("town", ["a", ["b", "c"]])
    assert all(math.isnan(rows) for rows in divided["town"].rows)
    assert divided.recount(X, y)["town"].class_counts == ((1, 1), (1, 2))
    assert Scheme.from_json(divided.to_json()) == divided
    assert scheme.with_groups("town", scheme["town"].groups) is scheme


@pytest.mark.parametrize(
    ("groups", "words"),
    [
        ([["Bonn"], ["Köln"]], "'Ulm' is in none"),
        ([["Bonn", "Ulm"], ["Köln", "Bonn"]], "'Bonn' is twice in them"),
        ([["Bonn", "Ulm"], ["Köln", "Rom"]], "'Rom' is no category of it"),
        ([["Bonn", "Ulm"], ["Köln"], []], "must not be empty"),
    ],
)
def test_groups_that_are_none_are_refused(groups, words):
    with pytest.raises(SchemeError, match=words):
        scheme_of().with_groups("town", groups)


def test_only_nominal_attributes_have_groups():
    scheme = MDLPDiscretizer().fit([[1.0], [2.0]], [0, 1]).scheme_
    with pytest.raises(SchemeError, match="is numeric"):
        scheme.with_groups("x0", [["a"]])
