"""Criteria: how good is a partition, judged on counts alone."""

from __future__ import annotations

from cutwise.criteria.divergence import (
    Divergence,
    ExpectedDivergence,
    NoDivergence,
    SplitDivergence,
    expected_share,
    jensen_shannon,
)
from cutwise.criteria.modl import ModlCriterion, modl_cost, unlabelled_modl_cost
from cutwise.criteria.psi import Psi, Score
from cutwise.criteria.relevance import mutual_information

__all__ = [
    "Divergence",
    "ExpectedDivergence",
    "ModlCriterion",
    "NoDivergence",
    "Psi",
    "Score",
    "SplitDivergence",
    "expected_share",
    "jensen_shannon",
    "modl_cost",
    "mutual_information",
    "unlabelled_modl_cost",
]
