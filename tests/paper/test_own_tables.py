"""The tables of what goes beyond the paper."""

from __future__ import annotations

from cutwise.paper import result_tables
from cutwise.paper.evaluate import CellResult, ResultCell, signed_rank_test
from cutwise.paper.halves import DEVELOPMENT
from cutwise.paper.own_tables import seed_table
from cutwise.paper.table import MeasuredResults

OTHERS = ("iris", "heart", "led7digit", "vowel", "segment")
DATASETS = (*DEVELOPMENT[:4], *OTHERS)
RIGHT = {"cutwise": 90, "additive": 85, "forest": 80, "ebm": 88}


def cells(classifier, right, discretizer="none", datasets=DATASETS):
    return [
        CellResult(ResultCell(dataset, discretizer, classifier, 0, fold), 100, right, log_loss=right / 64, n_cuts=3)
        for dataset in datasets
        for fold in range(10)
    ]


def tables(results):
    return {table.name: table for table in result_tables(results)}


def test_the_best_comes_first_with_both_halves_and_the_rank_sum_over_the_forest():
    results = [cell for name in ("forest", "additive", "cutwise") for cell in cells(name, RIGHT[name])]
    table = tables(results)["raw-tables"]
    assert [row[0] for row in table.rows] == ["cutwise", "additive", "forest"]
    assert table.rows[0][1:8] == (90.0, 90 / 64, 90.0, 90.0, 1.0, 9, 45.0)
    assert table.rows[2][-2:] == ("", "")
    assert "9 data sets, 4 of the development half" in table.notes[0]


def test_all_methods_of_a_table_have_the_same_data_sets():
    results = [cell for name in ("forest", "cutwise") for cell in cells(name, RIGHT[name])]
    found = tables([*results, *cells("ebm", RIGHT["ebm"], datasets=OTHERS)])
    assert [row[0] for row in found["ebm"].rows] == ["cutwise", "ebm", "forest"]
    assert "5 data sets, 0 of the development half" in found["ebm"].notes[0]
    assert found["ebm"].rows[1][3:5] == (None, 88.0)
    assert "9 data sets" in found["raw-tables"].notes[0]


def test_bins_of_all_columns_are_compared_where_all_were_measured():
    joint = [cell for name in ("nb", "rnb", "aode", "plr") for cell in cells(name, 80, "joint", OTHERS)]
    others = [*cells("nb", 81, "joint-nb"), *cells("nb", 77, "mrmd"), *cells("rnb", 78, "mrmd", OTHERS[1:])]
    table = tables([*joint, *others])["joint"]
    assert table.rows[0] == ("joint", *[80.0, 1.25] * 4, 3.0)
    assert table.rows[1] == ("joint-nb", 81.0, 81 / 64, *[None] * 6, 3.0)
    assert table.rows[2] == ("mrmd", 77.0, 77 / 64, 78.0, 78 / 64, *[None] * 4, 3.0)
    assert table.rows[3][1:] == (None,) * 9
    assert "4 data sets" in table.notes[0]


def test_each_method_is_compared_with_ebm_set_by_set():
    results = [
        cell for name in ("forest", "additive", "additive-pairs", "cutwise-exportable") for cell in cells(name, 80)
    ]
    better = [*cells("cutwise", 90, datasets=DATASETS[:6]), *cells("cutwise", 70, datasets=DATASETS[6:8])]
    ebm = cells("ebm", 80, datasets=DATASETS[:8])
    table = tables([*results, *better, *ebm])["ebm-duels"]
    assert [row[0] for row in table.rows] == ["cutwise", "cutwise-exportable", "additive-pairs", "additive", "forest"]
    # Log losses are as high as accuracies here.
    assert table.rows[0][1:4] == (5.0, 6, 2)
    assert table.rows[0][5:8] == (5 / 64, 2, 6)
    assert table.rows[0][4] == signed_rank_test([1.0] * 6 + [-1.0] * 2).p_value == table.rows[0][8]
    assert table.rows[1][1:] == (0.0, 0, 0, 1.0, 0.0, 0, 0, 1.0)
    assert "8 data sets" in table.notes[0]
    assert tables(results)["ebm-duels"].rows == ()


def test_joint_bins_are_compared_by_halves():
    found = tables([*cells("nb", 81, "joint-nb"), *cells("nb", 80, "emd"), *cells("nb", 82, "mrmd", OTHERS)])
    assert [row[:6] for row in found["joint-duels"].rows] == [
        ("emd", "naive Bayes", "all, 9", 1.0, 9, 0),
        ("emd", "naive Bayes", "development half, 4", 1.0, 4, 0),
        ("emd", "naive Bayes", "other half, 5", 1.0, 5, 0),
        ("mrmd", "naive Bayes", "all, 5", -1.0, 0, 5),
        ("mrmd", "naive Bayes", "other half, 5", -1.0, 0, 5),
    ]
    halves = {row[0]: row[1:] for row in found["joint-halves"].rows}
    assert halves["joint-nb"] == (81.0, 81.0, *[None] * 8, 3.0, 3.0)
    assert halves["mrmd"] == (*[None] * 11, 3.0)
    assert halves["joint"] == (None,) * 12


def test_a_seed_has_figures_of_the_methods_that_have_all_data_sets():
    first, second = (
        [*cells("cutwise", 90), *cells("forest", 80)],
        [*cells("cutwise", 88), *cells("forest", 82, datasets=OTHERS)],
    )
    table = seed_table({seed: MeasuredResults(found, 10) for seed, found in ((3, second), (0, first))})
    assert table.rows == (
        (0, 90.0, 90 / 64, *[None] * 4, 80.0, 1.25, 45.0),
        (3, 88.0, 1.375, *[None] * 7),
    )
    assert "9 data sets" in table.notes[0]


def test_too_few_figures():
    results = [cell for name in ("forest", "cutwise") for cell in cells(name, RIGHT[name])]
    assert tables(results)["ebm"].rows == ()
    assert tables(cells("cutwise", 90))["raw-tables"].rows == ()
    assert tables([])["joint"].rows == ()
