"""Additive: one score for each bin of every column, all learned together."""

from __future__ import annotations

from cutwise.registry import homes, lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__, homes("classify.additive"))
