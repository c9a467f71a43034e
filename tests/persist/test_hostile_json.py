"""Hostile text gives one kind of error, in bounded time (promise 18)."""

from __future__ import annotations

import copy
import json
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutwise import ModelError, NaiveBayesClassifier, RNBClassifier
from cutwise.persist import SavedModel, model_from_json, strict
from tests.persist.examples import EVERY, OF_CODES, OF_TABLES, of_kind

TEXTS = [model.to_json() for model in EVERY]
NAMES = [repr(model) for model in EVERY]
[BAYES], [MIXTURE] = (of_kind(OF_CODES, kind) for kind in (NaiveBayesClassifier, RNBClassifier))
RNB, SYSTEM, GENERIC = MIXTURE.to_dict(), OF_TABLES[0].to_dict(), OF_TABLES[3].to_dict()
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON"),
        ("[" * 100_000, "nested"),
        ("NaN", "NaN is not allowed"),
        ('{"a": 1e999}', "too large"),
        ('{"a": ' + "9" * 5000 + "}", "digits"),
        ('{"a": 1, "a": 2}', "'a' appears twice"),
        (TEXTS[0].replace('"version":1', '"version":1,"version":1'), "'version' appears twice"),
        (b"\xff\xfe", "not UTF-8"),
        ("\ufeff" + TEXTS[0], "not JSON"),
        (TEXTS[0] + "x", "not JSON"),
        ("[]", "must be an object"),
        ("null", "must be an object"),
    ],
)
def test_hostile_texts(text, message):
    with pytest.raises(ModelError, match=message):
        model_from_json(text)


def test_too_large(monkeypatch):
    monkeypatch.setattr(strict, "MAX_CHARACTERS", 100)
    with pytest.raises(ModelError, match="too large"):
        model_from_json(TEXTS[0])


def test_a_scheme_is_no_model():
    with pytest.raises(ModelError, match="This is no model: 'format' is 'cutwise scheme'"):
        model_from_json(OF_TABLES[0].scheme_.to_json())


def put(*path_and_value):
    *path, key, value = path_and_value

    def change(data):
        for step in path:
            data = data[step]
        data[key] = value

    return change


def drop(*path):
    *path, key = path

    def change(data):
        for step in path:
            data = data[step]
        del data[key]

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (put("format", "another"), "no model"),
        (drop("format"), "no model"),
        (put("version", 2), "Version 2 of the format is unknown"),
        (put("version", True), "unknown"),
        (put("version", "1"), "unknown"),
        (put("model", "os.system"), "holds the model 'os.system'"),
        (put("model", ["RNBClassifier"]), "not one of the kind"),
        (drop("model"), "holds the model None"),
        (put("model", "NaiveBayesClassifier"), "unknown key"),
        (drop("classes"), "lacks 'classes'"),
        (put("extra", 1), "unknown key 'extra'"),
        (put("parameters", "extra", 1), "unknown key 'extra'"),
        (drop("parameters", "alpha"), "lacks 'alpha'"),
        (put("parameters", "alpha", -1.0), "'alpha' parameter of RNBClassifier must be"),
        (put("parameters", "alpha", [[[1]]]), "the parameter 'alpha' has the value"),
        (put("parameters", "smoothing", {"a": {"b": 1}}), "the parameter 'smoothing' has the value"),
        (put("parameters", "gradient", "own"), "'gradient' parameter"),
        (put("parameters", []), "must be an object"),
        (put("classes", [0, 0, 1]), "must ascend"),
        (put("classes", [1, 0, 2]), "must ascend"),
        (put("classes", [0, 1]), "3 entries where there must be 2"),
        (put("classes", []), "at least one label"),
        (put("classes", [0, 1, None]), "not of the type 'int64'"),
        (put("classes", [0, 1, True]), "not of the type 'int64'"),
        (put("classes", [0, 1, 2**63]), "cannot hold"),
        (put("classes", 3), "'classes' must be a list"),
        (put("label_type", "float16"), "'label_type' 'float16' is unknown"),
        (put("label_type", ["int64"]), "is unknown"),
        (put("label_type", "str"), "not of the type 'str'"),
        (put("feature_names", ["a", "b"]), "differ in length"),
        (put("feature_names", ["a", "b", "b"]), "must differ"),
        (put("feature_names", ["a", "b", 3]), "must be strings"),
        (put("n_bins", []), "at least one attribute"),
        (put("n_bins", [4, 2]), "entries where there must be"),
        (put("n_bins", [4, 2, -3]), "whole number"),
        (put("n_bins", [4, 2, 3.0]), "whole number"),
        (put("n_bins", [4, 2, 2**63]), "whole number"),
        (put("n_bins", [4, 2, 2**62]), "entries where there must be"),
        (put("n_bins", [9, 0, 0]), "at least one bin"),
        (put("learned", "extra", 1), "unknown key 'extra'"),
        (drop("learned", "mixing_"), "lacks 'mixing_'"),
        (put("learned", "mixing_", 1.5), "'mixing_' has a number that is not from 0.0 to 1.0"),
        (put("learned", "mixing_", "0.5"), "must hold finite numbers, not '0.5'"),
        (put("learned", "mixing_", True), "must hold finite numbers, not True"),
        (put("learned", "mixing_", [0.5]), "must hold finite numbers"),
        (put("learned", "mixing_", 10**400), "not finite"),
        (put("learned", "mixing_", float("nan")), "not finite"),
        (put("learned", "attribute_weights_", [1.0, 1.0]), "2 entries where there must be 3"),
        (put("learned", "class_weights_", [1.0, 1.0, 1.0]), "must be a list"),
        (put("learned", "class_weights_", 0, [1.0, 1.0]), "2 entries where there must be 3"),
        (put("learned", "log_likelihood", 0, 0, None), "must hold finite numbers, not None"),
        (put("learned", "log_likelihood", 0, 0, float("-inf")), "not finite"),
        (put("learned", "log_prior", 0, 0.5), "'log_prior' has a number"),
        (put("learned", "class_counts", 0, -1.0), "'class_counts' has a number"),
        (put("learned", "n_iter_", -1), "whole number"),
        (put("learned", "converged_", 1), "true or false"),
        (put("learned", []), "must be an object"),
    ],
)
def test_wrong_models_of_codes(change, message):
    check_refused(RNB, change, message)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (drop("scheme"), "lacks 'scheme'"),
        (put("scheme", "version", 7), "The scheme of the model: Version 7"),
        (put("scheme", "attributes", 0, "cuts", [1.0, 1.0]), "The scheme of the model: .*ascend"),
        (put("scheme", "method", "MDLP"), "not one that MRmDDiscretizer makes"),
        (put("parameters", "missing", "bin"), "not one that MRmDDiscretizer makes"),
        (put("parameters", "n_d", -1.0), "'n_d' parameter"),
        (put("feature_names", None), "name different columns"),
        (put("feature_names", ["a", "b", "c", "d"]), "name different columns"),
        (put("classifier", None), "'classifier' must be an object"),
        (put("classifier", {}), "holds the model None"),
        (put("classifier", "model", "MRmDRNBClassifier"), "not one of the kind ClassifierModel"),
        (put("classifier", "model", "WANBIAClassifier"), "unknown key"),
        (put("classifier", BAYES._write_model()), "classifier NaiveBayesClassifier, but its parameters say RNB"),
        (put("classifier", MIXTURE._write_model()), "differ in their bins"),
        (put("classifier", "classes", ["a", "b", "c"]), "differ in their classes"),
        (put("classifier", "feature_names", ["a", "b", "c", "d"]), "must not name columns"),
        (put("classifier", "format", "cutwise model"), "unknown key 'format'"),
    ],
)
def test_wrong_systems(change, message):
    check_refused(SYSTEM, change, message)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (put("parameters", "discretizer", "name", "os.system"), "The discretizer 'os.system' is unknown"),
        (put("parameters", "discretizer", "name", "SupervisedDiscretizer"), "is unknown"),
        (put("parameters", "discretizer", "name", {}), "is unknown"),
        (put("parameters", "discretizer", "name", "CAIMDiscretizer"), "has the unknown key|not one that CAIM"),
        (put("parameters", "discretizer", None), "not one that MRmDDiscretizer makes"),
        (put("parameters", "discretizer", 3), "must be an object"),
        (put("parameters", "classifier", "name", "DiscretizedClassifier"), "The classifier .* is unknown"),
        (put("parameters", "classifier", None), "but its parameters say NaiveBayesClassifier"),
        (put("parameters", "extra", None), "unknown key 'extra'"),
    ],
)
def test_wrong_parameters_of_steps(change, message):
    check_refused(GENERIC, change, message)


