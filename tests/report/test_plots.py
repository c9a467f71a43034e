"""Plots: what they show, whatever the names are."""

from __future__ import annotations

import subprocess
import sys

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError

from cutwise import EqualFrequencyDiscretizer, EqualWidthDiscretizer, MRmDDiscretizer, SchemeError
from cutwise.report.plots import plot_compare
from tests.report.payloads import PAYLOADS


@pytest.fixture(autouse=True)
def _pictures():
    from matplotlib import pyplot as plt

    with mpl.rc_context():
        plt.switch_backend("agg")
        yield
        plt.close("all")


@pytest.fixture(scope="module")
def fitted():
    return MRmDDiscretizer(place="readable").fit(*load_iris(return_X_y=True, as_frame=True))


def texts(ax):
    ax.figure.canvas.draw()
    return [label.get_text() for label in ax.get_xticklabels()]


def test_bars_are_the_shares_of_the_classes(fitted):
    ax = fitted.plot("petal length (cm)")
    attribute = fitted.scheme_["petal length (cm)"]
    assert texts(ax) == list(attribute.labels)
    for k, bars in enumerate(ax.containers):
        shares = [row[k] / sum(row) for row in attribute.class_counts]
        assert [bar.get_height() for bar in bars] == pytest.approx(shares)
    assert [text.get_text() for text in ax.texts] == [str(rows) for rows in attribute.rows]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["2", "1", "0"]


def test_labels_round_no_cut_away():
    cuts = [1 + k * 1e-14 for k in range(1, 5)]
    labels = texts(EqualWidthDiscretizer(2).fit([[1], [2]]).scheme_.with_cuts("x0", cuts).plot("x0"))
    assert len(set(labels)) == 5
    assert labels[1] == "(1.00000000000001, 1.00000000000002]"


def test_all_attributes_by_relevance(fitted):
    ax = fitted.plot()
    ranked = sorted(fitted.scheme_.attributes, key=lambda one: -one.relevance)
    assert [text.get_text() for text in ax.get_yticklabels()] == [one.name for one in ranked]
    assert [bar.get_width() for bar in ax.patches] == pytest.approx([one.relevance for one in ranked])
    assert [text.get_text() for text in ax.texts] == [f"{one.n_bins} bins" for one in ranked]
    assert ax.get_title(loc="left") == "MRmD: relevance of the bins, 4 attributes"
    assert fitted.scheme_.plot(ax=ax) is ax


def test_without_classes_the_bins_are_drawn():
    X = np.random.default_rng(0).normal(size=(200, 60))
    ax = EqualWidthDiscretizer(7).fit(X).plot()
    assert [bar.get_width() for bar in ax.patches] == [7.0] * 40
    assert ax.get_title(loc="left") == "EqualWidth: the number of bins, the first 40 of 60 attributes"
    ax.figure.canvas.draw()


def test_attributes_that_tell_nothing_have_a_picture():
    ax = MRmDDiscretizer().fit([[1.0, 2.0]] * 4, [0, 1, 0, 1]).plot()
    assert ax.get_xlim() == (0, 1)
    ax.figure.canvas.draw()


def test_given_axes_are_used(fitted):
    from matplotlib import pyplot as plt

    _, axes = plt.subplots(1, 2)
    assert fitted.plot("petal length (cm)", ax=axes[0]) is axes[0]
    assert fitted.scheme_.plot("petal length (cm)", axes[1]) is axes[1]
    assert plot_compare([fitted], "petal length (cm)", ax=axes[1]) is axes[1]


@pytest.mark.parametrize("payload", [*(text for text in PAYLOADS if "\ud800" not in text), "$", "$x^", r"\$", "a_$b$"])
def test_hostile_names(payload):
    X = pd.DataFrame({payload: [1.0, 2.0, 3.0, 4.0] * 5, "c": [payload, "x"] * 10})
    fitted = EqualWidthDiscretizer(2).fit(X, [payload, "other"] * 10)
    for ax in (fitted.plot(), fitted.plot(payload), fitted.plot("c"), plot_compare({payload: fitted}, payload)):
        ax.figure.canvas.draw()


def test_many_bins_many_classes_and_missing_values():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(3000, 1))
    x[:5] = np.nan
    fitted = EqualFrequencyDiscretizer(100).fit(x, rng.integers(0, 12, 3000))
    ax = fitted.plot("x0")
    assert len(texts(ax)) <= 30
    assert len(ax.containers) == 8
    assert ax.get_legend().get_texts()[0].get_text() == "other (5 classes)"


def test_edited_schemes_say_so(fitted):
    ax = fitted.scheme_.with_cuts("petal length (cm)", [1.25, 3]).plot("petal length (cm)")
    assert "edited by hand" in ax.get_title(loc="left")
    assert "no rows counted" in [text.get_text() for text in ax.texts]


def test_compare_draws_every_cut(fitted):
    X, y = load_iris(return_X_y=True, as_frame=True)
    other = EqualWidthDiscretizer(4).fit(X, y)
    ax = plot_compare({"ours": fitted, "theirs": other.scheme_}, "petal width (cm)")
    drawn = [sorted({point[0] for path in lines.get_segments() for point in path}) for lines in ax.collections[1::2]]
    expected = [list(one.scheme_["petal width (cm)"].cuts) for one in (fitted, other)]
    assert drawn == expected
    assert [label.get_text() for label in ax.get_yticklabels()] == ["ours", "theirs"]


@pytest.mark.parametrize("values", [[1.0, 1.0], [np.nan, np.nan], [-1.7e308, 1.7e308], [5e-324, 1e-323]])
def test_extreme_values(values):
    fitted = EqualWidthDiscretizer(3).fit(np.array(values)[:, None])
    for ax in (fitted.plot("x0"), plot_compare([fitted], "x0")):
        ax.figure.canvas.draw()


def test_what_cannot_be_drawn(fitted):
    with pytest.raises(KeyError, match="no attribute 'height'"):
        fitted.plot("height")
    with pytest.raises(NotFittedError):
        MRmDDiscretizer().plot("x0")
    with pytest.raises(SchemeError, match="nothing to compare"):
        plot_compare([], "x0")
    with pytest.raises(SchemeError, match="Fit it first"):
        plot_compare([MRmDDiscretizer()], "x0")
    words = EqualWidthDiscretizer().fit(pd.DataFrame({"c": ["a", "b"]}))
    with pytest.raises(SchemeError, match="'c' is nominal"):
        plot_compare([words], "c")


def test_without_matplotlib():
    program = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "from cutwise import EqualWidthDiscretizer\n"
        "try: EqualWidthDiscretizer(2).fit([[1.0], [2.0]]).plot('x0')\n"
        "except ImportError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert (
        done.stdout.strip() == "Plots need matplotlib, which is not installed; pip install 'cutwise[plots]' brings it."
    )
