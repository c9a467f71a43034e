"""How often the best cut of a bin is as good as one that was found, if classes are dealt at random."""

from __future__ import annotations

from pkgutil import iter_modules

from cutwise.registry import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__, {}, [module.name for module in iter_modules(__path__)])
