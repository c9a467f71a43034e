"""`cutwise apply`, `explain` and `check`: the same figures as in Python."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from cutwise import MRmDDiscretizer, Scheme
from cutwise.persist import model_from_json
from tests.cli.loans import loans


@pytest.fixture
def learned(run, folder):
    """A scheme and a model in the folder."""
    assert run("fit", "loans.csv", "-t", "paid", "-o", "s.json", "--model", "m.json")[0] == 0
    loans(60, 8).to_csv("new.csv", index=False)
    return folder


def new_rows():
    return loans(60, 8).drop(columns="paid")


def fitted(**options):
    return MRmDDiscretizer(confirm=0.01, **options).fit(loans().drop(columns="paid"), loans()["paid"])


@pytest.mark.parametrize("out", ["out.csv", "out.tsv", "out.parquet"])
def test_codes_are_those_of_transform(run, learned, out):
    code, output, errors = run("apply", "s.json", "new.csv", "-o", out)
    assert (code, output, errors) == (0, "", "")
    readers = {
        "out.csv": pd.read_csv,
        "out.tsv": lambda path: pd.read_csv(path, sep="\t"),
        "out.parquet": pd.read_parquet,
    }
    found = readers[out](out)
    assert list(found.columns) == ["income", "age", "home", "paid"]
    assert (found[["income", "age", "home"]].to_numpy() == fitted().transform(new_rows())).all()
    assert found["paid"].tolist() == loans(60, 8)["paid"].tolist()


def test_labels_json_and_order(run, learned):
    expected = fitted(encode="label").transform(new_rows())
    table = loans(60, 8)[["paid", "home", "age", "income"]]
    table.to_csv("new.csv", index=False)
    code, output, _ = run("apply", "s.json", "new.csv", "--labels", "--only", "--json")
    assert code == 0
    records = json.loads(output)
    assert [[row["income"], row["age"], row["home"]] for row in records] == expected.tolist()
    assert list(records[0]) == ["income", "age", "home"]
    code, output, _ = run("apply", "s.json", "new.csv")
    assert output.splitlines()[0] == "paid,home,age,income"


def test_an_edited_scheme(run, learned):
    """The report's download is a scheme like any other."""
    scheme = Scheme.from_json(Path("s.json").read_text()).with_cuts("age", [40.0])
    Path("s.json").write_text(scheme.to_json())
    _, output, _ = run("apply", "s.json", "new.csv", "--only")
    ages = [int(line.split(",")[1]) for line in output.splitlines()[1:]]
    assert ages == (new_rows()["age"] > 40).astype(int).tolist()


def test_predictions_are_those_of_the_model(run, learned):
    model = model_from_json(Path("m.json").read_text())
    code, _, _ = run("apply", "m.json", "new.csv", "-o", "out.parquet")
    assert code == 0
    found = pd.read_parquet("out.parquet")
    assert found["predicted"].tolist() == model.predict(new_rows()).tolist()
    assert (found[["P(in time)", "P(late)"]].to_numpy() == model.predict_proba(new_rows())).all()
    found.to_csv("again.csv", index=False)
    code, _, errors = run("apply", "m.json", "again.csv")
    assert (code, errors) == (2, "cutwise: The table has a column 'predicted' already. Rename it, or use --only.\n")
    assert run("apply", "m.json", "again.csv", "--only")[0] == 0


def test_categories_that_look_like_numbers(run, folder):
    table = loans()
    table["home"] = table["home"].map({"own": "1", "rent": "b"})
    table.to_csv("loans.csv", index=False)
    assert run("fit", "loans.csv", "-t", "paid", "-o", "s.json")[0] == 0
    table[table["home"] == "1"].to_csv("new.csv", index=False)
    _, output, _ = run("apply", "s.json", "new.csv", "--only")
    assert {line.split(",")[2] for line in output.splitlines()[1:]} == {"0"}


def test_booleans_of_parquet_are_the_texts_of_csv(run, folder):
    table = loans()
    table["home"] = table["home"] == "own"
    table.to_parquet("loans.parquet")
    table.to_csv("loans.csv", index=False)
    assert run("fit", "loans.parquet", "-t", "paid", "-o", "s.json")[0] == 0
    assert run("apply", "s.json", "loans.parquet", "-o", "out.parquet")[0] == 0
    assert pd.read_parquet("out.parquet")["home"].tolist() == table["home"].astype(int).tolist()
    assert run("apply", "s.json", "loans.csv", "-o", "out.csv")[0] == 0
    assert pd.read_csv("out.csv")["home"].tolist() == table["home"].astype(int).tolist()


