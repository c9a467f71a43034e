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


@dataclass(frozen=True)
class ArffAttribute:
    """A column: its name and its categories, none for numbers and free texts.

    Parameters
    ----------
    name : str
    is_numeric : bool
    categories : frozenset of str
    """

    name: str
    is_numeric: bool
    categories: frozenset[str]


@dataclass(frozen=True)
class ArffTable:
    """What an ARFF file holds.

    Parameters
    ----------
    attributes : list of Attribute
    rows : list of list
        A text for each attribute; None where a value is missing.
    """

    attributes: list[ArffAttribute]
    rows: list[list[str | None]]


def parse_arff(content: bytes, encoding: str = "utf-8") -> ArffTable:
    """Return what an ARFF file holds, as texts."""
    try:
        text = content.decode("utf-8-sig" if encoding == "utf-8" else encoding)
    except UnicodeDecodeError as error:
        raise TableError(f"The ARFF file is not {encoding.upper()} (byte {error.start}).") from None
    lines = ((number, line.strip()) for number, line in enumerate(text.split("\n"), start=1))
    useful = ((number, line) for number, line in lines if line and not line.startswith("%"))
    attributes = _read_header(useful)
    rows: list[list[str | None]] = []
    for number, line in useful:
        rows.append(_read_row(line, attributes, number))
        if len(rows) * len(attributes) > MAX_CELLS:
            _refuse(number, f"there are more than {MAX_CELLS:,} values")
    return ArffTable(attributes, rows)


def read_arff(content: bytes, settings: ReadSettings, name: str) -> Any:
    """Return the frame that an ARFF file holds."""
    found = parse_arff(content, known_codec(settings.encoding))
    texts = {attribute.name for attribute in found.attributes if not attribute.is_numeric} | settings.texts
    table = TextTable(tuple(attribute.name for attribute in found.attributes), lambda: found.rows)
    return make_table(table, name, texts=texts)


def _read_header(lines: Iterable[tuple[int, str]]) -> list[ArffAttribute]:
    attributes: list[ArffAttribute] = []
    names: set[str] = set()
    for number, line in lines:
        keyword = line.split(None, 1)[0].lower()
        if keyword == "@data":
            if not attributes:
                _refuse(number, "no attribute comes before @data")
            return attributes
        if keyword == "@attribute":
            attribute = _read_attribute(line, number)
            if attribute.name in names or len(names) == MAX_COLUMNS:
                _refuse(
                    number, f"the name {attribute.name!r} is taken" if attribute.name in names else "too many columns"
                )
            names.add(attribute.name)
            attributes.append(attribute)
        elif keyword != "@relation" or attributes:
            _refuse(number, f"{line[:80]!r} is out of place")
    raise TableError("The ARFF file has no @data line; it may have been cut off.")


def _read_attribute(line: str, number: int) -> ArffAttribute:
    found = _ARFF_ATTRIBUTE.fullmatch(line) if len(line) <= MAX_LINE else None
    if found is None:
        _refuse(number, f"{line[:80]!r} is no attribute")
    name = _unquoted(found.group(1), found.group(2), found.group(3))
    kind = found.group(4).strip()
    if kind.lower() in _NUMERIC:
        return ArffAttribute(name, is_numeric=True, categories=frozenset())
    if kind.lower() == "string":
        return ArffAttribute(name, is_numeric=False, categories=frozenset())
    if not (kind.startswith("{") and kind.endswith("}")):
        _refuse(number, f"the type {kind[:80]!r} of {name!r} is not numeric, string or a list in braces")
    categories = [value for value, _ in _values(kind[1:-1], number)]
    return ArffAttribute(name, is_numeric=False, categories=frozenset(categories))


def _read_row(line: str, attributes: list[ArffAttribute], number: int) -> list[str | None]:
    if line.startswith("{"):
        _refuse(number, "sparse rows are not read")
    values = _values(line, number)
    if len(values) != len(attributes):
        _refuse(number, f"{len(values)} values for {len(attributes)} attributes")
    return [
        None if text == "?" and not quoted else _checked(text, attribute, number)
        for (text, quoted), attribute in zip(values, attributes, strict=True)
    ]


def _checked(text: str, attribute: ArffAttribute, number: int) -> str:
    if attribute.is_numeric and read_number(text) is None:
        _refuse(number, f"{text[:80]!r} of {attribute.name!r} is no number")
    if attribute.categories and text not in attribute.categories:
        _refuse(number, f"{text[:80]!r} is no category of {attribute.name!r}")
    return text


