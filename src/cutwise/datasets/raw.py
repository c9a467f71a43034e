"""A table as a service gives it, before any rule is applied."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass

from cutwise.errors import DatasetError

MISSING = {"", "?", "nan", "NaN", "NA"}
"""How the files of UCI write that a value is missing."""


@dataclass(frozen=True)
class RawTable:
    """A table of texts.

    Parameters
    ----------
    columns : tuple of str
    rows : list of list
        A text for each column; None where a value is missing.
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
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"The CSV file is not UTF-8 (byte {error.start})."
        raise DatasetError(message) from None
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: list[list[str | None]] = []
    try:
        header = [name.strip() for name in next(reader, [])]
        for fields in reader:
            if len(fields) != len(header):
                message = f"The CSV file, line {reader.line_num}: {len(fields)} fields for {len(header)} columns."
                raise DatasetError(message)
            rows.append([None if field.strip() in MISSING else field.strip() for field in fields])
    except csv.Error as error:
        message = f"The CSV file, line {reader.line_num}: {error}."
        raise DatasetError(message) from None
    if len(set(header)) != len(header) or not header:
        message = f"The CSV file, line 1: the names must differ, but are {', '.join(header)[:200]!r}."
        raise DatasetError(message)
    return RawTable(tuple(header), rows)
