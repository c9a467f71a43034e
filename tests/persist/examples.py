"""One fitted model of every kind that is written to JSON."""

from __future__ import annotations

from cutwise import (
    AIWNBClassifier,
    AODEClassifier,
    C45Classifier,
    CAWNBClassifier,
    DiscretizedClassifier,
    MDLPDiscretizer,
    MRmDRNBClassifier,
    NaiveBayesClassifier,
    PreconditionedLogisticClassifier,
    RNBClassifier,
    RVFLClassifier,
    WANBIAClassifier,
)
from tests.classify.bayes.fixture import X, Y
from tests.classify.tables import FRAMES, GROUP

# A table of codes some of which are missing.
GAPS = X.copy()
GAPS[::5, 0] = GAPS[::7, 1] = -1

OF_CODES = [
    NaiveBayesClassifier().fit(X, Y),
    WANBIAClassifier().fit(X, Y),
    CAWNBClassifier(loss="cll").fit(X, Y),
    RNBClassifier(n_bins=[4, 2, 3]).fit(X, Y),
    PreconditionedLogisticClassifier().fit(X, Y),
]
NOT_ADDITIVE = [
    AODEClassifier().fit(GAPS, Y),
    AODEClassifier(max_memory=0, min_count=2.5, smoothing="laplace").fit(GAPS, Y),
    AIWNBClassifier().fit(GAPS, Y),
    AIWNBClassifier("lazy", offset=0.5).fit(GAPS, Y),
    AIWNBClassifier("lazy", max_memory=0, alpha=0.3, n_bins=4).fit(GAPS, Y),
]
OF_RAW_TABLES = [
    C45Classifier().fit(FRAMES["pandas"](), GROUP),
    C45Classifier(nominal=[1], min_leaf=1, prune=False, collapse=False).fit(FRAMES["object"](), GROUP),
    RVFLClassifier(n_hidden=4, n_layers=3, prune=0.4, random_state=0).fit(FRAMES["pandas"](), GROUP),
    RVFLClassifier(n_hidden=3, activation="relu", weighting=None, renormalise=False).fit(FRAMES["object"](), GROUP),
]
OF_TABLES = [
    MRmDRNBClassifier(special_values={"weight": [0.5]}, random_state=3).fit(FRAMES["pandas"](), GROUP),
    MRmDRNBClassifier(missing="bin").fit(FRAMES["object"](), GROUP),
    DiscretizedClassifier().fit(FRAMES["pandas"](), GROUP),
    DiscretizedClassifier(MDLPDiscretizer(missing="bin"), CAWNBClassifier()).fit(FRAMES["object"](), GROUP),
]
OTHER_SYSTEMS = [
    DiscretizedClassifier(MDLPDiscretizer(), classifier).fit(FRAMES["pandas"](), GROUP)
    for classifier in (
        AODEClassifier(),
        AIWNBClassifier(),
        AIWNBClassifier("lazy", max_memory=0),
        C45Classifier(nominal="all"),
        C45Classifier(),
        RVFLClassifier(n_hidden=3, n_layers=2, random_state=0),
    )
]
EVERY = [*OF_CODES, *NOT_ADDITIVE, *OF_RAW_TABLES, *OF_TABLES, *OTHER_SYSTEMS]
