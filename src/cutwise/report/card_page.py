"""A scorecard as one page of HTML: the points of every bin, and how well the score does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutwise.files import write_whole
from cutwise.report.card_picture import calibration_picture, roc_picture
from cutwise.report.html import document, words_section
from cutwise.report.markup import Markup, data_text, percent, share_cell, table, tag
from cutwise.report.section import fact_list
from cutwise.scheme.attribute import number_text
from cutwise.scheme.text import counted, rows_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

TITLE = "Scorecard"
# Bins after these are not shown, so that the page stays small.
MOST_BINS = 400
_WORDS = (
    ("Score", "The sum of the points of a row's bins. A high score speaks against the event."),
    ("Odds", "Other rows for each event."),
    ("WoE", "ln(share of the other rows / share of the events) of a bin, half a row added to each count."),
    ("IV", "Information value: the sum of (share of others - share of events) WoE over the bins of a column."),
    ("Neutral points", "Those of a bin without training rows and of categories that were never seen: WoE 0."),
    ("Bin (a, b]", "The values above a, up to b and b itself."),
)
_RANKS = (
    ("AUC", "How often an event has a lower score than another row, ties by half."),
    ("Gini", "2 AUC - 1."),
    ("KS", "The largest difference of the shares of events and of other rows up to a score."),
)


def card_report(model: Any, title: str = TITLE, performance: dict[str, Any] | None = None) -> str:
    """Return an HTML report of a scorecard: its points, the columns left out, and how well it does.

    Parameters
    ----------
    model : ScorecardClassifier
        Fitted.
    title : str, default="Scorecard"
        The heading of the page.
    performance : dict of str to Performance, optional
        What ``evaluate`` returned, by the name of the rows.

    Returns
    -------
    str
        HTML that loads nothing and runs nothing, whatever the names in the data are.

    Examples
    --------
    >>> from cutwise import ScorecardClassifier
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]] * 9, ["good", "good", "bad", "good"] * 9
    >>> page = card_report(ScorecardClassifier(event="bad").fit(X, y))
    >>> page.splitlines()[0]
    '<!DOCTYPE html>'
    """
    if not hasattr(model, "rounding_error_"):
        message = f"The report of points is for a fitted ScorecardClassifier, not for {type(model).__name__}."
        raise TypeError(message)
    found = performance or {}
    words = [*_WORDS, *(_RANKS if found else ())]
    lines = _lines(model)
    sections = [_overview(model, lines)]
    sections += [_performance(name, one, place) for place, (name, one) in enumerate(found.items(), 1)]
    sections += [words_section(words)]
    sections += [_column(model, name, lines[name], place) for place, name in enumerate(model.columns_, 1)]
    return document(title, _header(model, title), sections)


def write_card_report(
    path: str | PathLike[str], model: Any, *, title: str = TITLE, performance: dict[str, Any] | None = None
) -> None:
    """Write an HTML report of a scorecard.

    Parameters
    ----------
    path : str or path
        The file; an older one of that name is replaced.
    model, title, performance
        As in `card_report`.
    """
    write_whole(Path(path), card_report(model, title, performance).encode())


def _lines(model: Any) -> dict[str, list[list[Any]]]:
    """Return the lines of the points table by column, without the name."""
    found: dict[str, list[list[Any]]] = {name: [] for name in model.columns_}
    for name, *line in model._point_lines():  # noqa: SLF001
        found[name].append(line)
    return found


def _header(model: Any, title: str) -> Markup:
    counts = model.classifier_.card_.counts.of_class
    rows, event = float(counts.sum()), model.classifier_.card_.event
    facts = [
        counted(rows, "row"),
        f"{percent(float(counts[event]), rows)} events",
        f"{len(model.columns_)} of {counted(len(model.scheme_.attributes), 'column')} used",
    ]
    scale = (
        f"{model.base_score:g} points at odds of {model.base_odds:g} to 1; {model.pdo:g} points double the odds; "
        f"rounding moves a score by at most {model.rounding_error_:.2f}"
    )
    return tag(
        "header",
        tag("h1", data_text(title)),
        tag("p", "Scorecard: ", ", ".join(facts), class_="lead"),
        tag("p", "Event: ", data_text(model.event_, 60), ". A high score speaks against it.", class_="lead"),
        tag("p", scale, class_="lead"),
    )


def _overview(model: Any, lines: dict[str, list[list[Any]]]) -> Markup:
    """Return the columns that are used, and why the others are not."""
    importances = dict(zip(model.scheme_.names, model.feature_importances_.tolist(), strict=True))
    values = dict(zip(model.scheme_.names, model.information_values_.tolist(), strict=True))
    best = max(importances.values(), default=0.0) or 1.0
    rows = []
    for place, name in enumerate(model.columns_, 1):
        points = [line[-1] for line in lines[name]]
        coefficient = lines[name][0][-2]
        rows.append(
            [
                str(place),
                tag("td", tag("a", data_text(name), href=f"#column-{place}"), class_="text"),
                f"{values[name]:.3f}",
                "-" if coefficient is None else f"{coefficient:.3f}",
                f"{number_text(min(points))} to {number_text(max(points))}",
                share_cell(percent(importances[name], 1.0), importances[name] / best, "1"),
            ]
        )
    parts = [
        tag("h2", "Columns", id="overview"),
        table("Columns that are used", ["", "Column", "IV", "Coefficient", "Points", "Share"], rows, "overview"),
    ]
    dropped = model.dropped_
    if dropped:
        rows = [
            [str(place), tag("td", data_text(name), class_="text"), f"{values[name]:.3f}", tag("td", why, class_="why")]
            for place, (name, why) in enumerate(dropped.items(), 1)
        ]
        parts.append(table("Columns that are not used", ["", "Column", "IV", "Why"], rows, "overview dropped"))
    return tag("section", *parts)


def _column(model: Any, name: str, lines: Sequence[Sequence[Any]], place: int) -> Markup:
    """Return the points of a column's bins."""
    points = [line[-1] for line in lines]
    low, high = min(points), max(points)
    rows = []
    for code, (label, count, share, events, rate, woe, _, own) in enumerate(lines[:MOST_BINS]):
        bar = (own - low) / (high - low) if high > low else 0.0
        neutral = "" if count else " (neutral)"
        rows.append(
            [
                str(code),
                tag("td", data_text(label), class_="text interval"),
                rows_text(count),
                percent(share, 1.0),
                rows_text(events),
                "-" if rate is None else f"{rate:.1%}",
                f"{woe:+.3f}",
                share_cell(f"{number_text(own)}{neutral}", bar, "1"),
            ]
        )
    head = ["", "Bin", "Rows", "Share", "Events", "Rate", "WoE", "Points"]
    more = f"The first {MOST_BINS} of {len(lines):,} bins are shown."
    coefficient = lines[0][-2]
    facts = [("Coefficient", f"{coefficient:.4f}")] if coefficient is not None else []
    facts += [("Points", f"{number_text(low)} to {number_text(high)}")]
    return tag(
        "section",
        tag("h2", data_text(name), id=f"column-{place}"),
        fact_list(facts),
        table(f"Points of the bins; event {model.event_}", head, rows, "bins"),
        *([tag("p", more, class_="note")] if len(lines) > MOST_BINS else []),
        tag("p", tag("a", "Back to the columns", href="#overview"), class_="back"),
    )


