"""The columns of a table as a tree sees them: numbers to compare, or categories."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.table import NominalColumn, NumericColumn, read_columns
from cutwise.table.columns import MISSING, UNSEEN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.table.columns import Column


@dataclass(frozen=True)
class Attribute:
    """What fit learned about a column.

    Parameters
    ----------
    name : str
    categories : tuple or None
        The categories in order; None for a column of numbers.
    is_coded : bool
        Whether the categories are numbers that stand for bins, negative ones for missing.
    """

    name: str
    categories: tuple[Any, ...] | None = None
    is_coded: bool = False

    @property
    def kind(self) -> str:
        """What the column must hold."""
        return "numeric" if self.categories is None or self.is_coded else "nominal"

    def read(self, column: Column) -> NDArray[np.float64]:
        """Return a column as doubles: numbers or codes, NaN where missing, a code too many where unseen."""
        if isinstance(column, NumericColumn):
            values = np.asarray(column.values, dtype=np.float64)
            return values if self.categories is None else _codes_of_numbers(values, self.categories)
        categories = self.categories or ()
        codes = column.codes(categories).astype(np.float64)
        codes[codes == MISSING] = np.nan
        codes[codes == UNSEEN] = len(categories)
        return codes


@dataclass(frozen=True, eq=False)
class Learned:
    """A training column: the attribute, each row's cell and, of numbers, the values and the rows in order."""

    attribute: Attribute
    cells: NDArray[np.int32]
    values: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    order: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, dtype=np.int32))


def learn_columns(data: Any, names: Sequence[str], is_nominal: Sequence[bool]) -> list[Learned]:
    """Read the training columns; those declared nominal hold codes even if they are numbers."""
    columns = (read() for read in read_columns(data, names))
    return [_learn(column, declared) for column, declared in zip(columns, is_nominal, strict=True)]


def read_table(data: Any, attributes: Sequence[Attribute]) -> NDArray[np.float64]:
    """Return the columns of a table [column, row] as doubles, NaN where a value is missing."""
    names, kinds = [one.name for one in attributes], [one.kind for one in attributes]
    readers = read_columns(data, names, kinds)
    return np.stack([attribute.read(read()) for attribute, read in zip(attributes, readers, strict=True)])


def _learn(column: Column, declared: bool) -> Learned:  # noqa: FBT001
    if isinstance(column, NominalColumn):
        return Learned(Attribute(column.name, column.categories), column.codes(column.categories))
    values = np.asarray(column.values, dtype=np.float64)
    if declared:
        categories = tuple(np.unique(values[values >= 0]).tolist())
        codes = _codes_of_numbers(values, categories)
        return Learned(Attribute(column.name, categories, is_coded=True), _with_missing(codes))
    return _rank(column.name, values)


def _rank(name: str, values: NDArray[np.float64]) -> Learned:
    """Bring a column of numbers into order."""
    order = np.argsort(values, kind="stable")  # NaN goes last
    in_order = values[order]
    n_known = values.size - int(np.isnan(values).sum())
    is_new = np.ones(n_known, dtype=bool)
    is_new[1:] = in_order[1:n_known] > in_order[: max(n_known - 1, 0)]
    cells = np.full(values.size, MISSING, dtype=np.int32)
    cells[order[:n_known]] = np.cumsum(is_new) - 1
    return Learned(Attribute(name), cells, in_order[:n_known][is_new], order.astype(np.int32))


def _codes_of_numbers(values: NDArray[np.float64], categories: tuple[float, ...]) -> NDArray[np.float64]:
    """Return each number's place among the categories: NaN for negative ones, a code too many for new ones."""
    known = np.asarray(categories, dtype=np.float64)
    codes = values
    if np.array_equal(known, np.arange(known.size)):  # the codes of a discretizer, all of them seen
        found = (values < known.size) & (values == np.floor(values))
    else:
        codes = np.searchsorted(known, values).astype(np.float64)
        found = np.append(known, np.nan)[codes.astype(np.int64)] == values
    return np.where(values >= 0, np.where(found, codes, known.size), np.nan)


def _with_missing(codes: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.where(np.isnan(codes), MISSING, codes).astype(np.int32)
