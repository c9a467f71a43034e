"""Counts: what is known of columns, counted in memory, in pieces or by an engine."""

from __future__ import annotations

from cutwise.counts.batch import ColumnBatch
from cutwise.counts.build import RowGroups, count_column, design_effect, relative_weights, whole_weights
from cutwise.counts.column_counts import ColumnCounts, SparseCounts
from cutwise.counts.gaps import PLACES, cut_between, place_between, place_cuts, thin
from cutwise.counts.grid import CountingGrid
from cutwise.counts.joint import MISSING, JointTable
from cutwise.counts.mergeable import ExactCounts, GridCounts, MergeableCounts, NominalCounts
from cutwise.counts.scanning import count_table
from cutwise.counts.table_counts import ALL_ROWS, TableCounts

__all__ = [
    "ALL_ROWS",
    "MISSING",
    "PLACES",
    "ColumnBatch",
    "ColumnCounts",
    "CountingGrid",
    "ExactCounts",
    "GridCounts",
    "JointTable",
    "MergeableCounts",
    "NominalCounts",
    "RowGroups",
    "SparseCounts",
    "TableCounts",
    "count_column",
    "count_table",
    "cut_between",
    "design_effect",
    "place_between",
    "place_cuts",
    "relative_weights",
    "thin",
    "whole_weights",
]
