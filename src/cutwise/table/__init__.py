"""Table: what comes in, whatever holds it."""

from __future__ import annotations

from cutwise.table.columns import NominalColumn, NumericColumn, read_column, read_columns
from cutwise.table.frames import as_frame, is_frame, plain_vector

__all__ = [
    "NominalColumn",
    "NumericColumn",
    "as_frame",
    "is_frame",
    "plain_vector",
    "read_column",
    "read_columns",
]
