"""The vectors of the specification and split scores by brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise import C45Classifier, kernels
from tests.classify.trees import reference_c45 as reference
from tests.oracles.c45_tables import golf

QUANTILE = 0.6744897501960817
HUMIDITY = [85, 90, 86, 96, 80, 70, 65, 95, 70, 80, 70, 90, 75, 91]


@pytest.mark.parametrize(
    ("weight", "errors", "added"),
    [
        (6, 0, 1.2377968441),
        (9, 0, 1.2848041543),
        (1, 0, 0.75),
        (16, 1, 1.4757146318),
        (14, 5, 1.7611198073),
        (10, 0.5, 1.3535279340),
        (3, 3, 0.0),
        (100, 10, 2.7496114512),
    ],
)
def test_added_errors(weight, errors, added):
    assert kernels.trees.prune.add_errors(float(weight), float(errors), 0.25, QUANTILE) == pytest.approx(
        added, abs=1e-9
    )
    assert reference.added_errors(weight, errors, 0.25) == pytest.approx(added, abs=1e-9)


def terms_of(total):
    terms = np.empty(int(total) + 2)
    grid = 2.0**30
    kernels.trees.splits.fill_terms(terms, grid)
    return terms, grid


def nominal_score(codes, y, weights=None, min_leaf=2.0):
    codes, y = np.array(codes, dtype=np.int32), np.array(y, dtype=np.int32)
    weights = np.ones(y.size) if weights is None else np.array(weights, dtype=float)
    total = float(weights.sum())
    n_codes, n_classes = codes.max() + 1, y.max() + 1
    counts, is_seen = np.zeros((n_codes, n_classes)), np.zeros(n_codes, dtype=bool)
    scores = kernels.trees.splits.score_nominal(
        *(codes, np.arange(y.size, dtype=np.int32), y, weights, n_codes, total, min_leaf, *terms_of(total)),
        *(counts, is_seen, np.empty(n_codes, dtype=np.int64), np.empty(n_classes)),
    )
    assert not counts.any()
    assert not is_seen.any()
    return scores


@pytest.mark.parametrize(
    ("name", "gain", "ratio"),
    [
        ("outlook", 0.2467498198, 0.1564275624),
        ("humidity", 0.1518355014, 0.1518355014),
        ("windy", 0.0481270304, 0.0488486155),
        ("temperature", 0.0292225657, 0.0187726462),
    ],
)
def test_golf_scores(name, gain, ratio):
    table = golf()
    assert nominal_score(table.columns[name], table.y) == pytest.approx((gain, ratio), abs=1e-9)


def test_the_average_rule_keeps_outlook_and_humidity():
    gains, ratios = np.array([0.2467, 0.0292, 0.1518, 0.0481]), np.array([0.1564, 0.9, 0.1518, 0.8])
    everyone = np.ones(4, dtype=bool)
    assert kernels.trees.splits.pick_attribute(gains, ratios, everyone) == 0
    assert kernels.trees.splits.pick_attribute(gains, ratios, ~everyone) == -1
    # Of equals the first is taken; without a gain there is none.
    assert kernels.trees.splits.pick_attribute(np.full(4, 0.5), np.full(4, 0.5), everyone) == 0
    assert kernels.trees.splits.pick_attribute(np.full(4, -1.0), np.zeros(4), everyone) == -1
    assert kernels.trees.splits.pick_attribute(np.zeros(4), np.zeros(4), everyone) == -1


def test_golf_with_an_unknown_outlook():
    table = golf()
    codes = table.columns["outlook"].copy()
    codes[11] = -1  # an overcast day
    gain, ratio = nominal_score(codes, table.y)
    assert gain == pytest.approx(0.1990407083, abs=1e-9)
    assert gain / ratio == pytest.approx(1.8092000327, abs=1e-9)
    assert ratio == pytest.approx(0.1100158660, abs=1e-9)


def numeric_score(x, y, *, min_leaf=2.0, min_gap=0.0, use_mdl=True, weights=None):
    values, ranks = np.unique(np.array(x, dtype=float), return_inverse=True)
    n_known = int((~np.isnan(values)).sum())
    cells = np.where(ranks < n_known, ranks, -1).astype(np.int32)
    y = np.array(y, dtype=np.int32)
    weights = np.ones(y.size) if weights is None else np.array(weights, dtype=float)
    total = float(weights.sum())
    return kernels.trees.splits.score_numeric(
        *(cells, np.argsort(np.array(x, dtype=float), kind="stable").astype(np.int32), values, y, weights, total),
        *(min_leaf, min_gap, use_mdl, *terms_of(total), np.empty((4, y.max() + 1))),
    )


def test_numeric_humidity_is_not_worth_its_threshold():
    table = golf()
    gain, *_ = numeric_score(HUMIDITY, table.y, use_mdl=False)
    assert gain == pytest.approx(0.1518355014, abs=1e-9)
    assert numeric_score(HUMIDITY, table.y)[0] == -1.0
    assert gain - np.log2(7) / 14 == pytest.approx(-0.0486898502, abs=1e-9)


def test_golf_tree():
    table = golf()
    fitted = C45Classifier(nominal="all").fit(table.matrix, table.y)
    assert fitted.export_text().splitlines() == [
        "x0 = 0",
        "|   x2 = 0: 0 (3)",
        "|   x2 = 1: 1 (2)",
        "x0 = 1: 1 (4)",
        "x0 = 2",
        "|   x3 = 0: 1 (3)",
        "|   x3 = 1: 0 (2)",
    ]


def test_three_leaves_are_worse_than_one():
    """Leaves of (6, 0), (9, 0), (1, 0) have 3.272601 expected errors, one leaf of (16, 1) has 2.475715."""
    X = np.repeat([[0.0], [1.0], [2.0]], [6, 9, 1], axis=0)
    y = np.repeat([0, 0, 1], [6, 9, 1])
    options = {"nominal": "all", "min_leaf": 1}
    assert C45Classifier(prune=False, **options).fit(X, y).get_n_leaves() == 3
    assert C45Classifier(**options).fit(X, y).get_n_leaves() == 1


@pytest.mark.parametrize(
    ("counts", "n_leaves"),
    [
        ((2, 0, 5, 6), 1),  # a leaf has 0.0991 expected errors more than the tree
        ((10, 1, 3, 4), 1),  # 0.0986
        ((15, 5, 1, 2), 2),  # 0.1012
        ((4, 3, 2, 23), 2),  # 0.1014
    ],
)
def test_a_tree_is_kept_if_it_saves_a_tenth_of_an_error(counts, n_leaves):
    """Two categories with so many rows of each class."""
    X, y = np.repeat([[0.0], [0.0], [1.0], [1.0]], counts, axis=0), np.repeat([0, 1, 0, 1], counts)
    fitted = C45Classifier(nominal="all", raise_subtrees=False).fit(X, y)
    assert fitted.get_n_leaves() == n_leaves


@pytest.mark.parametrize(
    ("n_rows", "n_classes", "least"), [(600, 2, 25), (500, 2, 25), (400, 2, 20), (100, 2, 5), (100, 5, 2), (30, 2, 2)]
)
def test_both_sides_need_a_tenth_of_the_average_class(n_rows, n_classes, least):
    """At least 2, no more than 25: a class at the low end is cut off only if it has so many rows."""
    for size in (least - 1, least):
        y = np.append(np.zeros(size, dtype=int), 1 + np.arange(n_rows - size) % (n_classes - 1))
        gain, _, below, _ = numeric_score(np.arange(n_rows), y, use_mdl=False)
        assert gain > 0
        assert below == least - 1


def test_of_equal_branches_the_last_is_the_largest():
    by_class = np.array([[5.0, 4.0], [1.0, 2.0], [3.0, 0.0], [0.0, 3.0], [1.0, 1.0]])
    assert kernels.trees.prune.largest_child(by_class, 1, 3) == 3
    assert kernels.trees.prune.largest_child(by_class, 1, 4) == 3
    assert kernels.trees.prune.largest_child(by_class, 0, 5) == 0


cells = st.lists(st.tuples(st.integers(-1, 3), st.integers(0, 2), st.integers(1, 3)), min_size=2, max_size=20)


@given(cells)
def test_nominal_scores_by_brute_force(rows):
    codes, y, weights = map(list, zip(*rows, strict=True))
    codes[0] = 3  # so that there are four codes
    listed = [((None if c < 0 else c,), label, w) for c, label, w in zip(codes, y, weights, strict=True)]
    tree = reference.C45([], [4], max(y) + 1)
    expected = tree.nominal_split(listed, 0)
    gain, ratio = nominal_score(codes, y, weights)
    if expected is None:
        assert gain == -1.0
    else:
        assert (gain, ratio) == pytest.approx(expected[:2], abs=1e-7)


@given(cells, st.sampled_from([1.0, 2.0]), st.booleans(), st.sampled_from([0.0, 1.0]))
def test_numeric_scores_by_brute_force(rows, min_leaf, use_mdl, min_gap):
    codes, y, weights = map(list, zip(*rows, strict=True))
    x = [np.nan if code < 0 else float(code * code) for code in codes]
    listed = [((None if c < 0 else float(c * c),), label, w) for c, label, w in zip(codes, y, weights, strict=True)]
    tree = reference.C45(listed, [None], max(y) + 1, prune=False, min_leaf=min_leaf, mdl=use_mdl, min_gap=min_gap)
    expected = tree.numeric_split(listed, 0)
    gain, ratio, below, above = numeric_score(
        x, y, min_leaf=min_leaf, min_gap=min_gap, use_mdl=use_mdl, weights=weights
    )
    if expected is None:
        assert gain == -1.0
        return
    assert (gain, ratio) == pytest.approx(expected[:2], abs=1e-7)
    values = np.unique([value for value in x if value == value])  # noqa: PLR0124
    assert values[kernels.trees.splits.place_cut(values, below, above)] == expected[2]["threshold"]


def test_a_cut_is_never_above_the_middle_nor_at_the_upper_value():
    place = kernels.trees.splits.place_cut
    assert place(np.array([0.0, 1.0, 2.0, 3.0, 4.0]), 0, 4) == 2
    assert place(np.array([0.0, 3.0, 4.0]), 0, 2) == 0
    assert place(np.array([1.0, np.inf]), 0, 1) == 0
    assert place(np.array([-np.inf, 0.0, np.inf]), 0, 2) == 0
    assert place(np.array([1.7e308, 1.79e308]), 0, 1) == 0
    assert place(np.array([1.0, np.nextafter(1.0, 2.0)]), 0, 1) == 0
