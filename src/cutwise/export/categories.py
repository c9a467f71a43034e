"""The categories of a nominal attribute, as columns of one type can hold them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutwise.errors import ExportError

if TYPE_CHECKING:
    from cutwise.scheme import NominalAttribute

LARGEST_WHOLE_DOUBLE = 2**53


def holds_texts(attribute: NominalAttribute) -> bool:
    """Tell whether the column holds texts; otherwise it holds numbers or booleans."""
    return not attribute.categories or any(isinstance(category, str) for category in attribute.categories)


def text_codes(attribute: NominalAttribute) -> dict[str, int]:
    """Return the code of each category that is a text; half characters are in no column of texts."""
    codes = {category: code for code, category in enumerate(attribute.categories) if isinstance(category, str)}
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
