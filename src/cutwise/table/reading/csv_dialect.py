"""How a CSV file is written: found out from its first lines, or said by the caller."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from cutwise.errors import TableError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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
        message = f"The delimiter is {delimiter!r}. It must be one character, such as ';' or a tab."
        raise TableError(message)
    decimal = settings.decimal
    if decimal is None:
        decimal = "." if delimiter == "," else _find_decimal(_records(first, delimiter)[1:], name)
    elif decimal not in {".", ","} or decimal == delimiter:
        message = f"The decimal sign is {decimal!r}. It must be '.' or ',', and not the delimiter."
        raise TableError(message)
    return CSVDialect(delimiter, decimal)


def _find_delimiter(first: Sequence[str], name: str) -> str:
    """Return the character that divides all records into the same number of values."""
    widths = {delimiter: [len(record) for record in _records(first, delimiter)] for delimiter in DELIMITERS}
    named = {delimiter: found for delimiter, found in widths.items() if found and found[0] > 1}
    if not named:
        return ","
    even = [delimiter for delimiter, found in named.items() if len(set(found)) == 1]
    if len(even) > 1:
        words = " and ".join(DELIMITERS[delimiter] for delimiter in even)
        message = f"In the {name} {words} both could stand between the values. Say which one: --delimiter."
        raise TableError(message)
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
        message = (
            f"In the {name} {doubtful!r} may be a number with a decimal comma or a thousand and more. "
            "Say which: --decimal , or --decimal . for the latter."
        )
        raise TableError(message)
    return "," if is_comma else "."


def _records(lines: Sequence[str], delimiter: str) -> list[list[str]]:
    """Return the records of some lines, up to the first one that cannot be read."""
    records = []
    try:
        for record in csv.reader(lines, delimiter=delimiter, strict=True):
            if record:
                records.append(record)  # noqa: PERF401  # those before an error are kept
    except csv.Error:
        pass
    return records
