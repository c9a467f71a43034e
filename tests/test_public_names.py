"""The public names, the registry that most of them come from, and what importing them loads."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import cutwise
from cutwise import registry
from cutwise.registry import CLASSIFIERS, DISCRETIZERS, ESTIMATORS, entries, load
from tests.golden.stored import load_tool

SOURCE = Path(cutwise.__file__).parent
OTHER_NAMES = [
    "CheckpointError",
    "CleanTable",
    "ColumnWarning",
    "CountsError",
    "CutwiseError",
    "DatasetError",
    "DatasetWarning",
    "ExportError",
    "FormatError",
    "JournalError",
    "ModelError",
    "RunError",
    "Scheme",
    "SchemeError",
    "TableCounts",
    "TableError",
    "UnseenWarning",
    "WeightsWarning",
    "__version__",
    "all_classifiers",
    "all_discretizers",
    "clean_table",
    "count_table",
    "flag_columns",
    "write_report",
]
INSTALLED = entries([*DISCRETIZERS, *CLASSIFIERS])


def test_public_names():
    assert sorted(cutwise.__all__) == sorted([*OTHER_NAMES, *(entry.name for entry in INSTALLED)])
    assert all(hasattr(cutwise, name) for name in cutwise.__all__)
    assert {*cutwise.__all__, "discretize", "__file__"} <= set(dir(cutwise))
    assert cutwise.discretize.MDLPDiscretizer is cutwise.MDLPDiscretizer


@pytest.mark.parametrize("entry", INSTALLED, ids=lambda entry: entry.name)
def test_every_estimator_is_where_the_registry_says(entry):
    found = load(entry)
    assert (found.__module__, found.__name__) == (f"cutwise.{entry.module}", entry.name)
    package = entry.module.rpartition(".")[0]
    while package:
        folder = importlib.import_module(f"cutwise.{package}")
        assert getattr(folder, entry.name) is found
        assert entry.name in folder.__all__
        package = package.rpartition(".")[0]
    assert hasattr(found, "transform" if entry.group in DISCRETIZERS else "predict")


def test_the_registry_is_well_formed():
    names, aliases = ([getattr(entry, field) for entry in ESTIMATORS] for field in ("name", "alias"))
    assert len(set(names)) == len(names)
    assert len({alias for alias in aliases if alias}) == len([alias for alias in aliases if alias])
    for entry in ESTIMATORS:
        assert entry.group in {**DISCRETIZERS, **CLASSIFIERS}
        assert entry.name.endswith("Discretizer" if entry.group in DISCRETIZERS else "Classifier")
        assert 0 < len(entry.text) <= 60
        assert not entry.text.endswith(".")


def test_every_file_with_an_estimator_is_registered():
    from cutwise.classify.average.members import KINDS
    from cutwise.discretize import BaseDiscretizer
    from cutwise.persist import SavedModel

    def leaves(base):
        # Other tests may have added classes that are in no file of the library.
        own = [child for child in base.__subclasses__() if is_file(child.__module__)]
        return {leaf for child in own for leaf in leaves(child)} or {base.__name__}

    def is_file(module):
        return (SOURCE.parent / f"{module.replace('.', '/')}.py").exists()

    for folder in ("discretize", "classify"):
        for path in (SOURCE / folder).rglob("*.py"):
            if path.parent.name != "deep":
                importlib.import_module(".".join(path.relative_to(SOURCE.parent).with_suffix("").parts))
    # What a system alone consists of is written with it, and has no name outside.
    parts = {part.__name__ for entry in INSTALLED if (part := getattr(load(entry), "_classifier_kind", None))}
    parts.add("FrequencyGrid")
    assert leaves(BaseDiscretizer) | leaves(SavedModel) <= {entry.name for entry in INSTALLED} | parts | KINDS.keys()


def test_lists_of_all_estimators():
    discretizers, classifiers = dict(cutwise.all_discretizers()), dict(cutwise.all_classifiers())
    assert list(discretizers) == sorted(discretizers)
    assert list(classifiers) == sorted(classifiers)
    assert set(discretizers) == {entry.name for entry in entries(DISCRETIZERS)}
    assert set(classifiers) >= {entry.name for entry in entries(CLASSIFIERS)}
    assert discretizers["MRmDDiscretizer"] is cutwise.MRmDDiscretizer
    assert classifiers["RNBClassifier"] is cutwise.RNBClassifier


def test_only_what_needs_an_extra_may_be_absent(monkeypatch):
    entry = registry.Entry("GoneDiscretizer", "discretize.gone", "gone", "supervised", "is not there")
    monkeypatch.setattr(registry, "ESTIMATORS", (*ESTIMATORS, entry._replace(extra="gone")))
    assert "GoneDiscretizer" not in dict(cutwise.all_discretizers())
    monkeypatch.setattr(registry, "ESTIMATORS", (*ESTIMATORS, entry))
    with pytest.raises(ModuleNotFoundError, match=r"cutwise\.discretize\.gone"):
        cutwise.all_discretizers()


def test_type_checkers_read_the_same_names():
    tool = load_tool("public_names")
    assert tool.STUB.read_text(encoding="utf-8") == tool.stub(), "Run make format."


def test_unknown_names_are_attribute_errors():
    assert not hasattr(cutwise, "unknown")


def test_unknown_kernels_are_attribute_errors():
    from cutwise import kernels

    assert not hasattr(kernels, "unknown")


def test_importing_loads_nothing_heavy():
    """The compiler and the table libraries are loaded when they are first needed."""
    heavy = ("numba", "llvmlite", "pandas", "polars", "pyarrow", "matplotlib")
    program = (
        "import sys, sklearn; before = set(sys.modules); import cutwise; "
        "names = [getattr(cutwise, name) for name in cutwise.__all__]; "
        f"print([name for name in {heavy} if name in set(sys.modules) - before])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_importing_alone_loads_no_estimator():
    loaded = "[name for name in ('numpy', 'sklearn') if name in sys.modules]"
    program = f"import sys, cutwise.cli.app, cutwise.paper.evaluate; print({loaded})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
