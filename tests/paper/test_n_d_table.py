"""The table of MRmD with several N_D."""

from __future__ import annotations

import numpy as np
import pytest

from cutwise.paper import published_tables, result_tables
from cutwise.paper.datasets.catalogue import paper_catalogue
from cutwise.paper.evaluate import CellResult, ResultCell
from cutwise.paper.table import AUTO, CHOSEN, GIVEN, NAMES

DATASETS = published_tables("ablation").datasets
CLASSIFIERS = ("nb", "c45", "rnb")


def accuracy(dataset, n_d, classifier):
    """Return a made-up accuracy in percent that is best with another N_D on each data set."""
    row = DATASETS.index(dataset)
    place, best = list(GIVEN).index(n_d), row % len(GIVEN)
    return 80 + CLASSIFIERS.index(classifier) - 3 * (row % 2) - abs(place - best)


def results(leave_out=()):
    found = []
    for dataset in DATASETS:
        for classifier in CLASSIFIERS:
            figures = {name: (accuracy(dataset, n_d, classifier), n_d) for n_d, name in GIVEN.items()}
            figures[CHOSEN[classifier]] = (70 + CLASSIFIERS.index(classifier), 7)
            figures[AUTO[classifier]] = (60 + CLASSIFIERS.index(classifier), 8)
            found += [
                CellResult(ResultCell(dataset, name, classifier, 0, fold), 100, percent, log_loss=0.5, n_cuts=cuts)
                for name, (percent, cuts) in figures.items()
                for fold in range(10)
                if (dataset, name) not in leave_out
            ]
    return found


def rows_of(found):
    [table] = [table for table in result_tables(found) if table.name == "n-d"]
    return table, {row[0]: row[1:] for row in table.rows}


def test_means_choice_and_hindsight():
    table, rows = rows_of(results())
    for n_d in GIVEN:
        expected = [np.mean([accuracy(name, n_d, classifier) for name in DATASETS]) for classifier in CLASSIFIERS]
        assert rows[str(n_d)] == pytest.approx((*expected, n_d))
    assert rows["chosen in training"] == (70, 71, 72, 7)
    assert rows['n_d="auto"'] == (60, 61, 62, 8)
    best = 80 - 3 * 22 / 45
    assert rows["best in hindsight"][:3] == pytest.approx((best, best + 1, best + 2))
    assert rows["best in hindsight"][3] == ""
    assert np.round(rows["published"], 2).tolist() == [79.16, 79.97, 80.59, 101.67]
    numeric = [name for name in DATASETS if not paper_catalogue().describe(name).nominal]
    assert len(numeric) == 38
    of_numeric = np.mean([80 - 3 * (DATASETS.index(name) % 2) for name in numeric])
    assert rows["best in hindsight, no nominal attributes"][:3] == pytest.approx(of_numeric + np.arange(3))
    theirs = published_tables("naive-bayes")
    expected = np.mean([theirs.accuracy[theirs.datasets.index(name), -1] for name in numeric])
    assert rows["published, no nominal attributes"][0] == pytest.approx(expected)
    assert len(table.notes) == 1


def test_a_data_set_with_a_gap_is_left_out_everywhere():
    gap = (DATASETS[0], GIVEN[5])
    table, rows = rows_of(results(leave_out=[gap]))
    expected = [np.mean([accuracy(name, 2, classifier) for name in DATASETS[1:]]) for classifier in CLASSIFIERS]
    assert rows["2"] == pytest.approx((*expected, 2))
    assert rows["published"][0] == pytest.approx(published_tables("naive-bayes").accuracy[1:, -1].mean())
    assert "3 of 1215 cells are missing" in table.notes[1]


def test_without_results_the_published_figures_stand_alone():
    _, rows = rows_of([])
    assert rows["50"] == (None, None, None, None)
    assert rows["best in hindsight"] == (None, None, None, "")
    assert rows["published"][0] == pytest.approx(79.16, abs=0.005)


def test_they_are_not_among_the_methods_that_are_compared():
    usual = [
        CellResult(ResultCell("iris", name, "nb", 0, fold), 100, 90, n_cuts=1) for name in "ab" for fold in range(10)
    ]
    listed = {table.name: table for table in result_tables([*usual, *results()])}["methods"]
    assert [row[0] for row in listed.rows] == ["a + nb", "b + nb"]
    assert not NAMES & {row[0].split(" + ")[0] for row in listed.rows}
