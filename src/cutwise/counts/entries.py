"""Counts of rows by value and label, without the zeros."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels
from cutwise.kernels.inputs import Labelled

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Entries:
    """A table of counts [value, label] that stores only what is not zero.

    The entries of value u are ``starts[u]`` to ``starts[u + 1]``; within a value the
    labels ascend. A column of distinct values has one entry a row, however many classes
    there are.
    """

    starts: NDArray[np.int64]
    labels: NDArray[np.int32]
    counts: NDArray[np.int64]
    n_labels: int

    @classmethod
    def from_dense(cls, table: NDArray[np.int64]) -> Entries:
        """Make entries from a full table [value, label]."""
        rows, labels = np.nonzero(table)
        starts = np.searchsorted(rows, np.arange(table.shape[0] + 1))
        counts = table[rows, labels].astype(np.int64)
        return cls(starts.astype(np.int64), labels.astype(np.int32), counts, table.shape[1])

    @property
    def labelled(self) -> Labelled:
        """The entries as the compiled searches take them."""
        return Labelled(self.starts, self.labels, self.counts, self.n_labels)

    def to_dense(self) -> NDArray[np.int64]:
        """Return the full table [value, label]."""
        return self.by_bin(np.arange(1, self.starts.size))

    def by_bin(self, ends: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return counts [bin, label]; bin b ends before the value ends[b]."""
        ends = np.ascontiguousarray(ends, dtype=np.int64)
        table: NDArray[np.int64] = kernels.counting.count_bins(
            self.starts, self.labels, self.counts, self.n_labels, ends
        )
        return table

    def totals(self) -> NDArray[np.int64]:
        """Return the number of rows of each label."""
        totals: NDArray[np.int64] = self.by_bin(np.array([self.starts.size - 1]))[0]
        return totals

    def without_absent_labels(self) -> Entries:
        """Return the entries with the labels that occur numbered from 0."""
        occurs = self.totals() > 0
        numbers = (np.cumsum(occurs) - 1).astype(np.int32)
        return Entries(self.starts, numbers[self.labels], self.counts, int(np.count_nonzero(occurs)))

    def picked(self, values: NDArray[np.int64]) -> Entries:
        """Return the entries of these values alone, in their order."""
        sizes = np.diff(self.starts)[values]
        starts = np.append(0, np.cumsum(sizes))
        entries = np.repeat(self.starts[values] - starts[:-1], sizes) + np.arange(starts[-1])
        return Entries(starts, self.labels[entries], self.counts[entries], self.n_labels)

    def regroup(self, group_of_value: NDArray[np.int64], n_groups: int) -> Entries:
        """Return the entries with each value replaced by its group."""
        groups = np.repeat(group_of_value, np.diff(self.starts))
        return _sum_up(groups, self.labels, self.counts, n_groups, self.n_labels)

    def joined(self, other: Entries) -> Entries:
        """Return the sum of two entries over the same values."""
        groups = [np.repeat(np.arange(e.starts.size - 1), np.diff(e.starts)) for e in (self, other)]
        return _sum_up(
            np.concatenate(groups),
            np.concatenate([self.labels, other.labels]),
            np.concatenate([self.counts, other.counts]),
            self.starts.size - 1,
            self.n_labels,
        )


def _sum_up(
    groups: NDArray[np.int64],
    labels: NDArray[np.int32],
    counts: NDArray[np.int64],
    n_groups: int,
    n_labels: int,
) -> Entries:
    """Add up the counts that share a group and a label."""
    order = np.lexsort((labels, groups))
    groups, labels, counts = groups[order], labels[order], counts[order]
    is_first = np.ones(groups.size, dtype=bool)
    is_first[1:] = (np.diff(groups) != 0) | (np.diff(labels) != 0)
    firsts = np.flatnonzero(is_first)
    sums = np.add.reduceat(counts, firsts) if firsts.size else counts
    starts = np.searchsorted(groups[firsts], np.arange(n_groups + 1)).astype(np.int64)
    return Entries(starts, labels[firsts], sums, n_labels)
