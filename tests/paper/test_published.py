"""The published figures: how many there are, and that they say what the paper says."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from cutwise.paper import inconsistencies, published_tables, reproduced_rank_sums
from cutwise.paper.evaluate import MethodPair, best_counts, critical_rank_sum, rank_sums
from cutwise.paper.published import TITLES, possible_rank_sums
from tests.conftest import DATA

ALL = [published_tables(name) for name in TITLES]
WITH_SUMS = [table for table in ALL if table.rank_sums is not None]
NAMES = {
    "ablation": "ablation_naive_bayes", "c45": "discretizers_c45", "classifiers": "classifiers",
    "naive-bayes": "discretizers_naive_bayes",
}  # fmt: skip


@pytest.mark.parametrize("table", ALL, ids=TITLES)
def test_shapes(table):
    shape = (45, len(table.names))
    assert table.accuracy.shape == table.accuracy_std.shape == shape
    assert len(set(table.datasets)) == 45
    assert list(table.datasets) == sorted(table.datasets)
    assert len(set(table.methods)) == len(table.names)
    assert ((table.accuracy > 0) & (table.accuracy <= 100)).all()
    assert table.title == TITLES[table.name]


@pytest.mark.parametrize("table", ALL, ids=TITLES)
def test_figures_cannot_be_changed(table):
    with pytest.raises(ValueError, match="read-only"):
        table.accuracy[0, 0] = 1.0


@pytest.mark.parametrize("table", ALL, ids=TITLES)
def test_the_figures_are_those_of_the_paper(table):
    source = Path(DATA).parent / "paper" / "tables.json"
    if not source.exists():
        pytest.skip(f"the paper's tables are not at {source}; set CUTWISE_DATA to the folder beside theirs")
    content = json.loads(source.read_text())
    figures = content[NAMES[table.name]]
    for row, dataset in enumerate(table.datasets):
        for column, name in enumerate(table.names):
            cell = figures[dataset][name]
            assert (table.accuracy[row, column], table.accuracy_std[row, column]) == (cell["accuracy"], cell["std"])
            if table.cuts is not None:
                printed = (table.cuts[row, column], table.cuts_std[row, column])
                assert printed == (cell["cut_points"], cell["cut_points_std"])
    assert table.average.tolist() == [figures["AVG"][name]["accuracy"] for name in table.names]
    if table.rank_sums is not None:
        sums = content["wilcoxon_" + {"naive-bayes": "naive_bayes"}.get(table.name, table.name)]
        expected = [[sums[i][j] for j in table.names] for i in table.names]
        assert np.array_equal(table.rank_sums, np.array(expected, dtype=float), equal_nan=True)


def test_methods_in_the_names_of_the_registry():
    by_name = dict(zip(published_tables("classifiers").names, published_tables("classifiers").methods, strict=True))
    assert by_name["MRmD-RNB"] == MethodPair("mrmd", "rnb")
    assert by_name["RNB"] == MethodPair("mdlp", "rnb")
    assert by_name["PWedRVFL"] == MethodPair("none", "rvfl-tuned")
    assert published_tables("c45").methods[3] == MethodPair("modified-chi2", "c45")
    assert published_tables("ablation").methods == tuple(
        MethodPair(name, "nb") for name in ("mr-c", "mrmd", "mr-t", "mr-o")
    )


def test_unknown_tables_are_named():
    with pytest.raises(ValueError, match="no table 'svm'"):
        published_tables("svm")


@pytest.mark.parametrize("table", ALL, ids=TITLES)
def test_printed_averages_follow_from_the_figures(table):
    assert np.abs(table.accuracy.mean(axis=0) - table.average).max() < 0.0051
    if table.cuts is not None:
        assert np.abs(table.cuts.mean(axis=0) - table.cuts_average).max() < 0.0051


def test_wins_as_the_text_counts_them():
    assert [best_counts(table.accuracy)[-1] for table in WITH_SUMS] == [24, 27, 29]


def test_the_rule_that_gives_most_rank_sums():
    equal = {
        rule: [each.n_equal for each in reproduced_rank_sums(rule)] for rule in ("split", "drop-odd", "pratt", "drop")
    }
    assert equal == {"split": [36, 30, 33], "drop-odd": [12, 14, 25], "pratt": [5, 7, 33], "drop": [4, 2, 25]}


@pytest.mark.parametrize("table", WITH_SUMS, ids=lambda table: table.name)
def test_rank_sums_are_those_of_the_accuracies_before_rounding(table):
    outside = {(found.place, found.printed) for found in inconsistencies() if found.table == table.name}
    assert (
        outside
        == {
            "naive-bayes": {("rank sum of Ameva over EMD", 348.0), ("rank sum of EMD over Ameva", 687.0)},
            "c45": set(),
            "classifiers": {("rank sum of RNB over FTT", 433.5), ("rank sums of RNB and FTT, together", 1025.0)},
        }[table.name]
    )


def test_the_bounds_hold_for_every_rounding():
    draw = np.random.default_rng(3)
    for _ in range(50):
        true = draw.normal(70, 0.05, (12, 2))
        low, high = possible_rank_sums(np.subtract(*np.round(true, 2).T))
        assert low <= rank_sums(true)[0, 1] <= high


def test_the_paper_needs_more_than_its_critical_value():
    critical = critical_rank_sum(45)
    for table in WITH_SUMS:
        assert np.nanmin(table.rank_sums[-1]) > critical