def check_refused(good, change, message):
    data = copy.deepcopy(good)
    change(data)
    with pytest.raises(ModelError, match=message):
        model_from_json(json.dumps(data)) if plain(data) else SavedModel.from_dict(data)


def plain(data):
    """Tell whether JSON text can hold the numbers; the others only reach from_dict."""
    try:
        text = json.dumps(data, allow_nan=False)
    except ValueError:
        return False
    return len(text) < 10**6 and "0" * 399 not in text


@given(st.sampled_from(TEXTS), st.data(), st.binary(min_size=1, max_size=3), st.booleans())
def test_damaged_bytes(text, data, junk, insert):
    raw = text.encode()
    at = data.draw(st.integers(0, len(raw) - 1))
    check(raw[:at] + junk + raw[at + (0 if insert else len(junk)) :])


@given(st.sampled_from(TEXTS), st.data())
def test_cut_off_texts(text, data):
    check(text[: data.draw(st.integers(0, len(text) - 2))].encode())


@pytest.mark.parametrize("text", TEXTS, ids=NAMES)
@settings(max_examples=settings.default.max_examples // 5)
@given(data=st.data(), value=VALUES)
def test_damaged_structure(text, data, value):
    tree = json.loads(text)
    node = tree
    while True:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        if not keys:
            break
        key = data.draw(st.sampled_from(keys))
        if isinstance(node[key], dict | list) and data.draw(st.integers(0, 3)):
            node = node[key]
            continue
        node[key] = value
        break
    try:
        damaged = json.dumps(tree)
    except ValueError:
        return
    check(damaged)


def check(text):
    """A text is read as a model that can be used, or refused with ModelError, nothing else."""
    try:
        model = model_from_json(text)
    except ModelError:
        return
    assert model_from_json(model.to_json()).to_json() == model.to_json()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        table = np.array([[1.0, 0.5, "red", True][: model.n_features_in_]] * 2, dtype=object)
        if not hasattr(model, "scheme_"):
            table = np.zeros((2, model.n_features_in_))
        assert len(model.predict(table)) == 2


@pytest.mark.parametrize("alpha", ["1" + "0" * 398, "1" + "0" * 309, "-1", "0"], ids=len)
def test_a_parameter_that_fit_would_refuse_is_refused(alpha):
    text = TEXTS[0]
    assert '"alpha":1.0' in text
    with pytest.raises(ModelError, match="alpha"):
        model_from_json(text.replace('"alpha":1.0', f'"alpha":{alpha}'))


@pytest.mark.parametrize("alpha", [np.inf, 10**398], ids=["inf", "1e398"])
def test_fit_refuses_it_too(alpha):
    with pytest.raises(ValueError, match="'alpha' parameter"):
        NaiveBayesClassifier(alpha=alpha).fit([[0], [1]], [0, 1])
