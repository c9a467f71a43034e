"""Pairs of columns: what they are made of, how they are chosen, and that every door knows them."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest

from cutwise import AdditiveClassifier, ModelError, SchemeError, TableError, kernels
from cutwise.classify.additive import pairs as pairs_module
from cutwise.classify.additive.bases import ColumnBins
from cutwise.classify.additive.learning import CodedColumns, begin_fit, coarse_columns
from cutwise.classify.additive.pairs import (
    MOST_ALONE,
    HeldOutFold,
    PairRows,
    coarse_column,
    columns_to_pair,
    product,
    purified,
)
from cutwise.classify.bayes.sample import CodedRows
from cutwise.persist import model_from_json
from tests.export.engines import ROW, polars_frame, run_duckdb, run_onnx, run_sqlite, typed

rng = np.random.default_rng(17)
N_ROWS = 500
FRAME = pd.DataFrame(
    {
        "a": rng.normal(size=N_ROWS).round(2),
        "b": rng.normal(size=N_ROWS).round(2),
        "noise": rng.normal(size=N_ROWS).round(2),
        "colour": rng.choice(["blue", "green", "red"], N_ROWS),
    }
)
# Neither of two columns says anything alone.
ODD = np.where((FRAME["a"] * FRAME["b"] > 0) ^ (rng.random(N_ROWS) < 0.1), "odd", "even")
THREE = np.where(FRAME["colour"] == "red", ODD, np.where(FRAME["noise"] > 0, "far", "near"))
GAPS = FRAME.copy()
GAPS.loc[::7, "a"] = np.nan
GAPS.loc[::11, "colour"] = None


@pytest.fixture(scope="module")
def model():
    return AdditiveClassifier(pairs=2).fit(GAPS, ODD)


def test_the_pair_that_matters_is_found(model):
    assert model.pairs_[0] == ("a", "b")
    assert model.converged_
    alone = AdditiveClassifier().fit(GAPS, ODD)
    assert alone.pairs_ == []
    assert alone.score(GAPS, ODD) < 0.7
    assert model.score(GAPS, ODD) > 0.8
    assert set(model.feature_importances_.argsort()[-2:]) == {0, 1}


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_pair_is_found_among_few_different_rows(n_classes):
    """Where many rows are equal, those that are held out are no rows of a kind that was never seen."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (2000, 3))
    rates = np.array([[0.1, 0.5], [0.5, 0.55]])[X[:, 0], X[:, 2]]
    y = np.where(rng.random(2000) < rates, rng.integers(1, n_classes, 2000), 0)
    assert AdditiveClassifier(pairs=1).fit(X, y).pairs_ == [("x0", "x2")]


def test_constant_columns_take_no_place_among_the_pairs():
    plain = FRAME[["a", "noise", "b"]]
    constant = plain.assign(one=1.0, missing=np.nan)[["one", "a", "missing", "noise", "b"]]
    found, same = (AdditiveClassifier(pairs=20).fit(frame, ODD) for frame in (constant, plain))
    assert same.pairs_
    assert found.pairs_ == same.pairs_
    assert np.allclose(found.predict_proba(constant), same.predict_proba(plain), atol=1e-8)
    assert AdditiveClassifier(pairs=20).fit(constant[["one", "a", "missing"]], ODD).pairs_ == []
    wanted = [("a", "b"), ("a", "one"), ("missing", "noise")]
    assert AdditiveClassifier(pairs=wanted, missing="code").fit(constant, ODD).pairs_ == [("a", "b")]
    assert AdditiveClassifier(pairs=wanted[1:]).fit(constant, ODD).pairs_ == []


