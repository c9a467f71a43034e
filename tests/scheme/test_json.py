"""Schemes survive JSON bit for bit, and equal schemes give equal bytes (promise 15)."""

from __future__ import annotations

import dataclasses
import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise import MRmDDiscretizer, Scheme, SchemeError
from cutwise.persist import strict
from cutwise.scheme import STOP_REASONS, CutTrial, NominalAttribute, NumericAttribute, encode_columns
from tests.strategies import FINITE, tables

NUMBERS = FINITE.map(lambda number: number + 0.0)
TEXTS = st.text(max_size=8)
COUNTS = st.integers(0, 2**62)
LABELS = st.one_of(
    st.lists(TEXTS, unique=True, max_size=4),
    st.lists(st.integers(-(10**399) + 1, 10**399 - 1), unique=True, max_size=4),
    st.lists(NUMBERS, unique=True, max_size=4),
    st.lists(st.booleans(), unique=True),
)
TRIALS = st.builds(CutTrial, NUMBERS, NUMBERS, NUMBERS, NUMBERS)


@st.composite
def attributes(draw, name, n_classes):
    rows = st.lists(COUNTS, min_size=n_classes, max_size=n_classes).map(tuple)
    common = {
        "name": name,
        "missing_by_class": draw(rows),
        "score": draw(NUMBERS),
        "relevance": draw(NUMBERS),
        "divergence": draw(NUMBERS),
        "stop": draw(st.sampled_from(sorted(STOP_REASONS))),
    }
    if draw(st.booleans()):
        categories = draw(LABELS)
        codes = draw(st.lists(st.integers(0, 3), min_size=len(categories), max_size=len(categories)))
        groups = tuple(
            tuple(one for one, own in zip(categories, codes, strict=True) if own == code) for code in sorted(set(codes))
        )
        chances = st.lists(st.floats(0.0, 1.0, exclude_min=True), min_size=len(groups) - 1, max_size=len(groups) - 1)
        return NominalAttribute(
            groups=groups,
            class_counts=tuple(draw(rows) for _ in groups),
            p_values=tuple(draw(chances)) if groups and draw(st.booleans()) else (),
            edited=draw(st.booleans()),
            **common,
        )
    cuts = tuple(sorted(draw(st.sets(NUMBERS, max_size=4))))
    ends = draw(st.one_of(st.just((None, None)), st.tuples(NUMBERS, NUMBERS)))
    return NumericAttribute(
        cuts=cuts,
        minimum=ends[0],
        maximum=ends[1],
        n_values=draw(COUNTS),
        n_candidates=draw(COUNTS),
        steps=tuple(draw(st.lists(TRIALS, max_size=3))),
        refused=draw(st.none() | TRIALS),
        edited=draw(st.booleans()),
        class_counts=tuple(draw(rows) for _ in range(len(cuts) + 1)),
        **common,
    )


@st.composite
def schemes(draw):
    classes = tuple(draw(LABELS))
    names = draw(st.lists(TEXTS, unique=True, max_size=3))
    return Scheme(
        method=draw(TEXTS),
        parameters=draw(st.dictionaries(TEXTS, st.none() | NUMBERS | TEXTS | st.lists(COUNTS).map(tuple), max_size=3)),
        classes=classes,
        attributes=tuple(draw(attributes(name, len(classes))) for name in names),
        missing=draw(st.sampled_from(["code", "bin"])),
    )


@given(schemes())
def test_round_trip(scheme):
    text = scheme.to_json()
    again = Scheme.from_json(text)
    assert again == scheme
    assert again.to_json() == text
    assert Scheme.from_json(text.encode()) == scheme
    assert Scheme.from_dict(scheme.to_dict()) == scheme
    assert text.isascii()
    assert text.endswith("\n")


@given(tables(missing=True))
def test_a_scheme_read_back_gives_the_same_codes(table):
    X, y = table
    fitted = MRmDDiscretizer().fit(X, y)
    again = Scheme.from_json(fitted.scheme_.to_json())
    assert np.array_equal(encode_columns(again, X), fitted.transform(X))


@pytest.fixture
def scheme():
    X = np.array([[1.0, "a"], [2.0, "b"], [3.0, "a"], [4.0, "b"]] * 5, dtype=object)
    return MRmDDiscretizer().fit(X, [0, 0, 1, 1] * 5).scheme_


def test_the_order_of_parameters_does_not_matter(scheme):
    turned = dataclasses.replace(scheme, parameters=dict(reversed(list(scheme.parameters.items()))))
    assert turned == scheme
    assert turned.to_json() == scheme.to_json()


def test_shape_of_the_format(scheme):
    data = json.loads(scheme.to_json())
    assert list(data) == ["format", "version", "method", "criterion", "parameters", "classes", "missing", "attributes"]
    assert (data["format"], data["version"]) == ("cutwise scheme", 1)
    numeric, nominal = data["attributes"]
    assert numeric["cuts"] == [2.5]
    assert numeric["class_counts"] == [[10, 0], [0, 10]]
    assert numeric["steps"][0][0] == 2.5
    assert nominal["categories"] == ["a", "b"]


def test_edits_are_marked_only_where_there_are_any(scheme):
    assert "edited" not in scheme.to_json()
    edited = dataclasses.replace(scheme["x0"], edited=True)
    marked = dataclasses.replace(scheme, attributes=(edited, scheme["x1"]))
    assert marked != scheme
    assert Scheme.from_json(marked.to_json())["x0"].edited is True
    assert marked.to_json().count('"edited":true') == 1
    assert "x0 (numeric, edited by hand)" in str(marked)


def changed(scheme, change):
    data = scheme.to_dict()
    change(data)
    return data


def put(*path_and_value):
    *path, key, value = path_and_value

    def change(data):
        for step in path:
            data = data[step]
        data[key] = value

    return change


