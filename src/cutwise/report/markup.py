"""Elements of HTML and SVG: whatever is not markup already is escaped."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from cutwise.scheme.visible import shown

if TYPE_CHECKING:
    from collections.abc import Sequence


class Markup(str):
    """A text that is markup, made by `tag` or written in this package."""

    __slots__ = ()


def tag(element: str, *children: str, **attributes: str | float | None) -> Markup:
    """Return an element.

    Parameters
    ----------
    element : str
        Its name.
    *children : str
        What it holds; texts that are not Markup are escaped.
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
    """Return texts and elements as one piece of markup."""
    return Markup(between.join(child if isinstance(child, Markup) else _escaped(child) for child in children))


def _escaped(text: str) -> str:
    return html.escape(shown(text), quote=True)


def _value(value: str | float) -> str:
    if isinstance(value, str):
        return _escaped(value)
    return f"{value:.2f}".rstrip("0").rstrip(".") or "0"
