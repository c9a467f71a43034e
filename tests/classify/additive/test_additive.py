"""The additive classifier of tables keeps what is promised of it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.metrics import log_loss
from sklearn.preprocessing import StandardScaler

from cutwise import (
    AdditiveClassifier,
    EqualWidthDiscretizer,
    FixedCutsDiscretizer,
    MDLPDiscretizer,
    SchemeError,
    TableError,
)
from cutwise.classify.additive.additive import FEWEST_BINS, MOST_BINS, MOST_CHOSEN, ROWS_PER_BIN
from cutwise.classify.additive.bases import TREND
from cutwise.persist import model_from_json
from tests.classify.additive.made import drawn_waves
from tests.classify.tables import FRAMES, GROUP, YES

FRAME = FRAMES["pandas"]()


@pytest.mark.parametrize("target", [YES, GROUP], ids=["two classes", "three"])
def test_the_order_of_rows_does_not_change_a_byte(target):
    order = np.random.default_rng(0).permutation(len(FRAME))
    one = AdditiveClassifier().fit(FRAME, target)
    assert one.converged_
    assert AdditiveClassifier().fit(FRAME.iloc[order], target[order]).to_json() == one.to_json()


@pytest.mark.parametrize("target", [YES, GROUP], ids=["two classes", "three"])
def test_a_weight_is_a_number_of_rows(target):
    weights = np.random.default_rng(1).integers(0, 4, len(FRAME))
    rows = np.repeat(np.arange(len(FRAME)), weights)
    weighted = AdditiveClassifier().fit(FRAME, target, sample_weight=weights)
    repeated = AdditiveClassifier().fit(FRAME.iloc[rows], target[rows])
    assert weighted.alpha_ == repeated.alpha_
    assert weighted.predict_proba(FRAME) == pytest.approx(repeated.predict_proba(FRAME), abs=1e-12)


@pytest.mark.parametrize("container", [name for name in FRAMES if name != "list"])
def test_containers_agree(container):
    found = AdditiveClassifier(alpha=1.0).fit(FRAMES[container](), YES).predict_proba(FRAMES[container]())
    assert found.tobytes() == AdditiveClassifier(alpha=1.0).fit(FRAME, YES).predict_proba(FRAME).tobytes()


def test_other_names_of_the_classes_mirror_the_scores():
    model, mirrored = (AdditiveClassifier().fit(FRAME, y) for y in (YES, np.where(YES == "yes", "a", "b")))
    assert mirrored.predict_proba(FRAME)[:, ::-1] == pytest.approx(model.predict_proba(FRAME), abs=1e-9)


def test_more_rows_make_a_finer_grid():
    rng = np.random.default_rng(2)
    for n_rows in (500, 30 * ROWS_PER_BIN, 2 * MOST_BINS * ROWS_PER_BIN):
        x = rng.normal(size=(n_rows, 1))
        model = AdditiveClassifier(alpha=1.0).fit(x, x[:, 0] > rng.normal(size=n_rows))
        assert model.scheme_["x0"].n_bins == min(max(n_rows // ROWS_PER_BIN, FEWEST_BINS), MOST_BINS)


@pytest.mark.parametrize(
    ("waves", "n_classes", "n_rows", "n_bins"),
    [(16, 2, 1500, MOST_BINS), (16, 3, 1500, MOST_BINS), (1, 2, 150, FEWEST_BINS), (0.5, 3, 300, FEWEST_BINS)],
)
def test_of_two_grids_the_one_that_predicts_better_is_taken(waves, n_classes, n_rows, n_bins):
    X, y = drawn_waves(waves, n_classes, n_rows)
    model = AdditiveClassifier().fit(X, y)
    both = [AdditiveClassifier(bins=number).fit(X, y) for number in (FEWEST_BINS, MOST_BINS)]
    best = min(both, key=lambda one: one.classifier_.tried_losses_.min())
    assert model.discretizer_.n_bins == best.discretizer_.n_bins == n_bins
    assert model.predict_proba(X) == pytest.approx(best.predict_proba(X), abs=1e-9)
    assert AdditiveClassifier(alpha=1.0).fit(X, y).discretizer_.n_bins == FEWEST_BINS


def test_many_shapes_have_the_coarse_grid():
    X, y = drawn_waves(16, 2, 1500)
    wide = np.hstack([X[["wave"]], np.zeros((len(X), MOST_CHOSEN // MOST_BINS))])
    assert AdditiveClassifier().fit(wide, y).discretizer_.n_bins == FEWEST_BINS


def test_classes_that_are_told_apart_need_a_pull():
    """Without one the scores of rows near the border would be far too sure."""
    X = np.random.default_rng(3).normal(size=(3000, 10))
    y = (X**2).sum(axis=1) > 9.34
    model = AdditiveClassifier().fit(X[:1000], y[:1000])
    found = log_loss(y[1000:], model.predict_proba(X[1000:]))
    others = [AdditiveClassifier(alpha=alpha).fit(X[:1000], y[:1000]) for alpha in (0.01, 0.1, 1.0, 10.0)]
    assert found < 1.05 * min(log_loss(y[1000:], other.predict_proba(X[1000:])) for other in others)


def test_neighbours_learn_from_each_other():
    """With a strong pull the shape is a line over the bins, and categories say nothing."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=(800, 1))
    y = rng.random(800) < 1.0 / (1.0 + np.exp(-x[:, 0]))
    jumps = {alpha: np.diff(_scores(AdditiveClassifier(alpha=alpha).fit(x, y), 0)) for alpha in (0.01, 300.0)}
    assert np.std(jumps[300.0]) < 0.05 * np.std(jumps[0.01])
    assert (jumps[300.0] > 0).all()
    towns = pd.DataFrame({"town": rng.choice(["Bonn", "Rome"], 50)})
    assert abs(_scores(AdditiveClassifier(alpha=1e6).fit(towns, towns["town"]), 0)).max() < 1e-3


