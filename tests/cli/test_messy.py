"""Messy files on the command line: recognised, told, read alike by later commands, and left out with a reason."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from cutwise import MRmDDiscretizer, Scheme
from tests.table.messy import messy_loans


@pytest.fixture
def loans(folder):
    """Write a messy file; return what it means."""
    written, meant, status = messy_loans()
    written["status"] = status
    written.to_csv("messy.csv", index=False)
    return meant, status


def scheme(path="scheme.json"):
    return Scheme.read(path)


def test_the_bins_are_those_of_the_numbers(run, loans):
    meant, status = loans
    code, output, errors = run("fit", "messy.csv", "-t", "status", "-o", "scheme.json", "--model", "model.json")
    assert code == 0
    assert "income: 282 numbers written as text, read as numbers" in errors
    assert errors.count("\n") == 7
    expected = MRmDDiscretizer(confirm=0.01).fit(meant, status).scheme_
    assert scheme().attributes == expected.attributes
    assert scheme().formats["debt"] == "1.234,5"
    assert "numeric" in output
    run("fit", "messy.csv", "-t", "status", "-o", "raw.json", "--no-clean", "--keep", "*")
    assert scheme("raw.json")["income"].kind == "nominal"


def test_later_files_are_read_alike(run, loans):
    meant, _ = loans
    run("fit", "messy.csv", "-t", "status", "-o", "scheme.json", "--model", "model.json")
    code, _, errors = run("apply", "scheme.json", "messy.csv", "--only", "-o", "codes.csv")
    assert (code, errors) == (0, "")
    codes = pd.read_csv("codes.csv").to_numpy()
    np.testing.assert_array_equal(codes, scheme().transform(meant))
    meant.to_parquet("clean.parquet")
    run("apply", "scheme.json", "clean.parquet", "--only", "-o", "again.csv")
    assert Path("again.csv").read_text() == Path("codes.csv").read_text()
    run("apply", "model.json", "messy.csv", "--only", "-o", "a.csv")
    run("apply", "model.json", "clean.parquet", "--only", "-o", "b.csv")
    assert Path("a.csv").read_text() == Path("b.csv").read_text()
    code, _, _ = run("check", "scheme.json", "messy.csv", "-t", "status", "--fail")
    assert code == 0


def test_a_file_that_leaves_it_open_is_read_as_the_first_one(run, refuses, loans):
    run("fit", "messy.csv", "-t", "status", "-o", "scheme.json")
    row = {"income": "9,000", "debt": "1.234", "ratio": "5%", "opened": "01.02.2021", "paid_on": "01/02/2021"}
    row |= {"owner": "yes", "home": "own"}
    same = {
        **row,
        "income": 9000.0,
        "debt": 1234.0,
        "ratio": 5.0,
        "opened": 18659.0,
        "paid_on": 18629.0,
        "owner": "Yes",
    }
    pd.DataFrame([row]).to_csv("new.csv", index=False)
    pd.DataFrame([row]).to_excel("new.xlsx", index=False)
    pd.DataFrame([same]).to_excel("numbers.xlsx", index=False)
    expected = scheme().transform(pd.DataFrame([same])).tolist()
    for name in ("new.csv", "new.xlsx"):
        code, _, errors = run("apply", "scheme.json", name, "--only", "-o", "codes.csv")
        assert (code, errors) == (0, "")
        assert pd.read_csv("codes.csv").to_numpy().tolist() == expected
    code, _, errors = run("apply", "scheme.json", "numbers.xlsx", "--only", "-o", "codes.csv")
    assert code == 0
    assert "Note: Column 'opened' held dates in fit; its numbers are taken for days since 1970-01-01." in errors
    assert pd.read_csv("codes.csv").to_numpy().tolist() == expected
    pd.DataFrame([row, {**row, "debt": "?!"}]).to_csv("odd.csv", index=False)
    code, _, errors = run("apply", "scheme.json", "odd.csv", "--only", "-o", "codes.csv")
    assert "Note: Column 'debt': 1 of 2 values cannot be read as numbers, such as '?!'. They are missing." in errors
    assert pd.read_csv("codes.csv")["debt"].tolist()[1] == -1
    pd.DataFrame([{**row, "debt": "?!"}]).to_csv("odd.csv", index=False)
    assert "none of its values can be read" in refuses("apply", "scheme.json", "odd.csv", "--only", "-o", "codes.csv")


def test_what_tells_nothing_or_too_much_is_left_out(run, refuses, loans):
    written = pd.read_csv("messy.csv", dtype=str, keep_default_na=False)[["income", "home", "status"]]
    written["id"] = np.arange(len(written))
    written["land"] = "de"
    written["name"] = [f"n{k}" for k in range(len(written))]
    written["reminded"] = written["status"].map({"late": "r", "paid": ""})
    written["outcome"] = written["status"].str.upper()
    written.drop(columns="reminded").to_csv("all.csv", index=False)
    code, output, errors = run("fit", "all.csv", "-t", "status", "-o", "s.json", "--json")
    assert code == 0
    assert scheme("s.json").names == ("income", "home")
    assert list(json.loads(output)["left_out"]) == ["id", "land", "name", "outcome"]
    run("report", "all.csv", "-t", "status", "-o", "r.html")
    assert Path("r.html").read_text().count("Left out: ") == 4
    assert "outcome: it gives the class away: it tells 100% of what there is to know. It is left out" in errors
    run("fit", "all.csv", "-t", "status", "-o", "s.json", "--keep", "outcome", "--keep", "id")
    assert scheme("s.json").names == ("income", "home", "id", "outcome")
    code, _, errors = run("fit", "all.csv", "-t", "status", "-o", "s.json", "-c", "land", "-c", "income")
    assert scheme("s.json").names == ("land", "income")
    assert "land: it has a single value, 'de'. It is used as you asked." in errors
    assert "no column 'x'" in refuses("fit", "messy.csv", "--no-clean", "-t", "status", "--keep", "x")


def test_categories_of_a_scheme_that_was_not_cleaned_stay(run, loans):
    run("fit", "messy.csv", "-t", "status", "-c", "home", "-o", "s.json", "--no-clean")
    assert "-" in scheme("s.json")["home"].categories
    run("apply", "s.json", "messy.csv", "--only", "-o", "codes.csv")
    assert pd.read_csv("codes.csv")["home"].min() == 0


def test_many_categories_and_long_cuts_are_told_for_people(run, tmp_path):
    rng = np.random.default_rng(0)
    jobs, share = rng.integers(0, 150, 3000), rng.integers(0, 100, 3000) / 100
    late = rng.random(3000) < np.where(share > 0.405, 0.7, 0.2) + 0.1 * (jobs % 3)
    file = tmp_path / "jobs.csv"
    pd.DataFrame({"job": [f"j{k}" for k in jobs], "share": share, "late": late}).to_csv(file, index=False)
    code, output, errors = run("fit", str(file), "-t", "late")
    assert code == 0
    assert errors == (
        "job: each of its 150 categories is a bin, many with few rows. "
        "--nominal group joins those with like class rates.\n"
    )
    assert "0.405 " in output
    code, output, errors = run("fit", str(file), "-t", "late", "--nominal", "group")
    assert (code, errors) == (0, "")
    assert "groups of 150 categories" in " ".join(output.split())
    rows = pd.DataFrame({"job": [f"j{k}" for k in jobs], "late": jobs % 2})[:1000]
    rows.to_csv(file, index=False)
    command = ("fit", str(file), "-t", "late", "--nominal", "group", "--keep", "*")
    assert run(*command)[::2] == (0, "")
    code, _, errors = run(*command, "--confirm", "none")
    assert code == 0
    assert "Note: Column 'job': its 150 categories have 6.7 rows each" in errors
    assert "Set -p max_categories=50, say, to take the rare ones as one" in errors
