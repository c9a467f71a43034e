"""Criteria: how good is a partition, judged on counts alone."""

from __future__ import annotations

from cutwise.criteria.bin_sums import CACC, CAIM, MDL, Ameva, BinSumCriterion, ColumnFacts
from cutwise.criteria.cair import CairCriterion, cair, pair_statistic
from cutwise.criteria.chi_square import (
    Alikeness,
    AlikenessTables,
    ChiSquare,
    ColumnFreedom,
    PairFreedom,
    ScaledPairFreedom,
    chi_square,
    critical_value,
    critical_values,
    p_value,
)
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
from cutwise.criteria.joint_psi import JointPsi
from cutwise.criteria.modl import ModlCriterion, modl_cost, unlabelled_modl_cost
from cutwise.criteria.psi import Psi
from cutwise.criteria.score import Criterion, Relevance, Score, SharedValue, mutual_information
from cutwise.criteria.weight_of_evidence import WeightOfEvidence, weight_of_evidence

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
    "ColumnFacts",
    "ColumnFreedom",
    "Consistency",
    "ConsistencyTest",
    "Criterion",
    "Divergence",
    "ExpectedDivergence",
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
    "WeightOfEvidence",
    "cair",
    "chi_square",
    "critical_value",
    "critical_values",
    "expected_share",
    "jensen_shannon",
    "modl_cost",
    "mutual_information",
    "p_value",
    "pair_statistic",
    "unlabelled_modl_cost",
    "weight_of_evidence",
]
