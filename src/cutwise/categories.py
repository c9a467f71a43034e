"""Categories: which values are the same one, whatever reader they come from.

A file holds strings. One reader hands on " Bonn", another "Bonn"; one makes True of the string
"TRUE", another leaves it; a column of whole numbers with gaps comes as 53113.0. What is the same
in the file is the same category here.
"""

from __future__ import annotations

import re
from decimal import Decimal
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

BLANKS = "".join(char for char in map(chr, range(0x3001)) if char.isspace())
"""What may stand around a string."""
NO_VALUE = ("", "NA", "NaN", "nan", "?", "null")
"""Strings that stand for no value, in files and elsewhere."""

_BOOLEANS = {"true": "True", "TRUE": "True", "false": "False", "FALSE": "False"}
_DIGITS = {"True": "1", "False": "0"}
# Without zeros in front: a postcode may have them on purpose.
_WHOLE = re.compile(r"0|-?[1-9][0-9]*", re.ASCII)


def category_text(value: Any) -> str:
    """Return the text of a category: values with the same text are the same category.

    Blanks around a string do not count. A boolean is the string "True" or "False", however these are
    written in capitals; a whole number is its digits, with or without ".0".

    Examples
    --------
    >>> category_text(" Bonn"), category_text("bonn"), category_text("01067")
    ('Bonn', 'bonn', '01067')
    >>> category_text(True), category_text("TRUE"), category_text(53113.0), category_text("53113.0")
    ('True', 'True', '53113', '53113')
    """
    if isinstance(value, bytes):
        value = value.decode("utf-8", "backslashreplace")
    if isinstance(value, str):
        text = value.strip()
        whole = text.removesuffix(".0")
        return whole if _WHOLE.fullmatch(whole) else _BOOLEANS.get(text, text)
    if isinstance(value, Real | Decimal) and not isinstance(value, Integral):
        number = float(value)
        return str(int(number)) if number.is_integer() else repr(number)
    return str(value)


def spellings(category: Any) -> tuple[str, ...]:
    """Return the strings, without blanks around them, that are a category.

    Examples
    --------
    >>> spellings("Bonn"), spellings(True), spellings("53113")
    (('Bonn',), ('True', 'true', 'TRUE'), ('53113', '53113.0'))
    """
    text = category_text(category)
    if _WHOLE.fullmatch(text):
        return text, f"{text}.0"
    return text, *(spelling for spelling, word in _BOOLEANS.items() if word == text)


def category_codes(categories: Iterable[Any]) -> dict[str, int]:
    """Return the code of each category's text; where all are booleans, 1 and 0 are among them.

    Examples
    --------
    >>> category_codes([False, True])
    {'False': 0, 'True': 1, '0': 0, '1': 1}
    """
    codes = {category_text(category): code for code, category in enumerate(categories)}
    digits = {_DIGITS[text]: code for text, code in codes.items() if text in _DIGITS}
    return codes | digits if len(digits) == len(codes) else codes


def spelled_codes(categories: Iterable[Any]) -> dict[str, int]:
    """Return the code of each string that is a category, for programs that compare strings as they are.

    Examples
    --------
    >>> spelled_codes(["Bonn", "7"])
    {'Bonn': 0, '7': 1, '7.0': 1}
    """
    return {spelling: code for text, code in category_codes(categories).items() for spelling in spellings(text)}
