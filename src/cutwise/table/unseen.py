"""A word to the user where most values of a column are unknown."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from cutwise.categories import category_text
from cutwise.errors import UnseenWarning

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

# With fewer values chance alone may bring new categories.
FEWEST = 5


def warn_of_unseen(name: str, n_known: int, unseen: Mapping[Any, int], categories: Sequence[Any]) -> None:
    """Warn if more than half of a column's values are unseen, or numbers have lost their leading zeros.

    Where no category was known, there is nothing that the values could have been.

    Parameters
    ----------
    name : str
        The name of the column.
    n_known : int
        How many values there are, missing ones not counted.
    unseen : mapping
        How often each value occurs that is no category.
    categories : sequence
        Those of the training rows.
    """
    if not categories:
        return
    shortened = _without_zeros(unseen, categories)
    n_unseen = sum(unseen.values())
    if shortened is None and (n_known < FEWEST or 2 * n_unseen <= n_known):
        return
    came, known = shortened or (next(iter(unseen)), categories[0])
    message = (
        f"Column {name!r}: {n_unseen:,} of {n_known:,} values are categories that fit did not see, such as "
        f"{came!r}, where {known!r} was known. They tell nothing of the class. "
    )
    if shortened is not None:
        message += "Leading zeros may have been lost: read the column as text, as with dtype={...: str} in pandas."
    else:
        message += "Write the values as they were written in fit, or fit again."
    warnings.warn(message, UnseenWarning, stacklevel=2)


def _without_zeros(unseen: Collection[Any], categories: Sequence[Any]) -> tuple[Any, Any] | None:
    """Return a number that came and the category that it would be with zeros in front; None if there is none."""
    padded = {
        category.lstrip("0") or "0": category
        for category in categories
        if isinstance(category, str) and category.isdecimal() and category.startswith("0") and len(category) > 1
    }
    if not padded:
        return None
    numbers = (value for value in unseen if not isinstance(value, str | bytes))
    return next(((value, padded[text]) for value in numbers if (text := category_text(value)) in padded), None)
