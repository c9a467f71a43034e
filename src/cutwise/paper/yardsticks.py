"""Classifiers of tables as they come, which users will compare with."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier, VotingClassifier
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder

from cutwise.classify import DiscretizedClassifier
from cutwise.classify.bayes import AODEClassifier, PreconditionedLogisticClassifier
from cutwise.classify.networks import RVFLClassifier
from cutwise.classify.trees import C45Classifier
from cutwise.discretize import EqualFrequencyDiscretizer, MDLPDiscretizer, MRmDDiscretizer
from cutwise.paper.measured import GIVEN


def forest(seed: int) -> Any:
    """Return scikit-learn's random forest; categories, and a missing one, become 0/1 columns."""
    encoder = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), make_column_selector(dtype_exclude="number")),
        remainder="passthrough",
    )
    return make_pipeline(encoder, RandomForestClassifier(random_state=seed))


def boosting(seed: int) -> Any:
    """Return scikit-learn's histogram gradient boosting; categories are told to it as such."""
    encoder = make_column_transformer(
        (
            OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1),
            make_column_selector(dtype_exclude="number"),
        ),
        remainder="passthrough",
        verbose_feature_names_out=False,
    )
    return make_pipeline(encoder, HistGradientBoostingClassifier(random_state=seed))


class TwoOnCodes(ClassifierMixin, BaseEstimator):
    """The mean of the probabilities of AODE and of preconditioned logistic regression on the same codes."""

    def __init__(self, n_bins: Any = None) -> None:
        self.n_bins = n_bins

    def fit(self, X: Any, y: Any) -> Self:
        """Learn both."""
        members = AODEClassifier(n_bins=self.n_bins), PreconditionedLogisticClassifier(n_bins=self.n_bins)
        self.members_ = [member.fit(X, y) for member in members]
        self.classes_ = self.members_[0].classes_
        return self

    def predict_proba(self, X: Any) -> Any:
        """Return the mean."""
        return np.mean([member.predict_proba(X) for member in self.members_], axis=0)

    def predict(self, X: Any) -> Any:
        """Return the most probable class."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def average(seed: int) -> Any:
    """Return the mean of AODE's and preconditioned logistic regression's posteriors over six discretizations."""
    discretizers = {
        "mrmd": MRmDDiscretizer(random_state=seed),
        "mdlp": MDLPDiscretizer(),
        **{f"frequency{n}": EqualFrequencyDiscretizer(n) for n in (3, 5, 7, 10)},
    }
    members = [(name, DiscretizedClassifier(discretizer, TwoOnCodes())) for name, discretizer in discretizers.items()]
    return VotingClassifier(members, voting="soft")


def c45(seed: int) -> Any:  # noqa: ARG001 every maker takes a seed
    """Return C4.5 with its own binary questions about numbers."""
    return C45Classifier()


def rvfl(seed: int) -> Any:
    """Return ensemble deep RVFL with its default settings."""
    return RVFLClassifier(random_state=seed)


def rvfl_tuned(seed: int) -> Any:
    """Return ensemble deep RVFL, tuned by cross-validation inside the training rows."""
    return RVFLClassifier(tune=True, random_state=seed)


def resnet(seed: int) -> Any:
    """Return ResNet with its default settings."""
    from cutwise import ResNetClassifier  # noqa: PLC0415  # loads PyTorch

    return ResNetClassifier(random_state=seed)


def ftt(seed: int) -> Any:
    """Return FT-Transformer with its default settings."""
    from cutwise import FTTransformerClassifier  # noqa: PLC0415  # loads PyTorch

    return FTTransformerClassifier(random_state=seed)


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
