"""Table: what comes in, whatever holds it."""

from __future__ import annotations

from cutwise.table.columns import NominalColumn, NumericColumn, read_column, read_columns, typical_values
from cutwise.table.frames import as_frame, is_frame, plain_vector, with_filled

__all__ = [
    "NominalColumn",
    "NumericColumn",
    "as_frame",
    "is_frame",
    "plain_vector",
    "read_column",
    "read_columns",
    "typical_values",
    "with_filled",
]
