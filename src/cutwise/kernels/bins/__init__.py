"""Loops over the bins of one column: counting, terms, and every search."""

from __future__ import annotations

from pkgutil import iter_modules

from cutwise.registry import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__, {}, [module.name for module in iter_modules(__path__)])
