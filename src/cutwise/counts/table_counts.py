"""The counts of a whole table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from cutwise.counts.grid import CountingGrid
from cutwise.counts.mergeable import ExactCounts, GridCounts, Label, joined, kind_of_labels, places_among
from cutwise.errors import CountsError

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from cutwise.counts.mergeable import MergeableCounts

# Larger counts would not add up in 64 bits.
MOST_ROWS = 1 << 53
# The class of every row of a table without a target.
ALL_ROWS = "all rows"


@dataclass(frozen=True, eq=False, repr=False)
class TableCounts:
    """How many rows of each class, and of each part, have which value, for all columns of a table.

    All that a discretizer needs to know of a table, however large that is. Counts of other
    rows of the same columns are added with ``+``: several machines can count, and one searches.

    Parameters
    ----------
    target : str or None
        The column of the classes.
    classes : tuple of labels
        The classes in ascending order.
    parts : tuple of int
        The parts in ascending order; empty if none were counted.
    n_rows : int
        With weights, their sum.
    columns : tuple of MergeableCounts
        The counts of each column.
    n_records : int or None
        The number of rows with a weight above 0, each counted once; None without weights.
    unit : float
        The weight of a count of one.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from cutwise import MDLPDiscretizer, count_table
    >>> morning = count_table(pa.table({"size": [1, 2, 3, 4], "sold": [0, 0, 0, 0]}), "sold")
    >>> evening = count_table(pa.table({"size": [5, 6, 7, 8], "sold": [1, 1, 1, 1]}), "sold")
    >>> morning + evening
    <TableCounts: 8 rows, 2 classes, columns: 1 exact>
    >>> MDLPDiscretizer().fit_counts(morning + evening).cuts_
    [array([4.5])]
    """

    target: str | None
    classes: tuple[Label, ...]
    parts: tuple[int, ...]
    n_rows: int
    columns: tuple[MergeableCounts, ...]
    n_records: int | None = None
    unit: float = 1.0

    def __repr__(self) -> str:
        kinds = [column.kind for column in self.columns]
        listed = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
        return f"<TableCounts: {self.n_rows:,} rows, {len(self.classes)} classes, columns: {listed}>"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)

    @property
    def total_weight(self) -> float:
        """The weight of all rows; without weights their number."""
        return self.n_rows if self.unit == 1.0 else self.n_rows * self.unit

    def class_totals(self) -> list[int]:
        """Return the rows of each class; all 0 if there is no column."""
        if not self.columns:
            return [0] * len(self.classes)
        totals: list[int] = self.columns[0].by_class.sum(axis=0).tolist()
        return totals

    def relative(self) -> TableCounts:
        """Return the counts with a unit such that the weights sum to the number of rows that have one."""
        return self if self.n_records is None else replace(self, unit=self.n_records / self.n_rows)

    @property
    def rank_errors(self) -> dict[str, float]:
        """For each column, the largest share of its rows in one cell that holds different values.

        A cut that the grid does not allow is at most this share of the rows away from one that it
        does. It is 0 for columns that were counted by value or by category.
        """
        return {column.name: column.rank_error for column in self.columns}

    @property
    def grid(self) -> CountingGrid:
        """Where the numeric columns were counted, for the counts of other rows."""
        exact = [column for column in self.columns if isinstance(column, ExactCounts)]
        edges = {column.name: column.values for column in exact}
        edges |= {column.name: column.edges for column in self.columns if isinstance(column, GridCounts)}
        return CountingGrid(edges, frozenset(column.name for column in exact))

    def column(self, name: str) -> MergeableCounts:
        """Return the counts of a column.

        Parameters
        ----------
        name : str
            The name of the column.

        Returns
        -------
        MergeableCounts
            Its counts.
        """
        return next(column for column in self.columns if column.name == name)

    def __add__(self, other: TableCounts) -> TableCounts:
        """Return the counts of the rows of both tables."""
        if not isinstance(other, TableCounts):
            return NotImplemented
        _check_same(self.names, other.names, "columns")
        _check_same(self.target, other.target, "target")
        _check_same(bool(self.parts), bool(other.parts), "parts")
        _check_same(self.unit, other.unit, "unit")
        n_rows = self.n_rows + other.n_rows
        if n_rows >= MOST_ROWS:
            raise CountsError(f"Together these are {n_rows:,} rows, and at most {MOST_ROWS - 1:,} can be counted.")
        left, right = aligned(self, other)
        columns = tuple(joined(*pair) for pair in zip(left.columns, right.columns, strict=True))
        return replace(left, n_rows=n_rows, columns=columns, n_records=added_records(left, right))

    def relabelled(self, classes: tuple[Label, ...], parts: tuple[int, ...]) -> TableCounts:
        """Return the counts with more classes or parts, or in another order.

        Parameters
        ----------
        classes : tuple of labels
            All classes of the result, those of the counts among them.
        parts : tuple of int
            All parts of the result, those of the counts among them.

        Returns
        -------
        TableCounts
            The counts with these labels.
        """
        if (classes, parts) == (self.classes, self.parts):
            return self
        places = places_among(self.classes, classes), len(classes), places_among(self.parts, parts), len(parts)
        columns = tuple(column.relabelled(*places) for column in self.columns)
        return replace(self, classes=classes, parts=parts, columns=columns)

    def without_parts(self) -> TableCounts:
        """Return the counts by class alone."""
        columns = tuple(replace(column, by_part=column.by_part[:, :0]) for column in self.columns)
        return replace(self, parts=(), columns=columns)

    def of_one_class(self) -> TableCounts:
        """Return the counts of all rows as one class."""
        columns = tuple(replace(c, by_class=c.by_class.sum(axis=1, keepdims=True)) for c in self.columns)
        return replace(self, target=None, classes=(ALL_ROWS,), columns=columns)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the counts to a file, as a whole or not at all.

        Parameters
        ----------
        path : str or path
            An older file of that name is replaced.

        Returns
        -------
        Path
        """
        from cutwise.counts.file_format import to_bytes  # noqa: PLC0415
        from cutwise.files import write_whole  # noqa: PLC0415

        return write_whole(Path(path), to_bytes(self))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> TableCounts:
        """Read counts from a file that `save` has written.

        Parameters
        ----------
        path : str or path
            The file.

        Returns
        -------
        TableCounts
            The counts.

        Raises
        ------
        CountsError
            If the file is damaged, or no file of counts.
        """
        from cutwise.counts.file_format import read_file  # noqa: PLC0415

        return read_file(Path(path))


def added_records(left: TableCounts, right: TableCounts) -> int | None:
    """Return the number of rows of both, each counted once; None if neither has weights."""
    if left.n_records is None and right.n_records is None:
        return None
    return sum(side.n_rows if side.n_records is None else side.n_records for side in (left, right))


def aligned(left: TableCounts, right: TableCounts) -> tuple[TableCounts, TableCounts]:
    """Return both counts with the classes and parts of the two."""
    classes = merged_labels(left.classes, right.classes, "classes")
    parts = tuple(sorted({*left.parts, *right.parts}))
    return left.relabelled(classes, parts), right.relabelled(classes, parts)


def merged_labels(left: Sequence[Label], right: Sequence[Label], what: str) -> tuple[Label, ...]:
    """Return all labels in ascending order."""
    kind = kind_of_labels((*left, *right))
    if " " in kind:
        raise CountsError(f"The {what} are {kind}. Turn them all into text, or all into numbers.")
    return tuple(sorted({*left, *right}))


def _check_same(left: object, right: object, what: str) -> None:
    if left != right:
        raise CountsError(f"Only counts of the same {what} add up; these have {left!r} and {right!r}.")
