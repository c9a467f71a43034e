"""What the discretizers share that look at all columns at once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from cutwise.counts import MISSING, JointTable, count_column
from cutwise.discretize.attributes import (
    SpecialCounts,
    check_special_values,
    nominal_attribute,
    numeric_attribute,
)
from cutwise.discretize.base import BaseDiscretizer
from cutwise.discretize.limits import SIZE_CONSTRAINTS, limits_of
from cutwise.discretize.seen import CountedColumn
from cutwise.estimator import estimator
from cutwise.search import NO_LIMITS
from cutwise.table import NominalColumn, NumericColumn, read_columns
from cutwise.threads import in_threads

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from cutwise.counts import ColumnCounts, RowGroups
    from cutwise.discretize.attributes import JointPlan
    from cutwise.discretize.seen import SeenTable
    from cutwise.scheme import Attribute
    from cutwise.search import BinLimits
    from cutwise.table.columns import Column
    from cutwise.validation import CheckedRows


@estimator
class WholeRowsDiscretizer(BaseDiscretizer):
    """The base of the discretizers that look at all columns at once; a method says in ``_plan`` how."""

    needs_rows: ClassVar[bool] = True

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = SIZE_CONSTRAINTS

    min_bin_size: Any = None
    max_bins: Any = None

    def _plan(self, seen: SeenTable) -> JointPlan:
        """Return how all columns are searched."""
        raise NotImplementedError

    def _limits(self, seen: SeenTable) -> list[BinLimits]:
        """Return the limits of each column; what may be tried of trends, a search says itself."""
        return [replace(trials[0], trend=None, direction=0, either=False) for trials in limits_of(self, seen)]

    def _attributes(self, seen: SeenTable, plan: JointPlan) -> tuple[list[Attribute], dict[str, Any]]:
        assert seen.rows is not None  # noqa: S101 - counts are refused
        assert seen.groups is not None  # noqa: S101
        readers = read_columns(seen.rows.table.data, seen.names)
        special = check_special_values(self.special_values, seen.names)
        tasks = ((read, seen.groups, values) for read, values in zip(readers, special, strict=True))
        columns = list(in_threads(_count, tasks, self.n_jobs))
        limits = plan.limits or [NO_LIMITS] * len(columns)
        numeric = [own for own, column in zip(limits, columns, strict=True) if isinstance(column, RankedColumn)]
        found = plan.search(_joint_table(columns, seen.rows), numeric)
        results = iter(found.columns)
        attributes: list[Attribute] = [
            nominal_attribute(column, seen.groups, found.criterion)
            if isinstance(column, NominalColumn)
            else numeric_attribute(column.counted, column.special, next(results), found.criterion, self.place)
            for column in columns
        ]
        return (attributes, {}) if found.finish is None else found.finish(attributes)


def _joint_table(columns: Sequence[NominalColumn | RankedColumn], rows: CheckedRows) -> JointTable:
    """Return the columns to cut, and the codes of the others."""
    numeric = [column for column in columns if isinstance(column, RankedColumn)]
    nominal = [column.codes(column.categories) for column in columns if isinstance(column, NominalColumn)]
    n_rows = rows.codes.size
    return JointTable(
        tuple(column.counted.table for column in numeric),
        np.array([column.ranks for column in numeric], dtype=np.int32).reshape(len(numeric), n_rows),
        np.array(nominal, dtype=np.int32).reshape(len(nominal), n_rows),
        rows.codes,
        rows.classes.size,
        rows.weights,
    )


class RankedColumn(NamedTuple):
    """A numeric column, counted, and each row's place among its values."""

    counted: CountedColumn
    ranks: NDArray[np.int32]
    special: SpecialCounts


def _count(read: Callable[[], Column], groups: RowGroups, special: NDArray[np.float64]) -> NominalColumn | RankedColumn:
    """Read a column and count it if it is numeric."""
    column = read()
    if isinstance(column, NominalColumn):
        return column
    table, apart = count_column(column.values, groups).set_apart(special)
    counted = CountedColumn(column.name, table)
    return RankedColumn(counted, ranks_of(column, table, special), SpecialCounts(special, apart))


def ranks_of(column: NumericColumn, table: ColumnCounts, special: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return each row's place among the values of a table; special values and missing ones are negative."""
    values = np.clip(np.asarray(column.values, dtype=np.float64), -np.finfo(float).max, np.finfo(float).max)
    ranks = np.searchsorted(table.values, values).astype(np.int32)
    ranks[np.isnan(values)] = MISSING
    for i, value in enumerate(special, start=1):
        ranks[values == value] = MISSING - i
    return ranks
