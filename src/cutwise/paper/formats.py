"""Tables as CSV: numbers with all their digits, strings that no spreadsheet takes for a formula."""

from __future__ import annotations

import csv
import io
import math
from typing import TYPE_CHECKING

from cutwise.paper.table import MISSING, MeanAndDeviation, ResultColumn, ResultTable, Value
from cutwise.report.html import page_style
from cutwise.report.markup import Markup, joined, shortened, tag
from cutwise.scheme.text import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


FORMULA_STARTS = ("=", "+", "-", "@")


def csv_text(table: ResultTable) -> str:
    r"""Return the rows and the foot of a table as CSV; a spread is a column of its own.

    Missing cells are empty. A string that begins like a formula gets an apostrophe before it.

    Examples
    --------
    >>> from cutwise.paper.table import ResultColumn, ResultTable
    >>> csv_text(ResultTable("t", "Title", (ResultColumn("data set"), ResultColumn("ours")), (("=1+1", -0.5),)))
    "data set,ours\n'=1+1,-0.5\n"
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([safe(name) for column in table.columns for name in _names(column)])
    for row in (*table.rows, *table.foot):
        pairs = zip(row, table.columns, strict=True)
        writer.writerow([text for value, column in pairs for text in _cells(value, column)])
    return stream.getvalue()


def safe(text: str) -> str:
    """Return a string that a spreadsheet shows as it is."""
    visible = shown(text)
    return f"'{visible}" if visible.startswith(FORMULA_STARTS) else visible


def _names(column: ResultColumn) -> Iterator[str]:
    yield column.full_name
    if column.has_std:
        yield f"{column.full_name} std"


def _cells(value: Value, column: ResultColumn) -> Iterator[str]:
    yield _text(value.mean if isinstance(value, MeanAndDeviation) else value)
    if column.has_std:
        yield _text(value.std) if isinstance(value, MeanAndDeviation) else ""


def _text(value: str | float | None) -> str:
    if isinstance(value, str):
        return safe(value)
    return "" if value is None or math.isnan(value) else repr(value)


# A row that began with [ or * would be taken for an option of the line break before it.
_LATEX_ESCAPES = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "&": r"\&",
        "#": r"\#",
        "%": r"\%",
        "_": r"\_",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        '"': r"\textquotedbl{}",
        "[": "{[}",
        "]": "{]}",
        "*": "{*}",
        "`": r"\textasciigrave{}",
        MISSING: "--",
        "±": r"$\pm$",
        "∞": r"$\infty$",
        "⟨": r"$\langle$",
        "⟩": r"$\rangle$",
    }
)


def latex(table: ResultTable) -> str:
    r"""Return a table as LaTeX, scaled to the width of the text.

    Examples
    --------
    >>> from cutwise.paper.table import ResultColumn, ResultTable
    >>> columns = ResultColumn("data set", style="text"), ResultColumn("ours")
    >>> text = latex(ResultTable("t", "Title", columns, (("a_b", 94.0),)))
    >>> text.splitlines()[8]
    'a\\_b & 94.00 \\\\'
    """
    letters = "".join("l" if column.style == "text" else "r" for column in table.columns)
    texts = [
        " & ".join(_bold(escaped_latex(text), (place, k) in table.bold) for k, text in enumerate(row)) + r" \\"
        for place, row in enumerate(table.texts())
    ]
    foot = [r"\midrule", *texts[len(table.rows) :]] if table.foot else []
    notes = [rf"\par\smallskip\footnotesize {escaped_latex(note)}" for note in table.notes]
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{escaped_latex(table.title)}}}",
            rf"\label{{tab:{table.name}}}",
            rf"\resizebox{{\linewidth}}{{!}}{{\begin{{tabular}}{{{letters}}}",
            r"\toprule",
            *_heads(table),
            r"\midrule",
            *texts[: len(table.rows)],
            *foot,
            r"\bottomrule",
            r"\end{tabular}}",
            *notes,
            r"\end{table}",
            "",
        ]
    )


def escaped_latex(text: str) -> str:
    """Return a string that LaTeX prints as it is."""
    return shown(text).translate(_LATEX_ESCAPES)


def _heads(table: ResultTable) -> list[str]:
    names = " & ".join(escaped_latex(column.name) for column in table.columns) + r" \\"
    if not any(column.group for column in table.columns):
        return [names]
    spans = [rf"\multicolumn{{{width}}}{{c}}{{{escaped_latex(group)}}}" for group, width in table.groups()]
    return [" & ".join(spans) + r" \\", names]


def _bold(text: str, is_bold: bool) -> str:  # noqa: FBT001
    return rf"\textbf{{{text}}}" if is_bold else text


_MARKDOWN_ESCAPES = {ord(char): f"\\{char}" for char in "\\`*_[]|~$#!"} | {
    ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;",
}  # fmt: skip


def markdown(table: ResultTable) -> str:
    """Return a table as Markdown, with its title and its notes.

    Examples
    --------
    >>> from cutwise.paper.table import ResultColumn, ResultTable
    >>> columns = ResultColumn("data set", style="text"), ResultColumn("ours")
    >>> print(markdown(ResultTable("t", "Title", columns, (("iris", 94.0),))))
    ## Title
    <BLANKLINE>
    | data set | ours |
    |:---|---:|
    | iris | 94.00 |
    <BLANKLINE>
    """
    heads = [escaped_markdown(column.full_name) for column in table.columns]
    marks = [":---" if column.style == "text" else "---:" for column in table.columns]
    lines = [f"## {escaped_markdown(table.title)}", "", _row(heads), f"|{'|'.join(marks)}|"]
    for place, texts in enumerate(table.texts()):
        cells = [escaped_markdown(text) for text in texts]
        lines.append(_row([f"**{cell}**" if (place, k) in table.bold else cell for k, cell in enumerate(cells)]))
    notes = [line for note in table.notes for line in ("", escaped_markdown(note))]
    return "\n".join([*lines, *notes, ""])


def escaped_markdown(text: str) -> str:
    """Return a string that Markdown shows as it is."""
    return shown(text).translate(_MARKDOWN_ESCAPES)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


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


def html_page(title: str, tables: Sequence[ResultTable]) -> str:
    """Return tables as a page.

    Returns
    -------
    str
        HTML that a browser shows without network and without scripts, whatever the names are.

    Examples
    --------
    >>> from cutwise.paper.table import ResultColumn, ResultTable
    >>> columns = ResultColumn("data set"), ResultColumn("ours")
    >>> page = html_page("Ours", [ResultTable("t", "Title", columns, (("<b>", 94.0),))])
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


