"""Criteria: how good is a partition, judged on counts alone."""

from __future__ import annotations

from cutwise.criteria.bin_sums import CACC, CAIM, MDL, Ameva, BinSumCriterion, ColumnFacts
from cutwise.criteria.chance import CutPlaces, chance_of_best, expected_loss, likelihood_ratio
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
from cutwise.criteria.joint_psi import JointPsi
from cutwise.criteria.modl import ModlCriterion, modl_cost, unlabelled_modl_cost
from cutwise.criteria.psi import (
    Divergence,
    ExpectedDivergence,
    NoDivergence,
    Psi,
    SplitDivergence,
    expected_share,
    jensen_shannon,
)
from cutwise.criteria.score import (
    CairCriterion,
    Criterion,
    Relevance,
    Score,
    SharedValue,
    WeightOfEvidence,
    cair,
    mutual_information,
    pair_statistic,
    weight_of_evidence,
)

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
    "CutPlaces",
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
    "chance_of_best",
    "chi_square",
    "critical_value",
    "critical_values",
    "expected_loss",
    "expected_share",
    "jensen_shannon",
    "likelihood_ratio",
    "modl_cost",
    "mutual_information",
    "p_value",
    "pair_statistic",
    "unlabelled_modl_cost",
    "weight_of_evidence",
]