def test_texts_for_people_are_no_formulas(run, learned):
    table = loans(60, 8)
    table["note"] = "=1+1"
    table.to_csv("new.csv", index=False)
    assert run("apply", "s.json", "new.csv")[1].splitlines()[1].endswith(",'=1+1")
    assert run("apply", "s.json", "new.csv", "--raw")[1].splitlines()[1].endswith(",=1+1")


def test_a_scheme_without_names(run, folder):
    table = loans()[["income", "age"]]
    scheme = MRmDDiscretizer().fit(table.to_numpy(), loans()["paid"]).scheme_
    Path("s.json").write_text(scheme.to_json())
    table.to_csv("new.csv", index=False)
    code, output, _ = run("apply", "s.json", "new.csv")
    assert code == 0
    assert output.splitlines()[0] == "income,age"


def test_explain(run, learned, refuses):
    model = model_from_json(Path("m.json").read_text())
    expected = model.explain(new_rows().iloc[[4]])
    assert run("explain", "m.json", "new.csv", "--row", "5") == (0, f"{expected}\n", "")
    code, output, _ = run("explain", "m.json", "new.csv", "--row", "5", "--json")
    assert (code, json.loads(output)) == (0, expected.to_dict())
    code, output, _ = run("explain", "m.json", "new.csv", "--class", "late", "--against", "in time")
    assert output.startswith("late against in time: ")
    assert refuses("explain", "m.json", "new.csv", "--row", "61").startswith(
        "There is no row 61: the table has 60 rows."
    )
    assert refuses("explain", "m.json", "new.csv", "--class", "x").startswith("'target' is 'x', but the classes are")
    assert refuses("explain", "s.json", "new.csv").startswith("The file 's.json' holds no model that explains.")
    assert run("explain", "m.json", "new.csv", "--row", "0")[0] == 2


def test_check(run, learned, refuses):
    scheme = Scheme.from_json(Path("s.json").read_text())
    stable = scheme.evaluate(new_rows(), loans(60, 8)["paid"])
    assert run("check", "s.json", "new.csv", "-t", "paid") == (0, f"{stable}\n", "")
    loans(400, 9, older=25).to_csv("old.csv", index=False)
    shifted = scheme.evaluate(loans(400, 9, older=25).drop(columns="paid"))
    assert not shifted.is_stable
    assert run("check", "s.json", "old.csv")[0] == 0
    code, output, errors = run("check", "s.json", "old.csv", "--fail", "-a", "age")
    assert (code, output, errors) == (1, f"{shifted}\n\n{shifted['age']}\n", "")
    code, output, _ = run("check", "m.json", "old.csv", "--json")
    assert (code, json.loads(output)["verdict"]) == (0, shifted.verdict)
    assert refuses("check", "s.json", "new.csv", "-a", "agee").startswith("The scheme has no attribute 'agee'. Did you")


def test_check_by_period(run, learned, refuses):
    parts = [loans(300, 9), loans(300, 10, older=25)]
    table = pd.concat(parts, ignore_index=True)
    table["opened"] = ["2025-01-07"] * 300 + ["2025-06-30"] * 300
    table["wave"] = [9] * 300 + [10] * 300
    table.to_csv("later.csv", index=False)
    scheme = Scheme.from_json(Path("s.json").read_text())
    found = scheme.evaluate(table, table["paid"], by=("opened", "month"))
    assert found.periods == ("2025-01", "2025-06")
    for options in (["--by", "month"], ["--by", "month", "--date", "opened"]):
        assert run("check", "s.json", "later.csv", "-t", "paid", *options) == (0, f"{found}\n", "")
    assert run("check", "s.json", "later.csv", "--by", "quarter", "--fail")[0] == 1
    code, output, _ = run("check", "s.json", "later.csv", "--by", "wave", "--json")
    assert (code, json.loads(output)["periods"]) == (0, ["9", "10"])
    code, output, _ = run("check", "s.json", "later.csv", "-t", "paid", "--by", "month", "--report", "page.html")
    assert (code, output) == (0, f"{found}\nreport: page.html\n")
    assert "2025-06" in Path("page.html").read_text()
    assert refuses("check", "s.json", "new.csv", "--by", "month").startswith("by='month' needs one column of dates")
    assert refuses("check", "s.json", "new.csv", "--by", "mnth").startswith("There is no column 'mnth' for 'by'")
    wrong = refuses("check", "s.json", "later.csv", "--date", "opened", "--by", "mnth")
    assert wrong == "--by must be month, quarter or year of the dates, not 'mnth'."
    assert refuses("check", "s.json", "later.csv", "--date", "opened").startswith("--date names the dates of periods")
    assert refuses("check", "s.json", "later.csv", "--by", "month", "-a", "age").startswith("--attribute shows bins")


