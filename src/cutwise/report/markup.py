"""Elements of HTML and SVG: whatever is not markup already is escaped."""

from __future__ import annotations

import html
import unicodedata
from typing import TYPE_CHECKING

from cutwise.scheme.text import shown

if TYPE_CHECKING:
    from collections.abc import Sequence


class Markup(str):
    """A string that is markup, made by `tag` or written in this package."""

    __slots__ = ()


def tag(element: str, *children: str, **attributes: str | float | None) -> Markup:
    """Return an element.

    Parameters
    ----------
    element : str
        Its name.
    *children : str
        What it holds; strings that are not Markup are escaped.
    **attributes : str, number or None
        ``class_`` stands for class, ``text_anchor`` for text-anchor; None leaves one out.

    Examples
    --------
    >>> tag("td", "a < b", class_="name")
    '<td class="name">a &lt; b</td>'
    """
    pairs = [
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    ]
    return Markup(f"<{element}{''.join(pairs)}>{joined(children)}</{element}>")


def joined(children: Sequence[str], between: str = "") -> Markup:
    """Return strings and elements as one piece of markup."""
    return Markup(between.join(child if isinstance(child, Markup) else _escaped(child) for child in children))


def _escaped(text: str) -> str:
    return html.escape(shown(text), quote=True)


def _value(value: str | float) -> str:
    if isinstance(value, str):
        return _escaped(value)
    return f"{value:.2f}".rstrip("0").rstrip(".") or "0"


def shortened(text: object, limit: int = 120) -> str:
    """Return a visible string of at most so many characters, the middle left out.

    Examples
    --------
    >>> shortened("mean radius of the largest cells", 16)
    'mean rad…t cells'
    """
    # A long string is cut before it is made visible, so that the work has a bound.
    raw = str(text)
    plain = shown(raw if len(raw) <= 2 * limit else raw[:limit] + raw[-limit:])
    if len(plain) <= limit:
        return plain
    tail = (limit - 1) // 2
    return f"{plain[: limit - 1 - tail]}…{plain[-tail:]}"


def text_width(text: str, size: float) -> float:
    """Return about how wide a string is in a common sans-serif font."""
    ems = (1.0 if unicodedata.east_asian_width(char) in "WF" else 0.58 for char in text)
    return size * sum(ems)


def percent(part: float, whole: float) -> str:
    """Return a share with one decimal, or a dash if there is nothing to share."""
    return f"{part / whole:.1%}" if whole else "-"


def round_percent(share: float) -> str:
    """Return a share without decimals, which never claims all or nothing wrongly.

    Examples
    --------
    >>> round_percent(0.999), round_percent(1.0), round_percent(0.001)
    ('>99%', '100%', '<1%')
    """
    if 0.995 <= share < 1:
        return ">99%"
    if 0 < share < 0.005:
        return "<1%"
    return f"{share:.0%}"


def data_text(text: object, limit: int = 120) -> Markup:
    """Return a string from the data, whose direction does not touch what is around it."""
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
