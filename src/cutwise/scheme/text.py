"""A scheme as a table for people."""

from __future__ import annotations

import math
import unicodedata
from typing import TYPE_CHECKING, TypeGuard

from cutwise.scheme.attribute import NumericAttribute
from cutwise.scheme.rules import STOP_REASONS

if TYPE_CHECKING:
    from cutwise.scheme.attribute import Attribute
    from cutwise.scheme.scheme import Scheme


# Zl and Zp are line breaks, Cc control characters, Cs halves of a character.
_INVISIBLE = {"Cc", "Cs", "Zl", "Zp"}
# They change the direction of the text around them.
_DIRECTIONS = {*"\u061c\u200e\u200f", *map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A))}


def shown(text: object) -> str:
    r"""Return a text with control characters made visible.

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
    """Return a number of rows, or a sum of weights, for people."""
    if math.isnan(rows):
        return "unknown"
    return f"{rows:,.0f}" if rows == round(rows) else f"{rows:,.6g}"


MAX_CLASSES = 6


def scheme_text(scheme: Scheme) -> str:
    """Return one block of lines for each attribute."""
    cuts = sum(len(attribute.cuts) for attribute in scheme.attributes if isinstance(attribute, NumericAttribute))
    sizes = ((len(scheme.attributes), "attribute"), (cuts, "cut"), (len(scheme.classes), "class"))
    head = f"{shown(scheme.method)}: {', '.join(counted(number, noun) for number, noun in sizes)}"
    return "\n\n".join([head, *(attribute_text(attribute, scheme) for attribute in scheme.attributes)])


def attribute_text(attribute: Attribute, scheme: Scheme) -> str:
    """Return the bins of one attribute: label, rows, share of each class."""
    classes = scheme.classes
    first = classes[:MAX_CLASSES]
    hidden = ["…"] if len(classes) > MAX_CLASSES else []
    header = ["code", "bin", "rows", *map(shown, first), *hidden]
    lines = [
        [str(code), shown(label), _plain(rows), *_shares(counts, rows, len(first)), *hidden]
        for code, (label, rows, counts) in enumerate(
            zip(attribute.labels, attribute.rows, attribute.class_counts, strict=True)
        )
    ]
    if any(attribute.missing_by_class):
        rows = sum(attribute.missing_by_class)
        lines.append(["", "missing", _plain(rows), *_shares(attribute.missing_by_class, rows, len(first)), *hidden])
    if is_tested(attribute):
        header.insert(3, "p")
        for code, line in enumerate(lines):
            line.insert(3, chance_of_lower_cut(attribute, code))
    scores = [f"relevance {relevance_text(attribute)}{loss_text(attribute)}"]
    if has_divergence(scheme):
        scores.append(f"divergence {attribute.divergence:.4f}")
    if has_own_score(scheme):
        scores.append(f"{shown(scheme.criterion)} {attribute.score:.4f}")
    kind = f"{attribute.kind}, edited by hand" if getattr(attribute, "edited", False) else attribute.kind
    title = f"{shown(attribute.name)} ({kind})  {', '.join(scores)}\nstopped: {STOP_REASONS[attribute.stop]}"
    return "\n".join([title, *_aligned([header, *lines])])


def relevance_text(attribute: Attribute) -> str:
    """Return the relevance of an attribute, if its counts are known."""
    return f"{attribute.relevance:.4f} bits" if attribute.is_counted else "unknown (see Scheme.recount)"


def is_tested(attribute: Attribute) -> TypeGuard[NumericAttribute]:
    """Return whether it is known how sure the cuts of an attribute are."""
    return isinstance(attribute, NumericAttribute) and len(attribute.p_values) > 0


def chance_text(p_value: float) -> str:
    """Return a p-value for people; the smallest ones are not told apart."""
    return "<1e-15" if p_value <= 1e-15 else f"{p_value:.2g}"


def chance_of_lower_cut(attribute: NumericAttribute, code: int) -> str:
    """Return the p-value of the cut below a bin, nothing where there is none."""
    return chance_text(attribute.p_values[code - 1]) if 1 <= code <= len(attribute.cuts) else ""


def loss_text(attribute: Attribute) -> str:
    """Return how much of the relevance new rows are expected not to show, where that is known."""
    return f" (about {sum(attribute.expected_losses):.4f} less on new rows)" if is_tested(attribute) else ""


def has_divergence(scheme: Scheme) -> bool:
    """Return whether the method of a scheme looks at the divergence."""
    return scheme.criterion == "Psi"


def has_own_score(scheme: Scheme) -> bool:
    """Return whether the score of a scheme's attributes is something else than their relevance."""
    return scheme.criterion != "relevance"


def _plain(rows: float) -> str:
    return rows_text(rows).replace(",", "")


def _shares(counts: tuple[float, ...], rows: float, n_shown: int) -> list[str]:
    return [f"{count / rows:.1%}" if rows > 0 else "-" for count in counts[:n_shown]]


def _aligned(lines: list[list[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    cells = (
        [cell.ljust(w) if i == 1 else cell.rjust(w) for i, (cell, w) in enumerate(zip(line, widths, strict=True))]
        for line in lines
    )
    return ["  " + "  ".join(line).rstrip() for line in cells]
