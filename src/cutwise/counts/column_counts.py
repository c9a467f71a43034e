"""The statistics of one column."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels
from cutwise.kernels.inputs import LabelledRows

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


# Sums of counts stay below this, so that they never wrap.
MOST = 2.0**63


@dataclass(frozen=True, eq=False)
class ColumnCounts:
    """How many rows of each class, and of each part, have which value.

    Tables of different rows of one column add up with ``+``, so a column may be counted
    piece by piece, in any order, by any number of machines.

    Parameters
    ----------
    values : ndarray
        The distinct values, ascending and finite.
    by_class : Entries
        Counts by value and class.
    by_part : Entries or None
        Counts by value and part (of a split into training and validation rows).
    missing_by_class, missing_by_part : ndarray
        Counts of the rows without a value.
    unit : float
        The weight of a count of one. Counts are whole numbers, whatever the weights of
        the rows; without weights a count is a number of rows and the unit is 1.
    lows : ndarray or None
        On a grid, the smallest value of each cell; `values` are then the largest ones. None
        if each value stands for itself.
    design_effect : float
        With fractional weights, how many times fewer rows of one weight would tell as much: rows times the sum of
        squared weights over the square of their sum. Whole weights are numbers of rows, and it is 1.

    Examples
    --------
    >>> from cutwise.counts import ColumnCounts
    >>> table = ColumnCounts.from_dense([1.0, 2.0], [[3, 0], [1, 2]])
    >>> (table + table).class_counts
    array([[6, 0],
           [2, 4]])
    """

    values: NDArray[np.float64]
    by_class: SparseCounts
    by_part: SparseCounts | None
    missing_by_class: NDArray[np.int64]
    missing_by_part: NDArray[np.int64]
    unit: float = 1.0
    lows: NDArray[np.float64] | None = None
    design_effect: float = 1.0

    @classmethod
    def from_dense(
        cls,
        values: ArrayLike,
        class_counts: ArrayLike,
        part_counts: ArrayLike | None = None,
        missing_by_class: ArrayLike | None = None,
        missing_by_part: ArrayLike | None = None,
    ) -> ColumnCounts:
        """Make a table from full arrays [value, class] and [value, part]."""
        by_class = SparseCounts.from_dense(np.asarray(class_counts, dtype=np.int64))
        by_part = None if part_counts is None else SparseCounts.from_dense(np.asarray(part_counts, dtype=np.int64))
        n_parts = 0 if by_part is None else by_part.n_labels
        return cls(
            np.asarray(values, dtype=np.float64),
            by_class,
            by_part,
            _counts_or_zeros(missing_by_class, by_class.n_labels),
            _counts_or_zeros(missing_by_part, n_parts),
        )

    @property
    def n_values(self) -> int:
        """The number of distinct values."""
        return self.values.size

    @property
    def first_values(self) -> NDArray[np.float64]:
        """The smallest value of each cell; without a grid the values themselves."""
        return self.values if self.lows is None else self.lows

    @property
    def n_classes(self) -> int:
        """The number of classes, absent ones counted in."""
        return self.by_class.n_labels

    @cached_property
    def n_rows(self) -> int:
        """The sum of the counts: without weights, the number of rows that have a value."""
        return int(self.by_class.counts.sum())

    @property
    def n_whole(self) -> int:
        """The weight of the rows that have a value, rounded to a whole number of at least 1."""
        return max(1, round(self.n_rows * self.unit))

    @property
    def class_counts(self) -> NDArray[np.int64]:
        """The full table [value, class]."""
        return self.by_class.to_dense()

    @property
    def part_counts(self) -> NDArray[np.int64] | None:
        """The full table [value, part], if parts were counted."""
        return None if self.by_part is None else self.by_part.to_dense()

    @property
    def rows_up_to(self) -> NDArray[np.int64]:
        """The counts of all values up to each value."""
        return np.cumsum(np.add.reduceat(self.by_class.counts, self.by_class.starts[:-1]))

    def bin_ends(self, gaps: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return, for cuts in these gaps, the index of the value after each bin's last."""
        ends = np.empty(len(gaps) + 1, dtype=np.int64)
        ends[:-1], ends[-1] = gaps, self.n_values - 1
        ends.sort()
        ends += 1
        return ends

    def __add__(self, other: ColumnCounts) -> ColumnCounts:
        """Return the table of the rows of both."""
        if not isinstance(other, ColumnCounts):
            return NotImplemented
        if self.n_classes != other.n_classes or self.missing_by_part.size != other.missing_by_part.size:
            raise ValueError(
                f"Only tables of the same classes and parts add up: {self.n_classes} and {other.n_classes} "
                f"classes, {self.missing_by_part.size} and {other.missing_by_part.size} parts."
            )
        if self.unit != other.unit:
            raise ValueError(f"Only tables with the same unit add up; these have {self.unit!r} and {other.unit!r}.")
        if self.lows is not None or other.lows is not None:
            raise ValueError("Tables of cells of a grid do not add up; the counts of whole tables do, see TableCounts.")
        total = sum(float(table.by_class.counts.sum(dtype=np.float64)) for table in (self, other))
        total += sum(float(table.missing_by_class.sum(dtype=np.float64)) for table in (self, other))
        if total >= MOST:
            message = f"Together these tables count {total:g} rows or units of weight, more than 64 bits can hold."
            raise ValueError(message)
        values = np.union1d(self.values, other.values)
        places = [np.searchsorted(values, table.values) for table in (self, other)]

        def add(left: SparseCounts, right: SparseCounts) -> SparseCounts:
            return left.regroup(places[0], values.size).joined(right.regroup(places[1], values.size))

        by_part = None
        if self.by_part is not None and other.by_part is not None:
            by_part = add(self.by_part, other.by_part)
        return ColumnCounts(
            values,
            add(self.by_class, other.by_class),
            by_part,
            self.missing_by_class + other.missing_by_class,
            self.missing_by_part + other.missing_by_part,
            self.unit,
            design_effect=_joint_effect(self, other),
        )

    def set_apart(self, values: NDArray[np.float64]) -> tuple[ColumnCounts, NDArray[np.int64]]:
        """Return the table without some values, and their counts by class."""
        apart = np.zeros((values.size, self.n_classes), dtype=np.int64)
        if values.size == 0:
            return self, apart
        seen = np.isin(values, self.values)
        if not seen.any():
            return self, apart
        places = np.searchsorted(self.values, values[seen])
        apart[seen] = self.by_class.picked(places).to_dense()
        kept = np.delete(np.arange(self.n_values), places)
        by_part = None if self.by_part is None else self.by_part.picked(kept)
        table = ColumnCounts(
            self.values[kept],
            self.by_class.picked(kept),
            by_part,
            self.missing_by_class,
            self.missing_by_part,
            self.unit,
            None if self.lows is None else self.lows[kept],
            self.design_effect,
        )
        return table, apart


