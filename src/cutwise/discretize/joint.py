"""What the discretizers share that look at all columns at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from cutwise.counts import MISSING, JointTable, count_column
from cutwise.discretize.attributes import nominal_attribute, numeric_attribute, with_special_values
from cutwise.discretize.base import BaseDiscretizer
from cutwise.discretize.limits import SIZE_CONSTRAINTS, limits_of
from cutwise.discretize.validate import check_special_values
from cutwise.table import NominalColumn, NumericColumn, read_columns
from cutwise.threads import in_threads

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from cutwise.counts import ColumnCounts, RowGroups
    from cutwise.criteria import Criterion
    from cutwise.scheme import Attribute
    from cutwise.search import BinLimits, SearchResult
    from cutwise.table.columns import Column
    from cutwise.validation import CheckedRows


@dataclass(eq=False, repr=False, kw_only=True)
class JointDiscretizer(BaseDiscretizer):
    """The base of the discretizers that look at all columns at once.

    In its ``_fit`` a subclass reads the rows, then the columns (``_read_columns``), searches
    ``columns.joint``, and ends with ``_finish(rows, columns.attributes(…), …)``.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = SIZE_CONSTRAINTS

    min_bin_size: float | None = None
    max_bins: int | None = None

    def _limits(self, rows: CheckedRows) -> BinLimits:
        """Return the limits to search under."""
        return limits_of(rows, self.min_bin_size, self.max_bins)[0]

    def _read_columns(self, rows: CheckedRows, groups: RowGroups) -> JointColumns:
        """Read and count every column."""
        readers = read_columns(rows.table.data, rows.table.names)
        special = check_special_values(self.special_values, rows.table.names)
        tasks = ((read, groups, values) for read, values in zip(readers, special, strict=True))
        return JointColumns(list(in_threads(_count, tasks, self.n_jobs)), rows, groups)


class JointColumns:
    """All columns of a table: those to cut as a JointTable, and the way back to a scheme."""

    def __init__(self, columns: Sequence[NominalColumn | RankedColumn], rows: CheckedRows, groups: RowGroups) -> None:
        self._columns = columns
        self._groups = groups
        numeric = [column for column in columns if isinstance(column, RankedColumn)]
        nominal = [column.codes(column.categories) for column in columns if isinstance(column, NominalColumn)]
        n_rows = rows.codes.size
        self.joint = JointTable(
            tuple(column.table for column in numeric),
            np.array([column.ranks for column in numeric], dtype=np.int32).reshape(len(numeric), n_rows),
            np.array(nominal, dtype=np.int32).reshape(len(nominal), n_rows),
            rows.codes,
            rows.classes.size,
            rows.weights,
        )

    def attributes(self, found: Sequence[SearchResult], criterion: Criterion, place: Any) -> list[Attribute]:
        """Return the attributes of the scheme, from what was found for each numeric column."""
        results = iter(found)
        attributes: list[Attribute] = []
        for column in self._columns:
            if isinstance(column, NominalColumn):
                attributes.append(nominal_attribute(column, self._groups, criterion))
                continue
            attribute = numeric_attribute(column.name, column.table, next(results), criterion, place)
            attributes.append(with_special_values(attribute, column.special_values, column.apart, column.table.unit))
        return attributes


class RankedColumn(NamedTuple):
    """A numeric column, counted; `apart` holds the counts of its special values."""

    name: str
    table: ColumnCounts
    ranks: NDArray[np.int32]
    special_values: NDArray[np.float64]
    apart: NDArray[np.int64]


def _count(read: Callable[[], Column], groups: RowGroups, special: NDArray[np.float64]) -> NominalColumn | RankedColumn:
    """Read a column and count it if it is numeric."""
    column = read()
    if isinstance(column, NominalColumn):
        return column
    table, apart = count_column(column.values, groups).set_apart(special)
    return RankedColumn(column.name, table, ranks_of(column, table, special), special, apart)


def ranks_of(column: NumericColumn, table: ColumnCounts, special: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return each row's place among the values of a table; special values and missing ones are negative."""
    values = np.clip(np.asarray(column.values, dtype=np.float64), -np.finfo(float).max, np.finfo(float).max)
    ranks = np.searchsorted(table.values, values).astype(np.int32)
    ranks[np.isnan(values)] = MISSING
    for i, value in enumerate(special, start=1):
        ranks[values == value] = MISSING - i
    return ranks
