"""Strict data in and out: JSON with limits, and learned classifiers as data."""

from __future__ import annotations

from cutwise.registry import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