def _scores(model, j, event=None):
    """The scores of a class, by default the last, over the bins of a column, those for missing values left out."""
    tables = model.classifier_.tables_
    place = -1 if event is None else model.classes_.tolist().index(event)
    return tables.log_likelihood[tables.offsets[j] : tables.offsets[j + 1] - 1, place]


@pytest.mark.parametrize("event", [None, *np.unique(YES).tolist()])
@pytest.mark.parametrize("monotonic", ["increasing", {"height": "decreasing"}, {"height": "auto", "weight": "auto"}])
def test_shapes_that_only_rise_or_fall(monotonic, event):
    model = AdditiveClassifier(monotonic=monotonic, event=event, alpha=0.1).fit(FRAME, YES)
    assert model.converged_
    labels, counts = np.unique(YES, return_counts=True)
    # Of equal ones the second.
    event = labels[int(counts[1] <= counts[0])] if event is None else event
    assert model.scheme_.event == event
    words = monotonic if isinstance(monotonic, dict) else dict.fromkeys(["height", "weight"], monotonic)
    for j, name in enumerate(["height", "weight"]):
        jumps = np.diff(_scores(model, j, event))
        if name in words:
            rises, falls = (jumps >= -1e-12).all(), (jumps <= 1e-12).all()
            assert {"increasing": rises, "decreasing": falls, "auto": rises or falls}[words[name]]
        else:
            assert (jumps > 0).any()
            assert (jumps < 0).any()


def test_a_column_may_be_named_without_a_direction():
    plain, named = (AdditiveClassifier(monotonic=words).fit(FRAME, YES) for words in (None, {"colour": None}))
    assert np.array_equal(named.predict_proba(FRAME), plain.predict_proba(FRAME))


