"""One scan over a piece of a table: all columns counted, batch by batch."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.counts.mergeable import ExactCounts, LabelCodes, joined
from cutwise.counts.sampling import HashSampler
from cutwise.counts.table_counts import ALL_ROWS, MOST_ROWS, TableCounts, added_records, aligned
from cutwise.counts.tallies import NominalTally, NumericTally, RowSlice, TidiedValues, slices
from cutwise.errors import TableError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from cutwise.counts.mergeable import MergeableCounts
    from cutwise.counts.sampling import HashedSample


@dataclass(frozen=True, eq=False)
class ScanTotals:
    """What one scan has found in some rows.

    Parameters
    ----------
    counts : TableCounts
        Of the columns that could be counted.
    many : frozenset of str
        The others: they have too many values, and no grid.
    sample : Sample or None
    """

    counts: TableCounts
    many: frozenset[str]
    sample: HashedSample | None


def add_up(pieces: Iterable[ScanTotals], plan: ScanPlan) -> ScanTotals:
    """Return what was found in all pieces; the order of these does not matter.

    Raises
    ------
    TableError
        If there are no rows.
    """
    total: ScanTotals | None = None
    for piece in pieces:
        total = piece if total is None else _added(total, piece, plan)
    if total is None or total.counts.n_rows == 0:
        of_weight = "" if plan.weight is None else f" with a weight above 0 in {plan.weight!r}"
        raise TableError(f"The table has 0 rows{of_weight}; at least 1 row is required.")
    if total.counts.n_rows >= MOST_ROWS:
        raise TableError(
            f"The weights in {plan.weight!r} add up to {total.counts.n_rows:,} rows, more than can be counted. "
            "Divide them all by the same number."
        )
    return total


def _added(left: ScanTotals, right: ScanTotals, plan: ScanPlan) -> ScanTotals:
    many = left.many | right.many
    counts = aligned(left.counts, right.counts)
    columns: list[MergeableCounts] = []
    for name in plan.columns:
        if name in many:
            continue
        column = joined(*(side.column(name) for side in counts))
        if isinstance(column, ExactCounts) and column.values.size > plan.max_values:
            if name not in plan.edges:
                many |= {name}
                continue
            column = column.on_grid(plan.edges[name])
        columns.append(column)
    n_rows = sum(side.n_rows for side in counts)
    labels = counts[0].classes, counts[0].parts
    total = TableCounts(plan.target, *labels, n_rows, tuple(columns), added_records(*counts))
    sample = left.sample
    if sample is not None and right.sample is not None:
        sample = sample.joined(right.sample, plan.sample_size)
    return ScanTotals(total, many, sample)


MOST_CLASSES = 1 << 10


@dataclass(frozen=True, kw_only=True)
class ScanPlan:
    """What to count in one scan.

    Parameters
    ----------
    columns : tuple of str
        The columns in order.
    nominal : frozenset of str
        Those of them that hold categories.
    target, parts, weight : str or None
        The columns of the classes, of the parts and of how often each row counts.
    edges : mapping of str to ndarray
        The grid of numeric columns that have one.
    on_grid : frozenset of str
        The columns that are counted on their grid from the start.
    max_values, max_categories : int
        The largest numbers of distinct values and of categories.
    sample_size : int
        The number of rows to sample from the numeric columns.
    """

    columns: tuple[str, ...]
    nominal: frozenset[str]
    target: str | None
    parts: str | None
    max_values: int
    max_categories: int
    weight: str | None = None
    edges: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    on_grid: frozenset[str] = frozenset()
    sample_size: int = 0

    @property
    def numeric(self) -> tuple[str, ...]:
        """The numeric columns in order."""
        return tuple(name for name in self.columns if name not in self.nominal)

    @property
    def read(self) -> tuple[str, ...]:
        """All columns that must be read."""
        apart = (self.target, self.parts, self.weight)
        return (*self.columns, *(name for name in apart if name is not None))


class CountPiece:
    """Counts the batches of a piece as a plan says; may be sent to other processes."""

    def __init__(self, plan: ScanPlan) -> None:
        self.plan = plan

    def __call__(self, batches: Iterable[Any]) -> ScanTotals:
        """Count record batches with the columns ``plan.read``."""
        tally = _TableTally(self.plan)
        for rows, weights in slices(batches, self.plan.weight):
            tally.add(rows, weights)
        return tally.found()


class _TableTally:
    """Counts of all columns that grow while the rows come in."""

    def __init__(self, plan: ScanPlan) -> None:
        self._plan = plan
        self._n_rows = 0
        self._n_records = 0
        self._classes = LabelCodes(
            f"The target {plan.target!r}", MOST_CLASSES, "Choose a column of classes, or join classes before."
        )
        self._parts = LabelCodes(f"The column of parts {plan.parts!r}", MOST_CLASSES, "Number the parts from 0 on.")
        self._numeric = {
            name: NumericTally(0 if name in plan.on_grid else plan.max_values, plan.edges.get(name))
            for name in plan.numeric
        }
        advice = "Choose other columns with 'columns', or raise 'max_categories'."
        self._nominal = {
            name: NominalTally(LabelCodes(f"Column {name!r}", plan.max_categories, advice, are_categories=True))
            for name in plan.columns
            if name in plan.nominal
        }
        self._sampler = HashSampler(plan.sample_size, len(plan.numeric)) if plan.sample_size and plan.numeric else None

    def add(self, batch: Any, weights: NDArray[np.int64] | None) -> None:
        """Count a slice of a batch."""
        rows = self._slice(batch, weights)
        tidied = []
        for name, numeric in self._numeric.items():
            column = TidiedValues.of(batch.column(name))
            numeric.add(column, rows)
            tidied.append(column)
        for name, nominal in self._nominal.items():
            nominal.add(batch.column(name), rows)
        if self._sampler is not None:
            self._sampler.add(tidied, weights=weights)
        self._n_records += batch.num_rows
        self._n_rows += batch.num_rows if weights is None else int(weights.sum())

    def _slice(self, batch: Any, weights: NDArray[np.int64] | None) -> RowSlice:
        """Return the classes, parts and weights of the rows."""
        classes = np.zeros(batch.num_rows, dtype=np.int32)
        parts = np.empty(0, dtype=np.int32)
        if self._plan.target is not None:
            classes = self._classes.encode(batch.column(self._plan.target))
            _check_known(classes, f"The target {self._plan.target!r} has no label")
        if self._plan.parts is not None:
            parts = self._parts.encode(batch.column(self._plan.parts))
            _check_known(parts, f"The column of parts {self._plan.parts!r} has no value")
        n_classes = 1 if self._plan.target is None else len(self._classes.labels)
        return RowSlice(classes, parts, weights, n_classes, len(self._parts.labels))

    def found(self) -> ScanTotals:
        """Return what was counted."""
        tallies: dict[str, NumericTally | NominalTally] = {**self._numeric, **self._nominal}
        columns = {name: tallies[name].counts(name) for name in self._plan.columns}
        classes = tuple(self._classes.labels)
        if self._plan.target is None and self._n_rows:
            classes = (ALL_ROWS,)
        parts = tuple(map(whole_part, self._parts.labels))
        counted = tuple(column for column in columns.values() if column is not None)
        n_records = None if self._plan.weight is None else self._n_records
        counts = TableCounts(self._plan.target, classes, parts, self._n_rows, counted, n_records)
        return ScanTotals(
            counts.relabelled(tuple(sorted(classes)), tuple(sorted(parts))),
            frozenset(name for name, column in columns.items() if column is None),
            None if self._sampler is None else self._sampler.sample(),
        )


def whole_part(part: Any) -> int:
    """Return a part as a whole number."""
    if isinstance(part, str) or part != int(part):
        raise TableError(f"Parts must be whole numbers; one of them is {part!r}.")
    return int(part)


def _check_known(codes: NDArray[np.int32], what: str) -> None:
    gaps = int(np.count_nonzero(codes < 0))
    if gaps:
        raise TableError(f"{what} in {gaps} of {codes.size} rows that were read together. Remove such rows before.")
