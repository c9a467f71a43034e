"""The counts of one column of a table: by value, by cell of a grid, or by category.

The arrays of counts have a row for each value, cell or category, and a last one for the rows
without a value. Counts of different rows of the same column add up with `joined`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from cutwise.categories import category_text
from cutwise.counts.column_counts import ColumnCounts
from cutwise.errors import CountsError, TableError
from cutwise.table.columns import is_missing, is_no_value

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False, kw_only=True)
class MergeableCounts:
    """What the counts of all columns share.

    Parameters
    ----------
    name : str
    by_class : ndarray of int [value, class]
    by_part : ndarray of int [value, part]
        Without parts it has no columns.
    """

    kind: ClassVar[str]

    name: str
    by_class: NDArray[np.int64]
    by_part: NDArray[np.int64]

    @property
    def rank_error(self) -> float:
        """The largest share of the rows in one cell that holds different values."""
        return 0.0

    def relabelled(self, classes: NDArray[np.int64], n_classes: int, parts: NDArray[np.int64], n_parts: int) -> Self:
        """Return the counts with each class, and each part, at another place."""
        return replace(
            self, by_class=_spread(self.by_class, classes, n_classes), by_part=_spread(self.by_part, parts, n_parts)
        )

    def table(self) -> ColumnCounts:
        """Return the counts as a search takes them."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False, kw_only=True)