def drop(*path):
    *path, key = path

    def change(data):
        for step in path:
            data = data[step]
        del data[key]

    return change


NUMERIC, NOMINAL = ("attributes", 0), ("attributes", 1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (put("format", "another"), "no scheme"),
        (drop("format"), "no scheme"),
        (put("version", 2), "Version 2 of the format is unknown"),
        (put("version", True), "unknown"),
        (put("version", "1"), "unknown"),
        (drop("version"), "unknown"),
        (drop("classes"), "lacks 'classes'"),
        (put("extra", 1), "unknown key 'extra'"),
        (put("missing", "drop"), "'missing' must be"),
        (put("method", 3), "'method' must be a string"),
        (put("parameters", []), "'parameters' must be an object"),
        (put("parameters", "deep", {"a": 1}), "parameter 'deep'"),
        (put("classes", [0, 0]), "classes must differ"),
        (put("classes", [0, None]), "a label must be"),
        (put("classes", [0, float("inf")]), "classes must be finite"),
        (put("classes", [0, 10**399]), "shorter than 400 digits"),
        (put("classes", [0, 1, 2]), "2 numbers for 3 classes"),
        (put("attributes", {}), "'attributes' must be a list"),
        (put("attributes", [3]), "An attribute must be an object"),
        (put(*NUMERIC, "name", "x1"), "'x1' appears twice"),
        (put(*NUMERIC, "name", None), "must be a string"),
        (put(*NUMERIC, "kind", "other"), "'kind' must be"),
        (put(*NUMERIC, "cuts", [2.5, 2.5]), "cuts must ascend"),
        (put(*NUMERIC, "cuts", [3.5, 2.5]), "cuts must ascend"),
        (put(*NUMERIC, "cuts", [1.5, 2.5]), "2 cuts and 0 special values make 3 bins, but counts are given for 2"),
        (put(*NUMERIC, "cuts", ["2.5"]), "must be a finite number, not '2.5'"),
        (put(*NUMERIC, "cuts", [True]), "must be a finite number, not True"),
        (put(*NUMERIC, "cuts", [float("nan")]), "finite"),
        (put(*NUMERIC, "cuts", [float("inf")]), "finite"),
        (put(*NUMERIC, "cuts", [10**400]), "finite"),
        (put(*NUMERIC, "cuts", 2.5), "must be a list"),
        (put(*NUMERIC, "minimum", None), "both ends"),
        (put(*NUMERIC, "class_counts", 0, 0, -1), "whole number"),
        (put(*NUMERIC, "class_counts", 0, 0, 1.0), "whole number"),
        (put(*NUMERIC, "class_counts", 0, 0, 2**63), "whole number"),
        (put(*NUMERIC, "missing_by_class", [0]), "1 numbers for 2 classes"),
        (put(*NUMERIC, "steps", 0, [1.0]), "a step must hold"),
        (put(*NUMERIC, "stop", "tired"), "no known reason"),
        (put(*NUMERIC, "score", None), "'score' must be a finite number"),
        (put(*NUMERIC, "categories", []), "unknown key 'categories'"),
        (drop(*NUMERIC, "cuts"), "lacks 'cuts'"),
        (put(*NUMERIC, "edited", False), "'edited' must be true where it is given, not False"),
        (put(*NUMERIC, "edited", 1), "'edited' must be true where it is given, not 1"),
        (put(*NOMINAL, "expected_losses", [0.1]), "unknown key 'expected_losses'"),
        (put(*NOMINAL, "categories", ["a", "a"]), "categories of 'x1' must differ"),
        (put(*NOMINAL, "categories", ["a"]), "1 categories, but counts for 2"),
        (put(*NOMINAL, "categories", ["a", []]), "a label must be"),
        (put(*NOMINAL, "categories", [0.5, float("nan")]), "categories must be finite"),
    ],
)
def test_a_wrong_scheme_is_refused(scheme, change, message):
    with pytest.raises(SchemeError, match=message):
        Scheme.from_dict(changed(scheme, change))


@pytest.mark.parametrize("data", [None, [], "scheme", 1, True])
def test_other_things_are_refused(data):
    with pytest.raises(SchemeError, match="must be an object"):
        Scheme.from_dict(data)


@pytest.mark.parametrize(("limit", "message"), [("MAX_CHARACTERS", "takes .* characters"), ("MAX_ITEMS", "holds more")])
def test_what_could_not_be_read_back_is_not_written(monkeypatch, scheme, limit, message):
    monkeypatch.setattr(strict, limit, 100)
    with pytest.raises(SchemeError, match=f"As JSON the scheme .*{message}.* With fewer bins"):
        scheme.to_json()


@pytest.mark.parametrize(
    "wrong",
    [
        {"parameters": {"n_d": math.inf}},
        {"parameters": {"n_d": 10**400}},
        {"parameters": {"n_d": [[1]]}},
        {"parameters": {"n_d": {"a": 1}}},
        {"parameters": {3: 1}},
        {"method": None},
    ],
    ids=lambda wrong: str(wrong)[:40],
)
def test_a_scheme_that_could_not_be_read_back_cannot_be_made(scheme, wrong):
    with pytest.raises(SchemeError):
        replace(scheme, **wrong)


@pytest.mark.parametrize("wrong", [{"class_counts": ((2**63, 0),) * 2}, {"n_values": 2**63}, {"name": 3}], ids=str)
def test_nor_can_one_of_its_attributes(scheme, wrong):
    first, *others = scheme.attributes
    counts = {"class_counts": ((2**63, 0),) * first.n_bins} if "class_counts" in wrong else wrong
    with pytest.raises(SchemeError):
        replace(scheme, attributes=(replace(first, **counts), *others))
