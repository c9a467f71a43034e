"""One fitted model of every kind that is written to JSON."""

from __future__ import annotations

from cutwise import (
    CAWNBClassifier,
    DiscretizedClassifier,
    MDLPDiscretizer,
    MRmDRNBClassifier,
    NaiveBayesClassifier,
    PreconditionedLogisticClassifier,
    RNBClassifier,
    WANBIAClassifier,
)
from tests.bayes.fixture import X, Y
from tests.systems.tables import FRAMES, GROUP

OF_CODES = [
    NaiveBayesClassifier().fit(X, Y),
    WANBIAClassifier().fit(X, Y),
    CAWNBClassifier(loss="cll").fit(X, Y),
    RNBClassifier(n_bins=[4, 2, 3]).fit(X, Y),
    PreconditionedLogisticClassifier().fit(X, Y),
]
OF_TABLES = [
    MRmDRNBClassifier(special_values={"weight": [0.5]}, random_state=3).fit(FRAMES["pandas"](), GROUP),
    MRmDRNBClassifier(missing="bin").fit(FRAMES["object"](), GROUP),
    DiscretizedClassifier().fit(FRAMES["pandas"](), GROUP),
    DiscretizedClassifier(MDLPDiscretizer(missing="bin"), CAWNBClassifier()).fit(FRAMES["object"](), GROUP),
]
EVERY = [*OF_CODES, *OF_TABLES]
