"""Models survive JSON bit for bit, and equal models give equal bytes (promise 15)."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import CategoricalNB

from cutwise import (
    C45Classifier,
    DiscretizedClassifier,
    EqualWidthDiscretizer,
    MDLPDiscretizer,
    ModelError,
    MRmDRNBClassifier,
    NaiveBayesClassifier,
    RNBClassifier,
)
from cutwise.errors import FormatError
from cutwise.persist import CodeModel, LearnedField, SavedModel, find_model, model_from_json, strict
from tests.classify.bayes.fixture import X, Y
from tests.classify.tables import FRAMES, NAMES
from tests.persist.examples import EVERY, NOT_ADDITIVE, OF_CODES, OF_RAW_TABLES, OF_TABLES, OTHER_SYSTEMS, of_kind
from tests.strategies import tables

QUERIES = np.array([[2, 0, 1], [-1, 1, 9], [0, -1, -1], [-1, -1, -1]])


def same_output(one, two, table):
    for method in ("predict_proba", "predict_log_proba", "predict"):
        left, right = getattr(one, method)(table), getattr(two, method)(table)
        assert left.dtype == right.dtype
        assert left.tobytes() == right.tobytes() if left.dtype != object else left.tolist() == right.tolist()


@pytest.mark.parametrize("model", EVERY, ids=repr)
def test_round_trip(model):
    text = model.to_json()
    again = type(model).from_json(text)
    assert type(again) is type(model)
    assert again.to_json() == text
    assert text.isascii()
    assert text.endswith("\n")
    assert type(model).from_json(text.encode()).to_json() == text
    assert type(model).from_dict(json.loads(text)).to_json() == text
    assert type(model_from_json(text)) is type(model)
    assert set(vars(again)) == set(vars(model))


@pytest.mark.parametrize("model", OF_CODES, ids=repr)
def test_the_same_predictions_from_codes(model):
    again = model_from_json(model.to_json())
    same_output(model, again, QUERIES)
    assert again.log_odds(QUERIES, 0, 1).terms.tobytes() == model.log_odds(QUERIES, 0, 1).terms.tobytes()


@pytest.mark.parametrize("model", NOT_ADDITIVE, ids=repr)
def test_the_same_predictions_from_pairs(model):
    same_output(model, model_from_json(model.to_json()), QUERIES)


@pytest.mark.parametrize("model", [*OF_RAW_TABLES, *OTHER_SYSTEMS], ids=repr)
def test_the_same_predictions_without_explanation(model):
    table = FRAMES["pandas" if hasattr(model, "feature_names_in_") else "object"]()
    same_output(model, model_from_json(model.to_json()), table)


@pytest.mark.parametrize("model", OF_TABLES, ids=repr)
def test_the_same_predictions_from_tables(model):
    again = model_from_json(model.to_json())
    table = FRAMES["pandas" if hasattr(model, "feature_names_in_") else "object"]()
    same_output(model, again, table)
    row = dict(zip(model.scheme_.names, [1.0, None, "red", True], strict=True))
    assert again.explain(row) == model.explain(row)
    assert again.scheme_ == model.scheme_
    assert np.array_equal(again.discretizer_.transform(table), model.discretizer_.transform(table))
    assert str(again.get_params()) == str(model.get_params())


def test_equal_models_give_equal_bytes():
    order = np.random.default_rng(0).permutation(len(Y))
    rows, labels = np.asarray(X), np.asarray(Y)
    for kind in (NaiveBayesClassifier, RNBClassifier):
        assert kind().fit(rows, labels).to_json() == kind().fit(rows[order], labels[order]).to_json()


@given(tables(missing=True))
def test_any_system(table):
    numbers, labels = table
    model = MRmDRNBClassifier().fit(numbers, labels)
    again = MRmDRNBClassifier.from_json(model.to_json())
    same_output(model, again, numbers)
    assert again.to_json() == model.to_json()


LABELS = st.one_of(
    st.lists(st.text(max_size=4), unique=True, min_size=2, max_size=4).map(lambda texts: np.array(texts, dtype=object)),
    st.lists(st.text(st.characters(exclude_characters="\0"), max_size=4), unique=True, min_size=2).map(np.array),
    st.just(np.array([False, True])),
    *(
        st.lists(st.integers(np.iinfo(kind).min, np.iinfo(kind).max), unique=True, min_size=2, max_size=4).map(
            lambda numbers, kind=kind: np.array(numbers, dtype=kind)
        )
        for kind in ("int8", "uint8", "int64", "uint64", "int32")
    ),
    st.lists(st.integers(-(2**20), 2**20), unique=True, min_size=2, max_size=4).map(
        lambda numbers: np.array(numbers, dtype=np.float32)
    ),
)


@given(LABELS)
def test_labels_keep_their_type(labels):
    target = np.concatenate([labels, labels])
    codes = np.arange(target.size)[:, None] % labels.size
    model = NaiveBayesClassifier().fit(codes, target)
    again = NaiveBayesClassifier.from_json(model.to_json())
    assert again.classes_.dtype.kind == model.classes_.dtype.kind
    assert again.classes_.tolist() == model.classes_.tolist()
    same_output(model, again, codes)


def test_names_of_columns():
    frame = pd.DataFrame(np.asarray(X), columns=["a", "b", "ü\x00"])
    model = RNBClassifier().fit(frame, Y)
    again = RNBClassifier.from_json(model.to_json())
    assert again.feature_names_in_.tolist() == ["a", "b", "ü\x00"]
    same_output(model, again, frame)


def test_learning_goes_on_after_reading():
    first, then = np.asarray(X)[:6], np.asarray(X)[6:]
    model = NaiveBayesClassifier("m").partial_fit(first, Y[:6], classes=[0, 1, 2])
    again = NaiveBayesClassifier.from_json(model.to_json())
    assert again.partial_fit(then, Y[6:]).to_json() == model.partial_fit(then, Y[6:]).to_json()


def test_a_class_that_was_never_seen():
    model = NaiveBayesClassifier().partial_fit([[0], [1]], [0, 1], classes=[0, 1, 2])
    text = model.to_json()
    assert json.loads(text)["learned"]["log_prior"][2] is None
    again = NaiveBayesClassifier.from_json(text)
    assert again.tables_.log_prior[2] == -np.inf
    same_output(model, again, [[0], [1]])


def test_shape_of_the_format():
    data = json.loads(of_kind(OF_CODES, RNBClassifier)[0].to_json())
    assert list(data) == [
        *("format", "version", "model", "parameters", "label_type", "classes", "feature_names", "n_bins", "learned")
    ]
    assert (data["format"], data["version"], data["model"]) == ("cutwise model", 1, "RNBClassifier")
    assert data["n_bins"] == [4, 2, 3]
    assert data["parameters"]["n_bins"] == [4, 2, 3]
    assert len(data["learned"]["log_likelihood"]) == 9
    system = json.loads(OF_TABLES[0].to_json())
    assert list(system) == ["format", "version", "model", "parameters", "feature_names", "scheme", "classifier"]
    assert system["scheme"]["format"] == "cutwise scheme"
    assert system["feature_names"] == NAMES
    assert system["parameters"]["special_values"] == {"weight": [0.5]}
    generic = json.loads(OF_TABLES[3].to_json())
    assert generic["parameters"]["discretizer"]["name"] == "MDLPDiscretizer"


def test_only_fitted_models_are_written():
    with pytest.raises(NotFittedError):
        RNBClassifier().to_json()
    with pytest.raises(NotFittedError):
        MRmDRNBClassifier().to_json()


def test_what_cannot_be_written():
    model = MRmDRNBClassifier(validation="holdout", random_state=np.random.RandomState(0)).fit(X, Y)
    with pytest.raises(ModelError, match=r"parameter random_state cannot be written.*set_params\(random_state=…\)"):
        model.to_json()
    model.set_params(random_state=None).to_json()
    with pytest.raises(ModelError, match="CategoricalNB cannot be written"):
        DiscretizedClassifier(MDLPDiscretizer(), CategoricalNB()).fit(X, Y).to_json()

    class Unlisted(NaiveBayesClassifier):
        _learned = None

    with pytest.raises(ModelError, match="Unlisted cannot be written"):
        Unlisted().fit(X, Y).to_json()


def test_many_classes_without_a_look_at_them():
    numbers = np.repeat(np.arange(150.0), 3)[:, None]
    labels = np.repeat([f"c{number}" for number in range(150)], 3)
    model = DiscretizedClassifier(EqualWidthDiscretizer(5)).fit(numbers, labels)
    assert model.scheme_.classes == ("all rows",)
    again = DiscretizedClassifier.from_json(model.to_json())
    same_output(model, again, numbers)


def test_reading_as_another_kind():
    text = NaiveBayesClassifier().fit(X, Y).to_json()
    with pytest.raises(ModelError, match="holds the model 'NaiveBayesClassifier', not one of the kind RNBClassifier"):
        RNBClassifier.from_json(text)
    with pytest.raises(ModelError, match="not one of the kind MRmDRNBClassifier"):
        MRmDRNBClassifier.from_json(text)
    assert isinstance(CodeModel.from_json(text), NaiveBayesClassifier)


def test_every_public_model_is_registered():
    import cutwise

    public = {name for name in cutwise.__all__ if isinstance(getattr(cutwise, name), type)}
    known = {name for name in public if find_model(name) is getattr(cutwise, name)}
    assert {name for name in public if issubclass(getattr(cutwise, name), SavedModel)} == known
    assert {name for name in public if name.endswith("Classifier")} == known


@pytest.mark.parametrize("name", ["MDLPDiscretizer", "ResNetClassifier", "Scheme", "os.system", "", None, ["a"], 1])
def test_other_names_are_no_models(name):
    assert find_model(name) is None


def test_own_subclasses():
    class Own(NaiveBayesClassifier):
        pass

    model = Own().fit(X, Y)
    same_output(model, Own.from_json(model.to_json()), QUERIES)
    with pytest.raises(ModelError, match="'Own'"):
        model_from_json(model.to_json())


def test_fields():
    sizes = {"classes": 2}
    assert LearnedField(optional=True).read(None, "a", sizes) is None
    assert LearnedField(optional=True).write(None, "a", sizes) is None
    assert LearnedField(kind="count").read(3, "a", sizes) == 3
    assert LearnedField(("classes",), kind="boolean").read([True, False], "a", sizes).tolist() == [True, False]
    with pytest.raises(FormatError, match="'a' must be true or false"):
        LearnedField(kind="boolean").read(1, "a", sizes)
    with pytest.raises(FormatError, match="whole number"):
        LearnedField(kind="count").read(3.0, "a", sizes)
    assert LearnedField(kind="text", choices=("b", "c")).write("c", "a", sizes) == "c"
    with pytest.raises(FormatError, match="'a' must be one of b, c, not 'd'"):
        LearnedField(kind="text", choices=("c", "b")).read("d", "a", sizes)
    assert (
        json.dumps(LearnedField(("n",), kind="weight").write([2.0, 0.5, 2.0**53], "a", {}))
        == "[2, 0.5, 9007199254740992.0]"
    )
    with pytest.raises(FormatError, match="'a' has a number that is not finite"):
        LearnedField().write(np.inf, "a", sizes)


def test_the_first_field_decides_on_a_new_axis():
    sizes = {"classes": 2}
    assert LearnedField(("rows", "classes")).read([[1, 2]] * 3, "a", sizes).shape == (3, 2)
    assert sizes == {"classes": 2, "rows": 3}
    with pytest.raises(FormatError, match="'b' has 2 entries where there must be 3"):
        LearnedField(("rows",)).read([1, 2], "b", sizes)
    assert LearnedField(("none", "inner")).read([], "c", sizes).shape == (0, 0)
    with pytest.raises(FormatError, match="'d' has 1 entries where there must be 2"):
        LearnedField(("new", "other")).read([[1, 2], [3]], "d", sizes)


def test_nulls_are_not_bounded_by_the_range():
    field = LearnedField(("n",), kind="count", null=-1, low=0)
    assert field.write(np.array([3, -1]), "a", {}) == [3, None]
    assert field.read([3, None], "a", {}).tolist() == [3, -1]
    with pytest.raises(FormatError, match="whole number"):
        field.read([3, -1], "a", {})


def test_what_is_too_large_to_be_read_is_not_written(monkeypatch):
    monkeypatch.setattr(strict, "MAX_CHARACTERS", 300)
    with pytest.raises(ModelError, match=r"As JSON the model takes 891 characters, and at most 300 can be read back"):
        of_kind(OF_CODES, NaiveBayesClassifier)[0].to_json()


def test_reading_imports_nothing():
    """Promise 17: a text full of names of modules and classes is only text."""
    program = (
        "import sys\n"
        "from cutwise import ModelError, all_classifiers, all_discretizers\n"
        "from cutwise.persist import model_from_json\n"
        "all_classifiers(), all_discretizers()\n"
        "texts = sys.stdin.read().splitlines()\n"
        "before = set(sys.modules)\n"
        "for text in texts:\n"
        "    model = type(model_from_json(text)).__name__\n"
        "    for name in ('os.system', 'builtins.eval', 'antigravity', '__import__', 'cutwise.demo'):\n"
        "        try:\n"
        "            model_from_json(text.replace(model, name))\n"
        "        except ModelError:\n"
        "            continue\n"
        "        raise SystemExit('read')\n"
        "print(len(texts), sorted(set(sys.modules) - before))\n"
    )
    assert run_on_every_text(program) == f"{len(EVERY)} []"


def test_reading_knows_every_model_before_any_is_loaded():
    program = (
        "import sys\n"
        "from cutwise.persist import model_from_json\n"
        "assert not any(name.startswith('cutwise.classify') for name in sys.modules)\n"
        "print([type(model_from_json(text)).__name__ for text in sys.stdin.read().splitlines()])\n"
    )
    assert run_on_every_text(program) == str([type(model).__name__ for model in EVERY])


def test_a_system_knows_every_classifier_before_any_is_loaded():
    program = "import sys\nfrom cutwise import DiscretizedClassifier as System\nSystem.from_json(sys.stdin.read())"
    text = of_kind(OTHER_SYSTEMS, C45Classifier)[0].to_json()
    assert '"C45Classifier"' in text
    subprocess.run([sys.executable, "-c", program], input=text, text=True, check=True)


def run_on_every_text(program):
    texts = "".join(model.to_json() for model in EVERY)
    done = subprocess.run([sys.executable, "-c", program], input=texts, capture_output=True, text=True, check=True)
    return done.stdout.strip()