def _joint_effect(one: ColumnCounts, two: ColumnCounts) -> float:
    """Return the design effect of the rows of both tables: the mean over rows."""
    n_rows = one.n_rows + two.n_rows
    return (one.n_rows * one.design_effect + two.n_rows * two.design_effect) / n_rows if n_rows else one.design_effect


def _counts_or_zeros(counts: ArrayLike | None, size: int) -> NDArray[np.int64]:
    return np.zeros(size, dtype=np.int64) if counts is None else np.asarray(counts, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class SparseCounts:
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
    def from_dense(cls, table: NDArray[np.int64]) -> SparseCounts:
        """Make entries from a full table [value, label]."""
        rows, labels = np.nonzero(table)
        starts = np.searchsorted(rows, np.arange(table.shape[0] + 1))
        counts = table[rows, labels].astype(np.int64)
        return cls(starts.astype(np.int64), labels.astype(np.int32), counts, table.shape[1])

    @property
    def labelled(self) -> LabelledRows:
        """The entries as the compiled searches take them."""
        return LabelledRows(self.starts, self.labels, self.counts, self.n_labels)

    def to_dense(self) -> NDArray[np.int64]:
        """Return the full table [value, label]."""
        return self.by_bin(np.arange(1, self.starts.size))

    def by_bin(self, ends: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return counts [bin, label]; bin b ends before the value ends[b]."""
        ends = np.ascontiguousarray(ends, dtype=np.int64)
        table: NDArray[np.int64] = kernels.bins.counting.count_bins(
            self.starts, self.labels, self.counts, self.n_labels, ends
        )
        return table

    def totals(self) -> NDArray[np.int64]:
        """Return the number of rows of each label."""
        totals: NDArray[np.int64] = self.by_bin(np.array([self.starts.size - 1]))[0]
        return totals

    def without_absent_labels(self) -> SparseCounts:
        """Return the entries with the labels that occur numbered from 0."""
        occurs = self.totals() > 0
        numbers = (np.cumsum(occurs) - 1).astype(np.int32)
        return SparseCounts(self.starts, numbers[self.labels], self.counts, int(np.count_nonzero(occurs)))

    def picked(self, values: NDArray[np.int64]) -> SparseCounts:
        """Return the entries of these values alone, in their order."""
        sizes = np.diff(self.starts)[values]
        starts = np.append(0, np.cumsum(sizes))
        entries = np.repeat(self.starts[values] - starts[:-1], sizes) + np.arange(starts[-1])
        return SparseCounts(starts, self.labels[entries], self.counts[entries], self.n_labels)

    def regroup(self, group_of_value: NDArray[np.int64], n_groups: int) -> SparseCounts:
        """Return the entries with each value replaced by its group."""
        groups = np.repeat(group_of_value, np.diff(self.starts))
        return _sum_up(groups, self.labels, self.counts, n_groups, self.n_labels)

    def joined(self, other: SparseCounts) -> SparseCounts:
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
) -> SparseCounts:
    """Add up the counts that share a group and a label."""
    order = np.lexsort((labels, groups))
    groups, labels, counts = groups[order], labels[order], counts[order]
    is_first = np.ones(groups.size, dtype=bool)
    is_first[1:] = (np.diff(groups) != 0) | (np.diff(labels) != 0)
    firsts = np.flatnonzero(is_first)
    sums = np.add.reduceat(counts, firsts) if firsts.size else counts
    starts = np.searchsorted(groups[firsts], np.arange(n_groups + 1)).astype(np.int64)
    return SparseCounts(starts, labels[firsts], sums, n_labels)
