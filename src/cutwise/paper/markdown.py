"""Tables as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutwise.scheme.visible import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cutwise.paper.table import Table

_ESCAPES = {ord(char): f"\\{char}" for char in "\\`*_[]|~$#!"} | {
    ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;",
}  # fmt: skip


def markdown(table: Table) -> str:
    """Return a table as Markdown, with its title and its notes.

    Examples
    --------
    >>> from cutwise.paper.table import Column, Table
    >>> print(markdown(Table("t", "Title", (Column("data set", style="text"), Column("ours")), (("iris", 94.0),))))
    ## Title
    <BLANKLINE>
    | data set | ours |
    |:---|---:|
    | iris | 94.00 |
    <BLANKLINE>
    """
    heads = [escaped(column.full_name) for column in table.columns]
    marks = [":---" if column.style == "text" else "---:" for column in table.columns]
    lines = [f"## {escaped(table.title)}", "", _row(heads), f"|{'|'.join(marks)}|"]
    for place, texts in enumerate(table.texts()):
        cells = [escaped(text) for text in texts]
        lines.append(_row([f"**{cell}**" if (place, k) in table.bold else cell for k, cell in enumerate(cells)]))
    notes = [line for note in table.notes for line in ("", escaped(note))]
    return "\n".join([*lines, *notes, ""])


def escaped(text: str) -> str:
    """Return a text that Markdown shows as it is."""
    return shown(text).translate(_ESCAPES)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