def test_the_event_of_given_bins_and_of_a_scheme_without_classes():
    table, target = FRAME[["height"]], np.where(np.unique(YES)[0] == YES, "first", "second")
    for bins in (EqualWidthDiscretizer(6, event="first"), EqualWidthDiscretizer(6).fit(table).scheme_):
        model = AdditiveClassifier(bins, monotonic="increasing", alpha=0.1).fit(table, target)
        rarer = "first" if (target == "first").sum() < (target == "second").sum() else "second"
        event = getattr(bins, "event", None) or rarer
        assert (np.diff(_scores(model, 0, event)) >= -1e-12).all()
    with pytest.raises(ValueError, match="The event 'third' is none of the classes, which are 'first', 'second'"):
        AdditiveClassifier(monotonic="increasing", event="third").fit(table, target)


def test_what_no_row_has_is_no_evidence():
    table = pd.DataFrame({"age": [20.0, 30.0, 40.0, 50.0, 60.0] * 8, "town": ["Bonn", "Rome"] * 20})
    late = ["no", "no", "no", "no", "yes"] * 8
    model = AdditiveClassifier(special_values={"age": [-999]}).fit(table, late)
    odd = pd.DataFrame({"age": [-999.0, np.nan, -999.0], "town": ["Oslo", None, " oslo"]})
    nothing = model.classifier_.predict_proba([[-1, -1]])
    assert model.predict_proba(odd).tolist() == nothing.tolist() * 3
    assert [item.log_odds for item in model.explain({"age": -999.0, "town": "Oslo"}).attributes] == [0.0, 0.0]


