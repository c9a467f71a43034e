"""Counting: the counts of a table that stays where it is, piece by piece."""

from __future__ import annotations

from cutwise.counting.columns import ColumnCounts, ExactCounts, GridCounts, NominalCounts
from cutwise.counting.grid import Grid
from cutwise.counting.scanning import count_table
from cutwise.counting.table_counts import ALL_ROWS, TableCounts

__all__ = [
    "ALL_ROWS",
    "ColumnCounts",
    "ExactCounts",
    "Grid",
    "GridCounts",
    "NominalCounts",
    "TableCounts",
    "count_table",
]
