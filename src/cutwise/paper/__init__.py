"""The paper as a program: data sets, methods, runs, statistics, and our figures beside the published ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutwise.lazy import lazy_names

if TYPE_CHECKING:
    from cutwise.paper.accuracy_tables import deviations as deviations
    from cutwise.paper.consistency import Inconsistency as Inconsistency
    from cutwise.paper.consistency import Reproduced as Reproduced
    from cutwise.paper.consistency import inconsistencies as inconsistencies
    from cutwise.paper.consistency import reproduced_rank_sums as reproduced_rank_sums
    from cutwise.paper.figures import box_plots as box_plots
    from cutwise.paper.figures import critical_difference_diagram as critical_difference_diagram
    from cutwise.paper.figures import write_figures as write_figures
    from cutwise.paper.published import PublishedTable as PublishedTable
    from cutwise.paper.published import published_tables as published_tables
    from cutwise.paper.table import MeanAndDeviation as MeanAndDeviation
    from cutwise.paper.table import ResultColumn as ResultColumn
    from cutwise.paper.table import ResultTable as ResultTable
    from cutwise.paper.tables import result_tables as result_tables
    from cutwise.paper.tables import write_tables as write_tables

_HOMES = {
    "Inconsistency": "consistency",
    "MeanAndDeviation": "table",
    "PublishedTable": "published",
    "Reproduced": "consistency",
    "ResultColumn": "table",
    "ResultTable": "table",
    "box_plots": "figures",
    "critical_difference_diagram": "figures",
    "deviations": "accuracy_tables",
    "inconsistencies": "consistency",
    "published_tables": "published",
    "reproduced_rank_sums": "consistency",
    "result_tables": "tables",
    "write_figures": "figures",
    "write_tables": "tables",
}
__getattr__, __dir__, __all__ = lazy_names(__name__, _HOMES)
