"""Tables that stay where they are, read in pieces by the engine that holds them."""

from __future__ import annotations

from cutwise.table.engines.source import Source, open_source

__all__ = ["Source", "open_source"]