def test_noise_seldom_has_pairs():
    draws = [np.random.default_rng(seed).random(N_ROWS) < 0.5 for seed in range(5)]
    assert sum(not AdditiveClassifier(pairs=3).fit(FRAME, noise).pairs_ for noise in draws) >= 3


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("pairs", [5, [("a", "b")]], ids=["number", "names"])
def test_as_many_different_rows_as_classes(n_classes, pairs):
    target = np.repeat(np.arange(n_classes), 10)
    model = AdditiveClassifier(pairs=pairs).fit(pd.DataFrame({"a": target * 1.0, "b": -target}), target)
    assert model.score(pd.DataFrame({"a": target * 1.0, "b": -target}), target) == 1.0


@pytest.mark.parametrize("target", [ODD, THREE], ids=["two classes", "four"])
def test_pairs_hold_no_main_effect(target):
    model = AdditiveClassifier(pairs=[("b", "a"), ("a", "colour")], missing="code").fit(GAPS, target)
    assert model.pairs_ == [("a", "b"), ("a", "colour")]
    assert model.converged_
    grids, rows = model.classifier_.grids_, model.classifier_.pair_rows_
    for pair, (first, last) in enumerate(itertools.pairwise(grids.firsts)):
        weights = rows[first:last].reshape(*grids.shape(pair), 1)
        for axis in (0, 1):
            assert np.abs((grids.grid(pair) * weights).sum(axis=axis)).max() < 1e-8 * N_ROWS


def test_purified_grids_differ_by_sums():
    rng = np.random.default_rng(5)
    table, counts = rng.normal(size=(20, 3)), rng.integers(0, 5, (4, 5)).astype(float)
    found = purified(table, counts)
    alone = (table - found).reshape(4, 5, 3)
    assert alone - alone[:1] - alone[:, :1] + alone[:1, :1] == pytest.approx(np.zeros((4, 5, 3)), abs=1e-12)
    assert purified(found, counts) == pytest.approx(found, abs=1e-12)


def rough_promise(groups, spreads, pull, values):
    """What a pair of columns [row, column] promises by a step of each cell, after a step of each column's groups."""
    kept, moved = (groups >= 0).all(axis=1), values[(groups >= 0).all(axis=1)]
    sums = np.zeros((*groups.max(axis=0) + 1, moved.shape[1]))
    np.add.at(sums, tuple(groups[kept].T), moved)
    slopes, bends = sums[..., :-1], sums[..., -1:]
    slopes = slopes - bends * slopes.sum(axis=1, keepdims=True) / bends.sum(axis=1, keepdims=True)
    slopes = slopes - bends * slopes.sum(axis=0, keepdims=True) / bends.sum(axis=0, keepdims=True)
    damped = bends + pull / np.prod(spreads)
    gain = (slopes**2 / damped - 0.5 * bends * (slopes / damped) ** 2).sum()
    free = np.prod(np.array(sums.shape[:2]) - 1) / bends.size
    return gain - (bends / damped).sum() * free * max(slopes.shape[2] - 1, 1)


@pytest.mark.parametrize("n_scores", [1, 3])
def test_rough_promises_against_plain_sums(n_scores):
    rng = np.random.default_rng(n_scores)
    sizes, spreads, n_rows = np.array([2, 6, 3, 5]), rng.random(4) + 0.5, 300
    groups = np.column_stack([rng.integers(-1, size, n_rows) for size in sizes])
    values = np.column_stack([rng.normal(size=(n_rows, n_scores)), rng.random(n_rows)])
    room = np.empty((36, n_scores + 1)), np.empty((6, n_scores + 1)), np.empty((6, n_scores + 1))
    found = np.empty(6)
    columns = np.ascontiguousarray(groups.T)
    kernels.additive.cells.rough_promises(columns, sizes, spreads, 2.0, values, *room, found)
    pairs = itertools.combinations(range(4), 2)
    expected = [rough_promise(groups[:, pair], spreads[[*pair]], 2.0, values) for pair in pairs]
    assert found == pytest.approx(expected, rel=1e-9)


