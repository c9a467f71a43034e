"""Trees: classifiers that split the rows by one attribute after another."""

from __future__ import annotations

from cutwise.registry import homes, lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__, {"TreeNodes": "tree", **homes("classify.trees")})
