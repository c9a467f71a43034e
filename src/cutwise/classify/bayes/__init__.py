"""Bayes: classifiers on codes that multiply the probabilities of attributes."""

from __future__ import annotations

from cutwise.registry import homes, lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__, {"BaseBayesClassifier": "base", **homes("classify.bayes")})
