"""CSV: a header, then rows of the same width; whatever is wrong, the error names the line."""

from __future__ import annotations

import csv
from functools import partial
from typing import TYPE_CHECKING, Any

from cutwise.errors import TableError
from cutwise.table.reading.columns_of_arrow import frame_of_arrays
from cutwise.table.reading.columns_of_text import Texts, check_names, make_table
from cutwise.table.reading.csv_dialect import find_dialect
from cutwise.table.reading.csv_fast import divided
from cutwise.table.reading.number import read_any_number
from cutwise.table.reading.text_lines import known_codec, text_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from cutwise.table.reading.settings import ReadSettings


def read_csv(content: bytes, settings: ReadSettings, name: str) -> Any:
    """Return the frame that a CSV file holds."""
    lines = partial(text_lines, content, settings.encoding, name)
    dialect = find_dialect(lines(), settings, name)
    header = _header(lines, dialect.delimiter, name)
    options: dict[str, Any] = {
        "texts": settings.texts,
        "missing": frozenset(settings.missing),
        "decimal": dialect.decimal,
    }
    arrays = divided(content, dialect.delimiter, len(header)) if known_codec(settings.encoding) == "utf-8" else None
    if arrays is not None:
        return frame_of_arrays(header, arrays, **options)
    table = Texts(header, lambda: _rows(lines(), dialect.delimiter, len(header), name))
    return make_table(table, name, **options)


def _header(lines: Callable[[], Iterable[str]], delimiter: str, name: str) -> tuple[str, ...]:
    _, first = next(_records(lines(), delimiter, name), (0, []))
    header = tuple(text.strip() for text in first)
    check_names(header, name)
    if all(read_any_number(text) is not None for text in header):
        message = f"The {name} begins with numbers. Its first line must hold the names of the columns."
        raise TableError(message)
    return header


def _rows(lines: Iterable[str], delimiter: str, width: int, name: str) -> Iterator[list[str]]:
    """Yield the records after the header."""
    records = _records(lines, delimiter, name)
    next(records, None)
    for number, record in records:
        if len(record) != width:
            message = f"The {name}, line {number}, has {len(record)} values for {width} columns. Mend that line."
            raise TableError(message)
        yield record


def _records(lines: Iterable[str], delimiter: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each record that is not an empty line, and the line that it begins in."""
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    number = 1
    while True:
        try:
            record = next(reader, None)
        except csv.Error as error:
            message = f"The {name}, line {number}: {_reason(error)}."
            raise TableError(message) from None
        if record is None:
            return
        if record:
            yield number, record
        number = reader.line_num + 1


def _reason(error: csv.Error) -> str:
    text = str(error)
    if "unexpected end" in text or "field larger" in text:
        return "a quote is opened and not closed, or a value is longer than 131,072 characters"
    if "expected after" in text:
        return "after a closing quote something else than the delimiter follows"
    return text
