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
from cutwise.criteria.chi_square import ChiSquare, chi_square
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
from cutwise.criteria.psi import Psi, Score
from cutwise.criteria.relevance import mutual_information

__all__ = [
    "Alikeness",
    "AlikenessTables",
    "BoundedInconsistency",
    "ChiSquare",
    "ColumnFreedom",
    "Consistency",
    "ConsistencyTest",
    "Divergence",
    "ExpectedDivergence",
    "KeptMajorities",
    "KeptPurity",
    "NoDivergence",
    "PairFreedom",
    "Psi",
    "RowGrouping",
    "ScaledPairFreedom",
    "Score",
    "SplitDivergence",
    "chi_square",
    "critical_values",
    "expected_share",
    "jensen_shannon",
    "mutual_information",
]
