"""Stability: a scheme on new data."""

from __future__ import annotations

from cutwise.stability.compare import evaluate
from cutwise.stability.evaluation import AttributeEvaluation, BinEvaluation, Evaluation
from cutwise.stability.measures import RateChange
from cutwise.stability.recount import recounted

__all__ = ["AttributeEvaluation", "BinEvaluation", "Evaluation", "RateChange", "evaluate", "recounted"]