def _performance(name: str, found: Any, section: int) -> Markup:
    """Return the figures of some rows, the ROC curve and whether as many events came as were expected."""
    facts = [
        ("Rows", rows_text(found.n_rows)),
        ("Events", f"{rows_text(found.n_events)} ({percent(found.n_events, found.n_rows)})"),
        ("AUC", _with_interval(found.auc)),
        ("Gini", _with_interval(found.gini)),
        ("KS", f"{_with_interval(found.ks)} at score {number_text(found.ks_score)}"),
        ("Expected rate", f"{found.expected_rate:.1%}"),
        ("Log loss", f"{found.log_loss:.4f}"),
    ]
    bands = found.bands
    rows = [
        [
            str(place),
            tag("td", f"{number_text(low)} to {number_text(high)}", class_="text interval"),
            rows_text(count),
            rows_text(events),
            f"{expected:.1%}",
            f"{rate:.1%}",
            f"{least:.1%} to {most:.1%}" + ("" if inside == "yes" else " *"),
        ]
        for place, (low, high, count, events, expected, rate, least, most, inside) in enumerate(
            zip(*bands.values(), strict=True), 1
        )
    ]
    caption = f"Bands of scores: expected and seen rates, with intervals of {found.level:.0%}"
    note = "* The expected rate is outside the interval." if "no" in bands["inside"] else ""
    return tag(
        "section",
        tag("h2", "Performance on ", data_text(name), id=f"performance-{section}"),
        fact_list(facts),
        tag("figure", roc_picture(found), class_="scroll", tabindex="0"),
        tag("figure", calibration_picture(found), class_="scroll", tabindex="0"),
        table(caption, ["", "Score", "Rows", "Events", "Expected", "Seen", "Interval"], rows, "bins"),
        *([tag("p", note, class_="note")] if note else []),
    )


def _with_interval(found: Any) -> str:
    return f"{found.value:.3f} ({found.low:.3f} to {found.high:.3f})"
