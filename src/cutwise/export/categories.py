"""The categories of a nominal attribute, as texts or as numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutwise.categories import NO_VALUE, spelled_codes
from cutwise.errors import ExportError

if TYPE_CHECKING:
    from cutwise.scheme import NominalAttribute

LARGEST_WHOLE_DOUBLE = 2**53


def holds_texts(attribute: NominalAttribute) -> bool:
    """Tell whether the categories are texts; otherwise they are numbers or booleans."""
    return not attribute.categories or any(isinstance(category, str) for category in attribute.categories)


def holds_numbers(attribute: NominalAttribute) -> bool:
    """Tell whether the categories are numbers, which are compared as such; all others are compared as texts."""
    return bool(attribute.categories) and not any(isinstance(item, str | bool) for item in attribute.categories)


def text_codes(attribute: NominalAttribute, missing: str) -> dict[str, int]:
    """Return the code of each text that is a category or, where missing values have a bin, stands for no value.

    Half characters are in no column of texts.
    """
    codes = dict.fromkeys(NO_VALUE, attribute.n_bins) if missing == "bin" else {}
    codes |= spelled_codes(attribute.categories)
    return {text: code for text, code in codes.items() if not has_half_character(text)}


def has_half_character(text: str) -> bool:
    """Tell whether a text holds half of a character, which no column and no name of a database can."""
    return any(0xD800 <= ord(char) < 0xE000 for char in text)


def number_codes(attribute: NominalAttribute) -> dict[float, int]:
    """Return the code of each category as a double, booleans as 0 and 1."""
    codes = {}
    for code, category in enumerate(attribute.categories):
        if isinstance(category, int) and abs(category) > LARGEST_WHOLE_DOUBLE:
            message = (
                f"Attribute {attribute.name!r}: the category {category} is beyond 2**53, where doubles cannot tell "
                "whole numbers apart. Turn the column into text."
            )
            raise ExportError(message)
        codes[float(category)] = code
    return codes
