"""`cutwise compare --hold`: do the cuts of methods hold on the other half of a table?"""

from __future__ import annotations

import json

import pytest

from cutwise import MDLPDiscretizer
from cutwise.paper.evaluate.holding import HalvedTable
from tests.cli.loans import loans

HOLD = ("compare", "loans.csv", "-t", "paid", "--hold", "--jobs", "1")


def test_figures_are_those_of_the_halves(run, folder):
    code, output, errors = run(*HOLD, "-m", "equal-frequency,mdlp", "--json")
    assert (code, errors) == (0, "")
    first, last = json.loads(output)
    assert (first["method"], last["method"]) == ("mdlp", "equal-frequency")
    table = loans()
    halved = HalvedTable(table.drop(columns="paid"), table["paid"].to_numpy())
    found = halved.judge(lambda X, y, _: MDLPDiscretizer().fit(X, y).cuts_)
    assert first["confirmed"] == found.confirmed
    assert first["new_relevance"] == pytest.approx(found.new_relevance / 2)
    assert first["found_again"] == pytest.approx(found.again)
    assert last["noise_cut"] == 1.0
    assert first["error"] is None


def test_the_table_fits_a_terminal_and_tells_of_repeats(run, folder):
    code, output, errors = run(*HOLD, "-m", "mdlp,fixed-frequency", "--repeats", "2")
    assert (code, errors) == (0, "")
    assert "loans.csv: learned from a half, judged by the other, 2 times" in output
    assert "fixed-frequency" in output
    assert max(map(len, output.splitlines())) <= 80


def test_what_has_no_meaning_is_refused(run, folder):
    for option in (("--classifier", "nb"), ("--journal", "c.journal")):
        code, _, errors = run(*HOLD, "-m", "mdlp", *option)
        assert code == 2
        assert f"Leave {option[0]} out" in errors
    code, _, errors = run(*HOLD, "-m", "mdlp", "-c", "home")
    assert (code, "no numeric column" in errors) == (2, True)


def test_a_method_that_fails_is_named(run, folder, monkeypatch):
    def fail(*_, **__):
        raise ValueError("no luck")

    monkeypatch.setattr(MDLPDiscretizer, "fit", fail)
    code, output, errors = run(*HOLD, "-m", "mdlp,equal-width")
    assert code == 1
    assert "mdlp failed: no luck" in errors
    assert "equal-width" in output


def test_a_terminal_shows_how_far_it_is(run, folder, monkeypatch):
    def fail(*_, **__):
        raise ValueError("no luck")

    assert run(*HOLD, "-m", "equal-width,equal-frequency")[2] == ""
    for name, value in {"FORCE_COLOR": "1", "COLUMNS": "100", "TERM": "xterm"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(MDLPDiscretizer, "fit", fail)
    code, _, errors = run(*HOLD, "-m", "mdlp,equal-width,equal-frequency")
    assert code == 1
    assert "3/3" in errors
    assert "1 failed" in errors
