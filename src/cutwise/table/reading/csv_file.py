"""CSV: a header, then rows of the same width; whatever is wrong, the error names the line.

How a file is written is found out from its first lines, or said by the caller.
"""

from __future__ import annotations

import codecs
import csv
import importlib
import re
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.errors import TableError
from cutwise.table.reading import settings
from cutwise.table.reading.columns import TextTable, check_names, frame_of_arrays, make_table, offsets
from cutwise.table.reading.text import known_codec, read_any_number, text_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from cutwise.table.reading.settings import ReadSettings

DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
_N_LOOKED_AT = 1000
_POINT = re.compile(r"[+-]?[0-9]*\.[0-9]+(?:[eE][+-]?[0-9]+)?", re.ASCII)
_COMMA = re.compile(r"[+-]?([0-9]*),([0-9]+)(?:[eE][+-]?[0-9]+)?", re.ASCII)


@dataclass(frozen=True)
class CSVDialect:
    """The character between values, and the decimal sign."""

    delimiter: str
    decimal: str


def find_dialect(lines: Iterable[str], settings: ReadSettings, name: str) -> CSVDialect:
    """Return how a file is written.

    Parameters
    ----------
    lines : iterable of str
        The lines of the file; only the first ones are looked at.
    settings : ReadSettings
    name : str
        What to call the file in messages.
    """
    first = list(islice(lines, _N_LOOKED_AT))
    delimiter = settings.delimiter
    if delimiter is None:
        delimiter = _find_delimiter(first, name)
    elif len(delimiter) != 1 or delimiter in '"\r\n':
        raise TableError(f"The delimiter is {delimiter!r}. It must be one character, such as ';' or a tab.")
    decimal = settings.decimal
    if decimal is None:
        decimal = "." if delimiter == "," else _find_decimal(_first_records(first, delimiter)[1:], name)
    elif decimal not in {".", ","} or decimal == delimiter:
        raise TableError(f"The decimal sign is {decimal!r}. It must be '.' or ',', and not the delimiter.")
    return CSVDialect(delimiter, decimal)


def _find_delimiter(first: Sequence[str], name: str) -> str:
    """Return the character that divides all records into the same number of values."""
    widths = {delimiter: [len(record) for record in _first_records(first, delimiter)] for delimiter in DELIMITERS}
    named = {delimiter: found for delimiter, found in widths.items() if found and found[0] > 1}
    if not named:
        return ","
    even = [delimiter for delimiter, found in named.items() if len(set(found)) == 1]
    if len(even) > 1:
        words = " and ".join(DELIMITERS[delimiter] for delimiter in even)
        choices = " or ".join(f"delimiter={delimiter!r}" for delimiter in even)
        raise TableError(f"In the {name} both {words} could separate the values. Set {choices}.")
    # If none divides evenly, the reader tells which line is wrong.
    return even[0] if even else max(named, key=lambda delimiter: named[delimiter][0])


def _find_decimal(records: Iterable[Sequence[str]], name: str) -> str:
    """Return the decimal sign, where comma is not the delimiter."""
    doubtful = ""
    is_comma = False
    for text in (value.strip() for record in records for value in record):
        if "." in text and _POINT.fullmatch(text):
            return "."
        found = _COMMA.fullmatch(text) if "," in text else None
        if found:
            whole, part = found.groups()
            # 1,234 may be a thousand and more; 0,234 and 1,23 and 1234,567 may not.
            is_clear = len(part) != 3 or whole in {"", "0"} or len(whole) > 3
            is_comma = is_comma or is_clear
            doubtful = doubtful or text
    if doubtful and not is_comma:
        raise TableError(
            f"In the {name} {doubtful!r} may be a number with a decimal comma or a thousand and more. "
            "Set decimal=',' or, for the latter, decimal='.'."
        )
    return "," if is_comma else "."


def _first_records(lines: Sequence[str], delimiter: str) -> list[list[str]]:
    """Return the records of some lines, up to the first one that cannot be read."""
    records = []
    try:
        for record in csv.reader(lines, delimiter=delimiter, strict=True):
            if record:
                records.append(record)  # noqa: PERF401  # those before an error are kept
    except csv.Error:
        pass
    return records


def read_csv(content: bytes, settings: ReadSettings, name: str) -> Any:
    """Return the frame that a CSV file holds."""
    lines = partial(text_lines, content, settings.encoding, name)
    dialect, header = read_header(lines, settings, name)
    options: dict[str, Any] = {
        "texts": settings.texts | settings.written,
        "missing": frozenset(settings.missing),
        "decimal": dialect.decimal,
    }
    arrays = divided(content, dialect.delimiter, len(header)) if known_codec(settings.encoding) == "utf-8" else None
    if arrays is not None:
        return frame_of_arrays(header, arrays, **options)
    table = TextTable(header, lambda: csv_rows(lines(), dialect.delimiter, len(header), name))
    return make_table(table, name, **options)


