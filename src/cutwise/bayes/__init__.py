"""Bayes: classifiers on codes that multiply the probabilities of attributes."""

from __future__ import annotations

from cutwise.bayes.aode import AODEClassifier
from cutwise.bayes.base import BaseBayesClassifier
from cutwise.bayes.instance_weighted import AIWNBClassifier
from cutwise.bayes.logistic import PreconditionedLogisticClassifier
from cutwise.bayes.naive import NaiveBayesClassifier
from cutwise.bayes.regularised import RNBClassifier
from cutwise.bayes.weighted import CAWNBClassifier, WANBIAClassifier

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
