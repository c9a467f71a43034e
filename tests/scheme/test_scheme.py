"""Schemes for people: access by name, text, labels."""

from __future__ import annotations

import copy
import math
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from cutwise import MRmDDiscretizer, Scheme
from cutwise.scheme import STOP_REASONS
from cutwise.scheme.attribute import interval_label


@pytest.fixture(scope="module")
def scheme():
    X = np.array([[1.0, "a"], [2.0, "b"], [3.0, "a"], [None, "b"]] * 5, dtype=object)
    return MRmDDiscretizer().fit(X, ["no", "no", "yes", "yes"] * 5).scheme_


def test_access(scheme):
    assert scheme.names == ("x0", "x1")
    assert scheme["x0"].cuts == (2.5,)
    assert scheme["x0"].rows == (10, 5)
    with pytest.raises(KeyError, match="no attribute 'age'"):
        scheme["age"]


def test_text_shows_bins_and_reasons(scheme):
    text = str(scheme)
    assert "MRmD: 2 attributes, 1 cut, 2 classes, event " in text
    assert "(-inf, 2.5]" in text
    assert "missing" in text
    assert STOP_REASONS[scheme["x0"].stop] in text
    assert STOP_REASONS["nominal"] in text


def test_text_cannot_steer_a_terminal():
    frame = pd.DataFrame({"red\x1b[31m": [1.0, 2.0], "word": ["\u202eleft", "right"]})
    text = str(MRmDDiscretizer().fit(frame, ["a\x07", "b"]).scheme_)
    assert not set(text) & set("\x1b\x07\u202e")
    assert "red⟨U+001B⟩[31m" in text


def test_the_guide_lists_every_reason_to_stop():
    guide = (Path(__file__).parents[2] / "docs" / "scheme.md").read_text()
    rows = [line.split("`")[1] for line in guide.splitlines() if line.startswith("| `") and " | " in line]
    assert [row for row in rows if row in STOP_REASONS] == list(STOP_REASONS)


def test_text_with_many_classes():
    scheme = MRmDDiscretizer().fit(np.arange(20.0)[:, None], np.arange(20) // 2).scheme_
    assert "…" in str(scheme)


@pytest.mark.parametrize(
    ("low", "high", "label"),
    [
        (-math.inf, 5.0, "(-inf, 5]"),
        (5.0, 8.5, "(5, 8.5]"),
        (8.5, math.inf, "(8.5, inf)"),
        (-math.inf, math.inf, "(-inf, inf)"),
        (1e-9, 1e22, "(1e-09, 1e+22]"),
    ],
)
def test_interval_labels(low, high, label):
    assert interval_label(low, high) == label


def test_nothing_of_a_scheme_can_be_changed():
    given = {"n_d": 50.0, "max_cuts": [1, 2]}
    scheme = Scheme(method="m", classes=(0, 1), attributes=(), parameters=given)
    given["n_d"] = 3.0
    given["max_cuts"].append(3)
    assert scheme.parameters == {"n_d": 50.0, "max_cuts": (1, 2)}
    with pytest.raises(TypeError, match="does not support item assignment"):
        scheme.parameters["n_d"] = 3.0
    with pytest.raises(AttributeError, match="cannot be changed"):
        scheme.parameters._items = {}
    pickled = pickle.loads(pickle.dumps(scheme))  # noqa: S301
    for same in (pickled, copy.copy(scheme), copy.deepcopy(scheme)):
        assert same == scheme
        assert hash(same) == hash(scheme)
        assert same.to_json() == scheme.to_json()
