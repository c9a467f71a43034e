"""A stream: chunks of rows in memory, counted, and the cuts that are found when they are asked for."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.counts import ALL_ROWS, ExactCounts, NominalCounts, TableCounts
from cutwise.counts.grid import edges_between, joined_edges, own_cells
from cutwise.discretize.seen import (
    check_parts,
    check_unordered,
    count_read,
    plain_labels,
    read_labelled_or_not,
    refuse_parts,
)
from cutwise.table import read_columns
from cutwise.validation import read_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.counts import MergeableCounts
    from cutwise.discretize.seen import CountedColumn
    from cutwise.validation import CheckedRows

# The largest number of distinct values of a stream, and about the number of cells after that.
MAX_VALUES = 1 << 16
MAX_CELLS = 1 << 12


# What learning sets, besides what it says of the columns.
LEARNED = ("scheme_", "classes_", "cuts_", "n_bins_", "bin_edges_", "rank_errors_")


class CountedStream:
    """What ``partial_fit`` has counted, and what was learned from it if that was asked for.

    Parameters
    ----------
    counts : TableCounts
    """

    def __init__(self, counts: TableCounts) -> None:
        self.counts = counts
        self.learned: dict[str, Any] | None = None


class LearnedFromStream:
    """A fitted attribute that is there after ``partial_fit``, too: it is learned when it is first asked for.

    The discretizer stays as it is, as a copy of it learns. Of threads that ask at the same time, each may learn; they
    learn the same.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, discretizer: Any, owner: type | None = None) -> Any:
        if discretizer is None:
            return self
        if self._name in vars(discretizer):
            return vars(discretizer)[self._name]
        stream: CountedStream | None = vars(discretizer).get("_stream")
        if stream is None:
            message = f"{type(discretizer).__name__!r} object has no attribute {self._name!r}"
            raise AttributeError(message, name=self._name, obj=discretizer)
        if stream.learned is None:
            learned = vars(copy.copy(discretizer).finalize())
            stream.learned = {name: learned[name] for name in LEARNED}
        return stream.learned[self._name]

    def __set__(self, discretizer: Any, value: Any) -> None:
        vars(discretizer)[self._name] = value


def read_chunk(method: Any, X: Any, y: Any, sample_weight: Any, *, reset: bool) -> CheckedRows:
    """Check the rows of a chunk."""
    read = read_rows if y is not None or method.needs_classes else read_labelled_or_not
    return read(method, X, y, sample_weight, reset=reset, meaning="count")


def count_chunk(method: Any, rows: CheckedRows, *, has_target: bool, parts: Any) -> TableCounts:
    """Count rows in memory, all columns by value."""
    refuse_parts(method, parts)
    check_unordered(method, rows.table.data)
    _check_whole(rows)
    part_labels: tuple[int, ...] = ()
    groups = rows.groups()
    if parts is not None:
        checked = check_parts(parts, rows.n_given)
        distinct, codes = np.unique(checked if rows.kept is None else checked[rows.kept], return_inverse=True)
        part_labels = tuple(distinct.tolist())
        groups = rows.groups(codes, distinct.size)
    counted = [count_read(read(), groups) for read in read_columns(rows.table.data, rows.table.names)]
    classes = plain_labels(rows.classes) if has_target else (ALL_ROWS,)
    columns = tuple(map(_column_counts, counted))
    target, n_records = "y" if has_target else None, None if rows.weights is None else rows.codes.size
    return TableCounts(target, classes, part_labels, round(rows.total_weight), columns, n_records)


def _check_whole(rows: CheckedRows) -> None:
    """Raise if the counts of a chunk have a unit of their own."""
    if rows.unit == 1:
        return
    weights = rows.row_weights
    fractions = weights[weights != np.rint(weights)]
    found = f"one is {fractions[0]:g}" if fractions.size else f"these add up to {rows.total_weight:g}"
    message = (
        "'sample_weight' of a chunk must be whole numbers, how often each row counts, and below 2**46 in all; "
        f"{found}. Other weights are taken by fit(X, y, sample_weight=…)."
    )
    raise ValueError(message)


def _column_counts(column: CountedColumn) -> MergeableCounts:
    table = column.table
    by_class = np.vstack([table.class_counts, table.missing_by_class])
    by_part = np.zeros((by_class.shape[0], 0), dtype=np.int64)
    if table.part_counts is not None:
        by_part = np.vstack([table.part_counts, table.missing_by_part])
    if column.categories is not None:
        # Chunks add up whatever categories they have, so these ascend even if their type has another order.
        places = sorted(range(len(column.categories)), key=column.categories.__getitem__)
        categories = tuple(column.categories[place] for place in places)
        rows = [*places, len(places)]
        return NominalCounts(name=column.name, by_class=by_class[rows], by_part=by_part[rows], categories=categories)
    return ExactCounts(name=column.name, by_class=by_class, by_part=by_part, values=table.values)


def bounded_stream(counts: TableCounts, special: Sequence[NDArray[np.float64]]) -> TableCounts:
    """Return the counts with columns of too many values on a grid."""
    columns = tuple(_bounded(column, own) for column, own in zip(counts.columns, special, strict=True))
    return replace(counts, columns=columns)


def _bounded(column: MergeableCounts, special: NDArray[np.float64]) -> MergeableCounts:
    if not isinstance(column, ExactCounts) or column.values.size <= MAX_VALUES:
        return column
    edges = edges_between(column.values, column.by_class[:-1].sum(axis=1), MAX_CELLS)
    return column.on_grid(joined_edges(edges, own_cells(special)))
