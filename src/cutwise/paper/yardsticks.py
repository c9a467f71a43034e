"""Classifiers for raw tables that users will compare with."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier, VotingClassifier
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder

from cutwise.classify import AdditiveClassifier, DiscretizedClassifier
from cutwise.classify.average import CutwiseClassifier
from cutwise.classify.bayes import AODEClassifier, PreconditionedLogisticClassifier
from cutwise.classify.networks import RVFLClassifier
from cutwise.classify.trees import C45Classifier
from cutwise.discretize import EqualFrequencyDiscretizer, MDLPDiscretizer, MRmDDiscretizer
from cutwise.paper.explainable_boosting import ExplainableBoosting
from cutwise.paper.table import GIVEN


def forest(seed: int, n_trees: int = 100) -> Any:
    """Return scikit-learn's random forest; categories, and a missing one, become 0/1 columns."""
    encoder = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), make_column_selector(dtype_exclude="number")),
        remainder="passthrough",
    )
    return make_pipeline(encoder, RandomForestClassifier(n_trees, random_state=seed))


def _categories_as_numbers() -> Any:
    """Return a transformer that numbers the categories; a missing one stays NaN."""
    return make_column_transformer(
        (
            OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1),
            make_column_selector(dtype_exclude="number"),
        ),
        remainder="passthrough",
        verbose_feature_names_out=False,
    )


def boosting(seed: int) -> Any:
    """Return scikit-learn's histogram gradient boosting with its default settings."""
    return make_pipeline(_categories_as_numbers(), HistGradientBoostingClassifier(random_state=seed))


class TunedBoosting(ClassifierMixin, BaseEstimator):
    """Histogram gradient boosting whose settings are chosen inside the training rows.

    The learning rate and the number of leaves are those with the least log loss over three folds.
    In each fold, boosting stops when ten rounds brought nothing for the rows left out; the final
    number of rounds is the median of the folds'. It needs scikit-learn 1.7.
    """

    def __init__(self, random_state: int = 0) -> None:
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Choose the settings, then learn from all rows."""
        y = np.asarray(y)
        tried = {(rate, leaves): self._rounds(X, y, rate, leaves) for rate in (0.03, 0.1) for leaves in (4, 8, 31)}
        (rate, leaves), (_, rounds) = min(tried.items(), key=lambda item: item[1][0])
        self.model_ = self._make(rate, leaves, rounds, early_stopping=False).fit(X, y)
        self.classes_ = self.model_.classes_
        return self

    def _make(self, rate: float, leaves: int, rounds: int, *, early_stopping: bool) -> Any:
        return HistGradientBoostingClassifier(
            learning_rate=rate,
            max_leaf_nodes=leaves,
            max_iter=rounds,
            early_stopping=early_stopping,
            random_state=self.random_state,
        )

    def _rounds(self, X: Any, y: Any, rate: float, leaves: int) -> tuple[float, int]:
        """Return the mean log loss on rows left out, and the median number of rounds."""
        losses, rounds = [], []
        codes = np.unique(y, return_inverse=True)[1]
        rare = np.bincount(codes)[codes] < N_TUNING_FOLDS  # a fold without a class could not judge it
        folds = StratifiedKFold(N_TUNING_FOLDS, shuffle=True, random_state=self.random_state)
        common = np.flatnonzero(~rare)
        for kept, left_out in folds.split(common, y[common]):
            train, test = np.concatenate([common[kept], np.flatnonzero(rare)]), common[left_out]
            model = self._make(rate, leaves, 500, early_stopping=True)
            model.fit(X[train], y[train], X_val=X[test], y_val=y[test])
            losses.append(-model.validation_score_.max())
            rounds.append(model.validation_score_.argmax())
        return float(np.mean(losses)), max(1, int(np.median(rounds)))

    def predict_proba(self, X: Any) -> Any:
        """Return the class probabilities."""
        return self.model_.predict_proba(X)

    def predict(self, X: Any) -> Any:
        """Return the most probable class."""
        return self.model_.predict(X)


def boosting_tuned(seed: int) -> Any:
    """Return histogram gradient boosting with settings chosen inside the training rows."""
    return make_pipeline(_categories_as_numbers(), TunedBoosting(seed))


def cutwise(seed: int, *, exportable: bool = False) -> Any:
    """Return the average of members that err differently."""
    return CutwiseClassifier(exportable=exportable, random_state=seed)


def ebm(seed: int) -> Any:
    """Return the explainable boosting machine of `interpret` with its default settings."""
    return ExplainableBoosting(seed)


def additive(seed: int, pairs: int = 0) -> Any:  # noqa: ARG001 every maker takes a seed
    """Return the library's additive classifier, with pairs of columns or without."""
    return AdditiveClassifier(pairs=pairs)


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
        "mrmd": MRmDDiscretizer(random_state=seed, confirm=None),
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


N_FOLDS, N_TUNING_FOLDS = 5, 3


def auto_mrmd(classifier: Any, X: Any, y: Any, seed: int) -> MRmDDiscretizer:  # noqa: ARG001
    """Return MRmD with the N_D that it chooses for a classifier."""
    bins = MRmDDiscretizer(n_d="auto", confirm=None)
    bins.n_d = DiscretizedClassifier(bins, classifier).fit(X, y).discretizer_.n_d_
    return bins


def tuned_mrmd(classifier: Any, X: Any, y: Any, seed: int) -> MRmDDiscretizer:
    """Return MRmD with the N_D whose bins let a classifier predict best rows that it did not learn from.

    Of equally good ones the smallest is taken, which cuts least.
    """
    bins = MRmDDiscretizer(validation="holdout", random_state=seed, confirm=None)
    folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=seed)
    search = GridSearchCV(
        DiscretizedClassifier(bins, classifier), {"discretizer__n_d": [*GIVEN]}, cv=folds, refit=False
    )
    bins.n_d = search.fit(X, y).best_params_["discretizer__n_d"]
    return bins
