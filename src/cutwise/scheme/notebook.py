"""A scheme as HTML for notebooks: one line for each attribute, and the bins of each."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from cutwise.criteria.score import weight_of_evidence
from cutwise.scheme.figures import bin_figures, counted_bins, event_pairs, gini, kolmogorov_smirnov, trend_of
from cutwise.scheme.rules import STOP_REASONS
from cutwise.scheme.text import (
    MAX_CLASSES,
    chance_of_lower_cut,
    counted,
    has_own_score,
    head_of_chances,
    html_table,
    is_tested,
    loss_text,
    relevance_text,
    rows_text,
    shares_text,
    visible,
)

if TYPE_CHECKING:
    from cutwise.scheme.attribute import Attribute
    from cutwise.scheme.scheme import Scheme

MOST_BINS = 12
MOST_ATTRIBUTES = 100
# Attributes whose bins can be unfolded below the overview.
MOST_DETAILS = 30
MOST_LINES = 100


def scheme_html(scheme: Scheme) -> str:
    """Return one line for each attribute: its bins, their rows, and how much they tell; then the bins of each."""
    own = has_own_score(scheme)
    head = ["attribute", "bins", "stopped", "rows", "relevance", *([scheme.criterion] if own else [])]
    head += [] if scheme.event is None else ["IV", "Gini", "KS", "trend"]
    first = scheme.attributes[:MOST_ATTRIBUTES]
    rows = [[*_line(attribute, own=own), *_event_cells(attribute, scheme)] for attribute in first]
    more = len(scheme.attributes) - len(first)
    rows += [[f"… and {counted(more, 'more attribute')}", *[""] * (len(head) - 1)]] if more else []
    sizes = f"{counted(len(scheme.attributes), 'attribute')}, {counted(len(scheme.classes), 'class')}"
    sizes += "" if scheme.event is None else f", event {scheme.event}"
    overview = html_table(f"{scheme.method}: {sizes}", head, rows, n_left=3)
    return overview + "".join(_bins_html(attribute, scheme) for attribute in scheme.attributes[:MOST_DETAILS])


def _event_cells(attribute: Attribute, scheme: Scheme) -> list[str]:
    """Return information value, Gini, KS and trend of an attribute, if there is an event."""
    place = scheme.event_place
    if place is None:
        return []
    if not attribute.is_counted:
        return ["unknown"] * 4
    pairs = event_pairs(counted_bins(attribute), place)
    numbers = [weight_of_evidence(pairs).information_value, gini(pairs), kolmogorov_smirnov(pairs)]
    return [*("-" if number is None else f"{number:.3f}" for number in numbers), trend_of(attribute, place) or ""]


def _bins_html(attribute: Attribute, scheme: Scheme) -> str:
    """Return the bins of an attribute, to be unfolded: rows, the rate of each class, and weights of evidence."""
    counts = counted_bins(attribute)
    total = sum(map(sum, counts))
    shown_classes = scheme.classes[:MAX_CLASSES] if len(scheme.classes) > 1 else ()
    head = ["code", "bin", "rows", "share", *map(str, shown_classes), *([] if scheme.event is None else ["WoE"])]
    codes = [*map(str, range(attribute.n_bins)), ""]
    lines = [
        [code, label, *_rows_and_share(sum(row), total), *shares_text(row, sum(row), len(shown_classes)), *weight]
        for code, label, row, weight in zip(
            codes, (*attribute.labels, "missing"), counts, _weight_cells(attribute, scheme), strict=True
        )
    ]
    kept = lines if any(attribute.missing_by_class) else lines[:-1]
    more = len(kept) - MOST_LINES
    table = html_table("", head, kept[:MOST_LINES], n_left=2)
    rest = f"<p>… and {counted(more, 'more bin')}</p>" if more > 0 else ""
    return f"<details><summary><bdi>{visible(attribute.name)}</bdi></summary>{table}{rest}</details>"


def _weight_cells(attribute: Attribute, scheme: Scheme) -> list[list[str]]:
    """Return the weight of evidence of each bin, if there is an event."""
    counts = counted_bins(attribute)
    if scheme.event_place is None:
        return [[] for _ in counts]
    figures = bin_figures(event_pairs(counts, scheme.event_place))
    return [["-" if found.woe is None else f"{found.woe:+.3f}"] for found in figures]


def attribute_html(attribute: Attribute) -> str:
    """Return one line for each bin: its code, its rows and their share."""
    rows = [*attribute.rows]
    labels = [*enumerate(attribute.labels)][:MOST_LINES]
    total = sum(rows) + sum(attribute.missing_by_class)
    lines = [[str(code), label, *_rows_and_share(rows[code], total)] for code, label in labels]
    more = len(rows) - len(lines)
    lines += [["", f"… and {counted(more, 'more bin')}", "", ""]] if more else []
    if any(attribute.missing_by_class):
        lines.append(["", "missing", *_rows_and_share(sum(attribute.missing_by_class), total)])
    head = ["code", "bin", "rows", "share"]
    if is_tested(attribute):
        head.append(head_of_chances(attribute))
        lines = [[*line, chance_of_lower_cut(attribute, code)] for code, line in enumerate(lines)]
    caption = f"{attribute.name} ({attribute.kind}): relevance {relevance_text(attribute)}{loss_text(attribute)}"
    return html_table(caption, head, lines, n_left=2)


def _rows_and_share(rows: float, total: float) -> list[str]:
    return [rows_text(rows), f"{rows / total:.1%}" if total > 0 else "-"]


def _line(attribute: Attribute, *, own: bool) -> list[str]:
    bins = " | ".join(itertools.islice(attribute.labels, MOST_BINS)) + (" | …" if attribute.n_bins > MOST_BINS else "")
    stopped = "edited by hand" if attribute.edited else STOP_REASONS[attribute.stop]
    numbers = [
        rows_text(sum(attribute.rows)),
        f"{attribute.relevance:.4f}" if attribute.is_counted else "unknown",
        *([f"{attribute.score:.4f}"] if own else []),
    ]
    return [attribute.name, bins, stopped, *numbers]
