"""Bayes: classifiers on codes that multiply the probabilities of attributes."""

from __future__ import annotations

from cutwise.bayes.base import BaseBayesClassifier
from cutwise.bayes.naive import NaiveBayesClassifier

__all__ = [
    "BaseBayesClassifier",
    "NaiveBayesClassifier",
]
