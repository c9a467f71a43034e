"""Tables that stay where they are, read in pieces by the engine that holds them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutwise.lazy import lazy_names

if TYPE_CHECKING:
    from cutwise.table.engines.opening import open_source as open_source
    from cutwise.table.engines.source import Source as Source

__getattr__, __dir__, __all__ = lazy_names(__name__, {"Source": "source", "open_source": "opening"})
