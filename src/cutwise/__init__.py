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
    export      schemes and classifiers as SQL, polars expressions and ONNX
    systems     a discretizer and a classifier together, on tables
    neural      classifiers on tables as they come: ensemble deep RVFL
    trees       classifiers for tables and codes
    report      what was found, for people
    datasets    the paper's data sets by name, checked
"""

from __future__ import annotations

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
from cutwise.errors import (
    CheckpointError,
    CutwiseError,
    DatasetError,
    DatasetWarning,
    ExportError,
    ModelError,
    SchemeError,
    TableError,
)
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
    "DatasetError",
    "DatasetWarning",
    "DiscretizedClassifier",
    "EMDDiscretizer",
    "EqualFrequencyDiscretizer",
    "EqualWidthDiscretizer",
    "ExportError",
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
