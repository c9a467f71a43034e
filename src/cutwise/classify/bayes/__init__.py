"""Bayes: classifiers on codes that multiply the probabilities of attributes."""

from __future__ import annotations

from cutwise.lazy import lazy_names
from cutwise.registry import homes

__getattr__, __dir__, __all__ = lazy_names(__name__, {"BaseBayesClassifier": "base", **homes("classify.bayes")})
