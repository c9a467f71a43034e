"""ARFF, the format of Weka and OpenML, and KEEL's .dat files: strict readers; errors name the line.

ARFF: numeric, nominal and string attributes, quotes, comments and "?" for a missing value. Sparse
rows, dates, relations and weights are refused. KEEL: a header of @ lines, then rows without quotes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

from cutwise.errors import TableError
from cutwise.table.reading.columns import TextTable, make_table
from cutwise.table.reading.text import known_codec, read_number, text_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from cutwise.table.reading.settings import ReadSettings

    Rows = Iterable[list[str | None]]
    Lines = Iterator[tuple[int, str]]

MAX_COLUMNS = 10_000
MAX_CELLS = 20_000_000
MAX_LINE = 1 << 20

# A value in quotes, where a backslash keeps the next character, or up to the next comma.
_VALUE = re.compile(r"""\s*(?:'((?:[^'\\]|\\.)*+)'|"((?:[^"\\]|\\.)*+)"|([^,'"{}][^,]*+|))\s*(,|\Z)""")
_ARFF_ATTRIBUTE = re.compile(
    r"""@attribute\s+(?:'((?:[^'\\]|\\.)*+)'|"((?:[^"\\]|\\.)*+)"|([^\s'"{}%,]++))\s*(.*)""", re.IGNORECASE
)
_ESCAPED = re.compile(r"\\(.)")
_NUMERIC = {"numeric", "real", "integer"}
KEEL_MISSING = {"<null>", "?"}
_KEEL_ATTRIBUTE = re.compile(r"@attribute\s+([^\s{\[]+)\s*(real|integer|\{)(.*)", re.IGNORECASE)
_KEEL_RANGE = re.compile(r"\s*(?:\[[^\[\]]*\])?\s*", re.ASCII)


@dataclass(frozen=True)
class ArffAttribute:
    """A column: its name and its categories, none for numbers and free text."""

    name: str
    is_numeric: bool
    categories: frozenset[str] = frozenset()


@dataclass(frozen=True)
class ArffTable:
    """What an ARFF file holds.

    Parameters
    ----------
    attributes : list of ArffAttribute
    rows : list of list
        A string for each attribute; None where a value is missing.
    """

    attributes: list[ArffAttribute]
    rows: list[list[str | None]]


def read_arff(content: bytes, settings: ReadSettings, name: str) -> Any:
    """Return the frame that an ARFF file holds."""
    found = parse_arff(content, known_codec(settings.encoding), name)
    return _frame(found.attributes, lambda: found.rows, settings, name)


def read_keel(content: bytes, settings: ReadSettings, name: str) -> Any:
    """Return the frame that a KEEL file holds."""
    lines = partial(_useful, partial(text_lines, content, settings.encoding, name))
    attributes = _keel_header(lines(), name)
    return _frame(attributes, lambda: _keel_rows(lines(), attributes, name), settings, name)


def _frame(attributes: list[ArffAttribute], rows: Callable[[], Rows], settings: ReadSettings, name: str) -> Any:
    texts = {attribute.name for attribute in attributes if not attribute.is_numeric} | settings.texts
    return make_table(TextTable(tuple(attribute.name for attribute in attributes), rows), name, texts=texts)


def parse_arff(content: bytes, encoding: str = "utf-8", name: str = "ARFF file") -> ArffTable:
    """Return what an ARFF file holds, as strings; `name` is for messages."""
    try:
        text = content.decode("utf-8-sig" if encoding == "utf-8" else encoding)
    except UnicodeDecodeError as error:
        raise TableError(f"The {name} is not {encoding.upper()} (byte {error.start}).") from None
    lines = _useful(partial(text.split, "\n"))
    attributes = _arff_header(lines, name)
    rows: list[list[str | None]] = []
    for number, line in lines:
        rows.append(_arff_row(line, attributes, number, name))
        if len(rows) * len(attributes) > MAX_CELLS:
            _refuse(name, number, f"there are more than {MAX_CELLS:,} values")
    return ArffTable(attributes, rows)


def _useful(lines: Callable[[], Iterable[str]]) -> Lines:
    """Yield the lines that are neither empty nor comments, with their numbers."""
    for number, line in enumerate(lines(), start=1):
        plain = line.strip()
        if plain and not plain.startswith("%"):
            yield number, plain


def _arff_header(lines: Lines, name: str) -> list[ArffAttribute]:
    found: dict[str, ArffAttribute] = {}
    for number, line in lines:
        keyword = line.split(None, 1)[0].lower()
        if keyword == "@data":
            if not found:
                _refuse(name, number, "no attribute comes before @data")
            return list(found.values())
        if keyword == "@attribute":
            _add(_arff_attribute(line, number, name), found, number, name)
        elif keyword != "@relation" or found:
            _refuse(name, number, f"{line[:80]!r} is out of place")
    raise TableError(f"The {name} has no @data line. It may have been cut off.")


def _add(attribute: ArffAttribute, found: dict[str, ArffAttribute], number: int, name: str) -> None:
    if attribute.name in found:
        _refuse(name, number, f"the name {attribute.name!r} is taken")
    if len(found) == MAX_COLUMNS:
        _refuse(name, number, "too many columns")
    found[attribute.name] = attribute


