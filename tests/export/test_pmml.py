"""Codes and additive models as PMML: a PMML program gives what Python does. `make test-pmml` gets the program."""

from __future__ import annotations

import math
from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd
import pytest

from cutwise import (
    AdditiveClassifier,
    DiscretizedClassifier,
    ExportError,
    FixedCutsDiscretizer,
    MDLPDiscretizer,
    NaiveBayesClassifier,
    RNBClassifier,
)
from cutwise.scheme.codes import numbers_of_columns
from tests.export.schemes import MAY_BE_UNSEEN, around, codes_of, nominal, numeric, scheme_of
from tests.export.test_scores import COLUMNS, FRAME, GROUP, TABLE, YES, check

SPACE = "{http://www.dmg.org/PMML-4_4}"
CUTS = [-1e300, -0.1, 0.0, 5e-324, 0.1, 1 / 3, 2.0**53, 1e22, 1.7976931348623157e308]
TEXTS = ["a", "A", "b c", "it's", 'q"t', "<b> & c", "7", "ä", "\\", "a\\nb"]
SCHEME = scheme_of(
    numeric("x", CUTS, special=[-999.0, 0.3]),
    numeric("x plain", CUTS),
    numeric("no cut", [], special=[0.3]),
    nominal("y", TEXTS[::2]),
    nominal("z", [False, True]),
    nominal("w", [-0.5, 0.0, 7.0]),
)
NUMBERS = [None, math.nan, math.inf, -math.inf, *around(CUTS), -999.0, 0.3, 7.0, -0.5, -0.0]
WORDS = [None, *TEXTS, "", "NA", "unseen", "7.0"]


def plain(values):
    """Values as a PMML program takes them: booleans are numbers."""
    return [float(x) if isinstance(x, bool | np.bool_) else x for x in values]


def columns():
    sets = [NUMBERS, NUMBERS, NUMBERS, WORDS, [True, None, False], NUMBERS]
    return [(values * len(NUMBERS))[: len(NUMBERS)] for values in sets]


def rows_of(names, values):
    return [dict(zip(names, plain(row), strict=True)) for row in zip(*values, strict=True)]


@pytest.fixture
def load(pypmml):
    """What reads a document."""
    return pypmml.Model.fromString


@MAY_BE_UNSEEN
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("missing", ["code", "bin"])
def test_codes(load, missing):
    scheme = replace(SCHEME, missing=missing)
    model, values = load(scheme.to_pmml()), columns()
    answers = [model.predict(row) for row in rows_of(scheme.names, values)]
    found = [[answer[f"code_{name}"] for name in scheme.names] for answer in answers]
    assert found == codes_of(scheme, values)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("encode", ["woe", "rate"])
def test_numbers_of_codes(load, encode):
    X = pd.DataFrame({"x": [1.0, 2.0, 3.0, np.nan] * 10, "y": ["a", "b", None, "a"] * 10})
    cuts = FixedCutsDiscretizer({"x": [1.5]}, event=1).fit(X, ([0, 1, 1, 0] * 9) + [1, 1, 0, 0])
    model = load(cuts.scheme_.to_pmml(encode))
    new = pd.DataFrame({"x": [1.5, math.nextafter(1.5, 2), np.nan, 9.0], "y": ["a", "b", None, "z"]})
    given = [list(new["x"]), ["a", "b", None, "z"]]
    answers = [model.predict(row) for row in rows_of(cuts.scheme_.names, given)]
    found = [[answer[f"{encode}_{name}"] for name in cuts.scheme_.names] for answer in answers]
    assert found == numbers_of_columns(cuts.scheme_, new, encode).tolist()


MODELS = [
    AdditiveClassifier(special_values={"weight": [0.5]}).fit(FRAME, GROUP),
    AdditiveClassifier(5, missing="code").fit(FRAME, YES),
    AdditiveClassifier(5, alpha=1.0, pairs=[("height", "weight")]).fit(FRAME, GROUP),
    DiscretizedClassifier(MDLPDiscretizer(), NaiveBayesClassifier()).fit(FRAME, GROUP),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("model", MODELS, ids=["classes", "codes", "pairs", "naive Bayes"])
def test_scores(load, model):
    program = load(model.to_pmml())
    answers = [program.predict(row) for row in rows_of(model.scheme_.names, COLUMNS)]
    probabilities = [[answer[f"probability_{i}"] for i in range(len(model.classes_))] for answer in answers]
    labels = {str(label): label for label in model.classes_.tolist()}
    check(([labels[answer["prediction"]] for answer in answers], np.array(probabilities)), model, TABLE)


def test_the_document_to_read():
    scheme = scheme_of(numeric("age", [37.5], special=[-999.0]), nominal("town", ["Bern", "Rome"]))
    root = ET.fromstring(scheme.to_pmml().encode())  # noqa: S314
    assert [one.get("name") for one in root.iter(f"{SPACE}OutputField")] == ["code_age", "code_town"]
    assert [one.attrib for one in root.iter(f"{SPACE}Interval")] == [
        {"closure": "openClosed", "rightMargin": "37.5"},
        {"closure": "openOpen", "leftMargin": "37.5"},
    ]


def test_pairs_are_in_the_document():
    root = ET.fromstring(MODELS[2].to_pmml().encode())  # noqa: S314
    names = {one.get("name") for one in root.iter(f"{SPACE}CategoricalPredictor")}
    assert "cell of pair 0" in names


def test_what_pmml_cannot_say():
    mixture = DiscretizedClassifier(MDLPDiscretizer(), RNBClassifier()).fit(FRAME, GROUP)
    with pytest.raises(ExportError, match="no mixture of softmaxes"):
        mixture.to_pmml()
    with pytest.raises(ExportError, match="'code_a' has the name of an output"):
        scheme_of(numeric("a", [1.0]), numeric("code_a", [1.0])).to_pmml()
    with pytest.raises(ExportError, match="XML has no place"):
        scheme_of(nominal("a", ["\x01"])).to_pmml()
    with pytest.raises(ExportError, match="nothing to select"):
        scheme_of().to_pmml()
