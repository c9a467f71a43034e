"""Scorecard: weights of evidence, a logistic regression on them, and points that add up to a score."""

from __future__ import annotations

from cutwise.registry import homes, lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__, homes("classify.scorecard"))
