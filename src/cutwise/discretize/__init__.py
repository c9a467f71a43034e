"""Discretizers: scikit-learn transformers, one method in one file."""

from __future__ import annotations

from cutwise.discretize.base import BaseDiscretizer
from cutwise.discretize.cadd import CADDDiscretizer
from cutwise.discretize.caim import AmevaDiscretizer, CACCDiscretizer, CAIMDiscretizer
from cutwise.discretize.chi2 import Chi2Discretizer, ExtendedChi2Discretizer, ModifiedChi2Discretizer
from cutwise.discretize.chimerge import ChiMergeDiscretizer
from cutwise.discretize.emd import EMDDiscretizer
from cutwise.discretize.fixed_cuts import FixedCutsDiscretizer
from cutwise.discretize.fixed_scheme import FixedSchemeDiscretizer
from cutwise.discretize.joint import JointDiscretizer
from cutwise.discretize.max_relevance import MaxRelevanceDiscretizer
from cutwise.discretize.mdlp import MDLPDiscretizer
from cutwise.discretize.mdmd import MDmDDiscretizer
from cutwise.discretize.modl import MODLDiscretizer
from cutwise.discretize.mrmd import MRmDDiscretizer
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
    "CADDDiscretizer",
    "CAIMDiscretizer",
    "Chi2Discretizer",
    "ChiMergeDiscretizer",
    "EMDDiscretizer",
    "EqualFrequencyDiscretizer",
    "EqualWidthDiscretizer",
    "ExtendedChi2Discretizer",
    "FixedCutsDiscretizer",
    "FixedFrequencyDiscretizer",
    "FixedSchemeDiscretizer",
    "JointDiscretizer",
    "MDLPDiscretizer",
    "MDmDDiscretizer",
    "MODLDiscretizer",
    "MRmDDiscretizer",
    "MaxRelevanceDiscretizer",
    "ModifiedChi2Discretizer",
    "PKIDDiscretizer",
    "SupervisedDiscretizer",
    "UnsupervisedDiscretizer",
]