def test_groups_without_rows_promise_nothing():
    groups = np.array([[0, 0, 2, 2], [1, 1, 1, 1]])
    room, found = (np.empty((9, 2)), np.empty((3, 2)), np.empty((3, 2))), np.empty(1)
    values = np.column_stack([[1.0, -1.0, 2.0, -2.0], np.ones(4)])
    kernels.additive.cells.rough_promises(groups, np.array([3, 2]), np.ones(2), 1.0, values, *room, found)
    # Two cells of weight 2, and no slopes: 2/3 of a weight each, of which (3 - 1) (2 - 1) of 6 are free.
    assert found == pytest.approx([-(4.0 / 3.0) * (2.0 / 6.0)])


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_pair_is_found_among_very_many(monkeypatch, n_classes):
    rng = np.random.default_rng(n_classes)
    X = rng.normal(size=(400, 120))
    odd = (X[:, 7] * X[:, 93] > 0) ^ (rng.random(400) < 0.05)
    y = np.where(odd, rng.integers(1, n_classes, 400), 0)
    assert AdditiveClassifier(2, pairs=2).fit(X, y).pairs_[0] == ("x7", "x93")
    monkeypatch.setattr(pairs_module, "MOST_RANKED", 1)
    assert AdditiveClassifier(2, pairs=2).fit(X, y).pairs_ == [("x7", "x93")]


def test_of_very_many_columns_those_are_paired_that_move_the_scores(monkeypatch):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(300, 40))
    y = (X[:, 5] + X[:, 30] + 2.0 * X[:, 5] * X[:, 30] + rng.logistic(size=300) > 0).astype(int)
    model = AdditiveClassifier(4).fit(X, y)
    sample = CodedRows(model._codes(X), y.astype(np.int64), None, np.array([0, 1]), np.full(40, 4))
    begun = begin_fit(sample, CodedColumns([4] * 40, [4] * 40, [0] * 40), 1.0)
    columns = coarse_columns(begun.counts, [4] * 40)
    assert columns_to_pair(columns, begun.problem, begun.start).tolist() == [*range(40)]
    monkeypatch.setattr(pairs_module, "MOST_COLUMNS", 5)
    weights = np.zeros_like(begun.start)
    weights[begun.problem.spans(6)[1]] = weights[begun.problem.spans(31)[1]] = 1.0
    assert {5, 30} < set(columns_to_pair(columns, begun.problem, weights).tolist())
    assert AdditiveClassifier(4, pairs=1).fit(X, y).pairs_ == [("x5", "x30")]
    # Rows and classes without end leave a hundred columns.
    monkeypatch.setattr(pairs_module, "MOST_COLUMNS", 1000)
    monkeypatch.setattr(pairs_module, "MOST_SUMS", 1)
    monkeypatch.setattr(pairs_module, "FEWEST_COLUMNS", 3)
    assert len(columns_to_pair(columns, begun.problem, begun.start)) == 3


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_likeness_of_some_rows_is_that_of_all(n_classes):
    rng = np.random.default_rng(n_classes)
    codes = rng.integers(-1, 4, (30, 6)).astype(np.int32)
    labels = rng.integers(0, n_classes, 30)
    sample = CodedRows(codes, labels, None, np.arange(n_classes), np.full(6, 4))
    begun = begin_fit(sample, CodedColumns([4] * 6, [4] * 6, [0] * 6, 1), 1.0)
    main, rows = begun.problem, PairRows(begun.distinct, coarse_columns(begun.counts, [4] * 6))
    paired = rows.with_pairs(main, {(0, 3): rows.basis((0, 3), main.weights)}, 4.0)
    kept = np.where(np.arange(main.labels.size) % 4 > 0, main.weights, 0.0)
    for problem in (main, main.weighing(kept), paired, paired.weighing(kept), paired.weighing(kept).without_pairs()):
        alone = problem.some(np.arange(problem.labels.size))
        assert alone.source is None
        assert np.array_equal(np.tril(problem.likeness), np.tril(alone.likeness))


