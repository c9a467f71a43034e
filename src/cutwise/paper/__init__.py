"""The paper as a program: data sets, methods, runs, statistics, and our figures beside the published ones."""

from __future__ import annotations

from cutwise.registry import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
