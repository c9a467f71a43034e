"""The one form of the files: a header, the class last, missing values empty; read strictly.

UTF-8, commas, LF line ends. A file is read as a whole or not at all.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from cutwise.errors import DatasetError, TableError
from cutwise.paper.datasets.catalogue import CLASS
from cutwise.table.reading import ReadSettings
from cutwise.table.reading.csv_file import csv_records, csv_rows, read_header
from cutwise.table.reading.text import read_number, text_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cutwise.paper.datasets.catalogue import DatasetDescription


Cell: TypeAlias = float | str | None
"""A number, a category or a class; None where a value is missing."""

MAX_BYTES = 1 << 26
_AGAIN = " Fetch it again."


@dataclass(frozen=True)
class DatasetRows:
    """The rows of a set; the class is the last cell of each.

    Parameters
    ----------
    columns : tuple of str
        The attributes in order, without the class.
    rows : list of list
    """

    columns: tuple[str, ...]
    rows: list[list[Cell]]

    def column(self, position: int) -> list[Cell]:
        """Return the cells of a column."""
        return [row[position] for row in self.rows]

    def classes(self) -> list[str]:
        """Return the class of each row."""
        return [str(row[-1]) for row in self.rows]

    def values_sha256(self) -> str:
        """Return the SHA-256 of the values, however a file writes them."""
        return sha256_of_text("\n".join(map(row_line, self.rows)))

    def rows_sha256(self) -> str:
        """Return the SHA-256 of the rows, whatever their order."""
        return sha256_of_text("\n".join(sorted(map(row_line, self.rows))))


def sha256_of_text(text: str) -> str:
    """Return the SHA-256 of a string in UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()


def row_line(row: Iterable[Cell]) -> str:
    """Return a row as one string: equal for equal numbers, however they were written."""
    return "\x1f".join(cell_text(cell) for cell in row)


def cell_text(cell: Cell) -> str:
    """Return a cell as text; numbers in their shortest exact form."""
    if isinstance(cell, float):
        return repr(cell + 0.0)
    return "" if cell is None else cell


class _NoNumberError(Exception):
    """A string is no number."""

    def __init__(self, text: str, known: _Numbers) -> None:
        super().__init__(repr(text[:80]))
        self.known = known


class _Numbers(dict[str, Cell]):
    """The numbers of a column by their strings; each string is read once."""

    def __missing__(self, text: str) -> Cell:
        number = read_number(text) if text else None
        if number is None and text:
            raise _NoNumberError(text, self)
        self[text] = number
        return number


class _Texts(dict[str, Cell]):
    """Strings as they are; an empty one is missing."""

    def __missing__(self, text: str) -> Cell:
        return text or None


_TEXTS = _Texts()


def read_table(content: bytes, about: DatasetDescription, file: str) -> DatasetRows:
    """Return the table that the bytes of a file hold.

    Parameters
    ----------
    content : bytes
    about : DatasetDescription
        The columns that the file must have.
    file : str
        Its name, for messages.
    """
    name = f"file {file!r}"
    header = (*about.columns, CLASS)
    readers = [_TEXTS if column in about.nominal else _Numbers() for column in about.columns]
    rows: list[list[Cell]] = []
    number = 1
    try:
        records = csv_records(io.StringIO(content.decode("utf-8"), newline=""), ",", name)
        _check_header(next(records, (1, []))[1], header, file)
        for number, fields in records:
            if len(fields) != len(header):
                raise DatasetError(f"The {name}, line {number}, has {len(fields)} fields, not {len(header)}.{_AGAIN}")
            if not fields[-1]:
                raise DatasetError(f"The {name}, line {number}: the class is missing.{_AGAIN}")
            rows.append([known[text] for known, text in zip(readers, fields, strict=False)])
            rows[-1].append(fields[-1])
    except UnicodeDecodeError as error:
        raise DatasetError(f"The {name} is not UTF-8 (byte {error.start}).{_AGAIN}") from None
    except TableError as error:
        raise DatasetError(f"{error}{_AGAIN}") from None
    except _NoNumberError as error:
        column = next(column for column, known in zip(about.columns, readers, strict=True) if error.known is known)
        message = f"The {name}, line {number}, column {column!r}: {error} is no number.{_AGAIN}"
        raise DatasetError(message) from None
    return DatasetRows(about.columns, rows)


def _check_header(found: Sequence[str], header: Sequence[str], file: str) -> None:
    if tuple(found) == tuple(header):
        return
    if len(found) != len(header):
        raise DatasetError(f"The file {file!r}, line 1, names {len(found)} columns, not {len(header)}.{_AGAIN}")
    place = next(j for j in range(len(header)) if found[j] != header[j])
    raise DatasetError(f"The file {file!r}, line 1: column {place + 1} is {found[place]!r}, not {header[place]!r}.")


def write_table(table: DatasetRows) -> bytes:
    """Return the bytes of the file of a table."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow((*table.columns, CLASS))
    writer.writerows([cell_text(cell) for cell in row] for row in table.rows)
    if "\r" in out.getvalue():
        raise DatasetError("A string of the table holds a carriage return, which the files of data sets cannot hold.")
    return out.getvalue().encode("utf-8")


def differences(table: DatasetRows, about: DatasetDescription) -> list[str]:
    """Return how the counts of a table differ from what is known, one clause each."""
    found = []
    if len(table.rows) != about.n_rows:
        found.append(f"{len(table.rows)} rows, not {about.n_rows}")
    n_missing = sum(cell is None for row in table.rows for cell in row)
    if n_missing != about.n_missing:
        found.append(f"{n_missing} missing values, not {about.n_missing}")
    counts = Counter(table.classes())
    for label in sorted({*counts, *about.class_counts}):
        expected = about.class_counts.get(label, 0)
        if counts[label] != expected:
            found.append(f"{counts[label]} rows of class {label!r}, not {expected}")
    return found


MISSING = {"", "?", "nan", "NaN", "NA"}
"""How the files of UCI write that a value is missing."""


@dataclass(frozen=True)
class RawTable:
    """A table of strings.

    Parameters
    ----------
    columns : tuple of str
    rows : list of list
        A string for each column; None where a value is missing.
    target : str
        The column that the service calls the target; empty if it names none, or several.
    unused : tuple of str
        Columns that the service calls identifiers.
    """

    columns: tuple[str, ...]
    rows: list[list[str | None]]
    target: str = ""
    unused: tuple[str, ...] = ()


def read_csv(content: bytes) -> RawTable:
    """Return the table of a CSV file with a header; every row must have its width."""
    lines = partial(text_lines, content, "utf-8", "CSV file")
    try:
        _, header = read_header(lines, ReadSettings(delimiter=","), "CSV file")
        rows = [list(map(_known, row)) for row in csv_rows(lines(), ",", len(header), "CSV file")]
    except TableError as error:
        raise DatasetError(str(error)) from None
    return RawTable(header, rows)


def _known(field: str) -> str | None:
    text = field.strip()
    return None if text in MISSING else text
