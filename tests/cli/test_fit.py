"""`cutwise fit`: what it learns is what Python learns, and wrong use is one sentence."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from rich.console import Console

import cutwise
from cutwise import AdditiveClassifier, MRmDDiscretizer, Scheme, all_discretizers
from cutwise.cli.inputs import make_method
from cutwise.cli.options import CLASSIFIERS, METHODS, SYSTEMS, make_classifier, method_class
from cutwise.cli.progress import FitBar, watch
from cutwise.errors import CutwiseError
from cutwise.persist import model_from_json
from cutwise.report import shapes_report
from tests.cli.loans import loans
from tests.versions import needs_callbacks


def scheme(path="scheme.json"):
    return Scheme.from_json(Path(path).read_text())


def parts(table):
    return table.drop(columns="paid"), table["paid"]


def test_the_scheme_is_that_of_python(run, folder):
    code, output, errors = run("fit", "loans.csv", "--target", "paid", "-o", "scheme.json")
    assert (code, errors) == (0, "")
    assert "MRmD: 240 rows, 3 attributes" in output
    assert "scheme: scheme.json" in output
    assert scheme() == MRmDDiscretizer(confirm=0.01).fit(*parts(loans())).scheme_


def test_json_is_the_scheme(run, folder):
    code, output, errors = run("fit", "loans.csv", "-t", "paid", "--json", "-o", "scheme.json")
    assert (code, errors) == (0, "")
    found = json.loads(output)
    assert Scheme.from_dict(found["scheme"]) == scheme()
    assert found["files"] == {"scheme": "scheme.json"}
    code, output, _ = run("fit", "loans.csv", "-t", "paid", "-o", "-")
    assert Scheme.from_json(output) == scheme()


def test_the_table_rounds_no_cut_away(run, folder):
    Path("near.csv").write_text("x\n" + "\n".join(str(1000000 + k / 8) for k in range(9)))
    code, output, _ = run("fit", "near.csv", "-m", "fixed-cuts", "-p", "cuts=1000000.25,1000000.75")
    assert code == 0
    assert "1000000.25" in output
    assert "1000000.75" in output


def test_errors_of_the_library_name_options_here(refuses, folder):
    Path("latin.csv").write_bytes("é,paid\n1,yes\n".encode("latin-1"))
    Path("two.csv").write_text("a|b;c|d\n1|2;3|4\n")
    Path("data").write_text("a\n1\n")
    for name, hint in (
        ("latin.csv", "Set its encoding, such as --encoding cp1252."),
        ("two.csv", "Set --delimiter ; or --delimiter |."),
        ("data", "Unknown file extension: 'data'. Set --format to one of csv"),
    ):
        assert hint in refuses("fit", name)


def test_all_names_are_known():
    known = {name for name, found in all_discretizers() if hasattr(found, "method_name")}
    assert {entry.name for entry in METHODS.values()} == known
    assert all(type(make_classifier(name)).__name__ == entry.name for name, entry in CLASSIFIERS.items())
    assert all(method_class(name).__name__ == entry.name for name, entry in METHODS.items())


QUICK = {"emd": ["-p", "max_evaluations=200", "-p", "classifiers=naive_bayes"], "fixed-cuts": ["-p", "cuts=30,50"]}


@pytest.mark.parametrize("method", METHODS)
def test_every_method_fits(run, folder, method):
    code, _, errors = run("fit", "loans.csv", "-t", "paid", "-m", method, "-o", "s.json", *QUICK.get(method, []))
    assert (code, errors) == (0, "")
    assert scheme("s.json").method == method_class(method).method_name


def test_options_become_parameters(run, folder):
    table = loans()
    table["weight"] = np.arange(len(table)) % 3
    table["id"] = np.arange(len(table))
    table.loc[::10, "age"] = -1
    table.to_csv("loans.csv", index=False)
    options = ["--weight", "weight", "-x", "id", "--special", "age=-1", "--max-bins", "3", "--min-bin-size", "0.05"]
    options += ["--monotonic", "auto", "--missing", "bin", "--place", "readable", "--jobs", "2"]
    options += ["--confirm", "0.2"]
    code, _, errors = run("fit", "loans.csv", "-t", "paid", *options, "-p", "n_d=20", "-o", "s.json")
    assert (code, errors) == (0, "")
    expected = MRmDDiscretizer(
        20,
        special_values={"age": [-1]},
        max_bins=3,
        min_bin_size=0.05,
        monotonic="auto",
        missing="bin",
        place="readable",
        confirm=0.2,
    ).fit(table[["income", "age", "home"]], table["paid"], sample_weight=table["weight"])
    assert scheme("s.json") == expected.scheme_
    run("fit", "loans.csv", "-t", "paid", "-c", "age", "-c", "home", "-o", "s.json")
    assert scheme("s.json").names == ("age", "home")


def test_without_classes(run, folder, refuses):
    code, _, _ = run("fit", "loans.csv", "-x", "paid", "-m", "equal-width", "-o", "s.json", "--report", "r.html")
    assert code == 0
    assert scheme("s.json").classes == ("all rows",)
    assert "Bins of loans.csv" in Path("r.html").read_text()
    assert refuses("fit", "loans.csv") == "The method 'mrmd' learns from classes. Name their column: --target COLUMN."


@pytest.mark.parametrize("labels", [[0, 1], [0.0, 1.0], ["01", "1"], [True, False], ["yes", "1"]])
def test_labels_of_classes(run, folder, labels):
    table = loans()
    table["paid"] = table["paid"].map(dict(zip(["late", "in time"], labels, strict=True)))
    table.to_csv("loans.csv", index=False)
    assert run("fit", "loans.csv", "-t", "paid", "-o", "s.json")[0] == 0
    expected = {0: (0, 1), "01": ("01", "1"), True: ("False", "True"), "yes": ("1", "yes")}
    assert scheme("s.json").classes == expected[labels[0] if not isinstance(labels[0], float) else 0]
    assert run("check", "s.json", "loans.csv", "-t", "paid", "--fail")[0] == 0


def test_models(run, folder):
    for name in CLASSIFIERS:
        code, output, errors = run("fit", "loans.csv", "-t", "paid", "--model", "m.json", "--classifier", name)
        assert (code, errors) == (0, "")
        assert "model: m.json" in output
        model = model_from_json(Path("m.json").read_text())
        assert type(model.classifier_).__name__ == CLASSIFIERS[name].name


@pytest.mark.parametrize("name", SYSTEMS)
def test_models_with_bins_of_their_own(name, run, folder):
    code, output, errors = run("fit", "loans.csv", "-t", "paid", "--model", "m.json", "--classifier", name)
    assert (code, errors) == (0, "")
    assert "model: m.json" in output
    assert type(model_from_json(Path("m.json").read_text())).__name__ == SYSTEMS[name].name
    assert run("apply", "m.json", "loans.csv", "-o", "p.csv")[0] == 0
    assert "predicted" in Path("p.csv").read_text().splitlines()[0]
    assert "log-odds" in run("explain", "m.json", "loans.csv")[1]


def test_models_of_the_bins_of_a_method(run, folder):
    options = ("loans.csv", "-t", "paid", "-m", "mdlp", "-o", "s.json", "--model", "m.json", "--classifier")
    assert run("fit", *options, "additive")[0] == 0
    assert model_from_json(Path("m.json").read_text()).scheme_ == scheme("s.json")
    assert scheme("s.json").method == "MDLP"
    code, _, errors = run("fit", *options, "cutwise")
    assert (code, errors) == (2, "cutwise: The classifier 'cutwise' finds its bins by itself. Leave --method out.\n")


def test_reports_can_be_edited(run, folder):
    assert run("fit", "loans.csv", "-t", "paid", "--report", "r.html", "-o", "s.json")[0] == 0
    assert run("report", "s.json", "loans.csv", "-t", "paid", "-o", "again.html")[:2] == (0, "report: again.html\n")
    assert Path("r.html").read_text() == Path("again.html").read_text()
    assert run("report", "s.json", "-o", "bare.html")[0] == 0
    assert len(Path("bare.html").read_text()) < len(Path("r.html").read_text())
    code, _, errors = run("report", "loans.csv", "-t", "paid", "-o", "direct.html")
    assert (code, errors) == (0, "")
    assert Path("direct.html").read_text() == Path("r.html").read_text()


@pytest.mark.parametrize(("arguments", "message"), [
    (["none.csv", "-t", "paid"], "There is no file 'none.csv'. Check its name and its folder."),
    (["loans.csv", "-t", "payd"], "The table has no column 'payd'. Did you mean 'paid'?"),
    (["loans.csv", "-t", "paid", "-m", "mrdm"], "There is no method 'mrdm'. Did you mean 'mrmd'?"),
    (["loans.csv", "-t", "paid", "-c", "zzz"], "The table has no column 'zzz'; there are 'income', 'age', "),
    (["loans.csv", "-t", "paid", "-x", "age", "-x", "income", "-x", "home"], "No column is left to work on. "),
    (["loans.csv", "-t", "income"], "The target y has no label in 20 of 240 rows"),
    (["loans.csv", "-t", "paid", "-p", "n_d"], "The parameter 'n_d' has no value. Write it as key=value"),
    (["loans.csv", "-t", "paid", "-p", "nd=5"], "The method 'mrmd' has no parameter 'nd'. Did you mean 'n_d'?"),
    (["loans.csv", "-t", "paid", "-p", "n_d=-1"], "The 'n_d' parameter of MRmDDiscretizer must be a float in"),
    (["loans.csv", "-t", "paid", "--max-bins", "x"], "The 'max_bins' parameter of MRmDDiscretizer must be"),
    (["loans.csv", "-t", "paid", "--max-bins", "3", "-p", "max_bins=4"], "The parameter 'max_bins' is given twice."),
    (["loans.csv", "-t", "paid", "-m", "pkid", "--max-bins", "3"], "The method 'pkid' has no parameter 'max_bins'"),
    (["loans.csv", "-t", "paid", "--special", "x"], "The special value 'x' is no number."),
    (["loans.csv", "-t", "paid", "--special", "1", "--special", "age=1"], "Special values are either for all columns"),
    (["loans.csv", "-t", "paid", "--special", "agee=1"], "'special_values' names the column 'agee'"),
    (["loans.csv", "-t", "paid", "--weight", "home"], "'sample_weight' must be numbers"),
    (["loans.csv", "-t", "paid", "-o", "loans.csv"], "The file 'loans.csv' is used twice"),
    (["loans.csv", "-t", "paid", "-o", "a", "--report", "./a"], "The file 'a' is used twice"),
    (["loans.csv", "-t", "paid", "-o", "-", "--model", "-"], "Two results cannot both go to the standard output."),
    (["loans.csv", "-t", "paid", "-o", "no/where.json"], "There is no folder 'no' for 'where.json'."),
    (["loans.csv", "-t", "paid", "--model", "m", "--classifier", "nbb"], "There is no classifier 'nbb'. Did you mean"),
    (["loans.csv", "-t", "paid", "-o", "s.xlsx"], "Wrong file extension: 's.xlsx'. A scheme is"),
    (["loans.csv", "-t", "paid", "--model", "m.pkl"], "Wrong file extension: 'm.pkl'. A model is"),
    (["loans.csv", "-t", "paid", "--report", "r.pdf"], "Wrong file extension: 'r.pdf'. A report is"),
    (["loans.csv", "-t", "paid", "--weights", "some"], "The 'weights' parameter"),
    (["loans.csv", "-t", "paid", "--monotonic", "up"], "The 'monotonic' parameter"),
    (["loans.csv", "-t", "paid", "--jobs", "0"], "The number of jobs is 0. Use 1 or more"),
    (["loans.csv", "-t", "paid", "--encoding", "x"], "There is no encoding 'x'."),
    (["loans.csv", "-t", "paid", "--format", "arff"], "The file 'loans.csv', line 1: "),
])  # fmt: skip
def test_wrong_use_is_one_sentence(refuses, folder, arguments, message):
    before = Path("loans.csv").read_bytes()
    assert refuses("fit", *arguments).startswith(message)
    assert Path("loans.csv").read_bytes() == before
    assert [path.name for path in Path().iterdir()] == ["loans.csv"]


def test_hard_tables(refuses, folder):
    Path("a.csv").write_text("a,b\n")
    assert refuses("fit", "a.csv", "-t", "b") == "The table 'a.csv' has columns but no rows. Give it at least one."
    Path("a.csv").write_text("a,b\n1,0.5\n2,1.5\n")
    assert refuses("fit", "a.csv", "-t", "b").startswith("The target 'b' holds numbers such as 0.5 and not classes.")
    pd.DataFrame({"d": pd.to_datetime(["2026-01-01"] * 4), "y": [0, 1] * 2}).to_parquet("d.parquet")
    assert refuses("fit", "d.parquet", "-t", "y", "--no-clean").startswith("Column 'd' has the type Datetime")


@pytest.mark.parametrize("call", ["os.fsync", "pathlib.Path.replace"])
def test_a_full_disk_leaves_the_old_file(refuses, folder, monkeypatch, call):
    Path("s.json").write_text("old")
    with monkeypatch.context() as patch:
        patch.setattr(call, full)
        message = refuses("fit", "loans.csv", "-t", "paid", "-o", "s.json")
    assert message.startswith("The file 's.json' cannot be written: No space left on device.")
    assert Path("s.json").read_text() == "old"
    assert sorted(path.name for path in Path().iterdir()) == ["loans.csv", "s.json"]


def full(*arguments):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_links_and_devices_stay(run, folder):
    Path("real.json").write_text("old")
    Path("link.json").symlink_to("real.json")
    assert run("fit", "loans.csv", "-t", "paid", "-o", "link.json")[0] == 0
    assert Path("link.json").is_symlink()
    assert scheme("real.json").method == "MRmD"
    assert run("fit", "loans.csv", "-t", "paid", "-o", os.devnull)[0] == 0
    assert not Path(os.devnull).is_file()


def test_warnings_are_notes(run, folder):
    loans(30).to_csv("loans.csv", index=False)
    code, _, errors = run("fit", "loans.csv", "-t", "paid", "-c", "home", "--max-bins", "1")
    assert code == 0
    assert errors.startswith("Note: max_bins=1 holds for numeric columns only")
    assert errors.count("\n") == 1


def test_typed_parameters():
    assert make_method("mrmd", ["search=exact", "n_d=5", "random_state=none"], {}, 3).random_state is None
    assert make_method("mrmd", [], {}, 3).random_state == 3
    assert make_method("mrmd", [], {}, 3).confirm == 0.01
    assert make_method("mdlp", ["confirm=none"], {}, 3).confirm is None
    assert make_method("caim", [], {"confirm": "0.01"}, 3).confirm == 0.01
    assert make_method("emd", ["classifiers=c45"], {}, 0).classifiers == ["c45"]
    assert make_method("emd", ["classifiers=c45, naive_bayes"], {}, 0).classifiers == ["c45", "naive_bayes"]
    assert make_method("fixed-cuts", ["cuts=5"], {}, 0).cuts == [5]
    assert make_method("max-relevance", ["max_cuts=classes"], {}, 0).max_cuts == "classes"
    assert make_method("max-relevance", ["max_cuts=3"], {}, 0).max_cuts == 3
    assert make_method("ameva", ["all_classes=true"], {}, 0).all_classes is True
    with pytest.raises(CutwiseError, match="has no parameter 'encode'"):
        make_method("mrmd", ["encode=label"], {}, 0)


@needs_callbacks
def test_a_bar_on_a_terminal_only(monkeypatch, capsys):
    X, y = parts(loans())
    assert not hasattr(watch(MRmDDiscretizer()), "_skl_callbacks")
    console = Console(stderr=True, force_terminal=True, width=80)
    MRmDDiscretizer().set_callbacks(FitBar(console)).fit(X, y)
    emd = cutwise.EMDDiscretizer(max_evaluations=300, classifiers=["naive_bayes"], random_state=0)
    emd.set_callbacks(FitBar(console)).fit(X, y)
    errors = capsys.readouterr().err
    assert "MRmD …" in errors
    assert "EMD …" in errors
    assert "100%" in errors


def test_names_cannot_steer_the_terminal(run, folder):
    table = loans().rename(columns={"age": "\x1b[31m[red]age"})
    table.to_csv("loans.csv", index=False)
    code, output, _ = run("fit", "loans.csv", "-t", "paid")
    assert code == 0
    assert "\x1b" not in output
    assert "⟨U+001B⟩" in output


def test_the_standard_input(folder):
    done = subprocess.run(
        [sys.executable, "-m", "cutwise", "fit", "-", "-t", "paid", "-o", "-"],
        input=Path("loans.csv").read_bytes(), capture_output=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert Scheme.from_json(done.stdout) == MRmDDiscretizer(confirm=0.01).fit(*parts(loans())).scheme_


def test_an_additive_model_has_a_report_of_its_shapes(run, folder):
    data = loans()
    model = AdditiveClassifier(5, alpha=1.0).fit(data.drop(columns="paid"), data["paid"])
    Path("m.json").write_text(model.to_json())
    assert run("report", "m.json", "-o", "shapes.html") == (0, "report: shapes.html\n", "")
    assert Path("shapes.html").read_text() == shapes_report(model, "Shapes of m.json")
    assert run("report", "m.json", "--title", "Loans", "-o", "-")[1] == shapes_report(model, "Loans")
    assert run("report", "m.json", "loans.csv", "-t", "paid", "-o", "bins.html")[0] == 0
    assert run("report", "m.json", "--check", "loans.csv", "-o", "checked.html")[0] == 0
    for name in ("bins.html", "checked.html"):
        assert "<title>Bins of " in Path(name).read_text()


def test_the_event_of_the_command_line(run, folder):
    for event in loans()["paid"].unique().tolist():
        options = ["--target", "paid", "--event", str(event), "-m", "mdlp", "-o", "scheme.json"]
        code, output, _ = run("fit", "loans.csv", *options)
        assert code == 0
        assert f"event {event}" in " ".join(output.split())
        assert scheme().event == event
        code, _, _ = run("report", "scheme.json", "--event", str(event), "-o", "page.html")
        assert code == 0
        assert f"The event is <strong><bdi>{event}</bdi></strong>" in Path("page.html").read_text()
    code, _, errors = run("fit", "loans.csv", "--target", "paid", "--event", "nobody")
    assert code == 2
    assert "The event 'nobody' is none of the classes" in errors
    code, _, errors = run("fit", "loans.csv", "-m", "equal-width", "--event", "1")
    assert code == 2
    assert "Name the column of the classes: --target" in errors


def test_categories_are_grouped(run, folder):
    late = [int((i % 6 < 3) != (i % 7 == 0)) for i in range(600)]
    table = pd.DataFrame({"town": [f"t{i % 6}" for i in range(600)], "late": late})
    table.to_csv("towns.csv", index=False)
    code, _, errors = run("fit", "towns.csv", "-t", "late", "--nominal", "group", "-o", "scheme.json")
    assert (code, errors) == (0, "")
    assert set(map(frozenset, scheme()["town"].groups)) == {
        frozenset({"t0", "t1", "t2"}),
        frozenset({"t3", "t4", "t5"}),
    }
    code, _, errors = run("fit", "towns.csv", "-t", "late", "--nominal", "group", "-m", "chimerge")
    assert code != 0
    assert "ChiMergeDiscretizer does not group categories" in errors
    assert run("fit", "towns.csv", "-t", "late", "--nominal", "heap")[0] != 0
    run("fit", "towns.csv", "-t", "late", "--nominal", "town=group", "--report", "fitted.html")
    assert run("report", "towns.csv", "-t", "late", "--nominal", "town=group", "-o", "page.html")[0] == 0
    assert "t0, t1, t2" in Path("page.html").read_text()
    assert Path("page.html").read_text() == Path("fitted.html").read_text()
