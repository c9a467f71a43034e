"""The commands of ``cutwise datasets``."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from sklearn.datasets import load_wine
from typer.testing import CliRunner

from cutwise.cli.datasets import app
from cutwise.paper import datasets
from cutwise.paper.datasets.loading import VARIABLE


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run a command with a folder of its own and without patience."""
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    monkeypatch.setattr("cutwise.paper.datasets.services.time.sleep", lambda _: None)
    return lambda *words: CliRunner().invoke(app, list(words), catch_exceptions=False)


@pytest.fixture
def wine(service):
    """A service in the place of UCI that has wine, from scikit-learn's copy."""
    data = load_wine()
    about = datasets.describe("wine")
    rows = [
        ",".join([*map(repr, row.tolist()), str(label + 1)]) for row, label in zip(data.data, data.target, strict=True)
    ]
    service.offer_uci("\n".join([",".join([*about.columns, "class"]), *rows, ""]).encode(), number=about.uci)
    return ("--uci", service.url, "--openml", "")


def test_list_shows_every_set(run, tmp_path):
    result = run("list")
    assert result.exit_code == 0
    assert all(name in result.stdout for name in datasets.names())
    (tmp_path / "iris.csv").write_text("")
    found = json.loads(run("list", "--json").stdout)
    assert [item["name"] for item in found if item["is_here"]] == ["iris"]
    assert found[0] == {
        "name": "abalone", "rows": 4174, "numeric": 7, "nominal": 1, "classes": 28, "missing": 0, "is_here": False,
    }  # fmt: skip


def test_show_tells_what_is_known(run):
    result = run("show", "clevland")
    assert result.exit_code == 0
    assert "cleveland" in result.stdout
    assert "CC BY 4.0" in result.stdout
    facts = json.loads(run("show", "crx", "--json").stdout)
    assert (facts["n_rows"], facts["n_numeric"], facts["n_nominal"]) == (690, 6, 9)
    assert facts["class_counts"] == {"+": 307, "-": 383}


@pytest.mark.parametrize("words", [("show", "nope"), ("fetch", "iris", "nope")])
def test_an_unknown_name_is_one_sentence_and_2(run, words):
    result = run(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("There is no data set 'nope'.")


def test_fetch_check_and_fetch_again(run, wine, tmp_path):
    result = run("fetch", "wine", *wine)
    assert result.exit_code == 0
    assert "same rows" in result.stdout
    assert "same rows" in run("check").stdout
    again = json.loads(run("fetch", "wine", "--json", *wine).stdout)
    assert again["errors"] == []
    assert again["sets"][0]["path"] == str(tmp_path / "wine.csv")
    assert again["sets"][0]["source"] == ""


def test_fetch_into_another_folder(run, wine, tmp_path):
    assert run("fetch", "wine", "--into", str(tmp_path / "there"), *wine).exit_code == 0
    assert (tmp_path / "there" / "wine.csv").exists()
    assert json.loads(run("check", "--folder", str(tmp_path / "there"), "--json").stdout)[0]["match"] == "same rows"


def test_fetch_goes_on_after_a_failure_and_gives_up_after_three(run, wine, service):
    result = run("fetch", "iris", "wine", "glass", "bupa", "yeast", "ecoli", "--json", *wine)
    assert result.exit_code == 2
    found = json.loads(result.stdout)
    assert [item["name"] for item in found["sets"]] == ["wine"]
    assert [item["name"] for item in found["errors"]] == ["iris", "glass", "bupa", "yeast", "ecoli"]
    assert "was not tried" in found["errors"][-1]["error"]
    assert len(result.stderr.splitlines()) == 5


def test_check_finds_what_is_wrong(run, tmp_path):
    (tmp_path / "iris.csv").write_text("mine")
    result = run("check")
    assert result.exit_code == 2
    assert "wrong" in result.stdout
    assert "is not the one that is known" in result.stderr
    assert json.loads(run("check", "--json").stdout)[0]["error"] == result.stderr.strip()


def test_check_of_an_empty_folder_fails(run):
    result = run("check")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("There is no data set in ")


def test_names_of_folders_are_shown_not_obeyed(run, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    assert "[bold]x[red] :smile:" in run("list", "--folder", "[bold]x[red] :smile:").stdout


def test_help_does_not_load_the_catalogue():
    program = "import sys; import cutwise.cli.datasets; print('cutwise.paper.datasets' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
