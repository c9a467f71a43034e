"""Evaluation: methods on folds of data sets, kept in a journal, compared by statistics.

Journals and runs need neither numpy nor scikit-learn; a name is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutwise.lazy import lazy_names

if TYPE_CHECKING:
    from cutwise.paper.evaluate.cells import RAW as RAW
    from cutwise.paper.evaluate.cells import CellResult as CellResult
    from cutwise.paper.evaluate.cells import CellTask as CellTask
    from cutwise.paper.evaluate.cells import ResultCell as ResultCell
    from cutwise.paper.evaluate.journal import Journal as Journal
    from cutwise.paper.evaluate.measure import FoldProtocol as FoldProtocol
    from cutwise.paper.evaluate.measure import Measure as Measure
    from cutwise.paper.evaluate.measure import NamedMethods as NamedMethods
    from cutwise.paper.evaluate.runner import RunProgress as RunProgress
    from cutwise.paper.evaluate.runner import RunSummary as RunSummary
    from cutwise.paper.evaluate.runner import run as run
    from cutwise.paper.evaluate.statistics import Friedman as Friedman
    from cutwise.paper.evaluate.statistics import Outcomes as Outcomes
    from cutwise.paper.evaluate.statistics import average_ranks as average_ranks
    from cutwise.paper.evaluate.statistics import best_counts as best_counts
    from cutwise.paper.evaluate.statistics import friedman_test as friedman_test
    from cutwise.paper.evaluate.statistics import holm_adjusted as holm_adjusted
    from cutwise.paper.evaluate.statistics import holm_test as holm_test
    from cutwise.paper.evaluate.statistics import nemenyi_difference as nemenyi_difference
    from cutwise.paper.evaluate.statistics import pairwise_outcomes as pairwise_outcomes
    from cutwise.paper.evaluate.summary import MethodPair as MethodPair
    from cutwise.paper.evaluate.summary import MethodSummary as MethodSummary
    from cutwise.paper.evaluate.summary import accuracy_matrix as accuracy_matrix
    from cutwise.paper.evaluate.summary import complete_block as complete_block
    from cutwise.paper.evaluate.summary import summarize as summarize
    from cutwise.paper.evaluate.wilcoxon import SignedRanks as SignedRanks
    from cutwise.paper.evaluate.wilcoxon import critical_rank_sum as critical_rank_sum
    from cutwise.paper.evaluate.wilcoxon import rank_sum_p_values as rank_sum_p_values
    from cutwise.paper.evaluate.wilcoxon import rank_sums as rank_sums
    from cutwise.paper.evaluate.wilcoxon import signed_rank_test as signed_rank_test

_HOMES = {
    "CellResult": "cells",
    "CellTask": "cells",
    "FoldProtocol": "measure",
    "Friedman": "statistics",
    "Journal": "journal",
    "Measure": "measure",
    "MethodPair": "summary",
    "MethodSummary": "summary",
    "NamedMethods": "measure",
    "Outcomes": "statistics",
    "RAW": "cells",
    "ResultCell": "cells",
    "RunProgress": "runner",
    "RunSummary": "runner",
    "SignedRanks": "wilcoxon",
    "accuracy_matrix": "summary",
    "average_ranks": "statistics",
    "best_counts": "statistics",
    "complete_block": "summary",
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
__getattr__, __dir__, __all__ = lazy_names(__name__, _HOMES)
