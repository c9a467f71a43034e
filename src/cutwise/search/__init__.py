"""Searches: from counts and a criterion to cuts."""

from __future__ import annotations

from cutwise.search.chc import Rules
from cutwise.search.exact import ExactSearch
from cutwise.search.genetic import GeneticSearch, Progress
from cutwise.search.greedy import GreedySearch
from cutwise.search.limits import NO_LIMITS, Limits
from cutwise.search.result import Found, Step

__all__ = [
    "NO_LIMITS",
    "ExactSearch",
    "Found",
    "GeneticSearch",
    "GreedySearch",
    "Limits",
    "Progress",
    "Rules",
    "Step",
]
