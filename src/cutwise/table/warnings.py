"""Whole numbers that doubles cannot hold."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.categories import category_text
from cutwise.errors import ColumnWarning, UnseenWarning

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from numpy.typing import NDArray


# All whole numbers up to this one are doubles.
LARGEST_EXACT = 1 << 53


def tell_rounding(name: str, numbers: NDArray[np.number]) -> None:
    """Warn if whole numbers change when they become doubles, so that neighbours fall together."""
    if numbers.dtype.kind not in "iu" or numbers.dtype.itemsize < 8 or not numbers.size:
        return
    if max(int(numbers.max()), -int(numbers.min())) <= LARGEST_EXACT:
        return
    sizes = np.where(numbers < 0, -numbers, numbers).astype(np.uint64) if numbers.dtype.kind == "i" else numbers
    n_lost = np.maximum(np.frexp(sizes.astype(np.float64))[1] - 53, 0).astype(np.uint64)
    is_rounded = sizes & ((np.uint64(1) << n_lost) - np.uint64(1)) != 0
    if is_rounded.any():
        _warn(name, int(numbers[int(np.argmax(is_rounded))]))


def tell_rounding_of_items(name: str, items: Sequence[Any], doubles: NDArray[np.float64]) -> None:
    """Warn if Python's whole numbers, or Decimals, change when they become doubles."""
    for row in np.flatnonzero(np.abs(doubles) >= LARGEST_EXACT).tolist():
        item = items[row]
        is_exact_kind = isinstance(item, Integral) or type(item).__name__ == "Decimal"
        if is_exact_kind and np.isfinite(doubles[row]) and int(doubles[row]) != int(item):
            _warn(name, int(item))
            return


def _warn(name: str, number: int) -> None:
    message = (
        f"Column {name!r} holds whole numbers beyond 2**53, such as {number}, which is rounded to "
        f"{int(float(number))}, as its neighbours are. If they are names, turn the column into text; "
        "if they are measurements, subtract a common number first."
    )
    warnings.warn(message, ColumnWarning, stacklevel=2)


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
