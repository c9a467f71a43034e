"""Evaluation: methods on folds of data sets, kept in a journal, compared by statistics."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cutwise.evaluate.accuracy_table import complete_block
    from cutwise.evaluate.cells import RAW, Cell, Result, Task
    from cutwise.evaluate.folds import Protocol
    from cutwise.evaluate.journal import Journal
    from cutwise.evaluate.measure import Measure, Methods
    from cutwise.evaluate.runner import Progress, RunSummary, run
    from cutwise.evaluate.statistics import (
        Friedman,
        Outcomes,
        average_ranks,
        best_counts,
        friedman_test,
        holm_adjusted,
        holm_test,
        nemenyi_difference,
        pairwise_outcomes,
    )
    from cutwise.evaluate.summary import Method, Summary, accuracy_matrix, summarize
    from cutwise.evaluate.wilcoxon import SignedRanks, critical_rank_sum, rank_sum_p_values, rank_sums, signed_rank_test

__all__ = [
    "RAW",
    "Cell",
    "Friedman",
    "Journal",
    "Measure",
    "Method",
    "Methods",
    "Outcomes",
    "Progress",
    "Protocol",
    "Result",
    "RunSummary",
    "SignedRanks",
    "Summary",
    "Task",
    "accuracy_matrix",
    "average_ranks",
    "best_counts",
    "complete_block",
    "critical_rank_sum",
    "friedman_test",
    "holm_adjusted",
    "holm_test",
    "nemenyi_difference",
    "pairwise_outcomes",
    "rank_sum_p_values",
    "rank_sums",
    "run",
    "signed_rank_test",
    "summarize",
]

# Where each name lives. It is loaded when it is first used: journals and runs need neither numpy nor scikit-learn.
_HOMES = {
    "Cell": "cells",
    "Friedman": "statistics",
    "Journal": "journal",
    "Measure": "measure",
    "Method": "summary",
    "Methods": "measure",
    "Outcomes": "statistics",
    "Progress": "runner",
    "Protocol": "folds",
    "RAW": "cells",
    "Result": "cells",
    "RunSummary": "runner",
    "SignedRanks": "wilcoxon",
    "Summary": "summary",
    "Task": "cells",
    "accuracy_matrix": "summary",
    "average_ranks": "statistics",
    "best_counts": "statistics",
    "complete_block": "accuracy_table",
    "critical_rank_sum": "wilcoxon",
    "friedman_test": "statistics",
    "holm_adjusted": "statistics",
    "holm_test": "statistics",
    "nemenyi_difference": "statistics",
    "pairwise_outcomes": "statistics",
    "rank_sum_p_values": "wilcoxon",
    "rank_sums": "wilcoxon",
    "run": "runner",
    "signed_rank_test": "wilcoxon",
    "summarize": "summary",
}


def __getattr__(name: str) -> Any:
    """Load a public name."""
    if name in _HOMES:
        return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
