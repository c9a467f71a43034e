"""Criteria: how good is a partition, judged on counts alone."""

from __future__ import annotations

from cutwise.criteria.bin_sums import CACC, CAIM, MDL, Ameva, BinSumCriterion, Facts
from cutwise.criteria.divergence import (
    Divergence,
    ExpectedDivergence,
    NoDivergence,
    SplitDivergence,
    expected_share,
    jensen_shannon,
)
from cutwise.criteria.joint_psi import JointPsi
from cutwise.criteria.psi import Psi
from cutwise.criteria.relevance import Relevance, mutual_information
from cutwise.criteria.score import Criterion, Score

__all__ = [
    "CACC",
    "CAIM",
    "MDL",
    "Ameva",
    "BinSumCriterion",
    "Criterion",
    "Divergence",
    "ExpectedDivergence",
    "Facts",
    "JointPsi",
    "NoDivergence",
    "Psi",
    "Relevance",
    "Score",
    "SplitDivergence",
    "expected_share",
    "jensen_shannon",
    "mutual_information",
]
