"""Tables of HTML that a screen reader can follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutwise.report.markup import Markup, joined, tag
from cutwise.report.text import shortened

if TYPE_CHECKING:
    from collections.abc import Sequence


def data_text(text: object, limit: int = 120) -> Markup:
    """Return a text from the data, whose direction does not touch what is around it."""
    return tag("bdi", shortened(text, limit))


def table(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]], style: str) -> Markup:
    """Return a table in a frame that scrolls.

    Parameters
    ----------
    caption : str
    head : sequence of str or Markup
        The heads of the columns.
    rows : sequence of sequence of str or Markup
        The cells; the first of each row is its head. A Markup cell that is a whole
        ``<td>`` stands as it is.
    style : str
        The class of the table.
    """
    heads = tag("tr", *(tag("th", cell, scope="col") for cell in head))
    body = [tag("tr", tag("th", row[0], scope="row"), *map(_cell, row[1:])) for row in rows]
    inner = tag("table", tag("caption", caption), tag("thead", heads), tag("tbody", joined(body, "\n")), class_=style)
    label = "Table, may scroll sideways"
    return tag("div", inner, class_="scroll", role="region", aria_label=label, tabindex="0")


def share_cell(text: str, share: float, colour: str, key: str | None = None) -> Markup:
    """Return a cell with a bar of that share behind its text; the script finds it by its key."""
    return tag("td", text, class_=f"bar part-{round(100 * share)} tint-{colour}", data_key=key)


def _cell(cell: str) -> Markup:
    return cell if isinstance(cell, Markup) and cell.startswith("<td") else tag("td", cell)
