"""Evaluation: methods on folds of data sets, kept in a journal, compared by statistics."""

from __future__ import annotations

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
