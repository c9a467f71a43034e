"""A scheme as an Excel workbook: a summary, and a sheet with the bins and a chart for each attribute."""

from __future__ import annotations

import io
import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from openpyxl import Workbook
from openpyxl.chart import BarChart, LineChart, Reference
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter

from cutwise.criteria.score import SMOOTHING
from cutwise.errors import SchemeError
from cutwise.files import write_whole
from cutwise.scheme.bin_table import SUMMARY_COLUMNS, bin_lines, summary_lines
from cutwise.scheme.figures import OTHERS
from cutwise.scheme.text import counted, shown

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from openpyxl.worksheet.worksheet import Worksheet

    from cutwise.scheme import Attribute, Scheme

# Excel opens more sheets slowly; the bins of all attributes are on one sheet anyway.
MOST_SHEETS = 200
MOST_BARS = 60
LONGEST_TEXT = 32_000
LONGEST_NAME = 31
_FORBIDDEN = re.compile(r"[\[\]:*?/\\']")
_SHARES = (
    *("share", "rate", "cumulative_events", "cumulative_others", "expected_rate", "rate_low", "rate_high"),
    *("share_of_events", "share_of_others", "share_of_rows"),
)
_WHOLE = ("rows", "events", "code", "bins", "missing", "points", "score", "low", "high")
# A sheet of an attribute leaves out what its name says.
_FIRST = ("attribute", "kind")
_TEXTS = (*_FIRST, "bin", "event", "woe_sign", "column", "why not used", "inside")
HEAD_ROW = 4


def write_workbook(scheme: Scheme, path: str | os.PathLike[str], smoothing: float, positive: str) -> Path:
    """Write the workbook of a scheme, as a whole or not at all; see `Scheme.to_excel`."""
    place = Path(path)
    if place.suffix.lower() != ".xlsx":
        raise SchemeError(f"A workbook has a name that ends in .xlsx, not {place.name!r}. Rename the file.")
    return write_whole(place, workbook_bytes(scheme, smoothing, positive))


def workbook_bytes(scheme: Scheme, smoothing: float = SMOOTHING, positive: str = OTHERS) -> bytes:
    """Return the workbook as the content of an .xlsx file."""
    book = Workbook()
    names, lines = bin_lines(scheme, smoothing, positive)
    sheets = sheet_names([attribute.name for attribute in scheme.attributes[:MOST_SHEETS]])
    _fill_summary(book.active, scheme, smoothing, sheets)
    write_table(book.create_sheet("Bins"), 1, names, lines)
    for attribute, sheet in zip(scheme.attributes, sheets, strict=False):
        own = [line[len(_FIRST) :] for line in lines if line[0] == attribute.name]
        _fill_attribute(book.create_sheet(sheet), attribute, scheme, names[len(_FIRST) :], own)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def sheet_names(names: Sequence[str], others: Sequence[str] = ("Summary", "Bins")) -> list[str]:
    """Return a different name for each sheet, as Excel allows it: short, without some characters.

    Parameters
    ----------
    names : sequence of str
        The names that are wished for.
    others : sequence of str
        Those of other sheets.

    Examples
    --------
    >>> sheet_names(["a/b", "a:b", "Summary"])
    ['a b', 'a b 2', 'Summary 2']
    """
    taken = {"history", *map(str.lower, others)}
    found = []
    for name in names:
        base = _FORBIDDEN.sub(" ", shown(name)).strip()[:LONGEST_NAME].strip() or "attribute"
        chosen, number = base, 2
        while chosen.lower() in taken:
            chosen = f"{base[: LONGEST_NAME - len(str(number)) - 1]} {number}"
            number += 1
        taken.add(chosen.lower())
        found.append(chosen)
    return found


def _fill_summary(sheet: Worksheet, scheme: Scheme, smoothing: float, sheets: Sequence[str]) -> None:
    sheet.title = "Summary"
    put(sheet, 1, 1, _title(scheme), bold=True)
    lines = sorted(summary_lines(scheme, smoothing), key=lambda line: -_or_zero(line[SUMMARY_COLUMNS.index("iv")]))
    write_table(sheet, 3, SUMMARY_COLUMNS, lines)
    places = {attribute.name: name for attribute, name in zip(scheme.attributes, sheets, strict=False)}
    for row, line in enumerate(lines, start=4):
        if line[0] in places:
            cell = sheet.cell(row, 1)
            cell.hyperlink = f"#'{places[line[0]]}'!A1"
            cell.font = Font(color="0563C1", underline="single")


