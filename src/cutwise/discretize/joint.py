"""What the discretizers share that look at all columns at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from cutwise.counts import MISSING, JointTable, count_column
from cutwise.discretize.attributes import (
    SIZE_CONSTRAINTS,
    check_special_values,
    limits_of,
    nominal_attribute,
    numeric_attribute,
    with_special_values,
)
from cutwise.discretize.base import BaseDiscretizer
from cutwise.estimator import estimator
from cutwise.table import NominalColumn, NumericColumn, read_columns
from cutwise.threads import in_threads

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from cutwise.counts import ColumnCounts, RowGroups
    from cutwise.criteria import Criterion
    from cutwise.discretize.attributes import JointPlan
    from cutwise.discretize.seen import SeenTable
    from cutwise.scheme import Attribute
    from cutwise.search import BinLimits, SearchResult
    from cutwise.table.columns import Column
    from cutwise.validation import CheckedRows


@estimator
class JointDiscretizer(BaseDiscretizer):
    """The base of the discretizers that look at all columns at once; a method says in ``_plan`` how."""

    needs_rows: ClassVar[bool] = True

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = SIZE_CONSTRAINTS

    min_bin_size: float | None = None
    max_bins: int | None = None

    def _plan(self, seen: SeenTable) -> JointPlan:
        """Return how all columns are searched."""
        raise NotImplementedError

    def _limits(self, seen: SeenTable) -> BinLimits:
        """Return the limits to search under."""
        return limits_of(seen, self.min_bin_size, self.max_bins)[0]

    def _attributes(self, seen: SeenTable, plan: JointPlan) -> tuple[list[Attribute], dict[str, Any]]:
        assert seen.rows is not None  # noqa: S101 - counts are refused
        assert seen.groups is not None  # noqa: S101
        readers = read_columns(seen.rows.table.data, seen.names)
        special = check_special_values(self.special_values, seen.names)
        tasks = ((read, seen.groups, values) for read, values in zip(readers, special, strict=True))
        columns = JointColumns(list(in_threads(_count, tasks, self.n_jobs)), seen.rows, seen.groups)
        found = plan.search(columns.joint, plan.limits)
        attributes = columns.attributes(found.columns, found.criterion, self.place)
        return (attributes, {}) if found.finish is None else found.finish(attributes)


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
