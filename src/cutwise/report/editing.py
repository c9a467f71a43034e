"""What an editor must know of a column: where cuts may lie and the counts between them, or the counts of categories."""

from __future__ import annotations

import itertools
import json
import math
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.counts import ColumnCounts, place_cuts, thin
from cutwise.criteria import critical_value
from cutwise.scheme import NominalAttribute, NumericAttribute
from cutwise.scheme.text import setting_for
from cutwise.search import BinLimits
from cutwise.search.limited import SHAPES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from cutwise.counts.gaps import Place
    from cutwise.scheme import Attribute, Scheme

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


N_BARS = 60
MOST_WHOLE_BARS = 100
N_DIGITS = 17
EXACT_POWERS = 22
# Bars are no finer than this share of the values.
FINEST = 1e-12


def bins_as_table(attribute: NumericAttribute) -> dict[str, Any]:
    """Return the gaps of a scheme without its rows: its own cuts, which can be removed and put back."""
    cuts = list(attribute.cuts)
    counts = [list(row) for row in attribute.class_counts[: len(cuts) + 1]]
    return {"cuts": cuts, "lows": cuts, "highs": cuts, "counts": counts, "parts": None}


def editing_gaps(table: ColumnCounts, attribute: NumericAttribute, place: Place, most: int) -> dict[str, Any]:
    """Return the gaps that may get a cut, at most so many beside those that the search names.

    Where a column has more gaps, two thirds of those kept hold its round numbers; the others
    lie at about equal numbers of rows.

    Returns
    -------
    dict
        ``cuts`` holds a cut for each gap; ``lows`` and ``highs`` the values on both sides of
        it or, to keep the page small, shorter numbers nearer to the cut, with the same numbers
        of up to eight digits between them; ``counts`` and ``parts`` the rows between
        neighbouring cuts by class and by part.
    """
    named = _named_cuts(attribute)
    own = np.searchsorted(table.values, named, side="right") - 1
    others = np.setdiff1d(_kept_gaps(table, most), own)
    cuts = np.union1d(named, _placed(table, others, place)) + 0.0
    ends = np.searchsorted(table.values, cuts, side="right")
    # Cuts set by hand may lie beyond the values; they are then their own neighbours.
    inside = (ends > 0) & (ends < table.n_values)
    lows = np.where(inside, table.values[np.maximum(ends - 1, 0)], cuts)
    highs = np.where(inside, table.first_values[np.minimum(ends, table.n_values - 1)], cuts)
    cells = np.append(ends, table.n_values)
    return {
        "cuts": cuts.tolist(),
        "lows": _shorter(lows, cuts, 1).tolist(),
        "highs": _shorter(highs, cuts, -1).tolist(),
        "counts": table.by_class.by_bin(cells).tolist(),
        "parts": None if table.by_part is None else table.by_part.by_bin(cells).tolist(),
    }


