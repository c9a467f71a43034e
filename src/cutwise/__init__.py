"""cutwise: turn numbers into categories that hold on new data.

A folder for each stage of the way, each usable alone; ``docs/architecture.md`` lists them. The
estimators are listed in ``cutwise.registry``.
"""

from __future__ import annotations

from cutwise.registry import homes, lazy_names

__version__ = "0.1.0"

# Where the names live that are no estimators. Every name is loaded when it is first used, so that the
# command line answers at once.
_HOMES = {
    "CheckpointError": "errors",
    "CleanTable": "table.cleaning",
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
    "clean_table": "table.cleaning",
    "count_table": "counts",
    "flag_columns": "table.cleaning",
    "write_report": "report",
}
_MODULES = ("classify", "counts", "discretize", "errors", "scheme")
__getattr__, __dir__, __all__ = lazy_names(__name__, {**_HOMES, **homes()}, _MODULES, extras=homes(extras=True))
__all__ += ["__version__"]
