"""Tables as one page of HTML: it needs no other file, no network and no script."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutwise.report.markup import Markup, joined, tag
from cutwise.report.page_files import page_style
from cutwise.report.text import shortened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cutwise.paper.table import Column, Table

_HEAD = Markup(
    '<meta charset="utf-8">\n'
    '<meta http-equiv="Content-Security-Policy" '
    "content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n"
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    '<meta name="referrer" content="no-referrer">\n'
)
_STYLE = Markup("""
main,header,footer{max-width:none}
th:first-child,td.text{text-align:left}
td.text{min-width:0;font-weight:400;white-space:nowrap}
tbody th:first-child,tfoot th:first-child{position:sticky;left:0;background:var(--cutwise-paper)}
tfoot tr:first-child>*{border-top:2px solid var(--cutwise-line)}
thead th.group{text-align:center}
th.first,td.first{border-left:1px solid var(--cutwise-line)}
tfoot{font-weight:600}
.note{max-width:72rem;margin:0 0 .5rem}
""")


def html_page(title: str, tables: Sequence[Table]) -> str:
    """Return tables as a page.

    Parameters
    ----------
    title : str
    tables : sequence of Table

    Returns
    -------
    str
        HTML that a browser shows without network and without scripts, whatever the names are.

    Examples
    --------
    >>> from cutwise.paper.table import Column, Table
    >>> page = html_page("Ours", [Table("t", "Title", (Column("data set"), Column("ours")), (("<b>", 94.0),))])
    >>> "&lt;b&gt;" in page, "<b>" in page
    (True, False)
    """
    head = tag("head", _HEAD, tag("title", shortened(title)), tag("style", page_style(), _STYLE))
    is_single = len(tables) == 1
    heading = tag("h1", shortened(title), id=_title_id(tables[0]) if is_single else None)
    header = tag("header", heading, "" if is_single else _contents(tables))
    sections = [_section(table, Markup("") if is_single else _heading(table)) for table in tables]
    body = tag("body", joined([header, tag("main", joined(sections, "\n"), id="main")], "\n"))
    return f"<!DOCTYPE html>\n{tag('html', head, body, lang='en')}\n"


def _contents(tables: Sequence[Table]) -> Markup:
    links = [tag("li", tag("a", table.title, href=f"#{table.name}")) for table in tables]
    return tag("nav", tag("ul", *links), aria_label="Tables")


def _title_id(table: Table) -> str:
    return f"{table.name}-title"


def _heading(table: Table) -> Markup:
    return tag("h2", table.title, id=_title_id(table))


def _section(table: Table, heading: Markup) -> Markup:
    notes = [tag("p", note, class_="note") for note in table.notes]
    label = "Table, may scroll sideways"
    frame = tag("div", _table(table), class_="scroll", role="region", aria_label=label, tabindex="0")
    return tag("section", heading, frame, *notes, id=table.name)


def _table(table: Table) -> Markup:
    texts, n_rows = table.texts(), len(table.rows)
    rows = [_row(table, place, cells) for place, cells in enumerate(texts)]
    parts = [_head(table), tag("tbody", joined(rows[:n_rows], "\n"))]
    if table.foot:
        parts.append(tag("tfoot", joined(rows[n_rows:], "\n")))
    return tag("table", *parts, aria_labelledby=_title_id(table))


def _head(table: Table) -> Markup:
    names = tag("tr", *(tag("th", c.name, scope="col", class_=_class(table, k)) for k, c in enumerate(table.columns)))
    if not any(column.group for column in table.columns):
        return tag("thead", names)
    groups = [
        tag("th", name, scope="colgroup", colspan=str(width), class_="group first" if name else "group")
        for name, width in table.groups()
    ]
    return tag("thead", tag("tr", *groups), names)


def _row(table: Table, place: int, texts: Sequence[str]) -> Markup:
    cells = [tag("b", text) if (place, k) in table.bold else text for k, text in enumerate(texts)]
    others = [tag("td", cell, class_=_class(table, k)) for k, cell in enumerate(cells[1:], 1)]
    return tag("tr", tag("th", cells[0], scope="row"), *others)


def _class(table: Table, place: int) -> str | None:
    """Return what a cell looks like: a text, or the first of a group."""
    column: Column = table.columns[place]
    if column.style == "text":
        return "text"
    is_first = bool(column.group) and column.group != table.columns[place - 1].group
    return "first" if is_first else None
