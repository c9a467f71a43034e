"""Discretizers: scikit-learn transformers, one method in one file."""

from __future__ import annotations

from cutwise.discretize.base import BaseDiscretizer
from cutwise.discretize.joint import JointDiscretizer
from cutwise.discretize.max_relevance import MaxRelevanceDiscretizer
from cutwise.discretize.mdlp import MDLPDiscretizer
from cutwise.discretize.mdmd import MDmDDiscretizer
from cutwise.discretize.mrmd import MRmDDiscretizer
from cutwise.discretize.quanta import AmevaDiscretizer, CACCDiscretizer, CAIMDiscretizer
from cutwise.discretize.supervised import SupervisedDiscretizer
from cutwise.discretize.unsupervised import (
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    FixedFrequencyDiscretizer,
    PKIDDiscretizer,
    UnsupervisedDiscretizer,
)

__all__ = [
    "AmevaDiscretizer",
    "BaseDiscretizer",
    "CACCDiscretizer",
    "CAIMDiscretizer",
    "EqualFrequencyDiscretizer",
    "EqualWidthDiscretizer",
    "FixedFrequencyDiscretizer",
    "JointDiscretizer",
    "MDLPDiscretizer",
    "MDmDDiscretizer",
    "MRmDDiscretizer",
    "MaxRelevanceDiscretizer",
    "PKIDDiscretizer",
    "SupervisedDiscretizer",
    "UnsupervisedDiscretizer",
]
