"""cutwise: turn numbers into categories that hold on new data.

The flow, a folder for each stage, each usable alone:

    table       columns of numpy, pandas, polars and Arrow tables
    counts      how many rows of each class and part have which value
    criteria    how good is a partition, judged on counts
    search      the partition that the criterion likes best
    scheme      the result as plain data, readable and written as JSON
    encode      values to codes
    discretize  all of it as scikit-learn transformers
    trees       classifiers for tables and codes
    report      what was found, for people
"""

from __future__ import annotations

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
from cutwise.errors import CheckpointError, CutwiseError, SchemeError, TableError
from cutwise.scheme import Scheme
from cutwise.trees import C45Classifier

__version__ = "0.1.0"

__all__ = [
    "AmevaDiscretizer",
    "C45Classifier",
    "CACCDiscretizer",
    "CADDDiscretizer",
    "CAIMDiscretizer",
    "CheckpointError",
    "Chi2Discretizer",
    "ChiMergeDiscretizer",
    "CutwiseError",
    "EMDDiscretizer",
    "EqualFrequencyDiscretizer",
    "EqualWidthDiscretizer",
    "ExtendedChi2Discretizer",
    "FixedFrequencyDiscretizer",
    "MDLPDiscretizer",
    "MDmDDiscretizer",
    "MODLDiscretizer",
    "MRmDDiscretizer",
    "MaxRelevanceDiscretizer",
    "ModifiedChi2Discretizer",
    "PKIDDiscretizer",
    "Scheme",
    "SchemeError",
    "TableError",
    "__version__",
]
