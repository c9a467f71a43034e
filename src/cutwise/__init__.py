"""cutwise: turn numbers into categories that hold on new data.

The flow, a folder for each stage, each usable alone:

    table       columns of numpy, pandas, polars and Arrow tables
    sources     tables beyond memory, read in pieces by the engine that holds them
    counts      how many rows of each class and part have which value
    criteria    how good is a partition, judged on counts
    search      the partition that the criterion likes best
    scheme      the result as plain data, readable and written as JSON
    encode      values to codes
    counting    the counts of a table that stays where it is
    fitting     what every estimator shares: checks of rows, classes and weights
    stability   a scheme on new data: do its bins hold
    plots       bins and cuts with matplotlib
    discretize  all of it as scikit-learn transformers
    models      learned classifiers as data, readable and written as JSON
    bayes       classifiers on codes
    export      schemes and classifiers as SQL, polars expressions and ONNX
    systems     a discretizer and a classifier together, on tables
    neural      classifiers on tables as they come: ensemble deep RVFL, and with an extra ResNet and FT-Transformer
    trees       classifiers for tables and codes
    report      what was found, for people
    datasets    the paper's data sets by name, checked
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cutwise.classify import DiscretizedClassifier, MRmDRNBClassifier
    from cutwise.classify.bayes import (
        AIWNBClassifier,
        AODEClassifier,
        CAWNBClassifier,
        NaiveBayesClassifier,
        PreconditionedLogisticClassifier,
        RNBClassifier,
        WANBIAClassifier,
    )
    from cutwise.classify.networks import RVFLClassifier
    from cutwise.classify.networks.deep import FTTransformerClassifier as FTTransformerClassifier
    from cutwise.classify.networks.deep import ResNetClassifier as ResNetClassifier
    from cutwise.classify.trees import C45Classifier
    from cutwise.counts import TableCounts, count_table
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
        FixedCutsDiscretizer,
        FixedFrequencyDiscretizer,
        FixedSchemeDiscretizer,
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
        ColumnWarning,
        CountsError,
        CutwiseError,
        DatasetError,
        DatasetWarning,
        ExportError,
        JournalError,
        ModelError,
        RunError,
        SchemeError,
        TableError,
        UnseenWarning,
        WeightsWarning,
    )
    from cutwise.scheme import Scheme


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

# Where each name lives. It is loaded when it is first used, so that the command line answers at once.
_HOMES = {
    "AIWNBClassifier": "classify.bayes",
    "AODEClassifier": "classify.bayes",
    "AmevaDiscretizer": "discretize",
    "C45Classifier": "classify.trees",
    "CACCDiscretizer": "discretize",
    "CADDDiscretizer": "discretize",
    "CAIMDiscretizer": "discretize",
    "CAWNBClassifier": "classify.bayes",
    "CheckpointError": "errors",
    "Chi2Discretizer": "discretize",
    "ChiMergeDiscretizer": "discretize",
    "ColumnWarning": "errors",
    "CountsError": "errors",
    "CutwiseError": "errors",
    "DatasetError": "errors",
    "DatasetWarning": "errors",
    "DiscretizedClassifier": "classify",
    "EMDDiscretizer": "discretize",
    "EqualFrequencyDiscretizer": "discretize",
    "EqualWidthDiscretizer": "discretize",
    "ExportError": "errors",
    "ExtendedChi2Discretizer": "discretize",
    "FixedCutsDiscretizer": "discretize",
    "FixedFrequencyDiscretizer": "discretize",
    "FixedSchemeDiscretizer": "discretize",
    "JournalError": "errors",
    "MDLPDiscretizer": "discretize",
    "MDmDDiscretizer": "discretize",
    "MODLDiscretizer": "discretize",
    "MRmDDiscretizer": "discretize",
    "MRmDRNBClassifier": "classify",
    "MaxRelevanceDiscretizer": "discretize",
    "ModelError": "errors",
    "ModifiedChi2Discretizer": "discretize",
    "NaiveBayesClassifier": "classify.bayes",
    "PKIDDiscretizer": "discretize",
    "PreconditionedLogisticClassifier": "classify.bayes",
    "RNBClassifier": "classify.bayes",
    "RVFLClassifier": "classify.networks",
    "RunError": "errors",
    "Scheme": "scheme",
    "SchemeError": "errors",
    "TableCounts": "counts",
    "TableError": "errors",
    "UnseenWarning": "errors",
    "WANBIAClassifier": "classify.bayes",
    "WeightsWarning": "errors",
    "count_table": "counts",
}
# Not in __all__, because they need the extra "networks".
_WITH_EXTRAS = {"FTTransformerClassifier": "classify.networks.deep", "ResNetClassifier": "classify.networks.deep"}


def __getattr__(name: str) -> Any:
    """Load a public name, or the folder of one."""
    home = _HOMES.get(name, _WITH_EXTRAS.get(name))
    if home is not None:
        return getattr(importlib.import_module(f"{__name__}.{home}"), name)
    if name in _HOMES.values():
        return importlib.import_module(f"{__name__}.{name}")
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
