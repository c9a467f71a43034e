"""Average: the mean of classifiers that err differently."""

from __future__ import annotations

from cutwise.registry import homes, lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__, homes("classify.average"))
