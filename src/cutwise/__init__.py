"""cutwise: turn numbers into categories that hold on new data.

The flow, a folder for each stage, each usable alone:

    table       what comes in: frames, files, tables of engines
    counts      how many rows of each class and part have which value
    criteria    how good is a partition, judged on counts
    search      the partition that the criterion likes best
    scheme      the result as plain data, its codes, and checks on new rows
    discretize  all of it as scikit-learn transformers
    classify    classifiers of codes and of tables
    persist     learned classifiers as data, readable and written as JSON
    export      schemes and classifiers as SQL, polars expressions and ONNX
    report      what was found, for people
    paper       the reproduction of the paper: data sets, runs, statistics, tables

The estimators are listed in ``cutwise.registry``.
"""

from __future__ import annotations

from cutwise.registry import homes, lazy_names

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
    "FormatError": "errors",
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
