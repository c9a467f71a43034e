"""Classifiers: of codes (bayes, trees), of raw tables (networks), and a discretizer with a classifier."""

from __future__ import annotations

from cutwise.registry import homes, lazy_names

_EXPLANATIONS = {"Contribution": "explain", "Explanation": "explain"}
__getattr__, __dir__, __all__ = lazy_names(
    __name__, {**_EXPLANATIONS, **homes("classify")}, extras=homes("classify", extras=True)
)
