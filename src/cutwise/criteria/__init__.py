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
from cutwise.criteria.joint_psi import JointPsi
from cutwise.criteria.psi import Psi, Score
from cutwise.criteria.relevance import mutual_information

__all__ = [
    "Divergence",
    "ExpectedDivergence",
    "JointPsi",
    "NoDivergence",
    "Psi",
    "Score",
    "SplitDivergence",
    "expected_share",
    "jensen_shannon",
    "mutual_information",
]
