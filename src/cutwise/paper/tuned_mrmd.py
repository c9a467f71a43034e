"""MRmD with N_D chosen by cross-validation inside the training rows."""

from __future__ import annotations

from typing import Any

from sklearn.model_selection import GridSearchCV, StratifiedKFold

from cutwise.discretize import MRmDDiscretizer
from cutwise.paper.n_d import GIVEN
from cutwise.systems import DiscretizedClassifier

N_FOLDS = 5


def tuned_mrmd(classifier: Any, X: Any, y: Any, seed: int) -> MRmDDiscretizer:
    """Return MRmD with the N_D whose bins let a classifier predict best rows that it did not learn from.

    Of equally good ones the smallest is taken, which cuts least.
    """
    bins = MRmDDiscretizer(validation="holdout", random_state=seed)
    folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=seed)
    search = GridSearchCV(
        DiscretizedClassifier(bins, classifier), {"discretizer__n_d": [*GIVEN]}, cv=folds, refit=False
    )
    bins.n_d = search.fit(X, y).best_params_["discretizer__n_d"]
    return bins
