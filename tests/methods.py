"""Every discretizer with some settings, for the tests of what they all promise."""

from __future__ import annotations

from cutwise import (
    AmevaDiscretizer,
    CACCDiscretizer,
    CAIMDiscretizer,
    EMDDiscretizer,
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    FixedFrequencyDiscretizer,
    MaxRelevanceDiscretizer,
    MDLPDiscretizer,
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
]
# Without a look at the class.
UNSUPERVISED = [
    EqualWidthDiscretizer(4),
    EqualFrequencyDiscretizer(3),
    FixedFrequencyDiscretizer(5),
    PKIDDiscretizer(),
]
# All columns at once.
JOINT = [
    EMDDiscretizer(population=10, max_evaluations=300, random_state=0),
]

ONE_BY_ONE = [*SUPERVISED, *UNSUPERVISED]
EVERY = [*ONE_BY_ONE, *JOINT]
