"""What a scorecard gives is the same in Python, SQL, polars and ONNX, row by row."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from cutwise import ExportError, ModelError, ScorecardClassifier
from cutwise.persist import model_from_json
from tests.classify.scorecard.loans import CARD, SHAPES, STRANGE, X, Y
from tests.export.engines import ROW, polars_frame, run_duckdb, run_onnx, run_sqlite, typed

TABLE = pd.concat([X.head(400), STRANGE], ignore_index=True)
UNROUNDED = clone(CARD).set_params(rounding=None).fit(X, Y)
GROUPED = ScorecardClassifier(event="bad", selection="forward").fit(X, Y)
CARDS = pytest.mark.parametrize(
    "card", [CARD, SHAPES, UNROUNDED, GROUPED], ids=["logistic", "additive", "not rounded", "grouped"]
)
DATABASES = {"duckdb": run_duckdb, "sqlite": run_sqlite}


def columns_of(card):
    """The columns that are used, None where a value is missing."""
    return [[None if pd.isna(item) else item for item in TABLE[name].tolist()] for name in card.columns_]


def check(card, found, reasons, against):
    """Compare rows of score, probability, class, reasons and points."""
    bad = card.classes_.tolist().index("bad")
    scores, probabilities, classes, *rest = (list(column) for column in zip(*found, strict=True))
    assert scores == pytest.approx(card.points(TABLE), abs=1e-9)
    assert probabilities == pytest.approx(card.predict_proba(TABLE)[:, bad], abs=1e-12)
    assert classes == card.predict(TABLE).tolist()
    assert [list(row) for row in zip(*rest[:reasons], strict=True)] == card.reasons(
        TABLE, reasons, against=against
    ).tolist()
    assert np.column_stack(rest[reasons:]) == pytest.approx(card.points(TABLE, by_column=True), abs=1e-12)


@CARDS
@pytest.mark.parametrize(("reasons", "against"), [(4, "best"), (6, "mean"), (1, "best")])
@pytest.mark.parametrize("database", DATABASES)
def test_a_query_gives_the_same(card, database, reasons, against):
    sql = card.to_sql(database, keep=[ROW], reasons=reasons, against=against)
    used = card._exported()[0]
    check(card, DATABASES[database](sql, typed(used, columns_of(card))), reasons, against)


@CARDS
@pytest.mark.parametrize(("reasons", "against"), [(4, "best"), (6, "mean"), (1, "best")])
def test_polars_gives_the_same(card, reasons, against):
    frame = polars_frame(card._exported()[0], columns_of(card))
    found = frame.lazy().pipe(card.to_polars(reasons=reasons, against=against)).collect()
    assert found.columns[:4] == ["score", "probability", "prediction", "reason_1"]
    check(card, found.rows(), reasons, against)


@CARDS
def test_onnx_gives_the_same(card):
    found = run_onnx(card.to_onnx(), card._exported()[0], columns_of(card))
    classes, probabilities, scores, points = found
    assert classes.tolist() == card.predict(TABLE).tolist()
    assert probabilities == pytest.approx(card.predict_proba(TABLE), abs=1e-12)
    assert scores == pytest.approx(card.points(TABLE), abs=1e-9)
    assert points == pytest.approx(card.points(TABLE, by_column=True), abs=1e-12)


def test_points_of_whole_numbers_are_whole_in_sql():
    found = run_sqlite(CARD.to_sql("sqlite", keep=[ROW]), typed(CARD._exported()[0], columns_of(CARD)))
    assert isinstance(found[0][0], int)


def test_columns_that_are_not_used_are_not_asked_for():
    assert '"noise"' not in CARD.to_sql()
    assert {node.name for node in CARD.to_onnx().graph.input} == set(CARD.columns_)


def test_without_any_column_there_is_nothing_to_export():
    card = ScorecardClassifier().fit(np.zeros((20, 1)), np.arange(20) % 2)
    for export in (card.to_sql, card.to_polars, card.to_onnx):
        with pytest.raises(ExportError, match="uses no column"):
            export()


@CARDS
def test_json_gives_the_same(card):
    text = card.to_json()
    again = model_from_json(text)
    assert again.to_json() == text
    assert np.array_equal(again.points(TABLE), card.points(TABLE))
    assert again.predict_proba(TABLE).tobytes() == card.predict_proba(TABLE).tobytes()
    assert again.reasons(TABLE).tolist() == card.reasons(TABLE).tolist()
    assert (again.dropped_, again.columns_, again.event_) == (card.dropped_, card.columns_, card.event_)


def test_a_given_scheme_is_read_back():
    card = ScorecardClassifier(CARD.scheme_, event="bad").fit(X, Y)
    again = model_from_json(card.to_json())
    assert again.discretizer == card.scheme_
    assert np.array_equal(again.points(TABLE), card.points(TABLE))


DAMAGES = {
    "not used has a coefficient": lambda learned: learned["coefficients"].__setitem__(5, 1.0),
    "either 'coefficients' or 'scores'": lambda learned: learned.update(coefficients=None),
    "must be one of": lambda learned: learned["fates"].__setitem__(0, "lost"),
    "a column that is not there": lambda learned: learned["partners"].__setitem__(0, 99),
    "not from": lambda learned: learned.update(event=2),
}


@pytest.mark.parametrize("words", DAMAGES)
def test_damaged_cards_are_refused(words):
    data = model_from_json(CARD.to_json()).to_dict()
    DAMAGES[words](data["classifier"]["learned"])
    with pytest.raises(ModelError, match=words):
        ScorecardClassifier.from_dict(data)


@CARDS
def test_the_explanation_adds_up(card):
    row = TABLE.iloc[3]
    found = card.explain(row, target="bad")
    assert found.prior + sum(item.log_odds for item in found.attributes) == pytest.approx(found.score, abs=1e-9)
    assert found.probability == pytest.approx(
        card.predict_proba(TABLE.iloc[[3]])[0, card.classes_.tolist().index("bad")]
    )


@CARDS
def test_without_dropped_columns_it_is_the_same(card):
    used = card.without_dropped()
    table = TABLE[list(card.columns_)]
    assert used.columns_ == card.columns_
    assert used.dropped_ == {}
    assert np.array_equal(used.points(table), card.points(TABLE))
    assert used.reasons(table).tolist() == card.reasons(TABLE).tolist()
    assert used.predict_proba(table).tobytes() == card.predict_proba(TABLE).tobytes()
    assert used.to_sql() == card.to_sql()
    assert model_from_json(used.to_json()).points(table).tolist() == card.points(TABLE).tolist()
    assert used.without_dropped() is used


def test_without_names_columns_are_those_that_are_used():
    random = np.random.default_rng(0)
    table = random.normal(size=(400, 3))
    card = ScorecardClassifier().fit(table, table[:, 2] + random.normal(size=400) > 0)
    assert card.columns_ == ("x2",)
    used = card.without_dropped()
    assert used.points(pd.DataFrame({"x2": table[:, 2]})).tolist() == card.points(table).tolist()


def test_a_column_may_be_called_score():
    table = X.rename(columns={"age": "score", "arrears": "reason_1"})
    card = ScorecardClassifier(event="bad").fit(table, Y)
    assert {"score", "reason_1"} <= set(card.columns_)
    columns = [[None if pd.isna(item) else item for item in table[name].head(50)] for name in card.columns_]
    used = card._exported()[0]
    expected = card.points(table.head(50))
    for name, run in DATABASES.items():
        assert [row[0] for row in run(card.to_sql(name, keep=[ROW]), typed(used, columns))] == expected.tolist()
    assert polars_frame(used, columns).pipe(card.to_polars())["score"].to_list() == expected.tolist()
    assert run_onnx(card.to_onnx(), used, columns)[2].tolist() == expected.tolist()