def _arff_attribute(line: str, number: int, name: str) -> ArffAttribute:
    found = _ARFF_ATTRIBUTE.fullmatch(line) if len(line) <= MAX_LINE else None
    if found is None:
        _refuse(name, number, f"{line[:80]!r} is no attribute")
    column = _unquoted(found.group(1), found.group(2), found.group(3))
    kind = found.group(4).strip()
    if kind.lower() in {*_NUMERIC, "string"}:
        return ArffAttribute(column, is_numeric=kind.lower() in _NUMERIC)
    if not (kind.startswith("{") and kind.endswith("}")):
        _refuse(name, number, f"the type {kind[:80]!r} of {column!r} is not numeric, string or a list in braces")
    return ArffAttribute(column, is_numeric=False, categories=frozenset(dict(_values(kind[1:-1], number, name))))


def _arff_row(line: str, attributes: list[ArffAttribute], number: int, name: str) -> list[str | None]:
    if line.startswith("{"):
        _refuse(name, number, "sparse rows are not read")
    values = _values(line, number, name)
    _check_width(values, attributes, number, name)
    return [
        None if text == "?" and not quoted else _checked(text, attribute, number, name)
        for (text, quoted), attribute in zip(values, attributes, strict=True)
    ]


def _values(line: str, number: int, name: str) -> list[tuple[str, bool]]:
    """Return the values of a line, and whether each was in quotes."""
    if len(line) > MAX_LINE or "\0" in line:
        _refuse(name, number, "the line is too long" if len(line) > MAX_LINE else "it holds a NUL character")
    values: list[tuple[str, bool]] = []
    place = 0
    while True:
        found = _VALUE.match(line, place)
        if found is None or len(values) == MAX_COLUMNS:
            _refuse(name, number, f"{line[place : place + 80]!r} is no list of values")
        plain = found.group(3)
        values.append((_unquoted(found.group(1), found.group(2), plain), plain is None))
        if not found.group(4):
            return values
        place = found.end()


def _unquoted(single: str | None, double: str | None, plain: str | None) -> str:
    if plain is not None:
        return plain.strip()
    return _ESCAPED.sub(r"\1", single if single is not None else double or "")


def _keel_header(lines: Lines, name: str) -> list[ArffAttribute]:
    found: dict[str, ArffAttribute] = {}
    for number, line in lines:
        keyword, _, rest = line.replace("\t", " ").partition(" ")
        keyword = keyword.lower()
        if keyword == "@data":
            return list(found.values())
        if keyword == "@attribute":
            _add(_keel_attribute(line, number, name), found, number, name)
        elif keyword in {"@inputs", "@input", "@outputs", "@output"}:
            unknown = [column for part in rest.split(",") if (column := part.strip()) and column not in found]
            if unknown:
                _refuse(name, number, f"there is no attribute {unknown[0][:80]!r}")
        elif keyword != "@relation":
            _refuse(name, number, f"{line[:80]!r} is out of place")
    raise TableError(f"The {name} has no @data line. It may have been cut off.")


def _keel_attribute(line: str, number: int, name: str) -> ArffAttribute:
    found = _KEEL_ATTRIBUTE.fullmatch(line)
    if found is None:
        _refuse(name, number, f"{line[:80]!r} is no attribute with a type: real, integer or a list in braces")
    column, kind, rest = found.groups()
    if kind == "{":
        if not rest.endswith("}"):
            _refuse(name, number, f"the list of categories of {column!r} has no end")
        return ArffAttribute(column, is_numeric=False, categories=frozenset(map(str.strip, rest[:-1].split(","))))
    if not _KEEL_RANGE.fullmatch(rest):
        _refuse(name, number, f"{rest[:80]!r} is no range such as [0.0, 1.0]")
    return ArffAttribute(column, is_numeric=True)


def _keel_rows(lines: Lines, attributes: list[ArffAttribute], name: str) -> Rows:
    """Yield the rows after @data."""
    next(line for line in lines if line[1].split(None, 1)[0].lower() == "@data")
    for number, line in lines:
        values = [value.strip() for value in line.split(",")]
        _check_width(values, attributes, number, name)
        yield [
            None if value in KEEL_MISSING else _checked(value, attribute, number, name)
            for value, attribute in zip(values, attributes, strict=True)
        ]


def _check_width(values: list[Any], attributes: list[ArffAttribute], number: int, name: str) -> None:
    if len(values) != len(attributes):
        _refuse(name, number, f"{len(values)} values for {len(attributes)} attributes")


def _checked(text: str, attribute: ArffAttribute, number: int, name: str) -> str:
    if attribute.is_numeric and read_number(text) is None:
        _refuse(name, number, f"{text[:80]!r} of {attribute.name!r} is no number")
    if attribute.categories and text not in attribute.categories:
        _refuse(name, number, f"{text[:80]!r} is no category of {attribute.name!r}")
    return text


def _refuse(name: str, number: int, what: str) -> NoReturn:
    raise TableError(f"The {name}, line {number}: {what}. Mend that line.")
