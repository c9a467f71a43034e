"""Tables as LaTeX, for the packages booktabs and graphicx."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutwise.paper.table import MISSING
from cutwise.scheme.visible import shown

if TYPE_CHECKING:
    from cutwise.paper.table import Table

# A row that began with [ or * would be taken for an option of the line break before it.
_ESCAPES = str.maketrans(
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


def latex(table: Table) -> str:
    r"""Return a table as LaTeX, scaled to the width of the text.

    Examples
    --------
    >>> from cutwise.paper.table import Column, Table
    >>> text = latex(Table("t", "Title", (Column("data set", style="text"), Column("ours")), (("a_b", 94.0),)))
    >>> text.splitlines()[8]
    'a\\_b & 94.00 \\\\'
    """
    letters = "".join("l" if column.style == "text" else "r" for column in table.columns)
    texts = [
        " & ".join(_bold(escaped(text), (place, k) in table.bold) for k, text in enumerate(row)) + r" \\"
        for place, row in enumerate(table.texts())
    ]
    foot = [r"\midrule", *texts[len(table.rows) :]] if table.foot else []
    notes = [rf"\par\smallskip\footnotesize {escaped(note)}" for note in table.notes]
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{escaped(table.title)}}}",
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


def escaped(text: str) -> str:
    """Return a text that LaTeX prints as it is."""
    return shown(text).translate(_ESCAPES)


def _heads(table: Table) -> list[str]:
    names = " & ".join(escaped(column.name) for column in table.columns) + r" \\"
    if not any(column.group for column in table.columns):
        return [names]
    spans = [rf"\multicolumn{{{width}}}{{c}}{{{escaped(group)}}}" for group, width in table.groups()]
    return [" & ".join(spans) + r" \\", names]


def _bold(text: str, is_bold: bool) -> str:  # noqa: FBT001
    return rf"\textbf{{{text}}}" if is_bold else text
