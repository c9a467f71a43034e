"""Criteria: how good is a partition, judged on counts alone."""

from __future__ import annotations

from cutwise.criteria.alikeness import (
    Alikeness,
    AlikenessTables,
    ColumnFreedom,
    PairFreedom,
    ScaledPairFreedom,
    critical_values,
)
from cutwise.criteria.bin_sums import CACC, CAIM, MDL, Ameva, BinSumCriterion, Facts
from cutwise.criteria.cair import CairCriterion, cair, pair_statistic
from cutwise.criteria.chi_square import ChiSquare, chi_square, critical_value, p_value
from cutwise.criteria.consistency import (
    BoundedInconsistency,
    Consistency,
    ConsistencyTest,
    KeptMajorities,
    KeptPurity,
    RowGrouping,
)
from cutwise.criteria.divergence import (
    Divergence,
    ExpectedDivergence,
    NoDivergence,
    SplitDivergence,
    expected_share,
    jensen_shannon,
)
from cutwise.criteria.evidence import Evidence, evidence
from cutwise.criteria.joint_psi import JointPsi
from cutwise.criteria.modl import ModlCriterion, modl_cost, unlabelled_modl_cost
from cutwise.criteria.psi import Psi
from cutwise.criteria.relevance import Relevance, mutual_information
from cutwise.criteria.score import Criterion, Score
from cutwise.criteria.shared_value import SharedValue

__all__ = [
    "CACC",
    "CAIM",
    "MDL",
    "Alikeness",
    "AlikenessTables",
    "Ameva",
    "BinSumCriterion",
    "BoundedInconsistency",
    "CairCriterion",
    "ChiSquare",
    "ColumnFreedom",
    "Consistency",
    "ConsistencyTest",
    "Criterion",
    "Divergence",
    "Evidence",
    "ExpectedDivergence",
    "Facts",
    "JointPsi",
    "KeptMajorities",
    "KeptPurity",
    "ModlCriterion",
    "NoDivergence",
    "PairFreedom",
    "Psi",
    "Relevance",
    "RowGrouping",
    "ScaledPairFreedom",
    "Score",
    "SharedValue",
    "SplitDivergence",
    "cair",
    "chi_square",
    "critical_value",
    "critical_values",
    "evidence",
    "expected_share",
    "jensen_shannon",
    "modl_cost",
    "mutual_information",
    "p_value",
    "pair_statistic",
    "unlabelled_modl_cost",
]
