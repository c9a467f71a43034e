"""Discretizers: scikit-learn transformers, one method in one file."""

from __future__ import annotations

from cutwise.discretize.base import BaseDiscretizer
from cutwise.discretize.max_relevance import MaxRelevanceDiscretizer
from cutwise.discretize.mdlp import MDLPDiscretizer
from cutwise.discretize.mrmd import MRmDDiscretizer

__all__ = ["BaseDiscretizer", "MDLPDiscretizer", "MRmDDiscretizer", "MaxRelevanceDiscretizer"]
