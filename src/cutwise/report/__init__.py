"""Reports: HTML pages and plots of what was found."""

from __future__ import annotations

from cutwise.registry import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
