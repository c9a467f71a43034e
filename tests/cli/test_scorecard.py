"""``cutwise scorecard``, and what ``report`` and ``apply`` make of it, are what Python does."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import duckdb
import numpy as np
import openpyxl
import pandas as pd
import pytest

from cutwise import MRmDDiscretizer, ScorecardClassifier
from cutwise.persist import model_from_json
from tests.classify.scorecard.loans import loans

FILES = ("loans-scorecard.json", "loans-scorecard.html", "loans-scorecard.sql", "loans-scorecard.xlsx")


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """Return the folder of two tables of loans."""
    folder = tmp_path_factory.mktemp("scorecard")
    for name, seed in (("loans", 7), ("new", 9)):
        table, y = loans(1_500, seed=seed)
        table.assign(default=np.where(y == "bad", "yes", "no")).to_csv(folder / f"{name}.csv", index=False)
    return folder


@pytest.fixture
def here(tables, tmp_path, monkeypatch):
    """A folder of one's own with the tables."""
    for name in ("loans.csv", "new.csv"):
        (tmp_path / name).write_bytes((tables / name).read_bytes())
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    monkeypatch.undo()


def test_model_report_query_and_workbook_in_one_go(here, run):
    code, output, errors = run(
        "scorecard", "loans.csv", "--target", "default", "--event", "yes", "--excel", "--check", "new.csv"
    )
    assert (code, errors) == (0, "")
    assert all((here / name).is_file() for name in FILES)
    assert "event yes" in output
    assert "not used: noise: all rows are in one bin" in output
    assert "new.csv: AUC 0." in output
    card = model_from_json(Path("loans-scorecard.json").read_text())
    assert isinstance(card, ScorecardClassifier)
    assert card.event_ == "yes"
    new = pd.read_csv("new.csv")
    with duckdb.connect() as connection:
        connection.register("data", new)
        found = connection.execute(Path("loans-scorecard.sql").read_text()).fetchall()
    X = new.drop(columns="default")
    assert sorted(row[0] for row in found) == sorted(card.points(X).tolist())
    book = openpyxl.load_workbook("loans-scorecard.xlsx")
    assert book.sheetnames == [
        "Scorecard", "Points", "Columns", "Bands training rows", "ROC training rows", "Bands new.csv", "ROC new.csv",
    ]  # fmt: skip
    assert len(book["Bands new.csv"]._charts) == len(book["ROC new.csv"]._charts) == 1
    points = [row[-1] for row in book["Points"].iter_rows(min_row=2, values_only=True)]
    assert points == card.to_frame("pandas")["points"].tolist()
    page = Path("loans-scorecard.html").read_text()
    assert "Performance on <bdi>new.csv</bdi>" in page
    assert "<script" not in page


def test_other_models_and_scales(here, run):
    code, output, _ = run(
        "scorecard", "loans.csv", "-t", "default", "--event", "yes", "--model", "additive", "--forward", "--pdo", "40",
        "--base-score", "500", "--base-odds", "1", "-o", "card", "--json",
    )  # fmt: skip
    assert code == 0
    told = json.loads(output)
    assert told["files"] == {"model": "card.json", "report": "card.html", "sql": "card.sql"}
    card = model_from_json(Path("card.json").read_text())
    assert (card.model, card.selection, card.pdo, card.base_score, card.base_odds) == (
        "additive",
        "forward",
        40,
        500,
        1,
    )
    assert [line["points"] for line in told["points"]] == card.to_frame("pandas")["points"].tolist()
    assert set(told["dropped"]) == set(card.dropped_)
    assert told["performance"]["training rows"]["auc"]["value"] > 0.65


def test_a_scheme_is_taken_as_it_is(here, run, refuses):
    table = pd.read_csv("loans.csv")
    X, y = table.drop(columns="default"), table["default"]
    found = MRmDDiscretizer(event="yes", nominal="group").fit(X[["age", "home", "income"]], y).scheme_
    agreed = found.with_cuts("age", [30, 50]).recount(X, y)
    Path("bins.json").write_text(agreed.to_json())
    command = ("scorecard", "loans.csv", "--target", "default", "--event", "yes", "--scheme", "bins.json")
    assert run(*command)[::2] == (0, "")
    card = model_from_json(Path("loans-scorecard.json").read_text())
    assert card.scheme_ == replace(agreed, missing="bin")
    direct = ScorecardClassifier(agreed, event="yes").fit(X[list(agreed.names)], y)
    assert card.points(X[list(agreed.names)]).tolist() == direct.points(X[list(agreed.names)]).tolist()
    assert "so --max-bins has no effect" in refuses(*command, "--max-bins", "4")
    assert "so --special has no effect" in refuses(*command, "--special", "-999")
    assert "has no effect" in refuses(*command, "-x", "age")


