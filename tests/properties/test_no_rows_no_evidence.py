"""No rows, no evidence (promise 32): a bin without training rows moves no probability and is no reason.

Every classifier predicts with such a value what it predicts without the attribute.
"""

from __future__ import annotations

import duckdb
import numpy as np
import onnxruntime
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise import (
    AIWNBClassifier,
    AODEClassifier,
    C45Classifier,
    DiscretizedClassifier,
    FixedCutsDiscretizer,
    MDLPDiscretizer,
    MRmDRNBClassifier,
    NaiveBayesClassifier,
    RNBClassifier,
)
from tests.methods import instances, is_additive

MODELS = [
    *instances(["codes"]),
    NaiveBayesClassifier("m", 0.3),
    RNBClassifier("published"),
    AIWNBClassifier("lazy"),
    AIWNBClassifier("lazy", max_memory=0),
    AODEClassifier(0),
    AODEClassifier(max_memory=0, smoothing="laplace"),
]
ADDITIVE = [model for model in MODELS if is_additive(model)]
N_BINS = np.array([3, 4, 2])


def coded(seed):
    """Rows of three attributes in which bin 1 of the first and bin 3 of the second have no row; 1 row in 5 is "yes"."""
    rng = np.random.default_rng(seed)
    codes = np.column_stack([rng.choice([0, 2], 60), rng.integers(0, 3, 60), rng.integers(0, 2, 60)])
    return codes, np.where(np.arange(60) % 5, "no", "yes")


def fitted(classifier, seed=0):
    return type(classifier)(**{**classifier.get_params(), "n_bins": N_BINS}).fit(*coded(seed))


def queries(empty):
    """Rows with the empty bins, or with nothing in their place."""
    first, second = (1, 3) if empty else (-1, -1)
    return np.array([[first, 0, 1], [first, second, 0], [0, second, 1], [first, second, -1]])


@pytest.mark.parametrize("classifier", MODELS, ids=repr)
@pytest.mark.parametrize("seed", [0, 1])
def test_an_empty_bin_is_no_value(classifier, seed):
    model = fitted(classifier, seed)
    with_bins, without = (model.predict_log_proba(queries(empty)) for empty in (True, False))
    assert with_bins.tobytes() == without.tobytes()


@pytest.mark.parametrize("classifier", MODELS, ids=repr)
def test_so_it_is_after_json(classifier):
    model = fitted(classifier)
    again = type(model).from_json(model.to_json())
    assert again.to_json() == model.to_json()
    assert again.predict_proba(queries(True)).tobytes() == model.predict_proba(queries(False)).tobytes()


@pytest.mark.parametrize("classifier", ADDITIVE, ids=repr)
def test_it_adds_nothing(classifier):
    model = fitted(classifier)
    assert not model.contributions([[1, 3, 0]])[0, :, :2].any()
    assert not model.log_odds([[1, 3, 0]], 0, 1).terms[0, :2].any()
    for weights in model.weights_of([[1, 3, 0]], (0, 1)).values():
        assert np.isnan(weights[0]).tolist() == [True, True, False]


@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from("ab")), min_size=4, max_size=20), st.booleans())
def test_other_bins_are_what_they_were(rows, laplace):
    """An empty bin still counts among the bins."""
    codes, y = [[code] for code, _ in rows], [label for _, label in rows]
    model = NaiveBayesClassifier("laplace" if laplace else "m", n_bins=4).fit(codes, y)
    for label in set(y):
        of_class = [code for (code,), other in zip(codes, y, strict=True) if other == label]
        for code in {code for (code,) in codes}:
            add = 1.0 if laplace else 0.25
            share = (of_class.count(code) + add) / (len(of_class) + 4 * add)
            found = model.tables_.log_likelihood[code, model.classes_.tolist().index(label)]
            assert found == pytest.approx(np.log(share))


def test_rows_that_come_later_are_evidence():
    model = NaiveBayesClassifier(n_bins=3)
    model.partial_fit([[0], [0], [1], [0], [1]], ["no", "no", "no", "no", "yes"], classes=["no", "yes"])
    assert model.predict_proba([[2]]) == pytest.approx(model.predict_proba([[-1]]))
    model.partial_fit([[2], [2]], ["yes", "yes"])
    assert model.predict_proba([[2]])[0, 1] > model.predict_proba([[-1]])[0, 1]
    whole = NaiveBayesClassifier(n_bins=3).fit(
        [[0], [0], [1], [0], [1], [2], [2]], ["no", "no", "no", "no", "yes", "yes", "yes"]
    )
    assert whole.tables_.log_likelihood.tolist() == model.tables_.log_likelihood.tolist()


