"""`cutwise compare`: the runner's figures, kept and gone on with."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from cutwise import MDLPDiscretizer, NaiveBayesClassifier
from cutwise.cli.comparison import GivenTable, compared, methods_by_name
from cutwise.cli.inputs import LearningInputs
from cutwise.cli.options import CLASSIFIERS, METHODS
from cutwise.paper.evaluate import CellResult, CellTask, FoldProtocol, Journal, Measure, ResultCell
from tests.cli.loans import loans

FEW = ("-m", "mdlp,equal-width", "--classifier", "nb", "--folds", "3", "--jobs", "1")


def test_figures_and_going_on(run, folder):
    code, output, errors = run("compare", "loans.csv", "-t", "paid", *FEW, "--json", "--journal", "c.journal")
    assert (code, errors) == (0, "")
    found = json.loads(output)
    assert {(row["method"], row["classifier"], row["folds"]) for row in found} == {
        ("mdlp", "nb", 3),
        ("equal-width", "nb", 3),
    }
    table = loans()
    given = GivenTable.checked(LearningInputs(table.drop(columns="paid"), table["paid"].tolist(), None), 3)
    work = Measure(given, methods_by_name(), FoldProtocol(n_folds=3))
    expected = [next(iter(work(CellTask("table", "mdlp", 0, fold, ("nb",))))).accuracy for fold in range(3)]
    row = next(row for row in found if row["method"] == "mdlp")
    assert row["accuracy"] == pytest.approx(np.mean(expected), abs=1e-12)
    assert sum(row["rank"] for row in found) == pytest.approx(3)
    before = Path("c.journal").read_bytes()
    code, output, _ = run("compare", "loans.csv", "-t", "paid", *FEW, "--journal", "c.journal")
    assert code == 0
    assert "loans.csv: 3 folds" in output
    assert Path("c.journal").read_bytes() == before
    loans(seed=8).to_csv("loans.csv", index=False)
    code, _, errors = run("compare", "loans.csv", "-t", "paid", *FEW, "--journal", "c.journal")
    assert (code, errors[:41]) == (2, "cutwise: The journal 'c.journal' has the ")


@pytest.mark.parametrize("weighted", [False, True])
def test_every_pair_can_be_measured(weighted):
    """All methods with one classifier, all classifiers with one method, on one fold."""
    table = loans(120)
    weights = [1.0, 2.5] * 60 if weighted else None
    given = GivenTable.checked(LearningInputs(table.drop(columns="paid"), table["paid"].tolist(), weights), 4)
    work = Measure(given, methods_by_name(), FoldProtocol(n_folds=4))
    methods = [name for name in METHODS if name != "emd"]
    tasks = [CellTask("table", name, 0, 0, ("nb",)) for name in methods]
    tasks.append(CellTask("table", "mrmd", 0, 0, tuple(CLASSIFIERS)))
    results = [result for task in tasks for result in work(task)]
    assert [result.error for result in results if result.error] == []


def test_weights_count_in_learning_and_in_the_figures(run, folder):
    rng = np.random.default_rng(0)
    table = loans().assign(w=rng.integers(0, 4, 240), half=0.5)
    table.to_csv("loans.csv", index=False)
    code, output, _ = run("compare", "loans.csv", "-t", "paid", "--weight", "w", "-x", "half", *FEW, "--json")
    found = {row["method"]: row for row in json.loads(output)}
    counting = table[table["w"] > 0].reset_index(drop=True)
    X, y, w = counting[["income", "age", "home"]], counting["paid"].to_numpy(), counting["w"].to_numpy(float)
    folds = FoldProtocol(n_folds=3).folds("table", y, 0)
    shares = [by_hand(X, y, w, folds == fold) for fold in range(3)]
    assert (code, found["mdlp"]["accuracy"]) == (0, pytest.approx(100 * np.mean(shares), abs=1e-9))
    journal = ("--journal", "w.journal")
    code, output, _ = run("compare", "loans.csv", "-t", "paid", "--weight", "w", "-x", "half", *FEW, *journal)
    assert code == 0
    assert "loans.csv weighted by w: 3 folds" in output
    assert any(not float(result.n_correct).is_integer() for result in Journal.read("w.journal"))
    # Other weights make another table, whose figures do not go into the same journal.
    code, _, errors = run("compare", "loans.csv", "-t", "paid", "--weight", "half", "-x", "w", *FEW, *journal)
    assert (code, errors[:41]) == (2, "cutwise: The journal 'w.journal' has the ")


def by_hand(X, y, weights, held_out):
    """Return the weighted accuracy of naive Bayes on MDLP's bins."""
    values = {name: np.average(X[name][known], weights=weights[known]) for name in ("income", "age")
              if (known := ~held_out & X[name].notna().to_numpy()).any()}  # fmt: skip
    filled = X.fillna(values)
    train = filled[~held_out], y[~held_out]
    options = {"sample_weight": weights[~held_out]}
    bins = MDLPDiscretizer().fit(*train, **options)
    model = NaiveBayesClassifier(n_bins=[int(n) for n in bins.n_bins_])
    model.fit(bins.transform(train[0]), train[1], **options)
    is_right = model.predict(bins.transform(filled[held_out])) == y[held_out]
    return np.average(is_right, weights=weights[held_out])


class Given(FoldProtocol):
    """Folds as they are given."""

    def __init__(self, folds):
        object.__setattr__(self, "given", folds)

    __hash__, __eq__ = object.__hash__, object.__eq__

    def folds(self, dataset, target, repeat):
        return self.given

    def method_seed(self, repeat, fold):
        return 0