def _or_zero(number: float | None) -> float:
    return 0.0 if number is None else number


def _title(scheme: Scheme) -> str:
    event = "" if scheme.event is None else f", event {scheme.event}"
    return f"{scheme.method}: {counted(len(scheme.attributes), 'attribute')}{event}"


def _fill_attribute(
    sheet: Worksheet, attribute: Attribute, scheme: Scheme, names: Sequence[str], lines: Sequence[Sequence[Any]]
) -> None:
    put(sheet, 1, 1, attribute.name, bold=True)
    event = "" if scheme.event is None else f"; event {scheme.event}"
    put(sheet, 2, 1, f"{attribute.kind}, {counted(attribute.n_bins, 'bin')}{event}")
    write_table(sheet, HEAD_ROW, names, lines)
    if attribute.is_counted and lines:
        _add_chart(sheet, attribute, scheme, names, min(len(lines), MOST_BARS))


def _add_chart(sheet: Worksheet, attribute: Attribute, scheme: Scheme, names: Sequence[str], n_bins: int) -> None:
    """Add bars for the share of the rows and a line for the rate of the event."""
    last = HEAD_ROW + n_bins
    labels = Reference(sheet, min_col=names.index("bin") + 1, min_row=HEAD_ROW + 1, max_row=last)
    bars = BarChart()
    bars.title, bars.height, bars.width = shown(attribute.name)[:100], 9, 18
    column = names.index("share") + 1
    bars.add_data(Reference(sheet, min_col=column, min_row=HEAD_ROW, max_row=last), titles_from_data=True)
    bars.set_categories(labels)
    bars.y_axis.title, bars.y_axis.numFmt, bars.y_axis.majorGridlines = "share of rows", "0%", None
    bars.x_axis.delete = bars.y_axis.delete = False
    bars.legend.position = "b"
    if scheme.event is not None:
        line = LineChart()
        column = names.index("rate") + 1
        line.add_data(Reference(sheet, min_col=column, min_row=HEAD_ROW, max_row=last), titles_from_data=True)
        line.y_axis.axId, line.y_axis.crosses, line.y_axis.delete = 200, "max", False
        line.y_axis.title, line.y_axis.numFmt = f"rate of {shown(scheme.event)[:60]}", "0%"
        bars += line
    sheet.add_chart(bars, f"A{sheet.max_row + 3}")


def write_table(sheet: Worksheet, top: int, names: Sequence[str], lines: Sequence[Sequence[Any]]) -> None:
    """Write a table whose head is in the row `top`."""
    for column, name in enumerate(names, start=1):
        head = put(sheet, top, column, name, bold=True)
        head.fill = PatternFill("solid", fgColor="E7ECF2")
        head.alignment = Alignment(horizontal="left" if name in _TEXTS else "right")
        texts = [name, *(str(line[column - 1]) for line in lines[:200] if isinstance(line[column - 1], str))]
        sheet.column_dimensions[get_column_letter(column)].width = min(max(map(len, texts)) + 3, 40)
    for row, line in enumerate(lines, start=top + 1):
        for column, (name, value) in enumerate(zip(names, line, strict=True), start=1):
            put(sheet, row, column, value).number_format = _format(name)
    sheet.freeze_panes = sheet.cell(top + 1, 2)


def _format(name: str) -> str:
    if name in _SHARES:
        return "0.0%"
    return "#,##0.######" if name in _WHOLE or name.startswith("rows of ") else "0.0000"


def put(sheet: Worksheet, row: int, column: int, value: Any, *, bold: bool = False) -> Any:
    """Write a cell; a text stays a text, whatever it begins with, and ends of intervals that are infinite are words."""
    cell = sheet.cell(row, column)
    if isinstance(value, float) and not math.isfinite(value):
        value = None if math.isnan(value) else ("inf" if value > 0 else "-inf")
    if isinstance(value, str):
        cell.value = shown(value)[:LONGEST_TEXT]
        cell.data_type = "s"
        cell.quotePrefix = True
    else:
        cell.value = value
    if bold:
        cell.font = Font(bold=True)
    return cell
