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

from cutwise.lazy import lazy_names
from cutwise.registry import homes

__version__ = "0.1.0"

# Where the names live that are no estimators. Every name is loaded when it is first used, so that the
# command line answers at once.
_HOMES = {
    "CheckpointError": "errors",
    "ColumnWarning": "errors",
    "CountsError": "errors",
    "CutwiseError": "errors",
    "DatasetError": "errors",
    "DatasetWarning": "errors",
    "ExportError": "errors",
    "JournalError": "errors",
    "ModelError": "errors",
    "RunError": "errors",
    "Scheme": "scheme",
    "SchemeError": "errors",
    "TableCounts": "counts",
    "TableError": "errors",
    "UnseenWarning": "errors",
    "WeightsWarning": "errors",
    "all_classifiers": "registry",
    "all_discretizers": "registry",
    "count_table": "counts",
    "write_report": "report",
}
_MODULES = ("classify", "counts", "discretize", "errors", "scheme")
__getattr__, __dir__, __all__ = lazy_names(__name__, {**_HOMES, **homes()}, _MODULES, extras=homes(extras=True))
__all__ += ["__version__"]