def test_rows_that_judge_a_pair_have_no_part_in_its_basis():
    codes = np.random.default_rng(2).integers(0, 6, (80, 2)).astype(np.int32)
    sample = CodedRows(codes, (codes.sum(axis=1) % 2).astype(np.int64), None, np.array([0, 1]), np.array([6, 6]))
    begun = begin_fit(sample, CodedColumns([6, 6], [6, 6], [0, 0], 1), 1.0)
    main, rows = begun.problem, PairRows(begun.distinct, coarse_columns(begun.counts, [6, 6]))
    held = np.where(np.arange(main.labels.size) % 3 == 0, main.weights, 0.0)
    fold = HeldOutFold(rows, main, (begun.alpha, begun.start), held)
    fold.loss([(0, 1)], 1.0)
    assert (fold._bases[0, 1] == rows.basis((0, 1), main.weights - held)).all()
    assert not np.allclose(fold._bases[0, 1], rows.basis((0, 1), main.weights))


def test_groups_of_many_categories_share_the_last():
    column = coarse_column(ColumnBins(np.arange(12.0), 0))
    assert column.n_groups == MOST_ALONE
    assert column.group_of_bin.tolist() == [-1, 7, 7, 7, 7, 6, 5, 4, 3, 2, 1, 0]
    assert product(column.basis, np.ones((1, 1))) == pytest.approx(column.basis)


def test_the_order_of_rows_does_not_matter(model):
    order = np.random.default_rng(6).permutation(N_ROWS)
    assert AdditiveClassifier(pairs=2).fit(GAPS.iloc[order], ODD[order]).to_json() == model.to_json()


def test_contributions_and_explanations_add_up(model):
    codes = model._codes(GAPS)
    sums = model.classifier_.contributions(codes).sum(axis=2) + model.start_
    sums -= np.log(np.exp(sums).sum(axis=1, keepdims=True))
    assert sums == pytest.approx(model.predict_log_proba(GAPS), abs=1e-9)
    for row in (0, 5, 7):
        found = model.explain(GAPS.iloc[row])
        assert found.prior + sum(item.log_odds for item in found.attributes) == pytest.approx(found.score, abs=1e-9)
    paired = found.attributes[4]
    assert (paired.name, paired.value) == ("a & b", f"missing & {GAPS['b'][7]:g}")
    assert "a & b" in str(found)


def test_what_no_row_has_is_no_evidence_in_pairs(model):
    nothing = model.classifier_.predict_proba([[-1, -1, -1, -1]])
    unseen = AdditiveClassifier(pairs=[("a", "colour")]).fit(FRAME, ODD)
    odd = pd.DataFrame({"a": [np.nan], "b": [np.nan], "noise": [np.nan], "colour": ["pink"]})
    assert unseen.predict_proba(odd).tolist() == unseen.classifier_.predict_proba([[-1] * 4]).tolist()
    assert nothing.shape == (1, 2)


@pytest.mark.parametrize("target", [ODD, THREE], ids=["two classes", "four"])
def test_sql_polars_and_onnx(target):
    fitted = AdditiveClassifier(6, pairs=[("a", "b"), ("b", "colour")]).fit(GAPS, target)
    table = pd.concat([GAPS[:60], pd.DataFrame({"a": [np.inf, None], "b": [1e308, 0.0], "colour": ["pink", None]})])
    columns = [table[name].astype(object).where(table[name].notna(), None).tolist() for name in GAPS.columns]
    expected = fitted.predict_proba(pd.DataFrame(dict(zip(GAPS.columns, columns, strict=True))))
    for name, run in (("duckdb", run_duckdb), ("sqlite", run_sqlite)):
        found = run(fitted.to_sql(name, keep=[ROW]), typed(fitted.scheme_, columns))
        assert np.array([row[1:] for row in found]) == pytest.approx(expected, abs=1e-9)
    assert run_onnx(fitted.to_onnx(), fitted.scheme_, columns)[1] == pytest.approx(expected, abs=1e-9)
    scores = polars_frame(fitted.scheme_, columns).lazy().pipe(fitted.to_polars()).collect()
    assert scores.drop("prediction").to_numpy() == pytest.approx(expected, abs=1e-12)


