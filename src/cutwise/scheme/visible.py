"""Texts for people."""

from __future__ import annotations

import math
import unicodedata

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