def _values(line: str, number: int) -> list[tuple[str, bool]]:
    """Return the values of a line, and whether each was in quotes."""
    if len(line) > MAX_LINE or "\0" in line:
        _refuse(number, "the line is too long" if len(line) > MAX_LINE else "it holds a NUL character")
    values: list[tuple[str, bool]] = []
    place = 0
    while True:
        found = _VALUE.match(line, place)
        if found is None or len(values) == MAX_COLUMNS:
            _refuse(number, f"{line[place : place + 80]!r} is no list of values")
        plain = found.group(3)
        values.append((_unquoted(found.group(1), found.group(2), plain), plain is None))
        if not found.group(4):
            return values
        place = found.end()


def _unquoted(single: str | None, double: str | None, plain: str | None) -> str:
    if plain is not None:
        return plain.strip()
    return _ESCAPED.sub(r"\1", single if single is not None else double or "")


def _refuse(number: int, what: str) -> NoReturn:
    raise TableError(f"The ARFF file, line {number}: {what}.")


KEEL_MISSING = {"<null>", "?"}
_KEEL_ATTRIBUTE = re.compile(r"@attribute\s+([^\s{\[]+)\s*(real|integer|\{)(.*)", re.IGNORECASE)
_RANGE = re.compile(r"\s*(?:\[[^\[\]]*\])?\s*", re.ASCII)

KeelAttributes = dict[str, frozenset[str] | None]
"""The categories of each attribute by its name; None for one of numbers."""


def read_keel(content: bytes, settings: ReadSettings, name: str) -> Any:
    """Return the frame that a KEEL file holds."""
    lines = partial(_useful_lines, content, settings.encoding, name)
    reader = _KeelReader(name)
    attributes = reader.header(lines())
    table = TextTable(tuple(attributes), lambda: reader.rows(lines, attributes))
    texts = {column for column, categories in attributes.items() if categories is not None} | settings.texts
    return make_table(table, name, texts=texts)


def _useful_lines(content: bytes, encoding: str, name: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text_lines(content, encoding, name), start=1):
        plain = line.strip()
        if plain and not plain.startswith("%"):
            yield number, plain


class _KeelReader:
    """Reads the two halves of a file; `name` is for messages."""

    def __init__(self, name: str) -> None:
        self._name = name

    def header(self, lines: Iterator[tuple[int, str]]) -> KeelAttributes:
        """Return the attributes."""
        attributes: KeelAttributes = {}
        for number, line in lines:
            keyword, _, rest = line.replace("\t", " ").partition(" ")
            keyword = keyword.lower()
            if keyword == "@data":
                return attributes
            if keyword == "@attribute":
                self._add_attribute(attributes, line, number)
            elif keyword in {"@inputs", "@input", "@outputs", "@output"}:
                self._check_names(rest, attributes, number)
            elif keyword != "@relation":
                self._refuse(number, f"{line[:80]!r} is out of place")
        raise TableError(f"The {self._name} has no @data line. It may have been cut off.")

    def rows(
        self, lines: Callable[[], Iterator[tuple[int, str]]], attributes: KeelAttributes
    ) -> Iterator[list[str | None]]:
        """Yield the rows after @data."""
        found = lines()
        next(line for line in found if line[1].split(None, 1)[0].lower() == "@data")
        for number, line in found:
            values = [value.strip() for value in line.split(",")]
            if len(values) != len(attributes):
                self._refuse(number, f"{len(values)} values for {len(attributes)} attributes")
            yield [
                None if value in KEEL_MISSING else self._checked(value, column, categories, number)
                for value, (column, categories) in zip(values, attributes.items(), strict=True)
            ]

    def _add_attribute(self, attributes: KeelAttributes, line: str, number: int) -> None:
        found = _KEEL_ATTRIBUTE.fullmatch(line)
        if found is None:
            self._refuse(number, f"{line[:80]!r} is no attribute with a type: real, integer or a list in braces")
        column, kind, rest = found.groups()
        if column in attributes:
            self._refuse(number, f"the name {column!r} is taken")
        if kind == "{":
            if not rest.endswith("}"):
                self._refuse(number, f"the list of categories of {column!r} has no end")
            attributes[column] = frozenset(text.strip() for text in rest[:-1].split(","))
        elif _RANGE.fullmatch(rest):
            attributes[column] = None
        else:
            self._refuse(number, f"{rest[:80]!r} is no range such as [0.0, 1.0]")

    def _check_names(self, text: str, attributes: KeelAttributes, number: int) -> None:
        for column in (part.strip() for part in text.split(",")):
            if column and column not in attributes:
                self._refuse(number, f"there is no attribute {column[:80]!r}")

    def _checked(self, value: str, column: str, categories: frozenset[str] | None, number: int) -> str:
        if categories is None:
            if read_number(value) is None:
                self._refuse(number, f"{value[:80]!r} of {column!r} is no number")
        elif value not in categories:
            self._refuse(number, f"{value[:80]!r} is no category of {column!r}")
        return value

    def _refuse(self, number: int, what: str) -> NoReturn:
        raise TableError(f"The {self._name}, line {number}: {what}. Mend that line.")
