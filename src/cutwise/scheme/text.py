"""A scheme as text, and small tables of HTML in which everything is escaped."""

from __future__ import annotations

import math
import unicodedata
from html import escape
from typing import TYPE_CHECKING

from cutwise.scheme.attribute import NumericAttribute
from cutwise.scheme.rules import STOP_REASONS

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from cutwise.scheme.attribute import Attribute
    from cutwise.scheme.scheme import Scheme

# Zl and Zp are line breaks, Cc control characters, Cs halves of a character.
_INVISIBLE = {"Cc", "Cs", "Zl", "Zp"}
# They change the direction of the text around them.
_DIRECTIONS = {*"\u061c\u200e\u200f", *map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A))}


def shown(text: object) -> str:
    r"""Return a string with control characters made visible.

    Such characters steer a terminal, are not allowed in XML, or change the order of what is
    around them.

    Examples
    --------
    >>> shown("one\x00two")
    'one⟨U+0000⟩two'
    """
    return "".join(f"⟨U+{ord(char):04X}⟩" if _is_hidden(char) else char for char in str(text))


def _is_hidden(char: str) -> bool:
    return char in _DIRECTIONS or unicodedata.category(char) in _INVISIBLE or (ord(char) & 0xFFFE) == 0xFFFE


def counted(number: float, noun: str) -> str:
    """Return a number and its noun, such as "1 bin" or "1,200 rows"."""
    plural = noun if number == 1 else noun + ("es" if noun.endswith("s") else "s")
    return f"{rows_text(number)} {plural}"


def rows_text(rows: float) -> str:
    """Return a number of rows, or a sum of weights, with separators of thousands."""
    if math.isnan(rows):
        return "unknown"
    return f"{rows:,.0f}" if rows == round(rows) else f"{rows:,.6g}"


MAX_CLASSES = 6


def scheme_text(scheme: Scheme) -> str:
    """Return one block of lines for each attribute."""
    cuts = sum(len(attribute.cuts) for attribute in scheme.attributes if isinstance(attribute, NumericAttribute))
    sizes = ((len(scheme.attributes), "attribute"), (cuts, "cut"), (len(scheme.classes), "class"))
    head = f"{shown(scheme.method)}: {', '.join(counted(number, noun) for number, noun in sizes)}"
    head += "" if scheme.event is None else f", event {shown(scheme.event)}"
    if "n_d_chosen_by" in scheme.parameters:
        head += shown(f"; n_d = {scheme.parameters.get('n_d')} has the least {scheme.parameters['n_d_chosen_by']}")
    return "\n\n".join([head, *(attribute_text(attribute, scheme) for attribute in scheme.attributes)])


def attribute_text(attribute: Attribute, scheme: Scheme) -> str:
    """Return the bins of one attribute: label, rows, share of each class."""
    classes = scheme.classes
    first = classes[:MAX_CLASSES]
    hidden = ["…"] if len(classes) > MAX_CLASSES else []
    header = ["code", "bin", "rows", *map(shown, first), *hidden]
    lines = [
        [str(code), shown(label), _plain(rows), *shares_text(counts, rows, len(first)), *hidden]
        for code, (label, rows, counts) in enumerate(
            zip(attribute.labels, attribute.rows, attribute.class_counts, strict=True)
        )
    ]
    if any(attribute.missing_by_class):
        rows = sum(attribute.missing_by_class)
        lines.append(["", "missing", _plain(rows), *shares_text(attribute.missing_by_class, rows, len(first)), *hidden])
    if is_tested(attribute):
        header.insert(3, "p")
        for code, line in enumerate(lines):
            line.insert(3, chance_of_lower_cut(attribute, code))
    scores = [f"relevance {relevance_text(attribute)}{loss_text(attribute)}"]
    if has_divergence(scheme):
        scores.append(f"divergence {attribute.divergence:.4f}")
    if has_own_score(scheme):
        scores.append(f"{shown(scheme.criterion)} {attribute.score:.4f}")
    kind = f"{attribute.kind}, edited by hand" if attribute.edited else attribute.kind
    title = f"{shown(attribute.name)} ({kind})  {', '.join(scores)}\nstopped: {STOP_REASONS[attribute.stop]}"
    return "\n".join([title, *aligned([header, *lines], {1})])


def relevance_text(attribute: Attribute) -> str:
    """Return the relevance of an attribute, if its counts are known."""
    return f"{attribute.relevance:.4f} bits" if attribute.is_counted else "unknown (see Scheme.recount)"


def is_tested(attribute: Attribute) -> bool:
    """Return whether it is known how sure the bins of an attribute are."""
    return len(attribute.p_values) > 0


def chance_text(p_value: float) -> str:
    """Return a p-value for people; the smallest ones are not told apart."""
    return "<1e-15" if p_value <= 1e-15 else f"{p_value:.2g}"


def chance_of_lower_cut(attribute: Attribute, code: int) -> str:
    """Return the p-value of what parts a bin from the one before, nothing where there is none."""
    return chance_text(attribute.p_values[code - 1]) if 1 <= code <= len(attribute.p_values) else ""


def head_of_chances(attribute: Attribute) -> str:
    """Return what the p-values of an attribute are of, for the head of a table of its bins."""
    return "p of lower cut" if isinstance(attribute, NumericAttribute) else "p of the parting"


def loss_text(attribute: Attribute) -> str:
    """Return how much of the relevance new rows are expected not to show, where that is known."""
    losses = getattr(attribute, "expected_losses", ())
    return f" (about {sum(losses):.4f} less on new rows)" if losses else ""


def has_divergence(scheme: Scheme) -> bool:
    """Return whether the method of a scheme looks at the divergence."""
    return scheme.criterion == "Psi"


def has_own_score(scheme: Scheme) -> bool:
    """Return whether the score of a scheme's attributes is something else than their relevance."""
    return scheme.criterion != "relevance"


def _plain(rows: float) -> str:
    return rows_text(rows).replace(",", "")


def shares_text(counts: tuple[float, ...], rows: float, n_shown: int) -> list[str]:
    """Return the share of each of the first classes among the rows of a bin."""
    return [f"{count / rows:.1%}" if rows > 0 else "-" for count in counts[:n_shown]]


def aligned(lines: Sequence[Sequence[str]], left: Collection[int]) -> list[str]:
    """Return lines with some columns to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    cells = (
        [cell.ljust(w) if i in left else cell.rjust(w) for i, (cell, w) in enumerate(zip(line, widths, strict=True))]
        for line in lines
    )
    return ["  " + "  ".join(line).rstrip() for line in cells]


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
    title = f'<caption style="text-align:left">{visible(caption)}</caption>'
    return f"<table>{title}<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _cells(tag: str, texts: Sequence[str], styles: Sequence[str]) -> str:
    pairs = zip(texts, styles, strict=True)
    return "".join(f'<{tag} style="{style}"><bdi>{visible(text)}</bdi></{tag}>' for text, style in pairs)


def visible(text: str) -> str:
    """Return text for HTML, shortened and escaped."""
    short = text if len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - 1] + "…"
    return escape(shown(short))
