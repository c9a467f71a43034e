"""The tables: the published ones come out of published accuracies, gaps are shown, bytes are the same."""

from __future__ import annotations

import csv
import dataclasses
import os

import numpy as np
import pytest

from cutwise.paper import MeanAndDeviation, deviations, published_tables, result_tables, write_tables
from cutwise.paper.evaluate import CellResult, MethodPair, ResultCell
from cutwise.paper.published import TITLES
from tests.paper.generated import published_results


@pytest.fixture(scope="module")
def results():
    return published_results()


@pytest.fixture(scope="module")
def by_name(results):
    return {table.name: table for table in result_tables(results)}


def column(table, group, name):
    [place] = [k for k, each in enumerate(table.columns) if (each.group, each.name) == (group, name)]
    return [row[place] for row in table.rows], {row[0]: row[place] for row in table.foot}


@pytest.mark.parametrize("name", TITLES)
def test_the_published_table_comes_out(by_name, name):
    table, source = by_name[name], published_tables(name)
    for k, method in enumerate(source.names):
        ours, foot = column(table, method, "ours")
        theirs, printed = column(table, method, "published")
        assert [round(cell.mean, 2) for cell in ours] == source.accuracy[:, k].tolist()
        assert [cell.std for cell in theirs] == source.accuracy_std[:, k].tolist()
        assert round(foot["mean"], 2) == round(printed["mean"], 2) == printed["mean as printed"] == source.average[k]
        assert foot["wins"] == printed["wins"]
        differences, _ = column(table, method, "difference")
        assert max(map(abs, differences)) < 1e-9
    assert not any("missing," in note for note in table.notes)


def test_wins_as_in_the_text(by_name):
    wins = [column(by_name[name], method, "ours")[1]["wins"] for name, method in
            [("naive-bayes", "MRmD"), ("c45", "MRmD"), ("classifiers", "MRmD-RNB")]]  # fmt: skip
    assert wins == [24, 27, 29]


def test_cut_counts_stand_beside_the_published_ones(by_name):
    _, ours = column(by_name["ablation"], "MRmD", "our cuts")
    _, theirs = column(by_name["ablation"], "MRmD", "published cuts")
    assert theirs["mean as printed"] == 101.67
    assert theirs["mean"] == pytest.approx(101.67, abs=0.005)
    assert ours["mean"] == pytest.approx(np.floor(published_tables("ablation").cuts[:, 1]).mean())
    assert ours["average rank"] == ""


@pytest.mark.parametrize("name", ["naive-bayes", "c45", "classifiers"])
def test_the_published_rank_sums_come_out(by_name, name):
    table, source = by_name[f"wilcoxon-{name}"], published_tables(name)
    assert table.rows[0][0] == source.names[-1]
    order = [source.names.index(row[0]) for row in table.rows]
    expected = source.rank_sums[np.ix_(order, order)]
    printed = np.array([[np.nan if row[1 + 4 * j + 1] == "" else row[1 + 4 * j + 1] for j in range(len(order))]
                        for row in table.rows])  # fmt: skip
    assert np.array_equal(printed, expected, equal_nan=True)
    ours = [row[1 + 4 * j] for row in table.rows for j in range(len(order)) if row[1 + 4 * j] != ""]
    k = len(order)
    assert sum(ours) == k * (k - 1) / 2 * 45 * 46 / 2
    assert any("sums of 692 and more are significant" in note for note in table.notes)
    # All of the first row is significant, in ours and in theirs.
    assert {(0, 1 + 4 * j + side) for j in range(1, k) for side in (0, 1)} <= table.bold


def test_all_methods_by_rank(by_name):
    table = by_name["methods"]
    ranks = [row[3] for row in table.rows]
    assert ranks == sorted(ranks)
    assert table.rows[0][0] == "mrmd + rnb"
    assert table.rows[0][-1] == ""
    assert any("Friedman: chi-square" in note for note in table.notes)


def test_missing_cells_are_shown_and_counted():
    gap = ("iris", MethodPair("emd", "nb"))
    rows = published_results(["naive-bayes"], leave_out={gap})
    failed = [CellResult(ResultCell("iris", "emd", "nb", 0, fold), error="too slow") for fold in range(10)]
    table = {each.name: each for each in result_tables([*rows, *failed])}
    first = table["naive-bayes"]
    ours, foot = column(first, "EMD", "ours")
    place = published_tables("naive-bayes").datasets.index("iris")
    assert ours[place] is None
    assert column(first, "EMD", "difference")[0][place] is None
    assert foot["mean"] == pytest.approx(np.delete(published_tables("naive-bayes").accuracy[:, 5], place).mean())
    assert "1 of 315 cells are missing, 1 of them because folds failed." in first.notes
    assert any("over the 44 data sets and 7 methods" in note for note in first.notes)
    sums = table["wilcoxon-naive-bayes"]
    assert any("made anew from the published accuracies of these 44 data sets" in note for note in sums.notes)
    assert sums.rows[0][5] + sums.rows[1][1] == 44 * 45 / 2
    assert sums.rows[0][6] == sums.rows[0][5]
    assert "315 of 315 cells are missing, 0 of them because folds failed." in table["c45"].notes


def test_a_method_that_has_not_begun_does_not_stop_the_others():
    keep = {(name, method) for name in published_tables("naive-bayes").datasets
            for method in [MethodPair("emd", "nb")] if name != "iris"}  # fmt: skip
    table = result_tables(published_results(["naive-bayes"], leave_out=keep))[0]
    assert any("over the 45 data sets and 6 methods" in note for note in table.notes)
    assert column(table, "EMD", "ours")[1]["mean"] is None


