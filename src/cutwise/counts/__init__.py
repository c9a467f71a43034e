"""Counts: all that a criterion needs to know of one column."""

from __future__ import annotations

from cutwise.counts.build import count_column
from cutwise.counts.count_table import CountTable
from cutwise.counts.entries import Entries
from cutwise.counts.gaps import PLACES, cut_between, place_cuts, thin
from cutwise.counts.joint_table import MISSING, JointTable
from cutwise.counts.row_groups import RowGroups
from cutwise.counts.weights import relative_weights, whole_weights

__all__ = [
    "MISSING",
    "PLACES",
    "CountTable",
    "Entries",
    "JointTable",
    "RowGroups",
    "count_column",
    "cut_between",
    "place_cuts",
    "relative_weights",
    "thin",
    "whole_weights",
]
