"""The gaps between neighbouring values: where a cut may lie, and where it is put."""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from cutwise.counts.column_counts import ColumnCounts

if TYPE_CHECKING:
    from numpy.typing import NDArray

Place = Literal["midpoint", "readable", "value"]
PLACES: tuple[Place, ...] = get_args(Place)
LARGEST = sys.float_info.max


def cut_between(low: float, high: float, place: Place = "midpoint") -> float:
    """Return a cut between two doubles: ``low <= cut < high``, whatever they are.

    Parameters
    ----------
    low, high : float
        Two doubles with ``low < high``; infinities are allowed. The cut is finite unless
        no finite number lies between them.
    place : {"midpoint", "readable", "value"}
        "midpoint" is the middle of the gap, "readable" the shortest decimal in it (of
        several, the one nearest to the middle), "value" the lower end. A gap beside
        infinity, for which the largest double stands too, has no middle: a cut below infinity is
        2 low + 1, or 0 if low is negative, and one above minus infinity the mirror image of that.

    Examples
    --------
    >>> from cutwise.counts import cut_between
    >>> cut_between(37.1, 37.8)
    37.45
    >>> cut_between(37.1, 37.8, place="readable")
    37.4
    >>> cut_between(1.7e308, 1.79e308)
    1.745e+308
    >>> cut_between(37.1, float("inf")), cut_between(float("-inf"), 37.1)
    (75.2, 0.0)
    """
    if not low < high:
        raise ValueError(f"A cut needs two different values in ascending order, got {low!r} and {high!r}.")
    if not math.isfinite(low) and high <= -LARGEST:
        return low
    low, high = max(low, -LARGEST), min(high, LARGEST)
    if low >= high:
        return low
    if high == LARGEST:
        return (low if place == "value" else _below_infinity(low)) + 0.0
    if low == -LARGEST:
        mirrored = -_below_infinity(-high) + 0.0
        return mirrored if place != "value" and mirrored < high else low
    return _PLACE_ONE[place](low, high) + 0.0


def place_cuts(table: ColumnCounts, gaps: NDArray[np.int64], place: Place = "midpoint") -> NDArray[np.float64]:
    """Return the cuts for some gaps of a table, in the order of the gaps."""
    return place_between(table.values[gaps], table.first_values[gaps + 1], place)


def place_between(
    lows: NDArray[np.float64], highs: NDArray[np.float64], place: Place = "midpoint"
) -> NDArray[np.float64]:
    """Return a cut between each two doubles, as `cut_between` does."""
    if place == "midpoint" and _are_moderate(lows, highs):
        middles = (lows + highs) / 2
        return np.where(middles < highs, middles, lows) + 0.0
    pairs = zip(lows.tolist(), highs.tolist(), strict=True)
    return np.array([cut_between(low, high, place) for low, high in pairs], dtype=np.float64)


def _are_moderate(lows: NDArray[np.float64], highs: NDArray[np.float64]) -> bool:
    """Return whether each two of them can be added without going beyond the largest double."""
    return not lows.size or bool(lows.min() >= -LARGEST / 2 and highs.max() <= LARGEST / 2)


def thin(table: ColumnCounts, max_values: int) -> tuple[ColumnCounts, NDArray[np.int64]]:
    """Join neighbouring values into at most max_values groups of about equal size.

    Returns the joined table, whose values are the largest of each group, and for each of
    its gaps the gap of the given table in which it lies.
    """
    if table.n_values <= max_values:
        return table, np.arange(max(table.n_values - 1, 0))
    ends = table.rows_up_to
    per_value = np.diff(ends, prepend=0)
    middles = ends - per_value / 2
    groups = np.minimum((middles * max_values / ends[-1]).astype(np.int64), max_values - 1)
    lasts = np.append(np.flatnonzero(np.diff(groups)), table.n_values - 1)
    groups = np.searchsorted(lasts, np.arange(table.n_values))
    joined = ColumnCounts(
        table.values[lasts],
        table.by_class.regroup(groups, lasts.size),
        None if table.by_part is None else table.by_part.regroup(groups, lasts.size),
        table.missing_by_class,
        table.missing_by_part,
        table.unit,
        design_effect=table.design_effect,
    )
    return joined, lasts[:-1]


def _below_infinity(low: float) -> float:
    """Return a readable number from `low` on with room for somewhat larger values below it."""
    if low < 0.0:
        return 0.0
    above = 2.0 * low + 1.0
    return above if above < LARGEST else low


def _midpoint(low: float, high: float) -> float:
    total = low + high
    middle = total / 2 if math.isfinite(total) else low / 2 + high / 2
    return middle if low <= middle < high else low


def _value(low: float, _high: float) -> float:
    return low


def _readable(low: float, high: float) -> float:
    """Return the shortest decimal in the gap.

    It is a multiple of the largest power of ten that has a multiple there. What counts is
    the double that a decimal stands for: 5.4 is in a gap that begins with the double 5.4,
    although that double is a little more than the decimal.
    """
    if low <= 0.0 < high:
        return 0.0
    lower, upper = Fraction(low), Fraction(high)
    middle = (lower + upper) / 2
    exponent = math.floor(math.log10(max(abs(low), abs(high)))) + 1
    for power in range(exponent, exponent - 40, -1):
        unit = Fraction(10) ** power
        first, last = math.floor(lower / unit), math.ceil(upper / unit)
        if _double(first * unit) < low:
            first += 1
        while _double(last * unit) >= high:
            last -= 1
        if first <= last:
            return _double(min(max(round(middle / unit), first), last) * unit)
    return _midpoint(low, high)


def _double(number: Fraction) -> float:
    """Return the nearest double, an infinity beyond the largest."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


_PLACE_ONE = {"midpoint": _midpoint, "readable": _readable, "value": _value}
