"""cutwise: turn numbers into categories that hold on new data.

The flow, a folder for each stage, each usable alone:

    table       columns of numpy, pandas, polars and Arrow tables
    counts      how many rows of each class and part have which value
    criteria    how good is a partition, judged on counts
    search      the partition that the criterion likes best
    scheme      the result as plain data, readable and written as JSON
    encode      values to codes
    fitting     what every estimator shares: checks of rows, classes and weights
    discretize  all of it as scikit-learn transformers
    models      learned classifiers as data, readable and written as JSON
    bayes       classifiers on codes
    systems     a discretizer and a classifier together, on tables
    neural      classifiers on tables as they come: ensemble deep RVFL, and with an extra ResNet and FT-Transformer
    trees       classifiers for tables and codes
    report      what was found, for people
"""

from __future__ import annotations

import importlib
from typing import Any

from cutwise.bayes import (
    AIWNBClassifier,
    AODEClassifier,
    CAWNBClassifier,
    NaiveBayesClassifier,
    PreconditionedLogisticClassifier,
    RNBClassifier,
    WANBIAClassifier,
)
from cutwise.discretize import (
    AmevaDiscretizer,
    CACCDiscretizer,
    CADDDiscretizer,
    CAIMDiscretizer,
    Chi2Discretizer,
    ChiMergeDiscretizer,
    EMDDiscretizer,
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    ExtendedChi2Discretizer,
    FixedFrequencyDiscretizer,
    MaxRelevanceDiscretizer,
    MDLPDiscretizer,
    MDmDDiscretizer,
    ModifiedChi2Discretizer,
    MODLDiscretizer,
    MRmDDiscretizer,
    PKIDDiscretizer,
)
from cutwise.errors import CheckpointError, CutwiseError, ModelError, SchemeError, TableError
from cutwise.neural import RVFLClassifier
from cutwise.scheme import Scheme
from cutwise.systems import DiscretizedClassifier, MRmDRNBClassifier
from cutwise.trees import C45Classifier

__version__ = "0.1.0"

__all__ = [
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
    "CutwiseError",
    "DiscretizedClassifier",
    "EMDDiscretizer",
    "EqualFrequencyDiscretizer",
    "EqualWidthDiscretizer",
    "ExtendedChi2Discretizer",
    "FixedFrequencyDiscretizer",
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
    "Scheme",
    "SchemeError",
    "TableError",
    "WANBIAClassifier",
    "__version__",
]

# Not in __all__, because they need the extra "networks".
_NETWORKS = ("FTTransformerClassifier", "ResNetClassifier")


def __getattr__(name: str) -> Any:
    if name in _NETWORKS:
        return getattr(importlib.import_module("cutwise.neural.networks"), name)
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)
