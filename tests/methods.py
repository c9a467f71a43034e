"""Every discretizer with some settings, for the tests of what they all promise."""

from __future__ import annotations

from cutwise import (
    AmevaDiscretizer,
    CACCDiscretizer,
    CADDDiscretizer,
    CAIMDiscretizer,
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    FixedFrequencyDiscretizer,
    MaxRelevanceDiscretizer,
    MDLPDiscretizer,
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
# All columns at once.
JOINT: list = []

ONE_BY_ONE = [*SUPERVISED, *UNSUPERVISED]
EVERY = [*ONE_BY_ONE, *JOINT]
