"""Searches: from counts and a criterion to cuts."""

from __future__ import annotations

from cutwise.search.exact import ExactSearch
from cutwise.search.greedy import GreedySearch
from cutwise.search.joint import JointFound, JointSearch
from cutwise.search.limits import NO_LIMITS, Limits
from cutwise.search.result import Found, Step

__all__ = ["NO_LIMITS", "ExactSearch", "Found", "GreedySearch", "JointFound", "JointSearch", "Limits", "Step"]
