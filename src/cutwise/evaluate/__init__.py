"""Evaluation: methods on folds of data sets, kept in a journal, compared by statistics."""

from __future__ import annotations

from cutwise.evaluate.accuracy_table import complete_block
from cutwise.evaluate.cells import RAW, Cell, Result, Task
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
    "Method",
    "Outcomes",
    "Result",
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
    "signed_rank_test",
    "summarize",
]