def test_an_empty_branch_of_a_tree_predicts_its_node():
    codes, y = np.array([[0, 0]] * 4 + [[2, 0]] * 6 + [[3, 1]] * 5), ["no"] * 4 + ["yes"] * 6 + ["no"] * 5
    tree = C45Classifier(nominal="all").fit(codes, y)
    assert tree.tree_.attribute[0] == 0
    assert tree.predict_proba([[1, 0], [7, 0]]).tolist() == [[9 / 15, 6 / 15]] * 2


# Systems of a table in which no training row lacks a value or has the special one.
TABLE = pd.DataFrame({"age": [20.0, 30.0, 40.0, 50.0, 60.0] * 8, "town": ["Bonn", "Rome"] * 20})
LATE = ["no", "no", "no", "no", "yes"] * 8
SYSTEMS = [
    MRmDRNBClassifier(missing="bin", special_values={"age": [-999]}),
    *(
        DiscretizedClassifier(MDLPDiscretizer(missing="bin", special_values={"age": [-999]}), classifier)
        for classifier in MODELS
    ),
]
EXPORTED = [system for system in SYSTEMS if isinstance(system, MRmDRNBClassifier) or is_additive(system.classifier)]
ODD = pd.DataFrame({"age": [-999.0, np.nan, -999.0], "town": ["Oslo", None, " oslo"]})


@pytest.mark.parametrize("system", SYSTEMS, ids=repr)
def test_a_first_gap_a_special_value_and_an_unseen_category_are_no_evidence(system):
    model = system.fit(TABLE, LATE)
    found = model.predict_proba(ODD)
    nothing = model.classifier_.predict_proba([[-1, -1]])[0]
    assert found.tolist() == [nothing.tolist()] * 3
    if not isinstance(model.classifier_, AIWNBClassifier):  # which weighs the rows
        assert nothing[1] == pytest.approx(0.2, abs=0.02)


@pytest.mark.parametrize("system", EXPORTED, ids=repr)
def test_the_exports_know_it(system):
    model = system.fit(TABLE, LATE)
    nothing = model.classifier_.predict_proba([[-1, -1]])[0]
    with duckdb.connect() as connection:
        connection.register("data", ODD)
        rows = connection.execute(model.to_sql("duckdb")).fetchall()
    assert [row[1:] for row in rows] == [pytest.approx(nothing, abs=1e-12)] * 3
    session = onnxruntime.InferenceSession(model.to_onnx().SerializeToString())
    inputs = {"age": ODD[["age"]].to_numpy(), "town": np.array([["Oslo"], [""], ["oslo"]], dtype=object)}
    (found,) = session.run(["probabilities"], inputs)
    assert found == pytest.approx(np.array([nothing] * 3), abs=1e-12)
    scores = pl.from_pandas(ODD).pipe(model.to_polars())
    assert scores.drop("prediction").to_numpy() == pytest.approx(np.array([nothing] * 3), abs=1e-12)


@pytest.mark.parametrize("system", EXPORTED, ids=repr)
def test_it_is_never_a_reason(system):
    model = system.fit(TABLE, LATE)
    found = model.explain({"age": -999.0, "town": "Oslo"})
    assert [item.log_odds for item in found.attributes] == [0.0, 0.0]
    assert [item.weights for item in found.attributes] == [{}, {}]
    assert found.score == pytest.approx(found.prior)
    assert found.attributes[1].bin == "unseen"
    assert "missing" not in str(found)


def test_gaps_of_training_rows_say_nothing_of_unseen_categories():
    table = pd.DataFrame({"town": ["Bonn", "Rome", None, None] * 10})
    model = DiscretizedClassifier(MDLPDiscretizer(missing="bin")).fit(table, ["no", "no", "yes", "yes"] * 10)
    missing, unseen = model.predict_proba(pd.DataFrame({"town": [None, "Oslo"]}))
    assert missing[1] > 0.9
    assert unseen.tolist() == [0.5, 0.5]
    assert model.explain({"town": "Oslo"}).attributes[0].bin == "unseen"
    assert model.explain({"town": None}).attributes[0].bin == "missing"


def test_labels_tell_unseen_from_missing():
    model = FixedCutsDiscretizer({}, encode="label", missing="bin")
    model.fit(pd.DataFrame({"town": ["Bonn", "Rome"]}), [0, 1])
    assert model.transform(pd.DataFrame({"town": ["Oslo", None, "Rome"]}))[:, 0].tolist() == [
        "unseen",
        "missing",
        "Rome",
    ]
