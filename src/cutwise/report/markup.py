"""Elements of HTML and SVG: whatever is not markup already is escaped."""

from __future__ import annotations

import html
import re
import unicodedata
from typing import TYPE_CHECKING, TypeGuard

from cutwise.scheme.attribute import number_text
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


_LONG_NUMBER = re.compile(r"(?<![\d.,])\d{5,}(?!\d)")
_THOUSANDS = re.compile(r"(?<![\d.,])\d{4,}(?!\d)")


def grouped(text: str) -> str:
    """Return numbers, or an interval of them, with separators of thousands if one has five digits or more.

    Years stay as they are. An interval that has separators is written with a semicolon between its ends.

    Examples
    --------
    >>> grouped("21250.125"), grouped("(9000, 21250]"), grouped("(2, 2019]")
    ('21,250.125', '(9,000; 21,250]', '(2, 2019]')
    """
    if not _LONG_NUMBER.search(text):
        return text
    return _THOUSANDS.sub(lambda digits: f"{int(digits[0]):,}", text).replace(", ", "; ")


def number_words(number: float) -> str:
    """Return a number in its shortest exact form, with separators of thousands from five digits on."""
    return grouped(number_text(number))


def data_text(text: object, limit: int = 120) -> Markup:
    """Return a string from the data, whose direction does not touch what is around it."""
    return tag("bdi", shortened(text, limit))


def table(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]], style: str) -> Markup:
    """Return a table in a frame that scrolls.

    Parameters
    ----------
    caption : str
    head : sequence of str or Markup
        The heads of the columns; a Markup one that is a whole ``<th>`` stands as it is.
    rows : sequence of sequence of str or Markup
        The cells; the first of each row is its head. A Markup cell that is a whole
        ``<td>`` stands as it is.
    style : str
        The class of the table.
    """
    heads = tag("tr", *(cell if _is_whole(cell, "<th") else tag("th", cell, scope="col") for cell in head))
    body = [tag("tr", tag("th", row[0], scope="row"), *map(_cell, row[1:])) for row in rows]
    inner = tag("table", tag("caption", caption), tag("thead", heads), tag("tbody", joined(body, "\n")), class_=style)
    label = "Table, may scroll sideways"
    return tag("div", inner, class_="scroll", role="region", aria_label=label, tabindex="0")


def share_cell(text: str, share: float, colour: str, key: str | None = None, style: str | None = None) -> Markup:
    """Return a cell with a bar of that share behind its text; the script finds it by its key."""
    # A share that is not known, or beyond its bounds by rounding, has no bar of its own.
    share = min(max(share, 0.0), 1.0)
    names = f"bar part-{round(100 * share)} tint-{colour}"
    return tag("td", text, class_=names if style is None else f"{names} {style}", data_key=key)


def _cell(cell: str) -> Markup:
    return cell if _is_whole(cell, "<td") else tag("td", cell)


def _is_whole(cell: str, start: str) -> TypeGuard[Markup]:
    return isinstance(cell, Markup) and cell.startswith(start)


def left_head(text: str) -> Markup:
    """Return the head of a column whose cells stand on the left."""
    return tag("th", text, scope="col", class_="left")
