"""From a column in memory to its counts."""

from __future__ import annotations

import itertools
import math
import sys
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise import kernels
from cutwise.counts.column_counts import ColumnCounts, SparseCounts

if TYPE_CHECKING:
    from numpy.typing import NDArray


# With more groups than this, sorting each apart and merging is slower than one sort.
MERGE_LIMIT = 64
LARGEST = sys.float_info.max


def count_column(column: NDArray[np.number], groups: RowGroups) -> ColumnCounts:
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
    counting = kernels.bins.counting
    n_values, n_entries = counting.count_entries(values, runs, groups.class_of_run)
    starts, labels, counts = counting.fill_entries(values, runs, weights, groups.class_of_run, n_values, n_entries)
    by_class = SparseCounts(starts, labels, counts, groups.n_classes)
    by_part = _count_parts(values, runs, weights, groups, by_class) if groups.n_parts else None
    distinct = values if n_values == values.size else counting.pick_distinct(values, n_values)
    return ColumnCounts(
        distinct,
        by_class,
        by_part,
        *_sum_missing(missing, groups),
        groups.unit,
        design_effect=groups.design_effect,
    )


def tidy(doubles: NDArray[np.float64]) -> None:
    """Take negative zero and infinities away, in place; NaN stays."""
    doubles += 0.0
    np.maximum(doubles, -LARGEST, out=doubles)
    np.minimum(doubles, LARGEST, out=doubles)


def _sort_by_merging(
    column: NDArray[np.number], groups: RowGroups
) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.int64] | None]:
    """Return the values in order, the run of each, and the missing rows of each run; None if there are none."""
    values = np.asarray(column.take(groups.order), dtype=np.float64)
    tidy(values)
    bounds, missing = groups.bounds, None
    has_missing = False
    for start, stop in groups.slices:
        values[start:stop].sort()
        has_missing = has_missing or math.isnan(values[stop - 1])
    if has_missing:
        lengths = [np.searchsorted(values[start:stop], np.nan) for start, stop in groups.slices]
        missing = np.diff(bounds) - lengths
        bounds = kernels.bins.counting.pack_runs(values, bounds[:-1], bounds[:-1] + lengths)
    values, runs = kernels.bins.counting.merge_runs(values, bounds)
    return values, runs, missing