def test_apply_gives_score_probability_and_reasons(here, run):
    assert run("scorecard", "loans.csv", "-t", "default", "--event", "yes")[0] == 0
    pd.read_csv("new.csv").drop(columns=["noise", "default"]).to_csv("few.csv", index=False)
    code, _, _ = run("apply", "loans-scorecard.json", "few.csv", "-o", "out.csv")
    assert code == 0
    found = pd.read_csv("out.csv")
    card = model_from_json(Path("loans-scorecard.json").read_text())
    X = pd.read_csv("new.csv").drop(columns="default")
    assert found["score"].tolist() == card.points(X).tolist()
    assert found["P(yes)"].to_numpy() == pytest.approx(card.predict_proba(X)[:, 1])
    reasons = found[[f"reason_{place}" for place in range(1, 5)]]
    assert reasons.astype(object).where(reasons.notna(), None).to_numpy().tolist() == card.reasons(X).tolist()


def test_report_knows_a_scorecard(here, run, refuses):
    assert run("scorecard", "loans.csv", "-t", "default", "--event", "yes")[0] == 0
    assert run("report", "loans-scorecard.json", "-o", "alone.html")[0] == 0
    assert "Performance" not in (here / "alone.html").read_text()
    assert run("report", "loans-scorecard.json", "new.csv", "-t", "default", "-o", "new.html")[0] == 0
    assert "Performance on <bdi>new.csv</bdi>" in (here / "new.html").read_text()
    assert run("report", "loans-scorecard.json", "-o", "card.xlsx")[0] == 0
    assert openpyxl.load_workbook("card.xlsx").sheetnames == ["Scorecard", "Points", "Columns"]
    assert "--target" in refuses("report", "loans-scorecard.json", "new.csv", "-o", "other.html")


def test_wrong_use_is_one_sentence(here, refuses):
    assert "--target COLUMN" in refuses("scorecard", "loans.csv")
    assert "'yess' is none of the classes" in refuses("scorecard", "loans.csv", "-t", "default", "--event", "yess")
    assert "There is no model 'tree'" in refuses("scorecard", "loans.csv", "-t", "default", "--model", "tree")
    assert "classes" in refuses("scorecard", "loans.csv", "-t", "arrears")
    assert not (here / FILES[0]).exists()


def test_without_a_column_there_is_no_query(here, run):
    code, _, errors = run("scorecard", "loans.csv", "-t", "default", "-c", "noise", "-o", "empty")
    assert code == 0
    assert "there is no query" in errors
    assert not (here / "empty.sql").exists()


def test_a_column_that_gives_the_class_away_is_left_out(here, run):
    table = pd.read_csv("loans.csv")
    table.assign(paid=(table["default"] == "no") * 1.0).to_csv("leak.csv", index=False)
    code, output, errors = run("scorecard", "leak.csv", "-t", "default", "--event", "yes")
    assert code == 0
    assert (
        "paid: it gives the class away: it tells 100% of what there is to know. It is left out; --keep paid" in errors
    )
    assert "paid" not in output
    code, output, errors = run("scorecard", "leak.csv", "-t", "default", "--event", "yes", "--keep", "paid")
    assert code == 0
    assert "It is used as you asked." in errors
    assert "paid" in output


def test_a_messy_file_is_read_the_same_way_when_it_is_scored(here, run):
    table = pd.read_csv("loans.csv")
    names = [name for name in table if pd.api.types.is_numeric_dtype(table[name])]
    messy = table.assign(
        **{name: ["n/a" if pd.isna(v) else f"${v:,.2f}" for v in table[name]] for name in names},
        opened=[f"{1 + k % 28:02}.03.2024" for k in range(len(table))],
    )
    messy.to_csv("messy.csv", index=False)
    for name in ("loans", "messy"):
        assert run("scorecard", f"{name}.csv", "-t", "default", "--event", "yes", "--check", f"{name}.csv")[0] == 0
        assert run("apply", f"{name}-scorecard.json", f"{name}.csv", "-o", f"{name}-scored.csv")[0] == 0
    scored = [pd.read_csv(f"{name}-scored.csv")["score"] for name in ("loans", "messy")]
    pd.testing.assert_series_equal(*scored)
    command = ("scorecard", "messy.csv", "-t", "default", "--event", "yes", "--scheme", "messy-scorecard.json")
    assert run(*command, "-o", "again")[0] == 0
    assert run("apply", "again.json", "messy.csv", "-o", "again.csv")[0] == 0
    pd.testing.assert_series_equal(pd.read_csv("again.csv")["score"], scored[1])
