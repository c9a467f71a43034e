"""A table of numeric and nominal columns as one matrix of numbers, learned from the training rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils import check_random_state

from cutwise.classify.networks.layers import degrees_of_freedom
from cutwise.errors import TableError
from cutwise.table import NumericColumn, read_columns
from cutwise.table.columns import MISSING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.table.columns import Label


# A standardised value further out is taken to be this far out, so that no sum of products overflows.
FARTHEST = 1e9


@dataclass(frozen=True, eq=False)
class TableCells:
    """The columns of a table, read.

    Parameters
    ----------
    names : sequence of str
    values : list of ndarray
        For each column its doubles (NaN is missing) or the codes of its categories (-1 is missing).
    categories : list of tuple or None
        For each nominal column its categories, None for a numeric one.
    """

    names: Sequence[str]
    values: list[NDArray[Any]]
    categories: list[tuple[Label, ...] | None]

    def rows(self, places: NDArray[np.int64]) -> TableCells:
        """Return some of the rows."""
        return TableCells(self.names, [column[places] for column in self.values], self.categories)


def read_training_cells(data: Any, names: Sequence[str]) -> TableCells:
    """Read a table to learn from. Infinite values are refused."""
    values: list[NDArray[Any]] = []
    categories: list[tuple[Label, ...] | None] = []
    for read in read_columns(data, names):
        column = read()
        if isinstance(column, NumericColumn):
            doubles = np.asarray(column.values, dtype=np.float64)
            _refuse_infinite(doubles, column.name)
            values.append(doubles)
            categories.append(None)
        else:
            values.append(column.codes(column.categories))
            categories.append(column.categories)
    return TableCells(names, values, categories)


def _refuse_infinite(doubles: NDArray[np.float64], name: str) -> None:
    infinite = np.flatnonzero(np.isinf(doubles))
    if infinite.size:
        message = (
            f"Column {name!r}: {infinite.size} values are infinite (first in row {infinite[0]}), so it has no mean. "
            "Remove them or make them missing."
        )
        raise TableError(message)


def read_cells(data: Any, names: Sequence[str], maps: Sequence[Any]) -> TableCells:
    """Read a table with the columns that were learned. An unseen category is missing.

    A map that has `categories` is that of a nominal column.
    """
    categories: list[tuple[Label, ...] | None] = [getattr(column, "categories", None) for column in maps]
    kinds = ["numeric" if known is None else "nominal" for known in categories]
    values: list[NDArray[Any]] = []
    for read, known in zip(read_columns(data, names, kinds), categories, strict=True):
        column = read()
        if isinstance(column, NumericColumn):
            values.append(np.asarray(column.values, dtype=np.float64))
        else:
            values.append(np.maximum(column.codes(known or ()), MISSING))
    return TableCells(names, values, categories)


@dataclass(frozen=True, eq=False)
class Standardised:
    """A numeric column minus its mean, divided by its standard deviation; a missing value is 0, the mean.

    The values are first brought between -1 and 1 by `centre` and `half`, so that their squares
    do not overflow. A constant column has half = 0 and gives zeros.
    """

    centre: float = 0.0
    half: float = 0.0
    mean: float = 0.0
    std: float = 1.0

    @property
    def n_numbers(self) -> int:
        """The number of columns that it becomes."""
        return 1

    @classmethod
    def learn(cls, values: NDArray[np.float64], weights: NDArray[np.float64]) -> Standardised:
        """Learn from the training rows, as often as they count."""
        known = ~np.isnan(values)
        if not known.any():
            return cls()
        seen, counts = values[known], weights[known]
        low, high = float(seen.min()), float(seen.max())
        centre, half = low / 2 + high / 2, high / 2 - low / 2
        if half == 0.0:
            return cls()
        inner = (seen - centre) / half
        mean = float(np.average(inner, weights=counts))
        # Missing values stand at the mean: they add nothing to the sum, but count as rows.
        variance = float(counts @ (inner - mean) ** 2) / degrees_of_freedom(float(weights.sum()))
        return cls(centre, half, mean, float(np.sqrt(variance))) if variance > 0.0 else cls()

    def apply(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the column as a matrix of one column."""
        if self.half == 0.0:
            return np.zeros((values.size, 1))
        with np.errstate(over="ignore"):
            numbers = ((values - self.centre) / self.half - self.mean) / self.std
        known = np.where(np.isnan(values), 0.0, np.clip(numbers, -FARTHEST, FARTHEST))
        return known[:, np.newaxis]


@dataclass(frozen=True, eq=False)
class OneHot:
    """A nominal column as 0 and 1, a column for each category; a missing value is the most frequent one."""

    categories: tuple[Label, ...]
    most_frequent: int

    @property
    def n_numbers(self) -> int:
        """The number of columns that it becomes."""
        return len(self.categories)

    @classmethod
    def learn(cls, codes: NDArray[np.int32], categories: tuple[Label, ...], weights: NDArray[np.float64]) -> OneHot:
        """Learn from the training rows, as often as they count; of equally frequent categories the first."""
        known = codes >= 0
        counts = np.bincount(codes[known], weights[known], minlength=len(categories))
        return cls(categories, int(counts.argmax()) if categories else 0)

    def apply(self, codes: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return the column as a matrix."""
        columns = np.zeros((codes.size, len(self.categories)))
        if self.categories:
            columns[np.arange(codes.size), np.where(codes >= 0, codes, self.most_frequent)] = 1.0
        return columns


ColumnMap = Standardised | OneHot


def learn_columns(cells: TableCells, weights: NDArray[np.float64]) -> list[ColumnMap]:
    """Learn how each column becomes numbers."""
    return [
        Standardised.learn(values, weights) if known is None else OneHot.learn(values, known, weights)
        for values, known in zip(cells.values, cells.categories, strict=True)
    ]


def as_matrix(cells: TableCells, maps: Sequence[ColumnMap]) -> NDArray[np.float64]:
    """Return all columns as one matrix."""
    return np.hstack([column.apply(values) for column, values in zip(maps, cells.values, strict=True)])


def choose_seed(random_state: Any) -> int:
    """Return the random seed of a network; numpy's global random numbers are left alone."""
    if random_state is None:
        return int(np.random.default_rng().integers(np.iinfo(np.int32).max))
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
