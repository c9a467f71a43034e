"""A scorecard as an Excel workbook: the points of all bins, the columns left out, and how well the score does."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from openpyxl import Workbook
from openpyxl.chart import BarChart, LineChart, Reference, ScatterChart, Series

from cutwise.report.workbook import put, sheet_names, write_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from openpyxl.worksheet.worksheet import Worksheet

HEAD_ROW = 3
SHEETS = ("Scorecard", "Points", "Columns")
MOST_POINTS = 2_000


def card_workbook(model: Any, performance: Mapping[str, Any]) -> bytes:
    """Return the workbook of a scorecard and of what ``evaluate`` returned, by the name of the rows."""
    book = Workbook()
    _fill_facts(book.active, model, performance)
    names, lines = model._point_names(), model._point_lines()  # noqa: SLF001
    points = book.create_sheet("Points")
    write_table(points, 1, names, lines)
    _fill_columns(book.create_sheet("Columns"), model)
    for name, found in performance.items():
        _fill_performance(book.create_sheet(sheet_names([f"Bands {name}"], SHEETS)[0]), found)
        _fill_roc(book.create_sheet(sheet_names([f"ROC {name}"], SHEETS)[0]), found)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def _fill_facts(sheet: Worksheet, model: Any, performance: Mapping[str, Any]) -> None:
    sheet.title = "Scorecard"
    put(sheet, 1, 1, f"Scorecard of {model.event_}", bold=True)
    facts: list[tuple[str, Any]] = [
        ("event", str(model.event_)),
        ("points that double the odds", model.pdo),
        ("base score", model.base_score),
        ("base odds (others for each event)", model.base_odds),
        ("largest rounding error of a score", model.rounding_error_),
        ("columns used", len(model.columns_)),
        ("intercept", model.intercept_),
    ]
    for name, found in performance.items():
        facts += [(f"rows, {name}", found.n_rows), (f"events, {name}", found.n_events)]
        for word in ("auc", "gini", "ks"):
            one = getattr(found, word)
            title = {"auc": "AUC", "gini": "Gini", "ks": "KS"}[word]
            facts += [(f"{title}, {name}", one.value), (f"{title}, {name}: low", one.low)]
            facts += [(f"{title}, {name}: high", one.high)]
    for row, (name, value) in enumerate(facts, start=HEAD_ROW):
        put(sheet, row, 1, name)
        put(sheet, row, 2, value)
    sheet.column_dimensions["A"].width = 44
    sheet.column_dimensions["B"].width = 16


def _fill_columns(sheet: Worksheet, model: Any) -> None:
    names = model.scheme_.names
    dropped = model.dropped_
    coefficients = [None] * len(names) if model.coefficients_ is None else model.coefficients_.tolist()
    values, shares = model.information_values_.tolist(), model.feature_importances_.tolist()
    lines = [
        [name, value, None if name in dropped else coefficient, share, dropped.get(name, "used")]
        for name, value, coefficient, share in zip(names, values, coefficients, shares, strict=True)
    ]
    write_table(sheet, 1, ["column", "iv", "coefficient", "share", "why not used"], lines)


def _fill_performance(sheet: Worksheet, found: Any) -> None:
    put(sheet, 1, 1, "Bands of scores: expected and seen rates", bold=True)
    names = list(found.bands)
    lines = [list(line) for line in zip(*found.bands.values(), strict=True)]
    write_table(sheet, HEAD_ROW, names, lines)
    last = HEAD_ROW + len(lines)
    bars = BarChart()
    bars.title, bars.height, bars.width = "Rate of events by band of scores", 9, 18
    bars.add_data(_column(sheet, names, "rate", last), titles_from_data=True)
    bars.set_categories(Reference(sheet, min_col=1, min_row=HEAD_ROW + 1, max_row=last))
    bars.y_axis.numFmt, bars.x_axis.title = "0%", "score from"
    line = LineChart()
    line.add_data(_column(sheet, names, "expected_rate", last), titles_from_data=True)
    bars += line
    bars.x_axis.delete = bars.y_axis.delete = False
    bars.legend.position = "b"
    sheet.add_chart(bars, f"A{last + 3}")


def _fill_roc(sheet: Worksheet, found: Any) -> None:
    put(sheet, 1, 1, "Rows up to each score", bold=True)
    names = list(found.roc)
    lines = [list(line) for line in zip(*found.roc.values(), strict=True)]
    step = max(len(lines) // MOST_POINTS, 1)
    kept = [*lines[: len(lines) - 1 : step], lines[-1]]
    write_table(sheet, HEAD_ROW, names, kept)
    last = HEAD_ROW + len(kept)
    chart = ScatterChart(scatterStyle="lineMarker")
    chart.title, chart.height, chart.width, chart.legend = "ROC curve", 10, 12, None
    events, others = (_column(sheet, names, name, last, head=False) for name in ("share_of_events", "share_of_others"))
    series = Series(events, others)
    series.marker.symbol = "none"
    chart.series.append(series)
    chart.x_axis.title, chart.y_axis.title = "share of others", "share of events"
    chart.x_axis.delete = chart.y_axis.delete = False
    sheet.add_chart(chart, f"{chr(ord('A') + len(names) + 1)}3")


def _column(sheet: Worksheet, names: Sequence[str], name: str, last: int, *, head: bool = True) -> Reference:
    place = names.index(name) + 1
    return Reference(sheet, min_col=place, min_row=HEAD_ROW if head else HEAD_ROW + 1, max_row=last)