@pytest.mark.parametrize("n_classes", [2, 3])
def test_an_empty_ordered_bin_takes_the_scores_of_its_neighbours(n_classes):
    """It lies on the straight line between the nearest bins with rows; beyond the last of these a part of the trend."""
    rng = np.random.default_rng(4)
    x = rng.choice([0.0, 1.0, 2.0, 5.0, 6.0, 8.0], 300)
    y = np.clip((x + rng.normal(0.0, 3.0, 300)) // (9 / n_classes), 0, n_classes - 1)
    cuts = np.arange(-1.5, 11.0)
    model = AdditiveClassifier(FixedCutsDiscretizer({"x0": cuts.tolist()}), alpha=1.0).fit(x[:, None], y)
    shape = model.shape("x0")
    full = np.flatnonzero(shape["rows"])
    places = np.arange(cuts.size + 1)
    # The variance that all jumps share before any row is seen, in units of that of a single jump.
    shared = (TREND / cuts.size) ** 2
    for label in model.classes_.tolist():
        scores = np.array(shape[f"score of {label}"])[: places.size]
        step = shared * (scores[full[-1]] - scores[full[0]]) / (1.0 + shared * (full[-1] - full[0]))
        beyond = step * (np.minimum(places - full[0], 0) + np.maximum(places - full[-1], 0))
        assert scores == pytest.approx(np.interp(places, full, scores[full]) + beyond, abs=1e-6)


def test_bins_of_others():
    discretizer = MDLPDiscretizer(missing="bin")
    scheme = clone(discretizer).fit(FRAME, YES).scheme_
    fitted, given = (AdditiveClassifier(bins).fit(FRAME, YES) for bins in (discretizer, scheme))
    assert given.scheme_ is scheme
    assert fitted.predict_proba(FRAME).tobytes() == given.predict_proba(FRAME).tobytes()
    assert AdditiveClassifier(3).fit(FRAME, YES).scheme_["weight"].n_bins == 3
    for model in (fitted, given):
        again = model_from_json(model.to_json())
        assert again.to_json() == model.to_json()
        assert again.predict_proba(FRAME).tobytes() == model.predict_proba(FRAME).tobytes()
    assert model_from_json(given.to_json()).bins == scheme
    assert model_from_json(fitted.to_json()).bins.missing == "bin"


@pytest.mark.parametrize("library", [pd, pl])
def test_bins_of_an_ordered_type_are_neighbours(library):
    sizes = ["small", "middle", "large"]
    values = np.random.default_rng(4).choice(sizes, 60).tolist()
    if library is pd:
        tables = [pd.DataFrame({"size": pd.Categorical(values, sizes, ordered=ordered)}) for ordered in (True, False)]
    else:
        tables = [pl.DataFrame({"size": values}, schema={"size": kind}) for kind in (pl.Enum(sizes), pl.String)]
    late = np.arange(60) % 4 == 0
    ordered, nominal = (AdditiveClassifier(alpha=5.0).fit(table, late) for table in tables)
    assert ordered.classifier_.tables_.counts.n_ordered.tolist() == [3]
    assert nominal.classifier_.tables_.counts.n_ordered.tolist() == [0]


def test_standard_errors_fall_with_rows():
    rng = np.random.default_rng(5)
    x = rng.normal(size=(4000, 1))
    y = x[:, 0] > rng.normal(size=4000)
    few, many = (AdditiveClassifier(10, alpha=1.0).fit(x[:n], y[:n]).classifier_.errors_ for n in (400, 4000))
    assert (many[:-1] < 0.6 * few[:-1]).all()


def test_shapes_as_tables_and_plots():
    model = AdditiveClassifier(5).fit(FRAME, YES)
    table = pd.DataFrame(model.shape("height"))
    assert table.columns.tolist() == ["bin", "rows", "score of no", "score of yes", "standard error"]
    assert table["bin"].iloc[-1] == "missing"
    assert table["rows"].sum() == len(FRAME)
    assert table["score of yes"].tolist() == (-table["score of no"]).tolist()
    pytest.importorskip("matplotlib").use("Agg")
    ax = model.plot_shape("height")
    assert ax.get_title(loc="left") == "height"
    # The line ends where neighbours end: what is missing has a point of its own.
    assert len(ax.lines[0].get_xdata()) == len(table) - 1
    assert len(ax.containers) == 1
    rare = AdditiveClassifier(5, event="no").fit(FRAME, YES).plot_shape("height")
    assert [text.get_text() for text in rare.get_legend().get_texts()] == ["no"]
    other = model.plot_shape("height", target="no")
    assert [text.get_text() for text in other.get_legend().get_texts()] == ["no"]
    with pytest.raises(SchemeError, match=r"There is no column 'hight'.*height"):
        model.shape("hight")


def test_importances_are_shares():
    importances = AdditiveClassifier().fit(FRAME, YES).feature_importances_
    assert importances.sum() == pytest.approx(1.0)
    assert importances.argmax() in (0, 1)
    assert not AdditiveClassifier().fit([[1.0], [1.0], [1.0]], [0, 1, 1]).feature_importances_.any()


def test_one_class():
    model = AdditiveClassifier().fit(FRAME, ["same"] * len(FRAME))
    assert model.predict_proba(FRAME).tolist() == [[1.0]] * len(FRAME)


@pytest.mark.parametrize(
    ("settings", "target", "message"),
    [
        ({"monotonic": "increasing"}, GROUP, "the target y has 3 classes"),
        ({"monotonic": {"hight": "auto"}}, YES, "names the column 'hight', but the columns are 'height'"),
        ({"monotonic": {"height": "up"}}, YES, "has 'up' for the column 'height'"),
        (
            {"monotonic": {"colour": "auto"}},
            YES,
            "has 'auto' for the column 'colour', but its categories have no order",
        ),
        ({"bins": EqualWidthDiscretizer(), "special_values": [1]}, YES, "'special_values' are for the own grid"),
        ({"bins": StandardScaler()}, YES, "'bins' must be a discretizer"),
    ],
)
def test_wrong_settings_are_told(settings, target, message):
    with pytest.raises((ValueError, TableError, TypeError), match=message):
        AdditiveClassifier(**settings).fit(FRAME, target)
