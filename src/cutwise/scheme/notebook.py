"""Small tables of HTML for notebooks; every text is escaped."""

from __future__ import annotations

import itertools
from html import escape
from typing import TYPE_CHECKING

from cutwise.scheme.attribute import NumericAttribute
from cutwise.scheme.rules import STOP_REASONS
from cutwise.scheme.text import (
    chance_of_lower_cut,
    counted,
    has_own_score,
    is_tested,
    loss_text,
    relevance_text,
    rows_text,
    shown,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cutwise.scheme.attribute import Attribute
    from cutwise.scheme.scheme import Scheme

MOST_BINS = 12
MOST_ATTRIBUTES = 100
MOST_LINES = 100
MOST_CHARACTERS = 200


def html_table(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]], n_left: int = 1) -> str:
    """Return a table whose first columns are aligned to the left, the others to the right.

    Examples
    --------
    >>> html_table("", ["a"], [["<b>"]])
    '<table>...<th style="text-align:left"><bdi>a</bdi></th>...<bdi>&lt;b&gt;</bdi>...</table>'
    """
    styles = ["text-align:left" if i < n_left else "text-align:right" for i in range(len(head))]
    top = _cells("th", head, styles)
    body = "".join(f"<tr>{_cells('td', row, styles)}</tr>" for row in rows)
    title = f'<caption style="text-align:left">{_visible(caption)}</caption>'
    return f"<table>{title}<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _cells(tag: str, texts: Sequence[str], styles: Sequence[str]) -> str:
    pairs = zip(texts, styles, strict=True)
    return "".join(f'<{tag} style="{style}"><bdi>{_visible(text)}</bdi></{tag}>' for text, style in pairs)


def _visible(text: str) -> str:
    short = text if len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - 1] + "…"
    return escape(shown(short))


def scheme_html(scheme: Scheme) -> str:
    """Return one line for each attribute: its bins, their rows, and how much they tell."""
    own = has_own_score(scheme)
    head = ["attribute", "bins", "stopped", "rows", "relevance", *([scheme.criterion] if own else [])]
    first = scheme.attributes[:MOST_ATTRIBUTES]
    rows = [_line(attribute, own=own) for attribute in first]
    more = len(scheme.attributes) - len(first)
    rows += [[f"… and {counted(more, 'more attribute')}", *[""] * (len(head) - 1)]] if more else []
    sizes = f"{counted(len(scheme.attributes), 'attribute')}, {counted(len(scheme.classes), 'class')}"
    return html_table(f"{scheme.method}: {sizes}", head, rows, n_left=3)


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
        head.append("p of lower cut")
        lines = [[*line, chance_of_lower_cut(attribute, code)] for code, line in enumerate(lines)]
    caption = f"{attribute.name} ({attribute.kind}): relevance {relevance_text(attribute)}{loss_text(attribute)}"
    return html_table(caption, head, lines, n_left=2)


def _rows_and_share(rows: float, total: float) -> list[str]:
    return [rows_text(rows), f"{rows / total:.1%}" if total > 0 else "-"]


def _line(attribute: Attribute, *, own: bool) -> list[str]:
    bins = " | ".join(itertools.islice(attribute.labels, MOST_BINS)) + (" | …" if attribute.n_bins > MOST_BINS else "")
    edited = isinstance(attribute, NumericAttribute) and attribute.edited
    stopped = "edited by hand" if edited else STOP_REASONS[attribute.stop]
    numbers = [
        rows_text(sum(attribute.rows)),
        f"{attribute.relevance:.4f}" if attribute.is_counted else "unknown",
        *([f"{attribute.score:.4f}"] if own else []),
    ]
    return [attribute.name, bins, stopped, *numbers]