def test_pages_show_how_new_rows_do(run, learned, refuses):
    loans(400, 9, older=25).to_csv("old.csv", index=False)
    loans(400, 9, older=25).drop(columns="paid").to_csv("bare.csv", index=False)
    scheme = Scheme.from_json(Path("s.json").read_text())
    shifted = scheme.evaluate(loans(400, 9, older=25), loans(400, 9, older=25)["paid"])
    code, output, _ = run("check", "s.json", "old.csv", "-t", "paid", "--report", "check.html")
    assert (code, output) == (0, f"{shifted}\nreport: check.html\n")
    assert run("report", "s.json", "loans.csv", "-t", "paid", "--check", "old.csv", "-o", "page.html")[0] == 0
    assert run("report", "loans.csv", "-t", "paid", "--check", "old.csv", "-o", "direct.html")[0] == 0
    for name in ("check.html", "page.html", "direct.html"):
        assert Path(name).read_text().count(shifted.verdict) == 2
    code, _, errors = run("report", "s.json", "-t", "paid", "--weight", "w", "--check", "bare.csv")
    assert code == 0
    assert errors == (
        "Note: bare.csv has no column 'paid', so class rates are not compared.\n"
        "Note: bare.csv has no column 'w', so each of its rows counts once.\n"
    )
    code, output, _ = run("check", "s.json", "old.csv", "--json", "--report", "-")
    assert output.startswith("<!DOCTYPE html>")
    assert output.endswith("</html>\n")
    assert refuses("check", "s.json", "new.csv", "--report", "new.csv").startswith("The file 'new.csv' is used twice")
    assert refuses("report", "s.json", "--check", "new.csv", "-o", "new.csv").startswith("The file 'new.csv' is used")


@pytest.mark.parametrize(("arguments", "message"), [
    (["none.json", "new.csv"], "There is no file 'none.json'. `cutwise fit` writes schemes"),
    (["new.csv", "new.csv"], "The file 'new.csv': "),
    (["s.json", "none.csv"], "There is no file 'none.csv'."),
    (["s.json", "few.csv"], "The table has no column 'income'; there are 'age', 'paid'."),
    (["s.json", "words.csv"], "Column 'age' held numbers in fit; none of its values can be read"),
    (["s.json", "new.csv", "-o", "new.csv"], "The file 'new.csv' is used twice"),
    (["s.json", "new.csv", "-o", "./s.json"], "The file 's.json' is used twice"),
    (["s.json", "new.csv", "-o", "out.doc"], "Unknown file extension: 'out.doc'. Use one of .csv, .tsv, .parquet."),
    (["s.json", "new.csv", "-o", "folder.csv"], "The file 'folder.csv' cannot be written: "),
])  # fmt: skip
def test_wrong_use_is_one_sentence(refuses, learned, arguments, message):
    table = loans(60, 8)
    table[["age", "paid"]].to_csv("few.csv", index=False)
    table.assign(age="old").to_csv("words.csv", index=False)
    Path("folder.csv").mkdir()
    assert refuses("apply", *arguments).startswith(message)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": "cutwise model"}', '{"format": "cutwise scheme"}', "\xff"])
def test_files_that_are_no_scheme(refuses, learned, text):
    Path("bad.json").write_bytes(text.encode("latin-1"))
    for command in ("apply", "explain", "check"):
        assert refuses(command, "bad.json", "new.csv").startswith("The file 'bad.json': ")
