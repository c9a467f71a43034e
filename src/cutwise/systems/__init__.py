"""Systems: a discretizer and a classifier together, on tables as they come."""

from __future__ import annotations

from cutwise.systems.discretized import DiscretizedClassifier
from cutwise.systems.explanation import Contribution, Explanation
from cutwise.systems.mrmd_rnb import MRmDRNBClassifier

__all__ = ["Contribution", "DiscretizedClassifier", "Explanation", "MRmDRNBClassifier"]
