"""KEEL's .dat files: a header of @ lines, then rows without quotes; errors name the line."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

from cutwise.errors import TableError
from cutwise.table.reading.columns import TextTable, make_table
from cutwise.table.reading.number import read_number
from cutwise.table.reading.text_lines import text_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cutwise.table.reading.settings import ReadSettings

MISSING = {"<null>", "?"}
_ATTRIBUTE = re.compile(r"@attribute\s+([^\s{\[]+)\s*(real|integer|\{)(.*)", re.IGNORECASE)
_RANGE = re.compile(r"\s*(?:\[[^\[\]]*\])?\s*", re.ASCII)

Attributes = dict[str, frozenset[str] | None]
"""The categories of each attribute by its name; None for one of numbers."""


def read_keel(content: bytes, settings: ReadSettings, name: str) -> Any:
    """Return the frame that a KEEL file holds."""
    lines = partial(_useful_lines, content, settings.encoding, name)
    reader = _Reader(name)
    attributes = reader.header(lines())
    table = TextTable(tuple(attributes), lambda: reader.rows(lines, attributes))
    texts = {column for column, categories in attributes.items() if categories is not None} | settings.texts
    return make_table(table, name, texts=texts)


def _useful_lines(content: bytes, encoding: str, name: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text_lines(content, encoding, name), start=1):
        plain = line.strip()
        if plain and not plain.startswith("%"):
            yield number, plain


class _Reader:
    """Reads the two halves of a file; `name` is for messages."""

    def __init__(self, name: str) -> None:
        self._name = name

    def header(self, lines: Iterator[tuple[int, str]]) -> Attributes:
        """Return the attributes."""
        attributes: Attributes = {}
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
        message = f"The {self._name} has no @data line. It may have been cut off."
        raise TableError(message)

    def rows(
        self, lines: Callable[[], Iterator[tuple[int, str]]], attributes: Attributes
    ) -> Iterator[list[str | None]]:
        """Yield the rows after @data."""
        found = lines()
        next(line for line in found if line[1].split(None, 1)[0].lower() == "@data")
        for number, line in found:
            values = [value.strip() for value in line.split(",")]
            if len(values) != len(attributes):
                self._refuse(number, f"{len(values)} values for {len(attributes)} attributes")
            yield [
                None if value in MISSING else self._checked(value, column, categories, number)
                for value, (column, categories) in zip(values, attributes.items(), strict=True)
            ]

    def _add_attribute(self, attributes: Attributes, line: str, number: int) -> None:
        found = _ATTRIBUTE.fullmatch(line)
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

    def _check_names(self, text: str, attributes: Attributes, number: int) -> None:
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
        message = f"The {self._name}, line {number}: {what}. Mend that line."
        raise TableError(message)
