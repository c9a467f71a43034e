"""Searches: from counts and a criterion to cuts."""

from __future__ import annotations

from cutwise.search.exact import ExactSearch
from cutwise.search.greedy import GreedySearch
from cutwise.search.joint import JointFound, JointSearch
from cutwise.search.limits import NO_LIMITS, Limits
from cutwise.search.result import Found, Step
from cutwise.search.top_down import TopDownSearch
from cutwise.search.unsupervised import EqualFrequencySearch, EqualWidthSearch, FixedSizeSearch, ProportionalSearch

__all__ = [
    "NO_LIMITS",
    "EqualFrequencySearch",
    "EqualWidthSearch",
    "ExactSearch",
    "FixedSizeSearch",
    "Found",
    "GreedySearch",
    "JointFound",
    "JointSearch",
    "Limits",
    "ProportionalSearch",
    "Step",
    "TopDownSearch",
]
