"""Compiled loops: arrays in, arrays out; no classes, no checks.

The modules of these folders load numba. They are loaded when one of them is first used,
so that importing the library stays quick.
"""

from __future__ import annotations

from pkgutil import iter_modules

from cutwise.registry import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__, {}, [module.name for module in iter_modules(__path__)])