def test_a_pair_as_a_table(model):
    first, second = model.pairs_[0]
    table = pd.DataFrame(model.shape((first, second)))
    assert table.columns.tolist() == [
        f"bin of {first}",
        f"bin of {second}",
        "rows",
        "score of even",
        "score of odd",
        "standard error",
    ]
    assert table["rows"].sum() == len(GAPS)
    assert np.array_equal(table[["score of even", "score of odd"]], model.classifier_.grids_.grid(0).reshape(-1, 2))
    assert model.shape([second, first]) == model.shape((first, second))
    # The cell that the labels name is that of the rows.
    inside = GAPS["b"].to_numpy() > float(table[f"bin of {second}"].iloc[-1].split(",")[0].strip("("))
    assert table.loc[table[f"bin of {second}"] == table[f"bin of {second}"].iloc[-1], "rows"].sum() == inside.sum()
    with pytest.raises(SchemeError, match=r"no scores of the pair \('a', 'z'\). Its pairs: \('a', 'b'\)"):
        model.shape(("a", "z"))
    with pytest.raises(SchemeError, match="It has no pairs"):
        AdditiveClassifier().fit(FRAME, ODD).shape(("a", "b"))


def test_a_pair_as_a_picture(model):
    pytest.importorskip("matplotlib").use("Agg")
    ax = model.plot_shape(("b", "a"))
    scores = ax.images[0].get_array()
    assert np.array_equal(scores, model.classifier_.grids_.grid(0)[..., 1])
    assert ax.get_title(loc="left") == "a with b"
    assert len(ax.texts) == scores.size
    assert len(ax.get_yticklabels()) == len(scores)
    assert np.array_equal(model.plot_shape(("a", "b"), target="even").images[0].get_array(), -scores)
    with pytest.raises(ValueError, match="'target' is 'none', but the classes are 'even', 'odd'"):
        model.plot_shape(("a", "b"), target="none")
    many = AdditiveClassifier(pairs=[("a", "b")]).fit(FRAME, THREE)
    grid = many.classifier_.grids_.grid(0)
    assert np.array_equal(many.plot_shape(("a", "b")).images[0].get_array(), grid[..., grid.var(axis=(0, 1)).argmax()])


def test_json(model):
    again = model_from_json(model.to_json())
    assert again.to_json() == model.to_json()
    assert again.pairs_ == model.pairs_
    wanted = AdditiveClassifier(4, pairs=[["b", "a"], ("a", "colour")]).fit(GAPS, ODD)
    again = model_from_json(wanted.to_json())
    assert again.pairs == [("b", "a"), ("a", "colour")]
    assert again.to_json() == wanted.to_json()
    again = model_from_json(model.to_json())
    assert again.predict_proba(GAPS).tobytes() == model.predict_proba(GAPS).tobytes()


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("pairs", [[0, 9]], "names a column that is not there"),
        ("pair_scores", [[0.0, 0.0]], "'pair_errors' has|does not fit|entries where"),
        ("groups", None, "must be a list"),
    ],
)
def test_a_text_that_contradicts_itself_is_refused(model, key, value, message):
    data = model.to_dict()
    data["classifier"]["learned"][key] = value
    with pytest.raises(ModelError, match=message):
        AdditiveClassifier.from_dict(data)


def test_a_text_with_a_pair_of_one_group_is_refused(model):
    data = model.to_dict()
    groups = data["classifier"]["learned"]["groups"]
    groups[:] = [min(group, 1) for group in groups]
    with pytest.raises(ModelError, match="all in one group"):
        AdditiveClassifier.from_dict(data)


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([("a", "c")], "'pairs' names the column 'c'"),
        ([("a", "a")], "two names of different columns"),
        (["ab"], "two names of different columns"),
    ],
)
def test_wrong_pairs_are_told(pairs, message):
    with pytest.raises((ValueError, TableError), match=message):
        AdditiveClassifier(pairs=pairs).fit(FRAME, ODD)
