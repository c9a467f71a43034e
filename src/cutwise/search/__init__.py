"""Searches: from counts and a criterion to cuts."""

from __future__ import annotations

from cutwise.search.cadd import CaddSearch
from cutwise.search.chc import Rules
from cutwise.search.exact import ExactSearch
from cutwise.search.fixed import FixedCutsSearch
from cutwise.search.genetic import GeneticSearch, Progress
from cutwise.search.greedy import GreedySearch
from cutwise.search.joint import JointFound, JointSearch
from cutwise.search.levels import LevelSearch
from cutwise.search.limits import NO_LIMITS, Limits
from cutwise.search.merge import MergeSearch
from cutwise.search.modl import ModlSearch
from cutwise.search.result import Found, Step
from cutwise.search.top_down import TopDownSearch
from cutwise.search.unsupervised import EqualFrequencySearch, EqualWidthSearch, FixedSizeSearch, ProportionalSearch

__all__ = [
    "NO_LIMITS",
    "CaddSearch",
    "EqualFrequencySearch",
    "EqualWidthSearch",
    "ExactSearch",
    "FixedCutsSearch",
    "FixedSizeSearch",
    "Found",
    "GeneticSearch",
    "GreedySearch",
    "JointFound",
    "JointSearch",
    "LevelSearch",
    "Limits",
    "MergeSearch",
    "ModlSearch",
    "Progress",
    "ProportionalSearch",
    "Rules",
    "Step",
    "TopDownSearch",
]
