"""The figures: well-formed, the same bytes, safe for any name, and clear without matplotlib."""

from __future__ import annotations

import re
import sys
from itertools import pairwise
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise.paper import box_plots, critical_difference_diagram, published_tables, write_figures
from cutwise.paper.evaluate import CellResult, ResultCell
from cutwise.paper.figures import joined_ranks
from tests.paper.generated import published_results

TABLE = published_tables("naive-bayes")


def draw_both(accuracies, names):
    return [critical_difference_diagram(accuracies, names), box_plots(accuracies, names, "accuracy", 50.0)]


def test_figures_are_svg_without_date():
    for text in draw_both(TABLE.accuracy, TABLE.names):
        root = ET.fromstring(text)  # noqa: S314
        assert root.tag.endswith("svg")
        assert not re.search(r"<dc:date>|Matplotlib v", text)


def test_the_same_bytes_whatever_the_settings():
    from matplotlib import rc_context

    first = draw_both(TABLE.accuracy, TABLE.names)
    with rc_context({"font.size": 20, "svg.hashsalt": "other", "axes.facecolor": "red"}):
        assert draw_both(TABLE.accuracy, TABLE.names) == first


def test_no_setting_is_left_changed():
    from matplotlib import rcParams

    before = dict(rcParams)
    draw_both(TABLE.accuracy, TABLE.names)
    assert dict(rcParams) == before


@pytest.mark.parametrize("name", ["$x_1$", "<script>", "a & b", "null\x00", "50%", "\\frac{1", "long " * 50])
def test_hostile_names_are_text(name):
    for text in draw_both(TABLE.accuracy, [name, *TABLE.names[1:]]):
        ET.fromstring(text)  # noqa: S314
        assert "<script" not in text


def test_two_methods_on_one_data_set():
    assert len(draw_both([[50.0, 60.0]], ["a", "b"])) == 2


@given(st.lists(st.floats(1, 9), min_size=2, max_size=9).map(sorted), st.floats(0.01, 9))
def test_runs_join_exactly_what_does_not_differ(ranks, difference):
    runs = joined_ranks(np.array(ranks), difference)
    for i in range(len(ranks)):
        for j in range(i + 1, len(ranks)):
            is_joined = any(first <= i and j <= last for first, last in runs)
            assert is_joined == (ranks[j] <= ranks[i] + difference + 1e-12)
    assert all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(runs))


def test_files(tmp_path):
    results = published_results(["naive-bayes", "c45"])
    order = np.random.default_rng(1).permutation(len(results))
    first = write_figures(results, tmp_path / "a")
    second = write_figures([results[place] for place in order], tmp_path / "b")
    assert [path.name for path in first] == [
        "naive-bayes-ranks.svg", "naive-bayes-differences.svg", "c45-ranks.svg", "c45-differences.svg",
        "methods-ranks.svg", "methods-c45-ranks.svg", "methods-nb-ranks.svg",
    ]  # fmt: skip
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]
    assert write_figures([], tmp_path / "c") == []


def test_hostile_classifiers_stay_in_the_folder(tmp_path):
    rows = [
        CellResult(ResultCell("iris", name, "../../nb", 0, fold), 10, 5 + k)
        for k, name in enumerate("ab")
        for fold in range(10)
    ]
    files = write_figures(rows, tmp_path / "in")
    assert [path.name for path in files] == ["methods-ranks.svg", "methods-______nb-ranks.svg"]
    assert list(tmp_path.iterdir()) == [tmp_path / "in"]


def test_names_must_fit():
    with pytest.raises(ValueError, match="2 names for 3 methods"):
        box_plots([[1.0, 2.0, 3.0]], ["a", "b"], "accuracy")


def test_without_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(
        ImportError, match=r"need matplotlib, which is not installed. Run: pip install 'cutwise\[plots\]'"
    ):
        critical_difference_diagram([[1.0, 2.0]], ["a", "b"])
