"""One fitted model of every kind that is written to JSON."""

from __future__ import annotations

from cutwise import (
    AdditiveClassifier,
    AIWNBClassifier,
    C45Classifier,
    CAWNBClassifier,
    DiscretizedClassifier,
    MDLPDiscretizer,
    MRmDRNBClassifier,
    RVFLClassifier,
    ScorecardClassifier,
)
from cutwise.classify.base import BaseSystem
from tests.classify.bayes.fixture import X, Y
from tests.classify.tables import FRAMES, GROUP, YES
from tests.methods import instances, is_additive

# A table of codes some of which are missing.
GAPS = X.copy()
GAPS[::5, 0] = GAPS[::7, 1] = -1

_CODES = instances(
    ["codes"],
    CAWNBClassifier=[{"loss": "cll"}],
    RNBClassifier=[{"n_bins": [4, 2, 3]}],
    AODEClassifier=[{}, {"max_memory": 0, "min_count": 2.5, "smoothing": "laplace"}],
    AIWNBClassifier=[
        {},
        {"mode": "lazy", "offset": 0.5},
        {"mode": "lazy", "max_memory": 0, "alpha": 0.3, "n_bins": 4},
    ],
)
OF_CODES = [model.fit(X, Y) for model in _CODES if is_additive(model)]
NOT_ADDITIVE = [model.fit(GAPS, Y) for model in _CODES if not is_additive(model)]
OF_RAW_TABLES = [
    *(
        model.fit(FRAMES["pandas"](), GROUP)
        for model in instances(
            ["tables"], RVFLClassifier=[{"n_hidden": 4, "n_layers": 3, "prune": 0.4, "random_state": 0}]
        )
        if not isinstance(model, BaseSystem)
    ),
    C45Classifier(nominal=[1], min_leaf=1, prune=False, collapse=False).fit(FRAMES["object"](), GROUP),
    RVFLClassifier(n_hidden=3, activation="relu", weighting=None, renormalise=False).fit(FRAMES["object"](), GROUP),
]
OF_TABLES = [
    MRmDRNBClassifier(special_values={"weight": [0.5]}, random_state=3).fit(FRAMES["pandas"](), GROUP),
    MRmDRNBClassifier(missing="bin").fit(FRAMES["object"](), GROUP),
    DiscretizedClassifier().fit(FRAMES["pandas"](), GROUP),
    DiscretizedClassifier(MDLPDiscretizer(missing="bin"), CAWNBClassifier()).fit(FRAMES["object"](), GROUP),
    AdditiveClassifier(5, special_values={"weight": [0.5]}).fit(FRAMES["pandas"](), GROUP),
    ScorecardClassifier(MDLPDiscretizer(), event="yes").fit(FRAMES["pandas"](), YES),
    ScorecardClassifier(MDLPDiscretizer(), model="additive", min_iv=0.0, rounding=None).fit(FRAMES["object"](), YES),
]
OTHER_SYSTEMS = [
    DiscretizedClassifier(MDLPDiscretizer(), classifier).fit(FRAMES["pandas"](), GROUP)
    for classifier in (
        *(model for model in instances(["codes"]) if not is_additive(model)),
        AIWNBClassifier("lazy", max_memory=0),
        C45Classifier(nominal="all"),
        C45Classifier(),
        RVFLClassifier(n_hidden=3, n_layers=2, random_state=0),
    )
]
EVERY = [*OF_CODES, *NOT_ADDITIVE, *OF_RAW_TABLES, *OF_TABLES, *OTHER_SYSTEMS]


def of_kind(models, kind):
    """The models of one class, or of one class inside a system."""
    return [model for model in models if type(getattr(model, "classifier_", model)) is kind]