def _sort_at_once(
    column: NDArray[np.number], groups: RowGroups
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the values in order, the row of each, and the missing rows of each run."""
    values = np.array(column, dtype=np.float64)
    tidy(values)
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
    by_class: SparseCounts,
) -> SparseCounts:
    """Count the rows of each value by part."""
    n_values = by_class.starts.size - 1
    if n_values == values.size:
        # Distinct values have one entry each, by class as by part.
        return SparseCounts(by_class.starts, groups.part_of_run[runs], by_class.counts, groups.n_parts)
    entries = kernels.bins.counting.count_unordered(values, runs, weights, groups.part_of_run, groups.n_parts, n_values)
    starts, labels, counts = entries
    return SparseCounts(starts, labels, counts, groups.n_parts)


def _sum_missing(missing: NDArray[np.int64] | None, groups: RowGroups) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the missing rows by class and by part."""
    by_class, by_part = np.zeros(groups.n_classes, dtype=np.int64), np.zeros(groups.n_parts, dtype=np.int64)
    if missing is not None:
        np.add.at(by_class, groups.class_of_run, missing)
        if groups.n_parts:
            np.add.at(by_part, groups.part_of_run, missing)
    return by_class, by_part


class RowGroups:
    """The rows of a table in runs of one class and one part, shared by all columns.

    Parameters
    ----------
    classes : ndarray of int
        Each row's class, 0 to n_classes - 1.
    n_classes : int
    parts : ndarray of int, optional
        Each row's part, 0 to n_parts - 1.
    n_parts : int
    weights : ndarray of int, optional
        How often each row counts, in units of `unit`; at least 1.
    unit : float
        The weight of a count of one.
    """

    def __init__(
        self,
        classes: NDArray[np.integer],
        n_classes: int,
        parts: NDArray[np.integer] | None = None,
        n_parts: int = 0,
        *,
        weights: NDArray[np.int64] | None = None,
        unit: float = 1.0,
    ) -> None:
        self.n_rows = classes.size
        self.weights = weights
        self.unit = unit
        self.n_classes = n_classes
        self.n_parts = 0 if parts is None else n_parts
        width = max(self.n_parts, 1)
        n_groups = n_classes * width
        # numpy sorts short integers by counting, which is much faster.
        short = np.uint16 if n_groups < 1 << 16 else np.int64
        groups: NDArray[Any] = classes.astype(short)
        if parts is not None:
            groups *= short(width)
            groups += parts.astype(short)
        rows_by_group = np.bincount(groups, minlength=n_groups)
        order = np.argsort(groups, kind="stable")
        self.order = order.astype(np.int32) if self.n_rows < 1 << 31 else order
        seen = np.flatnonzero(rows_by_group)
        self.bounds = np.append(0, np.cumsum(rows_by_group[seen])).astype(np.int64)
        self.class_of_run = (seen // width).astype(np.int32)
        self.part_of_run = (seen % width).astype(np.int32)

    @cached_property
    def slices(self) -> list[tuple[int, int]]:
        """Where each run starts and stops in the order of the runs."""
        return list(itertools.pairwise(self.bounds.tolist()))

    @property
    def n_runs(self) -> int:
        """The number of groups that have rows."""
        return self.class_of_run.size

    @cached_property
    def design_effect(self) -> float:
        """How many times fewer rows of one weight would tell as much; 1 for whole weights, which count rows."""
        return 1.0 if self.weights is None or self.unit == 1.0 else design_effect(self.weights)

    @cached_property
    def run_of_row(self) -> NDArray[np.int32]:
        """Each row's run."""
        runs = np.empty(self.n_rows, dtype=np.int32)
        runs[self.order] = np.repeat(np.arange(self.n_runs, dtype=np.int32), np.diff(self.bounds))
        return runs


# Sums of fractional weights are kept in this many bits.
N_BITS = 46


def design_effect(weights: NDArray[np.int64]) -> float:
    """Return Kish's design effect of positive weights: their number times the sum of squares by the squared sum.

    Examples
    --------
    >>> import numpy as np
    >>> from cutwise.counts import design_effect
    >>> design_effect(np.array([1, 1, 1])), design_effect(np.array([1, 3]))
    (1.0, 1.25)
    """
    # Sums of whole numbers do not depend on the order of the rows; these fit into 64 bits.
    n_bits = (62 - weights.size.bit_length()) // 2
    small = np.rint(np.ldexp(weights.astype(np.float64), n_bits - int(weights.max()).bit_length())).astype(np.int64)
    return weights.size * int((small * small).sum()) / int(small.sum()) ** 2


def whole_weights(weights: NDArray[np.float64]) -> tuple[NDArray[np.int64], float]:
    """Return positive weights as whole numbers of a unit, and the unit.

    Whole weights stay as they are. Others are rounded to a multiple of a power of two that
    is 2**-46 of their sum or less; none of them becomes zero.

    Examples
    --------
    >>> import numpy as np
    >>> whole_weights(np.array([1.0, 3.0]))
    (array([1, 3]), 1.0)
    >>> units, unit = whole_weights(np.array([0.5, 0.1]))
    >>> units * unit
    array([0.5, 0.1])
    """
    total = math.fsum(weights.tolist())
    if total < 1 << N_BITS and np.array_equal(weights, np.rint(weights)):
        return weights.astype(np.int64), 1.0
    unit = math.ldexp(1.0, math.frexp(total)[1] - N_BITS)
    return np.maximum(np.rint(weights / unit), 1).astype(np.int64), unit


def relative_weights(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return positive weights in the same proportions that sum to their number.

    Weights that differ by a power of two give the same bits, and equal weights are all 1.

    Examples
    --------
    >>> import numpy as np
    >>> relative_weights(np.array([1.0, 3.0])), relative_weights(np.array([5e-324, 5e-324]))
    (array([0.5, 1.5]), array([1., 1.]))
    """
    # Weights as small as 2**-1074 of the largest become 0 here, and one unit below.
    units, _ = whole_weights(np.ldexp(weights, -math.frexp(float(weights.max()))[1]))
    units //= np.gcd.reduce(units)
    return np.asarray(units * (units.size / int(units.sum())), dtype=np.float64)
