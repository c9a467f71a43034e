"""From rows of texts to a frame: numbers where all texts of a column are numbers, else texts."""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.errors import TableError
from cutwise.table.making import choose_library, make_frame
from cutwise.table.reading import limits
from cutwise.table.reading.number import read_any_number

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

_CHUNK = 4096
_KEPT = 100_000


@dataclass(frozen=True)
class Texts:
    """The texts of a table.

    Parameters
    ----------
    columns : tuple of str
    rows : callable
        Yields the rows, from the first one each time it is called; a text for each column,
        or None where a value is missing.
    """

    columns: tuple[str, ...]
    rows: Callable[[], Iterable[Sequence[str | None]]]


class Numbers:
    """From the texts of a column to numbers.

    Parameters
    ----------
    missing : collection of str
        Texts that stand for no value.
    decimal : {".", ","}
    """

    def __init__(self, missing: Collection[str], decimal: str) -> None:
        self._skipped: set[str | None] = {None, *missing}
        self._decimal = decimal
        self._is_simple = all(read_any_number(text) is None for text in missing)

    def read(self, cells: Sequence[str | None]) -> Sequence[float] | None:
        """Return the numbers, NaN where a value is missing; None if a text is no number."""
        found = self._read_plain(cells) if self._is_simple and self._decimal == "." else None
        if found is not None:
            return found
        numbers = array("d")
        for cell in cells:
            number = self._number("" if cell is None else cell.strip(), cell)
            if number is None:
                return None
            numbers.append(number)
        return numbers

    def _read_plain(self, cells: Sequence[str | None]) -> Sequence[float] | None:
        """Return the same where Python's reader of numbers, which is fast, cannot be wrong; None elsewhere."""
        known = [cell for cell in cells if cell is not None]
        gaps = len(known) < len(cells) or not self._skipped.isdisjoint(known)
        if gaps:
            known = [cell for cell in known if cell not in self._skipped]
        joined = "".join(known)
        # Python takes 1_000, nan and digits of all scripts for numbers.
        if not joined.isascii() or any(char in joined for char in "_nN"):
            return None
        try:
            numbers = map(float, known)
            return [math.nan if cell in self._skipped else next(numbers) for cell in cells] if gaps else list(numbers)
        except ValueError:
            return None

    def _number(self, text: str, cell: str | None) -> float | None:
        if cell is None or text in self._skipped:
            return math.nan
        if self._decimal == ".":
            return read_any_number(text)
        return None if "." in text else read_any_number(text.replace(",", ".", 1))


class Words(dict[str | None, str | None]):
    """Texts without the blanks around them, each kept once; None where a value is missing."""

    def __init__(self, missing: Collection[str]) -> None:
        super().__init__({None: None})
        self._missing = missing

    def __missing__(self, text: str | None) -> str | None:
        plain = (text or "").strip()
        word = None if plain in self._missing else plain
        if len(self) < _KEPT:
            self[text] = word
        return word


def make_table(
    table: Texts, name: str, *, texts: Collection[str] = (), missing: Collection[str] = (), decimal: str = "."
) -> Any:
    """Return a frame of the first table library that is installed.

    Parameters
    ----------
    table : Texts
    name : str
        What to call the file in messages.
    texts : collection of str
        Columns that hold texts even if all of them are numbers.
    missing : collection of str
        Texts that stand for no value.
    decimal : {".", ","}
    """
    library = choose_library(None)
    check_names(table.columns, name)
    kept = {column for column in table.columns if column in texts}
    columns, late = _read(table, kept, missing, decimal, name)
    if late:
        # Some texts were taken for numbers before the first one that is none.
        kept |= late
        columns, _ = _read(table, kept, missing, decimal, name)
    doubles: dict[str, Any] = {column: np.frombuffer(columns[column]) for column in columns if column not in kept}
    return make_frame({**columns, **doubles}, kept, library)


def _read(
    table: Texts, texts: set[str], missing: Collection[str], decimal: str, name: str
) -> tuple[dict[str, Any], set[str]]:
    """Return the columns, and which of them turned out late to hold something else than numbers.

    A column whose first rows tell that it holds texts is added to `texts` at once.
    """
    numbers, words = Numbers(missing, decimal), Words(missing)
    columns: dict[str, Any] = {column: [] if column in texts else array("d") for column in table.columns}
    late: set[str] = set()
    n_cells = 0
    rows = iter(table.rows())
    while chunk := list(islice(rows, _CHUNK)):
        n_cells += len(chunk) * len(columns)
        if n_cells > limits.MAX_CELLS:
            message = f"The {name} has more than {limits.MAX_CELLS:,} values. Take part of its rows or columns."
            raise TableError(message)
        for column, cells in zip(table.columns, zip(*chunk, strict=True), strict=True):
            found = None if column in texts or column in late else numbers.read(cells)
            if found is not None:
                columns[column].extend(found)
            elif column not in texts and len(columns[column]):
                late.add(column)
            elif column not in late:
                texts.add(column)
                columns[column] = columns[column] or []
                columns[column].extend(map(words.__getitem__, cells))
    return columns, late


def check_names(columns: Sequence[str], name: str) -> None:
    """Raise TableError unless all columns have different names."""
    if len(columns) > limits.MAX_COLUMNS:
        message = f"The {name} has {len(columns):,} columns; at most {limits.MAX_COLUMNS:,} are read."
        raise TableError(message)
    if not columns:
        message = f"The {name} is empty. It needs a first line with the names of the columns, then rows."
        raise TableError(message)
    seen: set[str] = set()
    for place, column in enumerate(columns, start=1):
        if not column:
            message = f"Column {place} of the {name} has no name. Name it in the first line, or take it out."
            raise TableError(message)
        if column in seen:
            message = f"The {name} has two columns {column!r}. Rename one of them."
            raise TableError(message)
        seen.add(column)
