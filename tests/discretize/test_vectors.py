"""The worked examples of MRmD: cuts, Psi, I and J of every step."""

from __future__ import annotations

import numpy as np
import pytest

from cutwise import MaxRelevanceDiscretizer, MRmDDiscretizer

X = np.arange(1.0, 13.0)[:, None]
Y = np.array([0, 0, 0, 1, 0, 1, 1, 1, 2, 2, 1, 2])
HELD_OUT = np.isin(np.arange(1, 13), [3, 7, 11]).astype(int)
DIGITS = {"abs": 6e-11}


def fit(**options):
    parts = options.pop("parts", None)
    return MRmDDiscretizer(**options).fit(X, Y, parts=parts).scheme_["x0"]


def test_holdout_greedy():
    attribute = fit(validation="holdout", parts=HELD_OUT)
    assert attribute.cuts == (5.5, 8.5)
    first, second = attribute.steps
    assert first == pytest.approx((5.5, 0.6562261704, 0.6790653838, 0.0093928179), **DIGITS)
    assert second == pytest.approx((8.5, 0.9309839312, 0.9833557550, 0.0138138931), **DIGITS)
    assert attribute.refused == pytest.approx((3.5, 0.9251650967, 1.1174924612, 0.1272496697), **DIGITS)
    assert attribute.stop == "no_gain"
    assert (attribute.score, attribute.relevance, attribute.divergence) == second[1:]


def test_holdout_exact():
    attribute = fit(validation="holdout", parts=HELD_OUT, search="exact")
    assert attribute.cuts == (3.5, 4.5, 5.5, 8.5)
    assert attribute.score == pytest.approx(1.0581786125, **DIGITS)
    assert attribute.stop == "optimum"


def test_holdout_with_a_strong_discount():
    greedy = fit(n_d=5.0, validation="holdout", parts=HELD_OUT)
    exact = fit(n_d=5.0, validation="holdout", parts=HELD_OUT, search="exact")
    assert greedy.cuts == (5.5, 8.5)
    assert exact.cuts in {(5.5, 8.5), (3.5, 8.5)}
    assert greedy.score == pytest.approx(0.6453491819, **DIGITS)
    assert exact.score == pytest.approx(greedy.score, rel=1e-12)


def test_crossfit():
    attribute = fit(validation="crossfit", parts=np.arange(1, 13) % 3)
    path = [(5.5, 0.6416990702), (8.5, 0.9140113630), (3.5, 0.9842700988), (4.5, 1.0024966354)]
    assert [step[:2] for step in attribute.steps] == [pytest.approx(step, **DIGITS) for step in path]
    assert attribute.refused[:2] == pytest.approx((10.5, 0.9854145529), **DIGITS)
    assert attribute.cuts == (3.5, 4.5, 5.5, 8.5)


@pytest.mark.parametrize("search", ["greedy", "exact"])
def test_repeated_values(search):
    x = np.array([1, 1, 2, 2, 3, 4, 4, 5, 6, 6.0])[:, None]
    y = [0, 0, 0, 1, 1, 1, 0, 1, 1, 1]
    parts = np.isin(np.arange(1, 11), [2, 6, 9])
    attribute = MRmDDiscretizer(validation="holdout", search=search).fit(x, y, parts=parts).scheme_["x0"]
    assert attribute.cuts == (1.5, 4.5)
    assert (attribute.score, attribute.divergence) == pytest.approx((0.4139860662, 0.0524534723), **DIGITS)
    if search == "greedy":
        assert attribute.steps[0] == pytest.approx((1.5, 0.2786794453, 0.3219280949, 0.0368740462), **DIGITS)
        assert attribute.refused[:2] == pytest.approx((5.5, 0.3063797568), **DIGITS)


def test_expected():
    attribute = fit(n_splits=3)
    path = [(5.5, 0.5799537754), (8.5, 0.7570378623), (3.5, 0.7598007402), (4.5, 0.8093328165)]
    assert [step[:2] for step in attribute.steps] == [pytest.approx(step, **DIGITS) for step in path]
    assert attribute.steps[1].divergence == pytest.approx(0.1877599620, **DIGITS)
    assert attribute.refused[:2] == pytest.approx((10.5, 0.7757936681), **DIGITS)


def test_expected_exact():
    attribute = fit(n_splits=3, search="exact")
    assert attribute.cuts == (3.5, 4.5, 5.5, 8.5, 10.5, 11.5)
    assert attribute.score == pytest.approx(0.8152649915, **DIGITS)


def test_ablations():
    assert MaxRelevanceDiscretizer().fit(X, Y).cuts_[0].tolist() == [3.5, 4.5, 5.5, 8.5, 10.5, 11.5]
    three = MaxRelevanceDiscretizer("classes").fit(X, Y)
    assert three.cuts_[0].size == 3
    assert three.scheme_["x0"].stop == "limit"
    limited = MaxRelevanceDiscretizer([1]).fit(X, Y)
    assert limited.cuts_[0].tolist() == [5.5]
    assert limited.scheme_.parameters["max_cuts"] == (1,)
    assert MaxRelevanceDiscretizer(2).fit(X, Y).scheme_.parameters["max_cuts"] == 2


@pytest.mark.parametrize(
    ("name", "cuts"), [("iris", 52.8), ("pima", 783.6), ("wine", 655.6), ("vehicle", 1174.4), ("titanic", 5.0)]
)
def test_cut_counts_of_the_paper(paper_data, name, cuts):
    """MR-O on nine tenths of the rows gives the paper's number of cuts, up to the choice of folds."""
    from sklearn.model_selection import StratifiedKFold

    table = np.genfromtxt(paper_data / f"{name}.csv", delimiter=",", skip_header=1, dtype=str)
    X, y = table[:, :-1].astype(float), table[:, -1]
    folds = StratifiedKFold(10, shuffle=True, random_state=0).split(X, y)
    found = [sum(c.size for c in MaxRelevanceDiscretizer().fit(X[train], y[train]).cuts_) for train, _ in folds]
    assert np.mean(found) == pytest.approx(cuts, rel=0.01)
