"""Loops over what chance does to the best cut of a bin: how often it is as good although the classes are dealt at random."""

from __future__ import annotations

from pkgutil import iter_modules

from cutwise.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__, {}, [module.name for module in iter_modules(__path__)])