def test_an_incomplete_data_set_is_not_averaged(results):
    rest = [result for result in results if result.cell != ResultCell("iris", "mrmd", "nb", 0, 3)]
    table = result_tables(rest)[0]
    ours, _ = column(table, "MRmD", "ours")
    assert ours.count(None) == 1


def test_no_results_at_all():
    for table in result_tables([]):
        assert all(len(row) == len(table.columns) for row in table.rows)
    assert deviations([]).notes == ("No figure of ours has a published one.",)


def test_one_data_set_only():
    one = [result for result in published_results() if result.cell.dataset == "iris"]
    table = {each.name: each for each in result_tables(one)}
    assert any("no sum is significant" in note for note in table["wilcoxon-c45"].notes)
    assert any("over the 1 data sets and 7 methods" in note for note in table["c45"].notes)


def test_methods_and_data_sets_of_our_own_stand_among_all_methods():
    own = [
        CellResult(ResultCell("own", name, "nb", 0, fold), 10, 7 + k)
        for fold in range(10)
        for k, name in enumerate("ab")
    ]
    table = {each.name: each for each in result_tables(own)}["methods"]
    assert [row[0] for row in table.rows] == ["b + nb", "a + nb"]
    assert [row[1:5] for row in table.rows] == [(1, 80.0, 1.0, 1), (1, 70.0, 2.0, 0)]


def test_differences_are_sorted_and_in_standard_errors(results):
    changed = [
        dataclasses.replace(result, n_correct=result.n_correct - 1000)
        if (result.cell.dataset, result.cell.discretizer, result.cell.classifier) == ("wine", "mdlp", "c45") else result
        for result in results
    ]  # fmt: skip
    table = deviations(changed)
    assert len(table.rows) == 45 * (7 + 7 + 9 + 4)
    first = table.rows[0]
    assert first[:3] == ("c45", "wine", "MDLP")
    ours, theirs = first[3], first[4]
    assert isinstance(ours, MeanAndDeviation)
    assert first[5] == pytest.approx(-10.0)
    assert first[6] == pytest.approx(-10.0 / np.sqrt((ours.std**2 + theirs.std**2) / 10))
    sizes = [abs(round(row[5], 9)) for row in table.rows]
    assert sizes == sorted(sizes, reverse=True)
    assert any("1214 of 1215 are within two standard errors" in note for note in table.notes)


def test_more_folds_make_the_standard_error_smaller(results):
    chosen = [result for result in results if result.cell.dataset == "wine" and result.cell.discretizer == "mdlp"]
    moved = [dataclasses.replace(result, n_correct=result.n_correct - 100) for result in chosen]
    again = [dataclasses.replace(result, cell=dataclasses.replace(result.cell, repeat=1)) for result in moved]
    for row in deviations([*moved, *again]).rows:
        error = np.sqrt(row[3].std ** 2 / 20 + row[4].std ** 2 / 10)
        assert row[6] == pytest.approx(row[5] / error)


@pytest.mark.parametrize("name", TITLES)
def test_the_best_of_a_row_is_bold(by_name, name):
    table, source = by_name[name], published_tables(name)
    step = (len(table.columns) - 1) // len(source.names)
    best = source.accuracy == source.accuracy.max(axis=1, keepdims=True)
    expected = {(row, 1 + step * k + side) for row, k in np.argwhere(best).tolist() for side in (0, 1)}
    assert table.bold == expected


def test_a_difference_without_any_spread():
    same = [CellResult(ResultCell("thoracic", "mrmd", "c45", 0, fold), 10_000, 8000) for fold in range(10)]
    assert deviations(same).rows[0][6] == -np.inf
    single = [CellResult(ResultCell("thoracic", "mrmd", "c45", 0, 0), 10_000, 8000)]
    assert deviations(single, n_folds=1).rows[0][6] is None


def test_the_same_bytes_for_any_order(tmp_path):
    results = published_results(["naive-bayes", "ablation"])
    order = np.random.default_rng(0).permutation(len(results))
    first = write_tables(results, tmp_path / "a")
    second = write_tables([results[place] for place in order], tmp_path / "b")
    assert [path.name for path in first] == [path.name for path in second]
    assert len({path.name for path in first}) == len(first) == 16 * 4 + 2
    for one, other in zip(first, second, strict=True):
        assert one.read_bytes() == other.read_bytes(), one.name
    assert sorted((tmp_path / "a").iterdir()) == sorted(first)


def test_csv_files_hold_numbers(results, tmp_path):
    [path] = [path for path in write_tables(results, tmp_path, formats=["csv"]) if path.name == "naive-bayes.csv"]
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 45 + 4
    assert float(rows[0]["MRmD published"]) == 25.54
    assert float(rows[0]["MRmD published std"]) == 1.7


def test_any_iterable_of_results(tmp_path):
    results = published_results(["ablation"])
    once = write_tables(iter(results), tmp_path / "a", formats=["md", "csv"])
    again = write_tables(results, tmp_path / "b", formats=["md", "csv"])
    assert [path.read_bytes() for path in once] == [path.read_bytes() for path in again]


def test_a_failed_write_leaves_the_old_file(results, tmp_path, monkeypatch):
    [old, *_] = write_tables(results, tmp_path, formats=["csv"])
    before = old.read_bytes()

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_tables([], tmp_path, formats=["csv"])
    assert old.read_bytes() == before
    assert not list(tmp_path.glob(".*"))


def test_unknown_formats_are_named(tmp_path):
    with pytest.raises(ValueError, match="format 'pdf' is unknown"):
        write_tables([], tmp_path / "new", formats=["md", "pdf"])
    assert not (tmp_path / "new").exists()
