"""Tables as CSV: numbers with all their digits, texts that no spreadsheet takes for a formula."""

from __future__ import annotations

import csv
import io
import math
from typing import TYPE_CHECKING

from cutwise.paper.table import Column, Spread, Table, Value
from cutwise.scheme.visible import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

FORMULA_STARTS = ("=", "+", "-", "@")


def csv_text(table: Table) -> str:
    r"""Return the rows and the foot of a table as CSV; a spread is a column of its own.

    Missing cells are empty. A text that begins like a formula gets an apostrophe before it.

    Examples
    --------
    >>> from cutwise.paper.table import Column, Table
    >>> csv_text(Table("t", "Title", (Column("data set"), Column("ours")), (("=1+1", -0.5),)))
    "data set,ours\n'=1+1,-0.5\n"
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([safe(name) for column in table.columns for name in _names(column)])
    for row in (*table.rows, *table.foot):
        pairs = zip(row, table.columns, strict=True)
        writer.writerow([text for value, column in pairs for text in _cells(value, column)])
    return stream.getvalue()


def safe(text: str) -> str:
    """Return a text that a spreadsheet shows as it is."""
    visible = shown(text)
    return f"'{visible}" if visible.startswith(FORMULA_STARTS) else visible


def _names(column: Column) -> Iterator[str]:
    yield column.full_name
    if column.has_std:
        yield f"{column.full_name} std"


def _cells(value: Value, column: Column) -> Iterator[str]:
    yield _text(value.mean if isinstance(value, Spread) else value)
    if column.has_std:
        yield _text(value.std) if isinstance(value, Spread) else ""


def _text(value: str | float | None) -> str:
    if isinstance(value, str):
        return safe(value)
    return "" if value is None or math.isnan(value) else repr(value)
