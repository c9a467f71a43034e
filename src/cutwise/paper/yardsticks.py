"""Classifiers of tables as they come, which users will compare with."""

from __future__ import annotations

from typing import Any

from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier, VotingClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder

from cutwise.bayes import AODEClassifier, PreconditionedLogisticClassifier
from cutwise.discretize import EqualFrequencyDiscretizer, MDLPDiscretizer, MRmDDiscretizer
from cutwise.neural import RVFLClassifier
from cutwise.systems import DiscretizedClassifier
from cutwise.trees import C45Classifier


def forest(seed: int) -> Any:
    """Return scikit-learn's random forest; categories become 0/1 columns."""
    encoder = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), make_column_selector(dtype_exclude="number")), remainder="passthrough"
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


def average(seed: int) -> Any:
    """Return the mean of AODE's and preconditioned logistic regression's posteriors over six discretizations."""
    discretizers = {
        "mrmd": MRmDDiscretizer(random_state=seed),
        "mdlp": MDLPDiscretizer(),
        **{f"frequency{n}": EqualFrequencyDiscretizer(n) for n in (3, 5, 7, 10)},
    }
    classifiers = {"aode": AODEClassifier(), "plr": PreconditionedLogisticClassifier()}
    members = [
        (f"{bins}-{name}", DiscretizedClassifier(discretizer, classifier))
        for bins, discretizer in discretizers.items()
        for name, classifier in classifiers.items()
    ]
    return VotingClassifier(members, voting="soft")


def c45(seed: int) -> Any:  # noqa: ARG001 every maker takes a seed
    """Return C4.5 with its own binary questions about numbers."""
    return C45Classifier()


def rvfl(seed: int) -> Any:
    """Return ensemble deep RVFL with its default settings."""
    return RVFLClassifier(random_state=seed)