def _kept_gaps(table: ColumnCounts, most: int) -> NDArray[np.int64]:
    """Return all gaps, or those of the roundest numbers and some at about equal numbers of rows."""
    if table.n_values <= most + 1:
        return np.arange(max(table.n_values - 1, 0))
    of_round = round_gaps(table.values[:-1], table.first_values[1:], 2 * most // 3)
    _, by_rows = thin(table, most - of_round.size + 1)
    return np.union1d(of_round, by_rows)


def _placed(table: ColumnCounts, gaps: NDArray[np.int64], place: Place) -> NDArray[np.float64]:
    """Return a cut for each gap; instead of the very middle a short number in the middle half of it."""
    if place == "value":
        return place_cuts(table, gaps, place)
    lows, highs, middles = table.values[gaps], table.first_values[gaps + 1], place_cuts(table, gaps)
    if place == "midpoint":
        lows, highs = np.maximum(lows, lows / 2 + middles / 2), np.minimum(highs, middles / 2 + highs / 2)
        return np.where(lows < highs, short_cuts(lows, highs, middles), middles)
    return short_cuts(lows, highs, middles)


def short_cuts(
    lows: NDArray[np.float64], highs: NDArray[np.float64], middles: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return a short decimal between each two values: ``low <= cut < high``.

    Of decimals of one length the one nearest to the middle is taken; where none is found,
    the middle itself.

    Examples
    --------
    >>> short_cuts(np.array([37.1, -0.2]), np.array([37.8, 0.4]), np.array([37.45, 0.1]))
    array([37.4,  0. ])
    """
    cuts = np.where((lows <= 0.0) & (highs > 0.0), 0.0, middles)
    is_open = (lows > 0.0) | (highs <= 0.0)
    with np.errstate(all="ignore"):
        top = decade(np.maximum(np.abs(lows), np.abs(highs))) + 1
        for power in range(N_DIGITS):
            # Dividing by a power of ten gives the double that is nearest to the decimal.
            up, down = ten_to(np.maximum(power - top, 0)), ten_to(np.maximum(top - power, 0))
            wholes = np.round(middles * up / down)
            wholes = np.clip(wholes, np.ceil(lows * up / down), np.floor(highs * up / down))
            decimals = wholes * down / up
            fits = is_open & (lows <= decimals) & (decimals < highs)
            cuts[fits] = decimals[fits]
            is_open &= ~fits
    return cuts


def _shorter(values: NDArray[np.float64], cuts: NDArray[np.float64], side: int) -> NDArray[np.float64]:
    """Return values in nine digits, rounded toward their cuts, which lie above (1) or below (-1) them.

    Values stay as they are that would pass their cuts, that nine digits would turn into a number
    of eight, as no such number may change its side, and where powers of ten are not exact doubles.
    """
    powers = 8 - decade(np.abs(values))
    up, down = ten_to(np.maximum(powers, 0)), ten_to(np.maximum(-powers, 0))
    with np.errstate(all="ignore"):
        wholes = np.round(values * up / down)
        wholes += side * (side * (values - wholes * down / up) > 0)
        short = wholes * down / up
        has_nine_digits = (np.abs(wholes) >= 1e8) & (wholes % 10 != 0) & (np.abs(powers) <= EXACT_POWERS)
        between = (side * (short - values) >= 0) & (side * (cuts - short) > 0) & has_nine_digits
    return np.where(between, short, values) + 0.0


def _named_cuts(attribute: NumericAttribute) -> NDArray[np.float64]:
    """Return the cuts of the attribute and those that its search tried."""
    tried = [trial.cut for trial in (*attribute.steps, *filter(None, [attribute.refused]))]
    return np.unique(np.array([*attribute.cuts, *tried], dtype=np.float64))


def histogram(table: ColumnCounts) -> dict[str, Any] | None:
    """Return the rows by class in bars of equal width.

    Values on a coarse grid have a bar each, in the middle of which they lie; whole numbers that are too many for
    that have bars of as many of them each. There is None for fewer than two values, and for values so far or so near
    that doubles cannot hold the ends of the bars.

    Examples
    --------
    >>> histogram(ColumnCounts.from_dense([1, 2, 4], [[3, 0], [1, 2], [0, 5]]))
    {'start': 0.5, 'width': 1.0, 'counts': [[3, 0], [1, 2], [0, 0], [0, 5]]}
    """
    if table.n_values < 2:
        return None
    low, high = float(table.values[0]), float(table.values[-1])
    span = high - low
    n_bars, width, start = N_BARS, span / N_BARS, low
    if math.isfinite(span) and span < N_BARS * (step := float(np.diff(table.values).min())):
        n_bars, width, start = round(span / step) + 1, step, low - step / 2
    elif abs(low) < MOST_ROWS > abs(high) and (table.values == np.round(table.values)).all():
        n_bars, width, start = _whole_bars(table.values)
    is_fine = width < FINEST * max(abs(low), abs(high), sys.float_info.min)
    if is_fine or not all(map(math.isfinite, (width, start, start + width * n_bars))):
        return None
    edges = start + width * np.arange(1, n_bars, dtype=np.float64)
    ends = np.append(np.searchsorted(table.values, edges, side="right"), table.n_values)
    return {"start": start, "width": width, "counts": table.by_class.by_bin(ends).tolist()}


def _whole_bars(values: NDArray[np.float64]) -> tuple[int, float, float]:
    """Return number, width and start of bars that each hold the same number of multiples of the values' common step."""
    step = int(np.gcd.reduce(np.diff(values).astype(np.int64)))
    low, high = int(values[0]), int(values[-1])
    each = step * next(k for k in _round_numbers() if k * step * MOST_WHOLE_BARS >= high - low)
    # Bars begin at multiples of their width, counted in steps from the first value.
    first = low - (low // step % (each // step)) * step
    return (high - first) // each + 1, float(each), first - step / 2


def _round_numbers() -> Iterator[int]:
    """Yield 1, 2, 5, 10, 20, 50 and so on."""
    return (factor * 10**power for power in itertools.count() for factor in (1, 2, 5))


# Values whose range is so many times that of the middle nine tenths of the rows are skewed.
SKEWED = 3.0
FEWEST_LOG_VALUES = 20


def log_histogram(table: ColumnCounts) -> dict[str, Any] | None:
    """Return the rows by class in bars of equal width on a logarithmic axis; None unless the values are skewed.

    The place of a value is log10 of it. Where some are not positive it is log10 of 1 + |value| / zero with the sign
    of the value, ``zero`` being the first decile of the sizes other than 0.

    Examples
    --------
    >>> values = [1.0, *range(10, 30), 1000.0]
    >>> bars = log_histogram(ColumnCounts.from_dense(values, [[1, 0]] * 22))
    >>> bars["zero"], bars["start"], round(60 * bars["width"], 12)
    (None, 0.0, 3.0)
    """
    values = table.values
    if table.n_values < FEWEST_LOG_VALUES or not _is_skewed(table):
        return None
    sizes = np.abs(values[values != 0.0])
    zero = None if values[0] > 0.0 else float(np.partition(sizes, sizes.size // 10)[sizes.size // 10])
    low, high = (_magnitude(np.array([end]), zero)[0] for end in (values[0], values[-1]))
    width = float(high - low) / N_BARS
    if not math.isfinite(width) or width <= 0.0:
        return None
    places = _magnitude(values, zero)
    ends = np.searchsorted(places, low + width * np.arange(1, N_BARS), side="right")
    counts = table.by_class.by_bin(np.append(ends, table.n_values)).tolist()
    return {"zero": zero, "start": float(low), "width": width, "counts": counts}


def _magnitude(values: NDArray[np.float64], zero: float | None) -> NDArray[np.float64]:
    """Return places on a logarithmic axis; further digits of a logarithm depend on the processor."""
    with np.errstate(all="ignore"):
        if zero is None:
            return np.log10(values).round(12)
        return (np.sign(values) * np.log10(1.0 + np.abs(values) / zero)).round(12)


def _is_skewed(table: ColumnCounts) -> bool:
    rows = np.cumsum(table.by_class.by_bin(np.arange(1, table.n_values + 1)).sum(axis=1))
    low, high = (table.values[np.searchsorted(rows, part * rows[-1])] for part in (0.05, 0.95))
    span = float(table.values[-1] - table.values[0])
    return math.isfinite(span) and span > SKEWED * float(high - low)


# Attributes with more categories or groups are shown, not edited; categories that are a bin each are edited if few.
MOST_CATEGORIES, MOST_GROUPS, MOST_SINGLE = 100_000, 200, 30


def has_editable_groups(attribute: Attribute, scheme: Scheme) -> bool:
    """Return whether a page lets a person move the categories of an attribute."""
    if not isinstance(attribute, NominalAttribute):
        return False
    is_grouped = attribute.is_grouped or setting_for(scheme, "nominal", attribute) == "group"
    most = MOST_GROUPS if is_grouped else MOST_SINGLE
    return attribute.n_bins <= most and 2 <= len(attribute.categories) <= MOST_CATEGORIES


def category_rows(table: ColumnCounts, attribute: NominalAttribute) -> dict[str, Any]:
    """Return the counts of each category, in short: most of many categories have the same few counts.

    Returns
    -------
    dict
        ``rows`` are different counts by class and then, if ``has_parts``, by part; ``row_of`` tells for each category
        which of them are its own; ``literals`` are the categories as JSON, None if all are strings.

    Examples
    --------
    >>> town = NominalAttribute(name="town", groups=(("Bonn", "Ulm"), ("Köln",)), class_counts=((2, 2), (0, 3)),
    ...     missing_by_class=(0, 0), score=0.0, relevance=0.0, divergence=0.0, stop="no_gain")
    >>> category_rows(ColumnCounts.from_dense([0, 1, 2], [[1, 1], [1, 1], [0, 3]]), town)
    {'rows': [[0, 3], [1, 1]], 'row_of': [1, 1, 0], 'has_parts': False, 'literals': None}
    """
    categories = attribute.categories
    known = [table.by_class.to_dense(), *([] if table.by_part is None else [table.by_part.to_dense()])]
    counts = np.zeros((len(categories), sum(part.shape[1] for part in known)), dtype=np.int64)
    counts[table.values.astype(np.int64)] = np.hstack(known)
    rows, row_of = np.unique(counts, axis=0, return_inverse=True)
    are_texts = all(isinstance(one, str) for one in categories)
    return {
        "rows": rows.tolist(),
        "row_of": row_of.ravel().tolist(),
        "has_parts": table.by_part is not None,
        "literals": None if are_texts else [json.dumps(one) for one in categories],
    }


# Weights in a scheme have ten digits; a bin that has just enough rows must not seem too small.
ROUNDING = 1e-9
MOST_ROWS = 2**53
NO_LIMITS: dict[str, Any] = dict.fromkeys(
    ("min_bins", "max_bins", "max_count", "min_events", "chi_square", "monotonic")
)


def limits_of(attribute: Attribute, scheme: Scheme, table: ColumnCounts | None = None) -> dict[str, Any]:
    """Return what a bin must keep beside its least size, in the unit of the counts; None where there is no limit.

    Examples
    --------
    >>> from cutwise import MDLPDiscretizer
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]] * 5, ["no", "no", "yes", "yes"] * 5
    >>> scheme = MDLPDiscretizer(max_bins=3, monotonic="auto").fit(X, y).scheme_
    >>> {name: limit for name, limit in limits_of(scheme["x0"], scheme).items() if limit is not None}
    {'max_bins': 3, 'monotonic': 'increasing'}
    """
    unit = 1.0 if table is None else table.unit
    max_bins, min_bins = (setting_for(scheme, name, attribute) for name in ("max_bins", "min_bins"))
    most = _rows_of(setting_for(scheme, "max_bin_size", attribute), attribute, most=1.0)
    found: dict[str, Any] = {
        "min_bins": min_bins if _is_whole(min_bins) else None,
        "max_bins": max_bins if _is_whole(max_bins) else None,
        "max_count": None if most is None else most * (1 + ROUNDING) / unit,
    }
    if scheme.event_place is None:
        return NO_LIMITS | found
    events, p_value = (setting_for(scheme, name, attribute) for name in ("min_events", "max_pvalue"))
    if _is_number(events):
        found["min_events"] = events * (1 - ROUNDING) / unit
    if isinstance(attribute, NumericAttribute):
        # A chi-square of counts, as one of rows is that times the unit.
        found["chi_square"] = critical_value(1, p_value) / unit if _is_number(p_value) and p_value < 1.0 else None
        found["monotonic"] = attribute.trend if attribute.trend in SHAPES else None
    return NO_LIMITS | found


def min_count(attribute: Attribute, scheme: Scheme, table: ColumnCounts | None) -> float:
    """Return the smallest count of an interval, in the unit of its counts; 0 where there is no limit."""
    size = _rows_of(setting_for(scheme, "min_bin_size", attribute), attribute, most=0.5)
    if size is None:
        return 0.0
    if table is not None and table.unit == 1.0:
        return BinLimits(min_rows=size).min_count(table)
    return float(size) * (1 - ROUNDING) / (1.0 if table is None else table.unit)


def _rows_of(size: Any, attribute: Attribute, most: float) -> float | None:
    """Return the rows that a size stands for: a number of them, or a share up to `most`; None if it is neither."""
    if isinstance(size, float) and 0.0 < size <= most:
        return size * (sum(attribute.rows) + sum(attribute.missing_by_class))
    return size if _is_whole(size) else None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < MOST_ROWS


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value < MOST_ROWS
