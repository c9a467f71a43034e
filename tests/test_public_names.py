"""The public names, and what importing them loads."""

from __future__ import annotations

import subprocess
import sys

import cutwise


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
        "UnseenWarning",
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
    loaded = "[name for name in ('numpy', 'sklearn') if name in sys.modules]"
    program = f"import sys, cutwise.cli.app, cutwise.paper.evaluate; print({loaded})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
