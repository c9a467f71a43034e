"""From a column in memory to its counts."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels
from cutwise.counts.count_table import CountTable
from cutwise.counts.entries import Entries

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.counts.row_groups import RowGroups

# With more groups than this, sorting each apart and merging is slower than one sort.
MERGE_LIMIT = 64
LARGEST = sys.float_info.max


def count_column(column: NDArray[np.number], groups: RowGroups) -> CountTable:
    """Count a numeric column; NaN is missing and an infinity the largest double.

    Parameters
    ----------
    column : ndarray of numbers
    groups : RowGroups
        The classes, and parts if there are any, of the rows.
    """
    weights = None
    if groups.weights is None and groups.n_runs <= MERGE_LIMIT:
        values, runs, missing = _sort_by_merging(column, groups)
    else:
        values, order, missing = _sort_at_once(column, groups)
        runs = groups.run_of_row[order]
        weights = None if groups.weights is None else groups.weights[order]
    counting = kernels.counting
    n_values, n_entries = counting.count_entries(values, runs, groups.class_of_run)
    starts, labels, counts = counting.fill_entries(values, runs, weights, groups.class_of_run, n_values, n_entries)
    by_class = Entries(starts, labels, counts, groups.n_classes)
    by_part = _count_parts(values, runs, weights, groups, by_class) if groups.n_parts else None
    distinct = values if n_values == values.size else counting.pick_distinct(values, n_values)
    return CountTable(
        distinct,
        by_class,
        by_part,
        _sum_by_label(missing, groups.class_of_run, groups.n_classes),
        _sum_by_label(missing, groups.part_of_run, groups.n_parts),
        groups.unit,
    )


def _tidy(values: NDArray[np.number]) -> NDArray[np.float64]:
    """Return doubles without negative zero and without infinities; NaN stays."""
    doubles = np.asarray(values, dtype=np.float64)
    doubles += 0.0
    return np.clip(doubles, -LARGEST, LARGEST, out=doubles)


def _sort_by_merging(
    column: NDArray[np.number], groups: RowGroups
) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.int64]]:
    """Return the values in order, the run of each, and the missing rows of each run."""
    values = _tidy(np.take(column, groups.order))
    starts, stops = groups.bounds[:-1], groups.bounds[1:].copy()
    for run, (start, stop) in enumerate(zip(starts, stops, strict=True)):
        part = values[start:stop]
        part.sort()
        if np.isnan(part[-1]):
            stops[run] = start + np.searchsorted(part, np.nan)
    missing = groups.bounds[1:] - stops
    bounds = groups.bounds
    if missing.any():
        bounds = kernels.sorting.pack_runs(values, starts, stops)
    values, runs = kernels.sorting.merge_runs(values, bounds)
    return values, runs, missing


def _sort_at_once(
    column: NDArray[np.number], groups: RowGroups
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the values in order, the row of each, and the missing rows of each run."""
    values = _tidy(np.array(column, dtype=np.float64))
    is_missing = np.isnan(values)
    runs = groups.run_of_row
    missing = np.zeros(groups.n_runs, dtype=np.int64)
    np.add.at(missing, runs[is_missing], 1 if groups.weights is None else groups.weights[is_missing])
    present = np.flatnonzero(~is_missing)
    order = present[np.lexsort((runs[present], values[present]))]
    return values[order], order, missing


def _count_parts(
    values: NDArray[np.float64],
    runs: NDArray[np.int32],
    weights: NDArray[np.int64] | None,
    groups: RowGroups,
    by_class: Entries,
) -> Entries:
    """Count the rows of each value by part."""
    n_values = by_class.starts.size - 1
    if n_values == values.size:
        # Distinct values have one entry each, by class as by part.
        return Entries(by_class.starts, groups.part_of_run[runs], by_class.counts, groups.n_parts)
    entries = kernels.counting.count_unordered(values, runs, weights, groups.part_of_run, groups.n_parts, n_values)
    starts, labels, counts = entries
    return Entries(starts, labels, counts, groups.n_parts)


def _sum_by_label(counts: NDArray[np.int64], labels: NDArray[np.int32], n_labels: int) -> NDArray[np.int64]:
    totals = np.zeros(n_labels, dtype=np.int64)
    if n_labels:
        np.add.at(totals, labels, counts)
    return totals