class ExactCounts(MergeableCounts):
    """A numeric column with all its distinct values, in ascending order."""

    kind: ClassVar[str] = "exact"

    values: NDArray[np.float64]

    def table(self) -> ColumnCounts:
        """Return the counts as a search takes them."""
        return _count_table(self, self.values)

    def on_grid(self, edges: NDArray[np.float64]) -> GridCounts:
        """Return the same rows counted by the cells between edges."""
        n_cells = edges.size + 1
        cells = np.searchsorted(edges, self.values)
        places = np.append(cells, n_cells)
        lows, highs = np.full(n_cells, np.inf), np.full(n_cells, -np.inf)
        np.minimum.at(lows, cells, self.values)
        np.maximum.at(highs, cells, self.values)
        return GridCounts(
            name=self.name,
            by_class=_regrouped(self.by_class, places, n_cells + 1),
            by_part=_regrouped(self.by_part, places, n_cells + 1),
            edges=edges,
            lows=lows,
            highs=highs,
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class GridCounts(MergeableCounts):
    """A numeric column on a grid: cell i holds ``edges[i - 1] < x <= edges[i]``.

    `lows` and `highs` are the smallest and the largest value in each cell; in an empty one
    they are infinities, the lower above the higher.
    """

    kind: ClassVar[str] = "grid"

    edges: NDArray[np.float64]
    lows: NDArray[np.float64]
    highs: NDArray[np.float64]

    @property
    def shares(self) -> NDArray[np.float64]:
        """The share that each cell has of the rows with a value; 0 where all of its values are the same."""
        rows = self.by_class[:-1].sum(axis=1)
        return np.where(self.lows < self.highs, rows / max(int(rows.sum()), 1), 0.0)

    @property
    def rank_error(self) -> float:
        """The largest share of the rows in one cell that holds different values."""
        return float(self.shares.max())

    def table(self) -> ColumnCounts:
        """Return the counts as a search takes them: without empty cells."""
        kept = np.flatnonzero(self.lows <= self.highs)
        rows = np.append(kept, self.lows.size)
        column = replace(self, by_class=self.by_class[rows], by_part=self.by_part[rows])
        table = _count_table(column, self.highs[kept])
        lows = self.lows[kept]
        return table if np.array_equal(lows, table.values) else replace(table, lows=lows)


@dataclass(frozen=True, eq=False, kw_only=True)
class NominalCounts(MergeableCounts):
    """A nominal column with its categories in ascending order."""

    kind: ClassVar[str] = "nominal"

    categories: tuple[Label, ...]

    def table(self) -> ColumnCounts:
        """Return the counts as a criterion takes them: the places of the categories are the values."""
        return _count_table(self, np.arange(len(self.categories), dtype=np.float64))


def joined(left: MergeableCounts, right: MergeableCounts) -> MergeableCounts:
    """Return the counts of the rows of both; a column without any value fits to both kinds."""
    left, right = _as_other(left, right), _as_other(right, left)
    if isinstance(left, NominalCounts) and isinstance(right, NominalCounts):
        return _joined_categories(left, right)
    if isinstance(left, ExactCounts) and isinstance(right, ExactCounts):
        values = np.union1d(left.values, right.values)
        places = [np.searchsorted(values, side.values) for side in (left, right)]
        by_class, by_part = _added(left, right, places, values.size)
        return replace(left, values=values, by_class=by_class, by_part=by_part)
    if isinstance(left, GridCounts) and isinstance(right, ExactCounts):
        right = right.on_grid(left.edges)
    if isinstance(left, ExactCounts) and isinstance(right, GridCounts):
        left = left.on_grid(right.edges)
    if isinstance(left, GridCounts) and isinstance(right, GridCounts):
        return _joined_cells(left, right)
    raise CountsError(f"Column {left.name!r} holds numbers in one of the tables and categories in the other.")


def _as_other(column: MergeableCounts, other: MergeableCounts) -> MergeableCounts:
    """Return a column of the kind of another one, if it has no values and so may be of any kind."""
    empty = column.by_class.shape[0] == 1
    if empty and isinstance(column, ExactCounts) and isinstance(other, NominalCounts):
        return NominalCounts(name=column.name, by_class=column.by_class, by_part=column.by_part, categories=())
    if empty and isinstance(column, NominalCounts) and not isinstance(other, NominalCounts):
        return ExactCounts(name=column.name, by_class=column.by_class, by_part=column.by_part, values=np.empty(0))
    return column


def _joined_categories(left: NominalCounts, right: NominalCounts) -> NominalCounts:
    kind = kind_of_labels((*left.categories, *right.categories))
    if " " in kind:
        raise CountsError(f"Column {left.name!r} holds categories that are {kind}. Turn them all into text.")
    categories = tuple(sorted({*left.categories, *right.categories}))
    places = [places_among(side.categories, categories) for side in (left, right)]
    by_class, by_part = _added(left, right, places, len(categories))
    return replace(left, categories=categories, by_class=by_class, by_part=by_part)


def _joined_cells(left: GridCounts, right: GridCounts) -> GridCounts:
    if not np.array_equal(left.edges, right.edges):
        raise CountsError(
            f"Column {left.name!r} was counted on two different grids, which do not add up. "
            "Count all rows on one grid: count_table(…, grid=counts.grid) with the counts of a sample."
        )
    return replace(
        left,
        by_class=left.by_class + right.by_class,
        by_part=left.by_part + right.by_part,
        lows=np.minimum(left.lows, right.lows),
        highs=np.maximum(left.highs, right.highs),
    )


def _added(
    left: MergeableCounts, right: MergeableCounts, places: Sequence[NDArray[np.int64]], size: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the sums of both arrays, with each row at its new place and the missing rows last."""
    left_places, right_places = (np.append(rows, size) for rows in places)

    def add(first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int64]:
        return _regrouped(first, left_places, size + 1) + _regrouped(second, right_places, size + 1)

    return add(left.by_class, right.by_class), add(left.by_part, right.by_part)


def _regrouped(counts: NDArray[np.int64], places: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Return counts with the rows added up that go to the same place."""
    result = np.zeros((size, counts.shape[1]), dtype=np.int64)
    np.add.at(result, places, counts)
    return result


def _spread(counts: NDArray[np.int64], places: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Return counts with each column at another place."""
    result = np.zeros((counts.shape[0], size), dtype=np.int64)
    result[:, places] = counts
    return result


def _count_table(column: MergeableCounts, values: NDArray[np.float64]) -> ColumnCounts:
    has_parts = column.by_part.shape[1] > 0
    return ColumnCounts.from_dense(
        values,
        column.by_class[:-1],
        column.by_part[:-1] if has_parts else None,
        column.by_class[-1],
        column.by_part[-1] if has_parts else None,
    )


Label = str | bool | int | float


class LabelCodes:
    """The labels of a column in the order in which they turned up.

    Parameters
    ----------
    where : str
        What to call the column in messages.
    most : int
        The largest number of labels.
    advice : str
        What to do if there are more.
    are_categories : bool, default=False
        Whether strings are read as categories: without blanks around them, for example.
    """

    def __init__(self, where: str, most: int, advice: str, *, are_categories: bool = False) -> None:
        self.labels: list[Label] = []
        self._where, self._most, self._advice = where, most, advice
        self._are_categories = are_categories
        self._places: dict[Label, int] = {}

    def encode(self, array: Any) -> NDArray[np.int32]:
        """Return the number of each item of an Arrow array; -1 where it is missing."""
        if not hasattr(array, "dictionary"):
            array = array.dictionary_encode()
        places = np.array([*map(self._place, array.dictionary.to_pylist()), -1], dtype=np.int32)
        # A missing index becomes the last place.
        indices = array.indices.fill_null(places.size - 1) if array.indices.null_count else array.indices
        codes: NDArray[np.int32] = places[indices.to_numpy(zero_copy_only=False)]
        return codes

    def _place(self, item: Any) -> int:
        if is_no_value(item) if self._are_categories else is_missing(item):
            return -1
        label = as_label(item, self._where)
        if self._are_categories and isinstance(label, str):
            label = category_text(label)
        place = self._places.get(label)
        if place is None:
            if len(self.labels) == self._most:
                raise TableError(
                    f"{self._where} has more than {self._most:,} different labels, such as {label!r}. {self._advice}"
                )
            place = self._places[label] = len(self.labels)
            self.labels.append(label)
        return place


def as_label(item: Any, where: str) -> Label:
    """Return an item as a string, boolean or number that JSON can hold."""
    if isinstance(item, Decimal):
        return float(item)
    if isinstance(item, str | bool | int | float):
        return item
    message = (
        f"{where}: cannot use {item!r} of type {type(item).__name__}. Turn it into a string, a number or a boolean."
    )
    raise TableError(message)


def kind_of_labels(labels: Sequence[Label]) -> str:
    """Return what labels are: "text", "boolean" or "number"; "" if there is none."""
    kinds = {"text" if isinstance(x, str) else "boolean" if isinstance(x, bool) else "number" for x in labels}
    return " and ".join(sorted(kinds))


def places_among(labels: Sequence[Label], all_labels: Sequence[Label]) -> NDArray[np.int64]:
    """Return the place of each label in a longer list."""
    places = {label: place for place, label in enumerate(all_labels)}
    return np.array([places[label] for label in labels], dtype=np.int64)
