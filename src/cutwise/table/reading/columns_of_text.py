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


class _NoNumberError(Exception):
    """A text is no number."""


class _Numbers(dict[str | None, float]):
    """Numbers by their texts; most texts are read once."""

    def __init__(self, missing: Collection[str], decimal: str) -> None:
        super().__init__({None: math.nan})
        self._missing = missing
        self._decimal = decimal

    def __missing__(self, text: str | None) -> float:
        plain = (text or "").strip()
        if plain in self._missing:
            number: float | None = math.nan
        elif self._decimal == ".":
            number = read_any_number(plain)
        else:
            number = None if "." in plain else read_any_number(plain.replace(",", ".", 1))
        if number is None:
            raise _NoNumberError
        if len(self) < _KEPT:
            self[text] = number
        return number


class _Words(dict[str | None, str | None]):
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
    columns, no_numbers = _read(table, kept, missing, decimal, name)
    if no_numbers:
        # Some texts were taken for numbers before the first one that is none.
        kept |= no_numbers
        columns, _ = _read(table, kept, missing, decimal, name)
    doubles: dict[str, Any] = {column: np.frombuffer(columns[column]) for column in columns if column not in kept}
    return make_frame({**columns, **doubles}, kept, library)


def _read(
    table: Texts, texts: Collection[str], missing: Collection[str], decimal: str, name: str
) -> tuple[dict[str, Any], set[str]]:
    """Return the columns, and which of them turned out to hold something else than numbers."""
    numbers, words = _Numbers(missing, decimal), _Words(missing)
    columns: dict[str, Any] = {column: [] if column in texts else array("d") for column in table.columns}
    no_numbers: set[str] = set()
    n_cells = 0
    rows = iter(table.rows())
    while chunk := list(islice(rows, _CHUNK)):
        n_cells += len(chunk) * len(columns)
        if n_cells > limits.MAX_CELLS:
            message = f"The {name} has more than {limits.MAX_CELLS:,} values. Take part of its rows or columns."
            raise TableError(message)
        for (column, values), cells in zip(columns.items(), zip(*chunk, strict=True), strict=True):
            if column in no_numbers:
                continue
            try:
                values.extend(map(words.__getitem__ if column in texts else numbers.__getitem__, cells))
            except _NoNumberError:
                no_numbers.add(column)
    return columns, no_numbers


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
