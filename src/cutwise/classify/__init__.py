"""Classifiers: of codes (bayes, trees), of raw tables (networks), and a discretizer with a classifier."""

from __future__ import annotations

from cutwise.classify.discretized import DiscretizedClassifier, MRmDRNBClassifier
from cutwise.classify.explanation import Contribution, Explanation

__all__ = ["Contribution", "DiscretizedClassifier", "Explanation", "MRmDRNBClassifier"]
