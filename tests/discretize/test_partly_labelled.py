"""MODL learns from rows without a label; the other methods refuse them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone

from cutwise import MODLDiscretizer, Scheme
from tests.methods import EVERY


def sample(seed=0, n_rows=300):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 2))
    y = (X[:, 0] + 0.3 * rng.normal(size=n_rows) > 0).astype(int)
    lacks = rng.random(n_rows) < 0.6
    return X, y, lacks


def with_gaps(y, lacks, gap):
    return [gap if lack else label for label, lack in zip(y.tolist(), lacks, strict=True)]


@pytest.mark.parametrize(
    "make",
    [
        lambda y, lacks: np.where(lacks, np.nan, y),
        lambda y, lacks: with_gaps(y, lacks, None),
        lambda y, lacks: np.array(with_gaps(y, lacks, None), dtype=object),
        lambda y, lacks: np.array(with_gaps(y, lacks, None), dtype=object)[:, None].ravel(),
        lambda y, lacks: pd.Series(np.where(lacks, np.nan, y)),
        lambda y, lacks: pd.Series(with_gaps(y, lacks, pd.NA), dtype="Int64"),
        lambda y, lacks: pl.Series(with_gaps(y, lacks, None)),
        lambda y, lacks: with_gaps(np.array(["no", "yes"])[y], lacks, None),
        lambda y, lacks: with_gaps(np.array(["no", "yes"])[y], lacks, np.nan),
        lambda y, lacks: pd.Series(with_gaps(np.array(["no", "yes"])[y], lacks, None)),
        lambda y, lacks: with_gaps(y.astype(bool), lacks, None),
    ],
)
def test_missing_labels_in_any_form(make):
    X, y, lacks = sample()
    expected = MODLDiscretizer().fit(X, np.where(lacks, np.nan, y))
    fitted = MODLDiscretizer().fit(X, make(y, lacks))
    assert [cuts.tolist() for cuts in fitted.cuts_] == [cuts.tolist() for cuts in expected.cuts_]
    assert fitted.cuts_[0].size > 0
    assert len(fitted.classes_) == 2


def test_rows_without_a_label_are_no_class():
    X, y, lacks = sample()
    X[:5, 0] = np.nan
    frame = pd.DataFrame({"a": X[:, 0], "b": np.where(X[:, 1] > 0, "up", "down")})
    y = np.where(lacks, None, np.array(["no", "yes"])[y])
    fitted = MODLDiscretizer(special_values=[-1.0]).fit(frame, y)
    scheme = fitted.scheme_
    assert scheme.classes == ("no", "yes")
    assert Scheme.from_json(scheme.to_json()) == scheme
    for attribute in scheme.attributes:
        assert sum(attribute.rows) + sum(attribute.missing_by_class) == (~lacks).sum()
    assert fitted.transform(frame).shape == (300, 2)


def test_complete_labels_give_the_plain_method():
    X, y, _ = sample()
    whole = MODLDiscretizer().fit(X, y.astype(float)).scheme_
    assert [a.cuts for a in whole.attributes] == [a.cuts for a in MODLDiscretizer().fit(X, y).scheme_.attributes]


def test_row_order_and_class_names_do_not_matter():
    X, y, lacks = sample(3)
    order = np.random.default_rng(1).permutation(len(y))
    target = np.where(lacks, np.nan, y)
    plain = MODLDiscretizer().fit(X, target)
    assert MODLDiscretizer().fit(X[order], target[order]).scheme_.to_json() == plain.scheme_.to_json()
    renamed = MODLDiscretizer().fit(X, 1 - target)
    assert [cuts.tolist() for cuts in renamed.cuts_] == [cuts.tolist() for cuts in plain.cuts_]


def test_weights():
    X, y, lacks = sample(4, 120)
    target = np.where(lacks, np.nan, y)
    weights = np.random.default_rng(2).integers(0, 3, 120)
    weighted = MODLDiscretizer().fit(X, target, sample_weight=weights)
    repeated = MODLDiscretizer().fit(np.repeat(X, weights, axis=0), np.repeat(target, weights))
    assert weighted.scheme_.to_json() == repeated.scheme_.to_json()
    fractional = MODLDiscretizer().fit(X, target, sample_weight=weights + 0.5)
    assert fractional.cuts_[0].size > 0
    # Without the unlabelled rows nothing is left to be semi-supervised about.
    only = MODLDiscretizer().fit(X, target, sample_weight=~lacks)
    assert only.cuts_[0].tolist() == MODLDiscretizer().fit(X[~lacks], y[~lacks]).cuts_[0].tolist()


@pytest.mark.parametrize("monotonic", ["increasing", "decreasing", "auto"])
def test_monotonic(monotonic):
    X, y, lacks = sample(5)
    fitted = MODLDiscretizer(monotonic=monotonic, max_bins=3, event=1).fit(X, np.where(lacks, np.nan, y))
    rates = [counts[1] / sum(counts) for counts in fitted.scheme_["x0"].class_counts]
    assert len(rates) == 1 if monotonic == "decreasing" else 1 < len(rates) <= 3
    assert rates == sorted(rates)


def test_one_labelled_class():
    fitted = MODLDiscretizer().fit([[1.0], [2.0], [3.0]], [1, None, 1])
    assert fitted.scheme_["x0"].stop == "one_class"
    assert fitted.scheme_.classes == (1,)


@pytest.mark.parametrize(
    ("y", "weights", "message"),
    [
        ([None, None, None], None, "no labels at all"),
        ([np.nan] * 3, None, "no labels at all"),
        ([1, None, 0], [0, 1, 0], "No row with a label"),
        ([1, None], None, "inconsistent numbers of samples"),
        ([1, None, "a"], None, "mixes labels"),
        ([np.inf, np.nan, 1.0], None, "infinity"),
    ],
)
def test_wrong_targets(y, weights, message):
    with pytest.raises(ValueError, match=message):
        MODLDiscretizer().fit([[1.0], [2.0], [3.0]], y, sample_weight=weights)


@pytest.mark.parametrize("method", [m for m in EVERY if not isinstance(m, MODLDiscretizer)], ids=repr)
@pytest.mark.parametrize("y", [np.array([0, None, 1]), [0.0, np.nan, 1.0]])
def test_others_refuse_missing_labels(method, y):
    if not clone(method).__sklearn_tags__().target_tags.required:
        pytest.skip("does not look at the class")
    with pytest.raises(ValueError, match="no label in 1 of 3 rows"):
        clone(method).fit([[1.0], [2.0], [3.0]], y)
