"""The gaps that hold round numbers, which people type as cuts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Booleans = NDArray[np.bool_]
    Doubles = NDArray[np.float64]
    Powers = NDArray[np.int64]

_LOWEST, _HIGHEST = -323, 308
_TENS = np.array([float(f"1e{power}") for power in range(_LOWEST, _HIGHEST + 1)])
# A double has no more digits than this.
_N_DIGITS = 17
# Numbers with few digits lie no closer together where the smallest of so many values lie.
NEAR_ZERO = 10


def round_gaps(lows: Doubles, highs: Doubles, most: int) -> NDArray[np.int64]:
    """Return the places of the gaps that hold the roundest numbers, at most so many.

    A cut in a gap is at least its low end and below its high end. Round are the multiples of
    one step, and the numbers with few digits, which near zero lie closer together. Half of the
    gaps may go to each kind. Steps are 1, 2 or 5 times a power of ten: the finest one whose
    multiples all find room.

    Examples
    --------
    >>> incomes = np.arange(123.0, 4000.0, 7.0)
    >>> gaps = round_gaps(incomes[:-1], incomes[1:], 20)
    >>> incomes[gaps[:6]]
    array([200., 396., 494., 599., 795., 998.])
    """
    if lows.size == 0:
        return np.empty(0, dtype=np.int64)
    sizes = np.maximum(np.abs(lows), np.abs(highs))
    by_step = _roundest(lows, highs, decade(sizes.max(keepdims=True)), most // 2)
    near_zero = np.partition(sizes, sizes.size // NEAR_ZERO)[sizes.size // NEAR_ZERO]
    by_digits = _roundest(lows, highs, decade(np.maximum(sizes, near_zero)), most // 2)
    return np.flatnonzero(by_step | by_digits)


def _roundest(lows: Doubles, highs: Doubles, first: Powers, most: int) -> Booleans:
    """Return which gaps hold a multiple of the finest step for which there are not too many.

    The gaps have one first power of ten or each its own; the next step is a tenth of it.
    """
    kept = np.zeros(lows.size, dtype=np.bool_)
    for level in range(_N_DIGITS + 1):
        found = kept | hold_multiple(lows, highs, 1, first - level)
        if found.sum() > most:
            for factor in (5, 2):
                found = kept | hold_multiple(lows, highs, factor, first - level)
                kept = found if found.sum() <= most else kept
            break
        kept = found
    return kept


def hold_multiple(lows: Doubles, highs: Doubles, factor: int, powers: Powers) -> Booleans:
    """Return for which pairs of values ``low <= m * factor * 10**power < high`` for a whole number m.

    What counts is the double that the decimal stands for.

    Examples
    --------
    >>> hold_multiple(np.array([149.0, 151.0]), np.array([151.0, 152.0]), 5, np.array([1, 1]))
    array([ True, False])
    """
    down, up = ten_to(np.maximum(powers, 0)), ten_to(np.maximum(-powers, 0))
    with np.errstate(all="ignore"):
        nearest = np.round(lows * up / (factor * down))
        holds = np.zeros(lows.size, dtype=np.bool_)
        for wholes in (nearest - 1, nearest, nearest + 1):
            # Multiplying or dividing by a power of ten gives the double that is nearest to the decimal.
            decimals = wholes * factor * down / up
            holds |= (lows <= decimals) & (decimals < highs)
    return holds


def decade(sizes: Doubles) -> Powers:
    """Return the power of ten at or below each size."""
    return np.searchsorted(_TENS, sizes, side="right") - 1 + _LOWEST


def ten_to(powers: Powers) -> Doubles:
    """Return powers of ten as the doubles nearest to them, within the range of doubles."""
    return _TENS[np.clip(powers, _LOWEST, _HIGHEST) - _LOWEST]