def test_whole_weights_are_as_good_as_repeated_rows():
    """On one and the same split; two rows of weight 1 and one of weight 2 say the same."""
    rng = np.random.default_rng(1)
    table, weights = loans(150), rng.integers(1, 4, 150)
    X, y, test = table.drop(columns="paid"), table["paid"].to_numpy(), np.arange(150) % 3 == 0
    results = []
    for rows in (np.arange(150), np.repeat(np.arange(150), weights)):
        each = weights.astype(float) if rows.size == 150 else None
        data = SimpleNamespace(X=X.iloc[rows], y=y[rows], weights=each)
        work = Measure(lambda _, data=data: data, methods_by_name(), Given(test[rows].astype(int)))
        names = ("mrmd", "mdlp", "caim", "chimerge", "equal-frequency")
        measured = [result for name in names for result in work(CellTask("table", name, 0, 1, ("nb", "c45")))]
        results += [(result.accuracy, result.log_loss, result.n_cuts) for result in measured]
    n = len(results) // 2
    assert np.allclose(results[:n], results[n:], rtol=1e-9)


def test_failed_cells_are_shown_and_code_1(run, folder, monkeypatch):
    monkeypatch.setattr("cutwise.paper.evaluate.run", fail)
    code, output, errors = run("compare", "loans.csv", "-t", "paid", *FEW)
    assert (code, errors) == (1, "mdlp + nb failed: it broke\n")
    assert "failed" in output
    code, output, _ = run("compare", "loans.csv", "-t", "paid", *FEW, "--json")
    assert [row["rank"] for row in json.loads(output)] == [1.0, None]


def fail(tasks, work, journal, **options):
    """Measure nothing; mdlp fails."""
    from cutwise.paper.evaluate import RunSummary

    cells = [cell for task in tasks for cell in task.cells()]
    for cell in cells:
        failed = cell.discretizer == "mdlp"
        journal.append(
            CellResult(cell, error="it broke") if failed else CellResult(cell, n_rows=10, n_correct=9, log_loss=0.5)
        )
    return RunSummary(len(cells), 0, len(cells), 3, 0.0, is_complete=True)


def test_an_interrupt_is_code_130(run, folder, monkeypatch):
    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("cutwise.paper.evaluate.run", interrupted)
    hint = "with --journal FILE it can be resumed next time"
    assert run("compare", "loans.csv", "-t", "paid", *FEW) == (130, "", f"Interrupted; {hint}.\n")
    hint = "the same command resumes it"
    assert run("compare", "loans.csv", "-t", "paid", *FEW, "--journal", "j") == (130, "", f"Interrupted; {hint}.\n")


def test_ranks():
    cells = [(ResultCell("table", name, "nb", 0, fold)) for name in ("a", "b") for fold in range(2)]
    results = [CellResult(cell, n_rows=10, n_correct=n) for cell, n in zip(cells, (9, 8, 7, 8), strict=True)]
    found = [(summary.method.discretizer, rank) for summary, _, rank in compared(results, 2, 1)]
    assert found == [("a", 1.25), ("b", 1.75)]
    assert [rank for _, _, rank in compared(results[:2], 2, 1)] == [1.0]


@pytest.mark.parametrize(("arguments", "message"), [
    ([], "Methods are compared by how well classes are predicted."),
    (["-t", "paid", "-m", "mdpl"], "There is no method 'mdpl' to compare. Did you mean "),
    (["-t", "paid", "-m", "fixed-cuts"], "There is no method 'fixed-cuts' to compare"),
    (["-t", "paid", "--classifier", "x"], "There is no classifier 'x' to compare; there are 'rnb'"),
    (["-t", "paid", "-x", "one", "--folds", "300"], "There are 240 rows for 300 folds."),
    (["-t", "one"], "There is only one class."),
    (["-t", "paid", "--weight", "one"], "'sample_weight' must be numbers; got ['x', 'x', 'x']"),
    (["-t", "paid", "--weight", "w"], "The table has no column 'w'"),
    (["-t", "paid", "--journal", "loans.csv"], "The file 'loans.csv' is used twice"),
])  # fmt: skip
def test_wrong_use_is_one_sentence(refuses, folder, arguments, message):
    loans().assign(one="x").to_csv("loans.csv", index=False)
    assert refuses("compare", "loans.csv", *arguments).startswith(message)


def test_the_journal_names_the_table(run, folder):
    run("compare", "loans.csv", "-t", "paid", *FEW, "--journal", "c.journal")
    assert {result.cell.dataset for result in Journal.read("c.journal")} == {"table"}


def test_columns_that_name_rows_or_give_the_class_away_are_left_out(folder, run):
    table = loans()
    table.to_csv("loans.csv", index=False)
    table.assign(told=table["paid"], row=[f"row {k}" for k in range(len(table))]).to_csv("more.csv", index=False)
    options = ("-t", "paid", "-m", "mdlp", "--classifier", "nb", "--folds", "2", "--jobs", "1", "--json")
    code, output, errors = run("compare", "more.csv", *options)
    assert code == 0
    assert "row: all of its 240 texts differ: it names the rows. It is left out" in errors
    assert "told: it gives the class away: it tells 100% of what there is to know. It is left out" in errors
    code, other, _ = run("compare", "loans.csv", *options)
    assert code == 0
    found, expected = ([{**row, "seconds": 0} for row in json.loads(one)] for one in (output, other))
    assert found == expected
