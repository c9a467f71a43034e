# The names that the package exports; `lazy_names` reads them here.

from cutwise.paper.accuracy_tables import deviations as deviations
from cutwise.paper.figures import box_plots as box_plots
from cutwise.paper.figures import critical_difference_diagram as critical_difference_diagram
from cutwise.paper.figures import write_figures as write_figures
from cutwise.paper.published import Inconsistency as Inconsistency
from cutwise.paper.published import PublishedTable as PublishedTable
from cutwise.paper.published import Reproduced as Reproduced
from cutwise.paper.published import inconsistencies as inconsistencies
from cutwise.paper.published import published_tables as published_tables
from cutwise.paper.published import reproduced_rank_sums as reproduced_rank_sums
from cutwise.paper.table import MeanAndDeviation as MeanAndDeviation
from cutwise.paper.table import ResultColumn as ResultColumn
from cutwise.paper.table import ResultTable as ResultTable
from cutwise.paper.tables import result_tables as result_tables
from cutwise.paper.tables import write_tables as write_tables
