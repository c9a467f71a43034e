"""Criteria: how good is a partition, judged on counts alone."""

from __future__ import annotations

from cutwise.criteria.bin_sums import CACC, CAIM, MDL, Ameva, BinSumCriterion, Facts
from cutwise.criteria.cair import CairCriterion, cair, least_statistic, pair_statistic
from cutwise.criteria.divergence import (
    Divergence,
    ExpectedDivergence,
    NoDivergence,
    SplitDivergence,
    expected_share,
    jensen_shannon,
)
from cutwise.criteria.modl import ModlCriterion, modl_cost, unlabelled_modl_cost
from cutwise.criteria.psi import Psi
from cutwise.criteria.relevance import Relevance, mutual_information
from cutwise.criteria.score import Criterion, Score

__all__ = [
    "CACC",
    "CAIM",
    "MDL",
    "Ameva",
    "BinSumCriterion",
    "CairCriterion",
    "Criterion",
    "Divergence",
    "ExpectedDivergence",
    "Facts",
    "ModlCriterion",
    "NoDivergence",
    "Psi",
    "Relevance",
    "Score",
    "SplitDivergence",
    "cair",
    "expected_share",
    "jensen_shannon",
    "least_statistic",
    "modl_cost",
    "mutual_information",
    "pair_statistic",
    "unlabelled_modl_cost",
]
