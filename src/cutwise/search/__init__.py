"""Searches: from counts and a criterion to cuts."""

from __future__ import annotations

from cutwise.search.chc import GeneticSettings
from cutwise.search.genetic import GeneticProgress, GeneticSearch
from cutwise.search.held_out import HeldOutLosses
from cutwise.search.joint import JointFound, JointSearch
from cutwise.search.jumps import JumpFound, JumpSearch
from cutwise.search.merge import CaddSearch, LevelSearch, MergeSearch
from cutwise.search.modl import ModlSearch
from cutwise.search.psi import BatchSteps, ExactSearch, GreedySearch
from cutwise.search.result import NO_LIMITS, BinLimits, SearchResult, SearchStep
from cutwise.search.top_down import TopDownSearch
from cutwise.search.unsupervised import (
    EqualFrequencySearch,
    EqualWidthSearch,
    FixedCutsSearch,
    FixedSizeSearch,
    ProportionalSearch,
)

__all__ = [
    "NO_LIMITS",
    "BatchSteps",
    "BinLimits",
    "CaddSearch",
    "EqualFrequencySearch",
    "EqualWidthSearch",
    "ExactSearch",
    "FixedCutsSearch",
    "FixedSizeSearch",
    "GeneticProgress",
    "GeneticSearch",
    "GeneticSettings",
    "GreedySearch",
    "HeldOutLosses",
    "JointFound",
    "JointSearch",
    "JumpFound",
    "JumpSearch",
    "LevelSearch",
    "MergeSearch",
    "ModlSearch",
    "ProportionalSearch",
    "SearchResult",
    "SearchStep",
    "TopDownSearch",
]
