"""Bayes: classifiers on codes that multiply the probabilities of attributes."""

from __future__ import annotations

from cutwise.classify.bayes.aode import AODEClassifier
from cutwise.classify.bayes.base import BaseBayesClassifier
from cutwise.classify.bayes.instance_weighted import AIWNBClassifier
from cutwise.classify.bayes.logistic import PreconditionedLogisticClassifier
from cutwise.classify.bayes.naive import NaiveBayesClassifier
from cutwise.classify.bayes.regularised import RNBClassifier
from cutwise.classify.bayes.weighted import CAWNBClassifier, WANBIAClassifier

__all__ = [
    "AIWNBClassifier",
    "AODEClassifier",
    "BaseBayesClassifier",
    "CAWNBClassifier",
    "NaiveBayesClassifier",
    "PreconditionedLogisticClassifier",
    "RNBClassifier",
    "WANBIAClassifier",
]
