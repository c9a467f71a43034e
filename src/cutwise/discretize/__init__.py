"""Discretizers: scikit-learn transformers, a family of methods in one file."""

from __future__ import annotations

from cutwise.registry import homes, lazy_names

_BASES = {
    "BaseDiscretizer": "base",
    "WholeRowsDiscretizer": "joint",
    "SupervisedDiscretizer": "base",
    "UnsupervisedDiscretizer": "unsupervised",
    "score_scheme": "scores",
}
__getattr__, __dir__, __all__ = lazy_names(__name__, {**_BASES, **homes("discretize")})