def read_header(
    lines: Callable[[], Iterable[str]], settings: ReadSettings, name: str
) -> tuple[CSVDialect, tuple[str, ...]]:
    """Return how a file is written and the names of its columns; `lines` gives its lines each time it is called."""
    dialect = find_dialect(lines(), settings, name)
    first = next((record for _, record in csv_records(lines(), dialect.delimiter, name) if record), [])
    header = tuple(text.strip() for text in first)
    check_names(header, name)
    if all(read_any_number(text) is not None for text in header):
        raise TableError(f"The {name} begins with numbers. Its first line must hold the names of the columns.")
    return dialect, header


def csv_rows(lines: Iterable[str], delimiter: str, width: int, name: str) -> Iterator[list[str]]:
    """Yield the records after the header; empty lines are none."""
    records = ((number, record) for number, record in csv_records(lines, delimiter, name) if record)
    next(records, None)
    for number, record in records:
        if len(record) != width:
            message = f"The {name}, line {number}, has {len(record)} values for {width} columns. Mend that line."
            raise TableError(message)
        yield record


def csv_records(lines: Iterable[str], delimiter: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each record, and the line that it begins in; that of an empty line is empty."""
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    number = 1
    while True:
        try:
            record = next(reader, None)
        except csv.Error as error:
            raise TableError(f"The {name}, line {number}: {_reason(error)}.") from None
        if record is None:
            return
        yield number, record
        number = reader.line_num + 1


def _reason(error: csv.Error) -> str:
    text = str(error)
    if "unexpected end" in text or "field larger" in text:
        return "a quote is opened and not closed, or a value is longer than 131,072 characters"
    if "expected after" in text:
        return "after a closing quote something else than the delimiter follows"
    return text


LARGE = 1 << 18
"""Smaller files are read carefully: pyarrow takes longer to load."""
_FAST_DELIMITERS = frozenset(",;\t|")
# A line that is longer than two blocks is left to the careful reader, and its limit is higher.
BLOCK = 1 << 22
# The longest value that Python's csv module takes.
LONGEST = 131_072
_QUOTE, _LINE = ord('"'), ord("\n")


def divided(content: bytes, delimiter: str, n_columns: int) -> list[Any] | None:
    """Return the values of each column without the header, as strings of pyarrow.

    Parameters
    ----------
    content : bytes
        A file in UTF-8.
    delimiter : str
    n_columns : int

    Returns
    -------
    list of pyarrow.ChunkedArray, or None
        None if the file is small or in any way unusual, or pyarrow is not installed.
    """
    if len(content) < LARGE or n_columns < 2 or delimiter not in _FAST_DELIMITERS or find_spec("pyarrow") is None:
        return None
    plain = content.removeprefix(codecs.BOM_UTF8)
    if not _is_usual(plain, delimiter, n_columns):
        return None
    table = _parsed(plain, delimiter, n_columns)
    if table is None or table.num_columns != n_columns:
        return None
    longest = max((_longest(chunk) for column in table.columns for chunk in column.chunks), default=0)
    return None if longest > LONGEST else [column[1:] for column in table.columns]


def _is_usual(content: bytes, delimiter: str, n_columns: int) -> bool:
    """Return whether lines end in one way and are not too many, and quotes stand where they should."""
    if b"\0" in content or (b"\r" in content and content.count(b"\r") != content.count(b"\r\n")):
        return False
    if (content.count(b"\n") + 1) * n_columns > settings.MAX_CELLS:
        return False
    return b'"' not in content or _has_usual_quotes(np.frombuffer(content, dtype=np.uint8), delimiter)


def _has_usual_quotes(data: NDArray[np.uint8], delimiter: str) -> bool:
    """Return whether quotes open at the beginning of a value, close at its end, and are doubled in between.

    Every other quote opens. One that opens follows a delimiter, a line end or the quote that closed just
    before it, which both stand for one quote in the value.
    """
    places = np.flatnonzero(data == _QUOTE)
    if places.size % 2:
        return False
    around = np.zeros(256, dtype=bool)
    around[[ord(delimiter), _LINE, _QUOTE]] = True
    opening, closing = places[::2], places[1::2]
    before = data[opening[opening > 0] - 1]
    # A carriage return is before a line end only, as was looked at before.
    around_end = around.copy()
    around_end[ord("\r")] = True
    after = data[closing[closing < data.size - 1] + 1]
    return bool(around[before].all() and around_end[after].all())


def _parsed(content: bytes, delimiter: str, n_columns: int) -> Any:
    """Return a table of strings, None where pyarrow finds a fault."""
    arrow: Any = importlib.import_module("pyarrow")
    csv: Any = importlib.import_module("pyarrow.csv")
    try:
        return csv.read_csv(
            arrow.BufferReader(content),
            read_options=csv.ReadOptions(use_threads=False, block_size=BLOCK, autogenerate_column_names=True),
            parse_options=csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
            convert_options=csv.ConvertOptions(
                column_types={f"f{place}": arrow.string() for place in range(n_columns)}, strings_can_be_null=False
            ),
        )
    except arrow.ArrowException:
        return None


def _longest(texts: Any) -> int:
    return int(np.diff(offsets(texts)).max(initial=0))
