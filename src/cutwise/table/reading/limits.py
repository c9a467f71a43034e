"""How much a file may hold. What holds more is refused before it fills the memory."""

from __future__ import annotations

MAX_BYTES = 1 << 29
"""Of a file, and of what a compressed one expands to."""
MAX_COLUMNS = 10_000
MAX_CELLS = 100_000_000
MAX_LINE = 1 << 24
MAX_RATIO = 200
"""A compressed file that expands more often than this, beyond FREE_BYTES, is taken for an attack."""
FREE_BYTES = 1 << 26
FREE_CELLS = 1 << 22
"""A compressed file may have so many cells, however small it is."""
