"""The paper as a program: which methods it compares, what it published, and our figures beside it."""

from __future__ import annotations

from cutwise.paper.consistency import Inconsistency, Reproduced, inconsistencies, reproduced_rank_sums
from cutwise.paper.deviations import deviations
from cutwise.paper.figure_files import write_figures
from cutwise.paper.figures import box_plots, critical_difference_diagram
from cutwise.paper.published import PublishedTable, published
from cutwise.paper.table import Column, Spread, Table
from cutwise.paper.tables import tables, write_tables

__all__ = [
    "Column",
    "Inconsistency",
    "PublishedTable",
    "Reproduced",
    "Spread",
    "Table",
    "box_plots",
    "critical_difference_diagram",
    "deviations",
    "inconsistencies",
    "published",
    "reproduced_rank_sums",
    "tables",
    "write_figures",
    "write_tables",
]
