"""Scorecards as PMML: what a PMML program makes of it is what Python gives. `make test-pmml` gets the program."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from cutwise import ExportError, ScorecardClassifier
from tests.classify.scorecard.loans import CARD, SHAPES, STRANGE, X, Y

TABLE = pd.concat([X.head(200), STRANGE], ignore_index=True)
GROUPED = ScorecardClassifier(event="bad", rounding=None).fit(X, Y)
CARDS = pytest.mark.parametrize("card", [CARD, SHAPES, GROUPED], ids=["logistic", "additive", "grouped"])
SPACE = "{http://www.dmg.org/PMML-4_4}"


def plain_rows(names):
    """Rows as a PMML program takes them, None where a value is missing."""
    table = TABLE[list(names)].astype(object)
    return table.where(table.notna(), None).to_dict("records")


def fits(predicate, row):
    """Whether a row fits a predicate; None if that is not known."""
    kind = predicate.tag.removeprefix(SPACE)
    if kind == "True":
        return True
    if kind == "CompoundPredicate":
        return all(fits(one, row) for one in predicate)
    value, operator = row[predicate.get("field")], predicate.get("operator")
    if operator == "isMissing":
        return value is None
    if value is None:
        return None
    if kind == "SimpleSetPredicate":
        return f'"{value}"' in predicate[0].text
    limit = float(predicate.get("value"))
    return {"equal": value == limit, "greaterThan": value > limit, "lessOrEqual": value <= limit}[operator]


def evaluate(text, rows):
    """A PMML scorecard in a few lines: scores, and reasons with their costs."""
    root = ET.fromstring(text.encode())  # noqa: S314
    found = []
    for row in rows:
        score, costs = 0.0, []
        for characteristic in root.iter(f"{SPACE}Characteristic"):
            attribute = next(one for one in characteristic if fits(one[0], row))
            points = float(attribute.get("partialScore"))
            score += points
            costs.append((float(characteristic.get("baselineScore")) - points, characteristic.get("reasonCode")))
        found.append((score, sorted(costs, key=lambda one: -one[0])))
    return found


@CARDS
@pytest.mark.parametrize("against", ["best", "mean"])
def test_the_document_says_what_the_card_says(card, against):
    found = evaluate(card.to_pmml(against=against), plain_rows(card.columns_))
    assert [score for score, _ in found] == pytest.approx(card.points(TABLE), abs=1e-9)
    for (_, costs), expected in zip(found, card.reasons(TABLE, k=4, against=against), strict=True):
        assert [name for cost, name in costs if cost > 1e-9][:4] == [name for name in expected if name is not None]


def test_each_characteristic_gives_points():
    card = clone(CARD).fit(X.assign(age=X["age"].where(np.arange(len(X)) % 9 > 0)), Y)
    assert "age" in card.columns_
    for one in ET.fromstring(card.to_pmml().encode()).iter(f"{SPACE}Characteristic"):  # noqa: S314
        assert any(float(own.attrib["partialScore"]) for own in one.iter(f"{SPACE}Attribute"))


def test_texts_that_xml_cannot_hold_are_refused():
    table = X.assign(home=X["home"].map(lambda name: f"{name}\x01" if name == "rent" else name))
    with pytest.raises(ExportError, match="XML has no place"):
        clone(CARD).fit(table, Y).to_pmml()
    odd = X.assign(home=X["home"].map(lambda name: 'a "b" <c> & d' if name == "rent" else name))
    text = clone(CARD).fit(odd, Y).to_pmml()
    assert ET.fromstring(text.encode()).tag == f"{SPACE}PMML"  # noqa: S314


def test_a_column_that_is_called_like_an_output_is_refused():
    card = ScorecardClassifier(event="bad").fit(X.rename(columns={"age": "score"}), Y)
    assert "score" in card.columns_
    with pytest.raises(ExportError, match="'score' has the name of an output"):
        card.to_pmml()


@pytest.mark.filterwarnings("ignore")
@CARDS
@pytest.mark.parametrize("against", ["best", "mean"])
def test_a_pmml_program_gives_the_same(pypmml, card, against):
    model = pypmml.Model.fromString(card.to_pmml(against=against))
    scores, reasons = card.points(TABLE), card.reasons(TABLE, k=4, against=against)
    offset = 600 - 20 / np.log(2) * np.log(50)
    for row, score, expected in zip(plain_rows(card.columns_), scores, reasons, strict=True):
        found = model.predict(row)
        assert found["score"] == pytest.approx(score, abs=1e-9)
        assert found["probability"] == pytest.approx(1 / (1 + np.exp((score - offset) * np.log(2) / 20)), abs=1e-9)
        known = [name for name in expected if name is not None]
        assert [found[f"reason_{rank}"] for rank in range(1, len(known) + 1)] == known
