"""The public names, what importing them loads, and what the library never does."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import cutwise

SOURCE = Path(cutwise.__file__).parent


def test_public_names():
    assert sorted(cutwise.__all__) == [
        "AIWNBClassifier",
        "AODEClassifier",
        "AmevaDiscretizer",
        "C45Classifier",
        "CACCDiscretizer",
        "CADDDiscretizer",
        "CAIMDiscretizer",
        "CAWNBClassifier",
        "CheckpointError",
        "Chi2Discretizer",
        "ChiMergeDiscretizer",
        "ColumnWarning",
        "CountsError",
        "CutwiseError",
        "DatasetError",
        "DatasetWarning",
        "DiscretizedClassifier",
        "EMDDiscretizer",
        "EqualFrequencyDiscretizer",
        "EqualWidthDiscretizer",
        "ExportError",
        "ExtendedChi2Discretizer",
        "FixedCutsDiscretizer",
        "FixedFrequencyDiscretizer",
        "FixedSchemeDiscretizer",
        "JournalError",
        "MDLPDiscretizer",
        "MDmDDiscretizer",
        "MODLDiscretizer",
        "MRmDDiscretizer",
        "MRmDRNBClassifier",
        "MaxRelevanceDiscretizer",
        "ModelError",
        "ModifiedChi2Discretizer",
        "NaiveBayesClassifier",
        "PKIDDiscretizer",
        "PreconditionedLogisticClassifier",
        "RNBClassifier",
        "RVFLClassifier",
        "RunError",
        "Scheme",
        "SchemeError",
        "TableCounts",
        "TableError",
        "WANBIAClassifier",
        "WeightsWarning",
        "__version__",
        "count_table",
    ]
    assert all(hasattr(cutwise, name) for name in cutwise.__all__)


def test_every_name_has_a_home():
    assert {*cutwise._HOMES, "__version__"} == set(cutwise.__all__)
    assert set(cutwise.__all__) <= set(dir(cutwise))
    assert cutwise.discretize.MDLPDiscretizer is cutwise.MDLPDiscretizer


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
    program = (
        "import sys, cutwise.cli.app, cutwise.evaluate; print([n for n in ('numpy', 'sklearn') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_nothing_runs_code_from_files():
    """No pickle, no eval: a scheme is data (promise 17)."""
    forbidden = {"pickle", "cloudpickle", "dill", "marshal", "shelve", "yaml"}
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                assert not {alias.name.split(".")[0] for alias in node.names} & forbidden, path
            if isinstance(node, ast.ImportFrom):
                assert (node.module or "").split(".")[0] not in forbidden, path
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in {"eval", "exec"}, path
