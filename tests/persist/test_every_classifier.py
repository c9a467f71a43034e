"""Every classifier survives JSON with any parameters, on any table."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutwise import (
    AIWNBClassifier,
    AODEClassifier,
    C45Classifier,
    CAWNBClassifier,
    DiscretizedClassifier,
    MDLPDiscretizer,
    ModelError,
    NaiveBayesClassifier,
    PreconditionedLogisticClassifier,
    RNBClassifier,
    RVFLClassifier,
    WANBIAClassifier,
)
from cutwise.classify.networks.layers import random_draw
from cutwise.persist import model_from_json
from tests.classify.bayes.coded_tables import coded_tables, queries_for
from tests.classify.tables import FRAMES, GROUP
from tests.persist.examples import NOT_ADDITIVE, OF_RAW_TABLES, of_kind
from tests.strategies import tables

# For each of many models.
FEW = settings.default.max_examples // 5
OF_CODES = [
    NaiveBayesClassifier("m", 0.5),
    WANBIAClassifier(loss="cll"),
    CAWNBClassifier(smoothing="m"),
    RNBClassifier(gradient="published"),
    PreconditionedLogisticClassifier(l2=0.1),
    *(
        AODEClassifier(size, smoothing=how, max_memory=room)
        for size in (0, 2)
        for how in ("m", "laplace")
        for room in (0, 2**28)
    ),
    *(AIWNBClassifier(smoothing=how, alpha=0.7) for how in ("m", "laplace")),
    *(
        AIWNBClassifier("lazy", offset=2.0, smoothing=how, max_memory=room)
        for how in ("m", "laplace")
        for room in (0, 2**28)
    ),
    C45Classifier(nominal="all"),
    RVFLClassifier(n_hidden=3, n_layers=2, random_state=1),
]
OF_NUMBERS = [
    *(
        C45Classifier(nominal=which, min_leaf=1, **kinds)
        for which in ("auto", "all", [0])
        for kinds in ({}, {"prune": False, "collapse": False}, {"raise_subtrees": False, "mdl_correction": False})
    ),
    *(
        RVFLClassifier(n_hidden=4, n_layers=2, activation=act, weighting=how, random_state=0)
        for act in ("selu", "relu", "sigmoid")
        for how in (None, "samme")
    ),
    RVFLClassifier(n_hidden=1, n_layers=1, prune=0.99, renormalise=False, random_state=0),
    DiscretizedClassifier(MDLPDiscretizer(), C45Classifier(nominal="all")),
    DiscretizedClassifier(MDLPDiscretizer(), AODEClassifier(max_memory=0)),
]


def check_same(model, table):
    text = model.to_json()
    again = model_from_json(text)
    assert again.to_json() == text
    assert set(vars(again)) == set(vars(model))
    for method in ("predict_proba", "predict_log_proba"):
        assert getattr(again, method)(table).tobytes() == getattr(model, method)(table).tobytes()
    assert again.predict(table).tolist() == model.predict(table).tolist()


@pytest.mark.parametrize("model", OF_CODES, ids=repr)
@settings(max_examples=FEW)
@given(data=st.data())
def test_any_codes(model, data):
    table = data.draw(coded_tables())
    fractions = data.draw(st.booleans())
    weights = table.weights / 3.7 if fractions else table.weights
    model.fit(table.codes, table.labels, weights)
    check_same(model, queries_for(data.draw, table.n_bins))


@pytest.mark.parametrize("model", OF_NUMBERS, ids=repr)
@settings(max_examples=FEW)
@given(table=tables(missing=True), texts=st.lists(st.sampled_from(["a", "ü", "", None]), min_size=40, max_size=40))
def test_any_table(model, table, texts):
    numbers, labels = table
    frame = pd.DataFrame(numbers, columns=[f"c{j}" for j in range(numbers.shape[1])])
    frame["text"] = pd.Series(texts[: len(labels)], dtype=object)
    model.fit(frame, labels)
    check_same(model, frame)


@pytest.mark.parametrize("model", NOT_ADDITIVE, ids=repr)
def test_what_was_kept_of_the_rows(model):
    again = model_from_json(model.to_json())
    if model.pair_counts_ is None:
        assert again.pair_counts_ is None
        return
    for part in ("cells", "pairs", "rows"):
        old, new = getattr(model.pair_counts_, part), getattr(again.pair_counts_, part)
        assert (old is None) == (new is None)
        for one, two in zip(old or (), new or (), strict=True):
            assert (one.dtype, one.shape, one.tobytes()) == (two.dtype, two.shape, two.tobytes())


@pytest.mark.parametrize("model", of_kind(OF_RAW_TABLES, C45Classifier), ids=repr)
def test_the_arrays_of_a_tree(model):
    again = model_from_json(model.to_json())
    for name, old in vars(model.tree_).items():
        new = getattr(again.tree_, name)
        assert (new.dtype, new.shape, new.tobytes()) == (old.dtype, old.shape, old.tobytes())
    assert again.attributes_ == model.attributes_
    assert again.export_text() == model.export_text()
    table = FRAMES["pandas" if hasattr(model, "feature_names_in_") else "object"]()
    assert (again.decision_path(table) != model.decision_path(table)).nnz == 0


@pytest.mark.parametrize("model", of_kind(OF_RAW_TABLES, RVFLClassifier), ids=repr)
def test_the_layers_of_a_network(model):
    again = model_from_json(model.to_json())
    assert (again.best_params_, again.best_score_, again.seed_) == (model.best_params_, model.best_score_, model.seed_)
    for old, new in zip(model.layers_, again.layers_, strict=True):
        assert old.activation == new.activation
        for name in ("inputs", "offsets", "mean", "std", "outputs", "kept"):
            one, two = getattr(old, name), getattr(new, name)
            assert (one.dtype, one.shape, one.tobytes()) == (two.dtype, two.shape, two.tobytes())


def test_a_tuned_network(monkeypatch):
    monkeypatch.setattr("cutwise.classify.networks.tuning.FIRST_C", (1.0,))
    monkeypatch.setattr("cutwise.classify.networks.tuning.C_FACTORS", (1.0,))
    monkeypatch.setattr("cutwise.classify.networks.tuning.MAX_LAYERS", 3)
    model = RVFLClassifier(tune=True, random_state=0).fit(FRAMES["pandas"](), GROUP)
    assert model.best_score_ is not None
    check_same(model, FRAMES["pandas"]())


@pytest.mark.parametrize("seed", [0, 7, 2**31 - 2])
def test_random_weights_are_those_of_numpy(seed):
    """A saved network has only its seed: these bits must never change."""
    generator, draw = np.random.default_rng(seed), random_draw(5, seed)
    for n_inputs in (0, 1, 4):
        weights, offsets = draw(0, n_inputs)
        assert weights.tobytes() == generator.uniform(-1, 1, (n_inputs, 5)).tobytes()
        assert offsets.tobytes() == generator.uniform(0, 1, 5).tobytes()


def test_random_weights_as_numbers():
    weights, offsets = random_draw(2, 0)(0, 1)
    assert weights.tolist() == [[0.2739233746429086, -0.4604265724722594]]
    assert offsets.tolist() == [0.04097352393619469, 0.016527635528529094]


def test_other_weights_than_those_of_the_seed_are_not_written():
    model = RVFLClassifier(n_hidden=3, random_state=0).fit(FRAMES["pandas"](), GROUP)
    model.layers_[0].inputs[0, 0] += 1.0
    with pytest.raises(ModelError, match="'layers_' has other random weights than 'seed_' gives"):
        model.to_json()


def test_the_default_network_is_small():
    text = RVFLClassifier(random_state=0).fit(FRAMES["pandas"](), GROUP).to_json()
    assert len(text) < 300_000


def test_a_threshold_of_minus_infinity():
    numbers = np.array([[-np.inf]] * 3 + [[1.0], [2.0], [3.0], [np.inf]])
    model = C45Classifier().fit(numbers, [0, 0, 0, 1, 1, 1, 1])
    assert json.loads(model.to_json())["learned"]["thresholds"] == [None]
    check_same(model, numbers)


def test_an_infinite_code_is_not_written():
    model = C45Classifier(nominal="all").fit([[0.0], [np.inf], [np.inf]], [0, 1, 1])
    with pytest.raises(ModelError, match=r"'columns\[0\].categories' has a number that is not finite"):
        model.to_json()


def test_categories_of_every_kind():
    frame = pd.DataFrame({
        "text": pd.Series(["a", "\ud800", "\x00", "a", "b", None] * 3, dtype=object),
        "truth": [True, False, True, True, False, False] * 3,
        "number": pd.Categorical([1, 2.5, 10**20, 1, 2.5, -1] * 3),
        "nothing": pd.Series([None] * 18, dtype=object),
    })  # fmt: skip
    labels = np.arange(18) % 3
    for model in (C45Classifier(min_leaf=1), RVFLClassifier(n_hidden=3, random_state=0)):
        check_same(model.fit(frame, labels), frame)


def test_the_mode_may_change_after_learning():
    model = AIWNBClassifier("lazy").fit([[0, 1], [1, 0], [1, 1]], [0, 1, 1]).set_params(mode="eager", max_memory=0)
    check_same(model, [[0, 0], [1, 1]])
