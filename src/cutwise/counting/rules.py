"""What counts of a table must satisfy, wherever they come from."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np

from cutwise.counting.columns import ExactCounts, GridCounts, NominalCounts
from cutwise.counting.label_codes import kind_of_labels
from cutwise.counting.table_counts import MOST_ROWS
from cutwise.errors import CountsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.counting.columns import ColumnCounts
    from cutwise.counting.table_counts import TableCounts


def require(condition: bool, message: str) -> None:  # noqa: FBT001
    """Raise CountsError with the message unless the condition holds."""
    if not condition:
        raise CountsError(message)


def check_counts(counts: TableCounts) -> None:
    """Raise CountsError if counts contradict themselves."""
    n_rows = counts.n_rows
    require(type(n_rows) is int and 0 < n_rows < MOST_ROWS, f"'n_rows' is {n_rows!r}.")
    n_records = counts.n_records
    known = n_records is None or (type(n_records) is int and 0 < n_records <= n_rows)
    require(known, f"'n_records' is {n_records!r} for {n_rows!r} rows.")
    require(counts.target is None or isinstance(counts.target, str), f"'target' is {counts.target!r}.")
    _check_labels(counts.classes, "The classes")
    require(len(counts.classes) > 0, "There must be at least one class.")
    _check_labels(counts.parts, "The parts")
    require(all(type(part) is int for part in counts.parts), "The parts must be whole numbers.")
    names = counts.names
    require(len(names) > 0 and all(isinstance(name, str) for name in names), "The columns must have names.")
    require(len(set(names)) == len(names), "The names of the columns must differ.")
    by_class = counts.columns[0].by_class.sum(axis=0)
    for column in counts.columns:
        _check_column(column, n_rows)
        same = np.array_equal(column.by_class.sum(axis=0), by_class)
        require(same, f"Column {column.name!r}: its classes have other numbers of rows than those of other columns.")


def _check_labels(labels: Sequence[object], where: str) -> None:
    good = all(isinstance(label, str | bool | int | float) for label in labels)
    require(good, f"{where} must be texts, booleans or numbers.")
    finite = all(not isinstance(label, float) or math.isfinite(label) for label in labels)
    require(finite, f"{where} must be finite.")
    require(" " not in kind_of_labels(labels), f"{where} mix texts, booleans and numbers.")  # type: ignore[arg-type]
    ascending = all(left < right for left, right in itertools.pairwise(labels))  # type: ignore[operator]
    require(ascending, f"{where} must ascend, each label once.")


def _check_column(column: ColumnCounts, n_rows: int) -> None:
    where = f"Column {column.name!r}"
    has_parts = column.by_part.shape[1] > 0
    for counts in (column.by_class, column.by_part):
        good = bool(((counts >= 0) & (counts <= n_rows)).all())
        require(good, f"{where}: a count is negative or larger than the number of rows.")
    # In doubles first: sums of whole numbers of 64 bits could wrap to any other number.
    totals = [float(counts.sum(dtype=np.float64)) for counts in (column.by_class, column.by_part)]
    plausible = max(totals) < 2.0 * MOST_ROWS
    rows = column.by_class.sum(axis=1)
    require(plausible and int(rows.sum()) == n_rows, f"{where}: the counts do not sum to {n_rows} rows.")
    same = not has_parts or np.array_equal(column.by_part.sum(axis=1), rows)
    require(same, f"{where}: the counts by class and by part differ.")
    present = rows[:-1] > 0
    if isinstance(column, GridCounts):
        _check_grid(column, present, where)
        return
    require(bool(present.all()), f"{where}: a value has no rows.")
    if isinstance(column, ExactCounts):
        _check_ascending(column.values, f"{where}: the values")
    if isinstance(column, NominalCounts):
        _check_labels(column.categories, f"{where}: the categories")
        require(
            len(column.categories) == present.size, f"{where}: the number of categories differs from that of counts."
        )


def _check_grid(column: GridCounts, present: NDArray[np.bool_], where: str) -> None:
    _check_ascending(column.edges, f"{where}: the edges")
    lows, highs = column.lows, column.highs
    empty = (lows == np.inf) & (highs == -np.inf)
    require(
        np.array_equal(~present, empty), f"{where}: cells without rows must have no ends, and others must have them."
    )
    below, above = np.append(-np.inf, column.edges), np.append(column.edges, np.inf)
    inside = (below < lows) & (lows <= highs) & (highs <= above)
    finite = np.isfinite(lows) & np.isfinite(highs)
    require(bool((empty | (inside & finite)).all()), f"{where}: the ends of a cell are not within it.")


def _check_ascending(numbers: NDArray[np.float64], where: str) -> None:
    good = bool(np.isfinite(numbers).all() and (numbers[:-1] < numbers[1:]).all())
    require(good, f"{where} must be finite and ascend.")
