"""Explanations: every number of them, and every form of a row."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise import (
    CAWNBClassifier,
    DiscretizedClassifier,
    MDLPDiscretizer,
    MRmDDiscretizer,
    MRmDRNBClassifier,
    NaiveBayesClassifier,
    PreconditionedLogisticClassifier,
    TableError,
    WANBIAClassifier,
)
from tests.strategies import tables
from tests.systems.tables import FRAMES, GROUP, NAMES, ROWS, YES

FRAME = FRAMES["pandas"]()
MODEL = MRmDRNBClassifier().fit(FRAME, GROUP)
MODELS = [
    MODEL,
    MRmDRNBClassifier(missing="bin").fit(FRAME, YES),
    *(
        DiscretizedClassifier(MDLPDiscretizer(), classifier).fit(FRAME, GROUP)
        for classifier in (
            NaiveBayesClassifier(),
            WANBIAClassifier(),
            CAWNBClassifier(),
            PreconditionedLogisticClassifier(),
        )
    ),
]
ROW = ROWS[4]


def total(explanation):
    return explanation.prior + sum(item.log_odds for item in explanation.attributes)


@pytest.mark.parametrize("model", MODELS, ids=repr)
@given(row=st.sampled_from(ROWS), data=st.data())
def test_the_numbers_add_up(model, row, data):
    target, against = data.draw(st.permutations(model.classes_.tolist()))[:2]
    log_proba = dict(zip(model.classes_.tolist(), model.predict_log_proba(one(row))[0], strict=True))
    found = model.explain(row_of(row), target, against)
    assert found.score == pytest.approx(log_proba[target] - log_proba[against], abs=1e-12)
    assert total(found) == pytest.approx(found.score, abs=1e-9)
    assert found.probability == pytest.approx(np.exp(log_proba[target]), abs=1e-12)
    others = [value for label, value in log_proba.items() if label != target]
    mean = model.explain(row_of(row), target, "mean")
    assert mean.score == pytest.approx(log_proba[target] - np.mean(others), abs=1e-12)
    assert total(mean) == pytest.approx(mean.score, abs=1e-9)


def one(row):
    return pd.DataFrame([row], columns=NAMES)


def row_of(row):
    return dict(zip(NAMES, row, strict=True))


@given(tables(missing=True, min_rows=2), st.integers(0, 10**6))
def test_any_table_of_numbers(table, pick):
    X, y = table
    if np.unique(y).size < 2:
        return
    model = MRmDRNBClassifier().fit(X, y)
    found = model.explain(X[pick % len(X)])
    assert total(found) == pytest.approx(found.score, abs=1e-9)
    assert found.score >= 0


def test_the_most_probable_class_against_the_next():
    proba = MODEL.predict_proba(one(ROW))[0]
    order = MODEL.classes_[np.argsort(-proba)]
    found = MODEL.explain(row_of(ROW))
    assert (found.target, found.against) == (order[0], (order[1],))
    assert MODEL.explain(row_of(ROW), target=order[2]).against == (order[0],)


FORMS = {
    "mapping": row_of(ROW),
    "mapping, other order": dict(reversed(list(row_of(ROW).items()))),
    "series": FRAME.iloc[4],
    "list": ROW,
    "tuple": tuple(ROW),
    "array": np.array(ROW, dtype=object),
    "array of one row": np.array([ROW], dtype=object),
    "list of one row": [ROW],
    "pandas": FRAME.iloc[[4]],
    "pandas, other order": FRAME.iloc[[4]][NAMES[::-1]],
    "polars": pl.DataFrame({name: [value] for name, value in row_of(ROW).items()}),
    "pyarrow": pa.table({name: [value] for name, value in row_of(ROW).items()}),
}


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_a_row(form):
    found = MODEL.explain(FORMS[form])
    assert found == MODEL.explain(row_of(ROW))
    assert [item.name for item in found.attributes] == NAMES
    assert [item.value for item in found.attributes] == ROW


def test_rows_without_names():
    model = MRmDRNBClassifier().fit(FRAMES["object"](), GROUP)
    expected = model.explain(ROW)
    assert [item.name for item in expected.attributes] == ["x0", "x1", "x2", "x3"]
    assert model.explain({"x3": ROW[3], "x0": ROW[0], "x1": ROW[1], "x2": ROW[2]}) == expected
    assert model.explain(pd.Series(ROW)) == expected
    assert model.explain(FRAME.iloc[[4]]) == expected
    assert [item.log_odds for item in expected.attributes] == [item.log_odds for item in MODEL.explain(ROW).attributes]


def test_missing_and_unseen_values_add_nothing():
    found = MODEL.explain({"height": None, "colour": "purple", "open": pd.NA})
    assert [item.code for item in found.attributes] == [-1, -1, -1, -1]
    assert [item.value for item in found.attributes] == [None, None, "purple", None]
    assert [item.bin for item in found.attributes] == [None, None, "unseen", None]
    assert all((item.log_odds, item.weights) == (0.0, {}) for item in found.attributes)
    assert found.score == pytest.approx(found.prior, abs=1e-12)
    assert total(found) == pytest.approx(found.score, abs=1e-9)


def test_a_missing_value_may_have_a_bin():
    found = MODELS[1].explain({})
    assert [item.bin for item in found.attributes] == ["missing"] * 4


@pytest.mark.parametrize(
    ("row", "error", "message"),
    [
        ({"heigth": 1.0}, TableError, "value for 'heigth', but the columns are 'height'"),
        ([1.0], ValueError, "1 values, but there are 4 columns"),
        (FRAME, ValueError, "one row can be explained at a time; the table has 120"),
        (np.array(ROWS, dtype=object), ValueError, "the table has 120"),
        ("text", TypeError, "not str"),
        (3.0, TypeError, "not float"),
        ({"height": "tall"}, TableError, "Column 'height': expected a number, found 'tall'"),
        (pd.Series([1.0, 2.0], index=["height", "height"]), TableError, "twice"),
    ],
)
def test_rows_that_cannot_be_read(row, error, message):
    with pytest.raises(error, match=message):
        MODEL.explain(row)


def test_classes_that_cannot_be_compared():
    with pytest.raises(ValueError, match="'target' is 'short', but the classes are 'other'"):
        MODEL.explain(ROW, "short")
    with pytest.raises(ValueError, match="'against' is 3, but"):
        MODEL.explain(ROW, against=3)
    with pytest.raises(ValueError, match="'tall' cannot be compared with itself"):
        MODEL.explain(ROW, "tall", "tall")
    single = MRmDRNBClassifier().fit([[1.0]], [0])
    with pytest.raises(ValueError, match="only one class"):
        single.explain([1.0])


def test_a_class_may_be_called_mean():
    model = MRmDRNBClassifier().fit([[1.0], [2.0], [3.0]] * 5, ["mean", "median", "mode"] * 5)
    assert model.explain([1.0], "mode", "mean").against == ("mean",)


def test_weights():
    found = MODEL.explain(ROW, "tall", "other")
    rnb = MODEL.classifier_
    assert found.attributes[1].weights == {
        "u": rnb.attribute_weights_[1],
        "v (tall)": rnb.class_weights_[2, 1],
        "v (other)": rnb.class_weights_[0, 1],
    }
    assert list(MODEL.explain(ROW, "tall", "mean").attributes[1].weights) == ["u", "v (tall)"]
    assert MODELS[2].explain(ROW).attributes[0].weights == {}


def test_to_dict_is_plain():
    data = MODEL.explain({"height": np.float32(1.5), "colour": np.str_("red"), "open": np.bool_(True)}).to_dict()
    again = json.loads(json.dumps(data, allow_nan=False))
    assert again == data
    assert list(data) == ["target", "against", "probability", "score", "prior", "attributes"]
    assert [item["value"] for item in data["attributes"]] == [1.5, None, "red", True]


def test_labels_are_plain():
    model = MRmDRNBClassifier().fit(np.array([[1.0], [2.0]] * 5), np.array([0, 1] * 5, dtype=np.int8))
    found = model.explain([1.0])
    assert type(found.target) is int
    assert json.dumps(found.to_dict())


def test_printed():
    X = np.array([[1.0], [2.0], [3.0], [4.0]] * 5)
    model = DiscretizedClassifier(MRmDDiscretizer(), WANBIAClassifier()).fit(X, ["no", "no", "yes", "yes"] * 5)
    assert str(model.explain([3.5])).splitlines() == [
        "yes against no: log-odds +3.045, probability 0.955",
        "  attribute  value  bin         weight  log-odds",
        "  (prior)                                 +0.000",
        "  x0         3.5    (2.5, inf)   1.000    +3.045",
        "  (sum)                                   +3.045",
    ]


def test_printed_text_does_not_steer_a_terminal():
    X = pd.DataFrame({"na\x1b[31mme\n" + "e" * 200: ["a\x07", "b\u202e"] * 5})
    model = DiscretizedClassifier(MRmDDiscretizer(), NaiveBayesClassifier()).fit(X, ["x\n1", "y\x00"] * 5)
    text = str(model.explain(X.iloc[0]))
    assert not {"\x1b", "\x07", "\u202e", "\x00"} & set(text)
    assert len(text.splitlines()) == 5
    assert max(map(len, text.splitlines())) < 200