def _contents(tables: Sequence[ResultTable]) -> Markup:
    links = [tag("li", tag("a", table.title, href=f"#{table.name}")) for table in tables]
    return tag("nav", tag("ul", *links), aria_label="Tables")


def _title_id(table: ResultTable) -> str:
    return f"{table.name}-title"


def _heading(table: ResultTable) -> Markup:
    return tag("h2", table.title, id=_title_id(table))


def _section(table: ResultTable, heading: Markup) -> Markup:
    notes = [tag("p", note, class_="note") for note in table.notes]
    label = "Table, may scroll sideways"
    frame = tag("div", _table(table), class_="scroll", role="region", aria_label=label, tabindex="0")
    return tag("section", heading, frame, *notes, id=table.name)


def _table(table: ResultTable) -> Markup:
    texts, n_rows = table.texts(), len(table.rows)
    rows = [_html_row(table, place, cells) for place, cells in enumerate(texts)]
    parts = [_head(table), tag("tbody", joined(rows[:n_rows], "\n"))]
    if table.foot:
        parts.append(tag("tfoot", joined(rows[n_rows:], "\n")))
    return tag("table", *parts, aria_labelledby=_title_id(table))


def _head(table: ResultTable) -> Markup:
    names = tag("tr", *(tag("th", c.name, scope="col", class_=_class(table, k)) for k, c in enumerate(table.columns)))
    if not any(column.group for column in table.columns):
        return tag("thead", names)
    groups = [
        tag("th", name, scope="colgroup", colspan=str(width), class_="group first" if name else "group")
        for name, width in table.groups()
    ]
    return tag("thead", tag("tr", *groups), names)


def _html_row(table: ResultTable, place: int, texts: Sequence[str]) -> Markup:
    cells = [tag("b", text) if (place, k) in table.bold else text for k, text in enumerate(texts)]
    others = [tag("td", cell, class_=_class(table, k)) for k, cell in enumerate(cells[1:], 1)]
    return tag("tr", tag("th", cells[0], scope="row"), *others)


def _class(table: ResultTable, place: int) -> str | None:
    """Return what a cell looks like: text, or the first of a group."""
    column: ResultColumn = table.columns[place]
    if column.style == "text":
        return "text"
    is_first = bool(column.group) and column.group != table.columns[place - 1].group
    return "first" if is_first else None
