"""Every discretizer with some settings, for the tests of what they all promise."""

from __future__ import annotations

from cutwise import (
    AmevaDiscretizer,
    CACCDiscretizer,
    CADDDiscretizer,
    CAIMDiscretizer,
    Chi2Discretizer,
    ChiMergeDiscretizer,
    EMDDiscretizer,
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    ExtendedChi2Discretizer,
    FixedCutsDiscretizer,
    FixedFrequencyDiscretizer,
    MaxRelevanceDiscretizer,
    MDLPDiscretizer,
    MDmDDiscretizer,
    ModifiedChi2Discretizer,
    MODLDiscretizer,
    MRmDDiscretizer,
    PKIDDiscretizer,
)

# One column at a time, from the class.
SUPERVISED = [
    MRmDDiscretizer(),
    MRmDDiscretizer(search="exact"),
    MaxRelevanceDiscretizer(),
    MDLPDiscretizer(),
    CAIMDiscretizer(),
    CACCDiscretizer(),
    AmevaDiscretizer(all_classes=True),
    ChiMergeDiscretizer(),
    CADDDiscretizer(),
    MODLDiscretizer(),
    MODLDiscretizer(3),
]
# Without a look at the class.
UNSUPERVISED = [
    EqualWidthDiscretizer(4),
    EqualFrequencyDiscretizer(3),
    FixedFrequencyDiscretizer(5),
    PKIDDiscretizer(),
]
# Not learned.
BY_HAND = [FixedCutsDiscretizer([-1.5, 0.0, 12.0])]
# All columns at once.
JOINT = [
    Chi2Discretizer(0.1),
    ModifiedChi2Discretizer(),
    ExtendedChi2Discretizer(),
    EMDDiscretizer(population=10, max_evaluations=300, random_state=0),
    MDmDDiscretizer(),
]

ONE_BY_ONE = [*SUPERVISED, *UNSUPERVISED, *BY_HAND]
EVERY = [*ONE_BY_ONE, *JOINT]
