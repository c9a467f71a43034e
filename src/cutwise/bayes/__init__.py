"""Bayes: classifiers on codes that multiply the probabilities of attributes."""

from __future__ import annotations

from cutwise.bayes.base import BaseBayesClassifier
from cutwise.bayes.logistic import PreconditionedLogisticClassifier
from cutwise.bayes.naive import NaiveBayesClassifier
from cutwise.bayes.regularised import RNBClassifier
from cutwise.bayes.weighted import CAWNBClassifier, WANBIAClassifier

__all__ = [
    "BaseBayesClassifier",
    "CAWNBClassifier",
    "NaiveBayesClassifier",
    "PreconditionedLogisticClassifier",
    "RNBClassifier",
    "WANBIAClassifier",
]
