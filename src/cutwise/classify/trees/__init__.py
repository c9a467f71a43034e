"""Trees: classifiers that split the rows by one attribute after another."""

from __future__ import annotations

from cutwise.lazy import lazy_names
from cutwise.registry import homes

__getattr__, __dir__, __all__ = lazy_names(__name__, {"TreeNodes": "tree", **homes("classify.trees")})
