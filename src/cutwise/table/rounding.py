"""Whole numbers that doubles cannot hold."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.errors import ColumnWarning

if TYPE_CHECKING:
    from collections.abc import Sequence

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
