"""From rows of strings to a frame: numbers where all strings of a column are numbers, else strings."""

from __future__ import annotations

import importlib
import math
from array import array
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.errors import TableError
from cutwise.table.frames import choose_library, make_frame
from cutwise.table.reading import settings
from cutwise.table.reading.text import read_any_number

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from numpy.typing import NDArray


_CHUNK = 4096
_KEPT = 100_000


@dataclass(frozen=True)
class TextTable:
    """The strings of a table.

    Parameters
    ----------
    columns : tuple of str
    rows : callable
        Yields the rows, from the first one each time it is called; a string for each column,
        or None where a value is missing.
    """

    columns: tuple[str, ...]
    rows: Callable[[], Iterable[Sequence[str | None]]]


class NumberReader:
    """From the strings of a column to numbers.

    Parameters
    ----------
    missing : collection of str
        Strings that stand for no value.
    decimal : {".", ","}
    """

    def __init__(self, missing: Collection[str], decimal: str) -> None:
        self._skipped: set[str | None] = {None, *missing}
        self._decimal = decimal
        self._is_simple = all(read_any_number(text) is None for text in missing)

    def read(self, cells: Sequence[str | None]) -> Sequence[float] | None:
        """Return the numbers, NaN where a value is missing; None if a string is no number."""
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


class CategoryReader(dict[str | None, str | None]):
    """Strings without the blanks around them, each kept once; None where a value is missing."""

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
    table: TextTable, name: str, *, texts: Collection[str] = (), missing: Collection[str] = (), decimal: str = "."
) -> Any:
    """Return a frame of the first table library that is installed.

    Parameters
    ----------
    table : TextTable
    name : str
        What to call the file in messages.
    texts : collection of str
        Columns that hold strings even if all of them are numbers.
    missing : collection of str
        Strings that stand for no value.
    decimal : {".", ","}
    """
    library = choose_library(None)
    check_names(table.columns, name)
    kept = {column for column in table.columns if column in texts}
    columns, late = _read(table, kept, missing, decimal, name)
    if late:
        # Some strings were taken for numbers before the first one that is none.
        kept |= late
        columns, _ = _read(table, kept, missing, decimal, name)
    doubles: dict[str, Any] = {column: np.frombuffer(columns[column]) for column in columns if column not in kept}
    return make_frame({**columns, **doubles}, kept, library)


def _read(
    table: TextTable, texts: set[str], missing: Collection[str], decimal: str, name: str
) -> tuple[dict[str, Any], set[str]]:
    """Return the columns, and which of them turned out late to hold something else than numbers.

    A column whose first rows tell that it holds strings is added to `texts` at once.
    """
    numbers, words = NumberReader(missing, decimal), CategoryReader(missing)
    columns: dict[str, Any] = {column: [] if column in texts else array("d") for column in table.columns}
    late: set[str] = set()
    n_cells = 0
    rows = iter(table.rows())
    while chunk := list(islice(rows, _CHUNK)):
        n_cells += len(chunk) * len(columns)
        if n_cells > settings.MAX_CELLS:
            message = f"The {name} has more than {settings.MAX_CELLS:,} values. Take part of its rows or columns."
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
    if len(columns) > settings.MAX_COLUMNS:
        raise TableError(f"The {name} has {len(columns):,} columns; at most {settings.MAX_COLUMNS:,} are read.")
    if not columns:
        raise TableError(f"The {name} is empty. It needs a first line with the names of the columns, then rows.")
    seen: set[str] = set()
    for place, column in enumerate(columns, start=1):
        if not column:
            raise TableError(f"Column {place} of the {name} has no name. Name it in the first line, or take it out.")
        if column in seen:
            raise TableError(f"The {name} has two columns {column!r}. Rename one of them.")
        seen.add(column)


# Of these characters pyarrow and Python make the same double, or pyarrow makes none.
_PLAIN = b"0123456789+-.eE"


def frame_of_arrays(
    names: Sequence[str], arrays: list[Any], *, texts: Collection[str], missing: Collection[str], decimal: str
) -> Any:
    """Return a frame of the first table library that is installed.

    Parameters
    ----------
    names : sequence of str
    arrays : list of pyarrow.ChunkedArray
        The strings of each column. It is emptied, so that they do not all stay in memory.
    texts : collection of str
        Columns that hold strings even if all of them are numbers.
    missing : collection of str
        Strings that stand for no value.
    decimal : {".", ","}
    """
    library = choose_library(None)
    read = _ColumnReader(missing, decimal)
    kept = set(texts)
    columns: dict[str, Any] = {}
    arrays.reverse()
    for name in names:
        array = arrays.pop().combine_chunks()
        found = None if name in kept else read.numbers(array)
        if found is None:
            kept.add(name)
        columns[name] = read.words(array) if found is None else found
    return make_frame(columns, kept & set(names), library)


class _ColumnReader:
    """The values of a column of strings."""

    def __init__(self, missing: Collection[str], decimal: str) -> None:
        self._arrow: Any = importlib.import_module("pyarrow")
        self._compute: Any = importlib.import_module("pyarrow.compute")
        # A file in UTF-8 holds no halves of characters; blanks are the careful reader's affair.
        known = [
            text for text in sorted(missing) if text == text.strip() and text.encode("utf-8", "ignore").decode() == text
        ]
        self._missing = self._arrow.array(known, type=self._arrow.string())
        # A string such as -999 is a number unless it stands for no value; an empty one never is.
        self._has_plain_gaps = any(text and not text.encode().translate(None, _PLAIN) for text in known)
        self._numbers = NumberReader(missing, decimal)
        self._words = CategoryReader(missing)
        self._is_usual = decimal == "."

    def numbers(self, array: Any) -> NDArray[np.float64] | None:
        """Return the numbers, NaN where a value is missing; None if a string is no number."""
        found = self._plain_numbers(array) if self._is_usual else None
        if found is None:
            numbers = self._numbers.read(array.to_pylist())
            found = None if numbers is None else np.array(numbers, dtype=np.float64)
        return found

    def _plain_numbers(self, array: Any) -> NDArray[np.float64] | None:
        """Return the same where nobody can be wrong about the strings; None elsewhere."""
        found = self._cast(array) if not self._has_plain_gaps and _is_plain(array) else None
        if found is not None:
            return found
        gaps = self._compute.is_in(array, value_set=self._missing)
        if not _is_plain(array.filter(self._compute.invert(gaps))):
            return None
        return self._cast(self._compute.if_else(gaps, None, array))

    def _cast(self, array: Any) -> NDArray[np.float64] | None:
        try:
            found: NDArray[np.float64] = array.cast(self._arrow.float64()).to_numpy(zero_copy_only=False)
        except self._arrow.ArrowException:
            return None
        return found

    def words(self, array: Any) -> list[str | None]:
        """Return the strings without the blanks around them, None where a value is missing."""
        coded = array.dictionary_encode()
        words = [self._words[text] for text in coded.dictionary.to_pylist()]
        return [words[place] for place in coded.indices.to_numpy()]


def _is_plain(array: Any) -> bool:
    places = offsets(array)
    if places[0] == places[-1]:
        return True
    data: bytes = array.buffers()[2][int(places[0]) : int(places[-1])].to_pybytes()
    return not data.translate(None, _PLAIN)


def offsets(array: Any) -> NDArray[np.int32]:
    """Return where each string of an array begins in the bytes of all of them, and where the last one ends."""
    if not len(array):
        return np.zeros(1, dtype=np.int32)
    return np.frombuffer(array.buffers()[1], dtype=np.int32)[array.offset : array.offset + len(array) + 1]
