"""Schemes: what was found, as data; codes of values, edits by hand, checks on new data."""

from __future__ import annotations

from cutwise.registry import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
