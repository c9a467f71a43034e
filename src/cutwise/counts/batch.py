"""The counts of several columns of the same rows, made in one go."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels
from cutwise.counts.build import MERGE_LIMIT, tidy
from cutwise.counts.column_counts import ColumnCounts, SparseCounts
from cutwise.kernels.inputs import LabelledRows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.counts.build import RowGroups


class ColumnBatch:
    """How many rows of each class have which value, for several columns of rows without weights and parts.

    Parameters
    ----------
    columns : sequence of ndarray of numbers
        NaN is missing and an infinity the largest double.
    groups : RowGroups
        The classes of the rows.

    Attributes
    ----------
    values : ndarray
        The distinct values, ascending and finite, of one column after the other.
    firsts : ndarray of shape (n_columns + 1,)
        The values of column j are firsts[j] to firsts[j + 1] - 1.
    missing_by_class : ndarray of shape (n_columns, n_classes)
        Counts of the rows without a value.
    """

    def __init__(self, columns: Sequence[NDArray[np.number]], groups: RowGroups) -> None:
        block = np.array(columns, dtype=np.float64).reshape(len(columns), groups.n_rows).take(groups.order, axis=1)
        tidy(block)
        bounds = groups.bounds
        stops = np.empty((len(columns), groups.n_runs), dtype=np.int64)
        for run, (start, stop) in enumerate(groups.slices):
            block[:, start:stop].sort(axis=1)
            stops[:, run] = stop
            for j in np.flatnonzero(np.isnan(block[:, stop - 1])).tolist():
                stops[j, run] = start + np.searchsorted(block[j, start:stop], np.nan)
        self._lengths = stops - bounds[:-1]
        self.missing_by_class = np.zeros((len(columns), groups.n_classes), dtype=np.int64)
        self.missing_by_class[:, groups.class_of_run] = np.diff(bounds) - self._lengths
        self.values: NDArray[np.float64]
        self.firsts: NDArray[np.int64]
        self.values, self.firsts, starts, labels, counts = kernels.bins.batch.count_columns(
            block, stops, bounds[:-1], groups.class_of_run
        )
        self.labelled = LabelledRows(starts, labels, counts, groups.n_classes)

    @staticmethod
    def can_hold(groups: RowGroups) -> bool:
        """Return whether columns of these rows can be counted in one go."""
        return groups.weights is None and groups.n_parts == 0 and groups.n_runs <= MERGE_LIMIT

    @property
    def n_rows(self) -> NDArray[np.int64]:
        """How many rows of each column have a value."""
        return np.asarray(self._lengths.sum(axis=1))

    @cached_property
    def have_gaps(self) -> NDArray[np.bool_]:
        """Whether each column has several values, in rows of several classes."""
        return np.asarray((np.diff(self.firsts) > 1) & ((self._lengths > 0).sum(axis=1) > 1))

    def table(self, j: int) -> ColumnCounts:
        """Return the counts of one column."""
        first, last = self.firsts[j], self.firsts[j + 1]
        starts = self.labelled.starts[first : last + 1]
        entries = slice(starts[0], starts[-1])
        by_class = SparseCounts(
            starts - starts[0], self.labelled.labels[entries], self.labelled.counts[entries], self.labelled.n_labels
        )
        return ColumnCounts(
            self.values[first:last], by_class, None, self.missing_by_class[j], np.zeros(0, dtype=np.int64)
        )

    def by_bin(self, ends: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return counts [bin, class] of all columns; bin b ends before the value ends[b], in its column."""
        counts: NDArray[np.int64] = kernels.bins.counting.count_bins(*self.labelled, ends)
        return counts
