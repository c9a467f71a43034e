"""The methods that the guide adds, each one file and one line, are full members of the family."""

from __future__ import annotations

import doctest
import importlib
import json
import re
import subprocess
import sys
import warnings
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.utils.estimator_checks import check_estimator

import cutwise
from cutwise import registry
from cutwise.persist import model_from_json
from cutwise.registry import Entry

ROOT = Path(__file__).parents[1]
GUIDE = (ROOT / "docs" / "add-a-method.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(?:python|text)\n(.*?)```", GUIDE, re.DOTALL)


@pytest.fixture(autouse=True)
def _leaves_no_trace():
    """Switch the check of the global state off: scikit-learn's checks draw from it."""


def entry_of(name):
    """The line of the guide that registers a class."""
    [line] = [block for block in BLOCKS if block.startswith(f'Entry("{name}"')]
    return eval(line.rstrip(",\n"), {"Entry": Entry})  # noqa: S307


def file_of(name):
    """The text of the file in the guide that defines a class."""
    [block] = [block for block in BLOCKS if f"class {name}" in block]
    examples = doctest.DocTestParser().get_examples(block)
    return "from __future__ import annotations\n" + "".join(example.source for example in examples)


ENTRIES = [entry_of("GiniDiscretizer"), entry_of("RelevanceBayesClassifier")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the files of the guide, in their places."""
    made = tmp_path_factory.mktemp("added")
    for entry in ENTRIES:
        path = made.joinpath(*entry.module.split(".")).with_suffix(".py")
        path.parent.mkdir(parents=True)
        path.write_text(file_of(entry.name), encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def added(folder):
    """The classes of the guide, found by the registry of this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "ESTIMATORS", (*registry.ESTIMATORS, *ENTRIES))
        for entry in ENTRIES:
            package = importlib.import_module(f"cutwise.{entry.module.rpartition('.')[0]}")
            place = folder.joinpath(*entry.module.split(".")[:-1])
            patch.setattr(package, "__path__", [*package.__path__, str(place)])
        yield SimpleNamespace(gini=registry.load(ENTRIES[0]), bayes=registry.load(ENTRIES[1]))
        for entry in ENTRIES:
            del sys.modules[f"cutwise.{entry.module}"]


@pytest.mark.parametrize("name", ["gini", "bayes"])
def test_scikit_learn_checks(added, name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_estimator(getattr(added, name)())


def test_the_documentation_is_filled_in(added):
    assert "min_bin_size : int, float, dict or None" in added.gini.__doc__
    assert "n_bins : int, array-like of int or None" in added.bayes.__doc__
    for made in (added.gini, added.bayes):
        assert "{" not in made.__doc__.replace('{"', "")


def test_weights_and_limits(added):
    gini = added.gini
    rng = np.random.default_rng(0)
    X, y, weights = rng.normal(size=(60, 2)), rng.integers(0, 2, 60), rng.integers(0, 3, 60)
    weighted = gini().fit(X, y, sample_weight=weights)
    repeated = gini().fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert weighted.scheme_.to_json() == repeated.scheme_.to_json()
    assert (gini(max_bins=2).fit(X, y).n_bins_ <= 2).all()


def test_models_are_read_back(added):
    X, y = np.array([[0, 1], [1, 1], [0, 0], [1, 0]] * 3), np.array([0, 1, 0, 1] * 3)
    model = added.bayes(2.0).fit(X, y)
    assert model.attribute_weights_.tolist() == [1.0, 0.0]
    again = model_from_json(model.to_json())
    assert type(again) is added.bayes
    assert again.predict_proba(X).tobytes() == model.predict_proba(X).tobytes()
    system = cutwise.DiscretizedClassifier(added.gini(), added.bayes()).fit(X * 1.5, y)
    again = model_from_json(system.to_json())
    assert type(again.classifier_) is added.bayes
    assert type(again.discretizer) is added.gini
    assert again.predict(X * 1.5).tolist() == y.tolist()


def test_without_a_line_it_is_unknown(added, monkeypatch):
    text = added.bayes().fit([[0], [1]], [0, 1]).to_json()
    monkeypatch.setattr(registry, "ESTIMATORS", registry.ESTIMATORS[:-2])
    with pytest.raises(cutwise.ModelError, match="'RelevanceBayesClassifier'"):
        model_from_json(text)


PROGRAM = """
import importlib, json, sys
import cutwise
from cutwise import registry

lines, folder, root = json.load(sys.stdin)
registry.ESTIMATORS += tuple(registry.Entry(*line) for line in lines)
importlib.reload(cutwise)
for line in lines:
    *package, _ = line[1].split(".")
    importlib.import_module(".".join(["cutwise", *package])).__path__.append("/".join([folder, *package]))

gini, bayes = cutwise.GiniDiscretizer, cutwise.RelevanceBayesClassifier
assert {"GiniDiscretizer", "RelevanceBayesClassifier"} <= {*cutwise.__all__, *dir(cutwise)}
assert cutwise.discretize.GiniDiscretizer is gini
assert cutwise.classify.RelevanceBayesClassifier is cutwise.classify.bayes.RelevanceBayesClassifier is bayes
assert ("GiniDiscretizer", gini) in cutwise.all_discretizers()
assert ("RelevanceBayesClassifier", bayes) in cutwise.all_classifiers()

sys.path.insert(0, root)
from tests import methods
assert gini in [type(method) for method in methods.SUPERVISED]
assert gini in [type(method) for method in methods.EVERY]
assert bayes in [type(model) for model in methods.instances(["codes"]) if methods.is_additive(model)]

sys.path.insert(0, root + "/tools")
import public_names
module = "cutwise.discretize.gini"
assert f"from {module} import GiniDiscretizer as GiniDiscretizer\\n" in public_names.stub()
page = public_names.page(open(root + "/docs/api.md", encoding="utf-8").read())
assert "   GiniDiscretizer\\n```\\n\\n## Discretizers that look at all columns" in page
assert "   RelevanceBayesClassifier\\n```\\n\\n## Classifiers for raw tables" in page

from cutwise.cli import main
from cutwise.cli.options import CLASSIFIERS, METHODS, beginning_with
assert beginning_with(METHODS)("gi") == [("gini", "purity of the bins")]
assert "relevance" in CLASSIFIERS
with open(folder + "/table.csv", "w", encoding="utf-8") as file:
    file.write("length,kind\\n" + "1,a\\n2,a\\n7,b\\n8,b\\n" * 5)
arguments = ["fit", folder + "/table.csv", "-t", "kind", "-m", "gini", "-o", folder + "/scheme.json"]
assert main([*arguments, "--model", folder + "/model.json", "--classifier", "relevance"]) == 0
assert cutwise.Scheme.from_json(open(folder + "/scheme.json").read()).method == "Gini"
from cutwise.persist import model_from_json
assert type(model_from_json(open(folder + "/model.json").read()).classifier_) is bayes
"""


def test_one_line_makes_exports_command_line_api_page_and_test_lists(folder):
    known = json.dumps([ENTRIES, str(folder), str(ROOT)])
    done = subprocess.run([sys.executable, "-c", PROGRAM], input=known, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
