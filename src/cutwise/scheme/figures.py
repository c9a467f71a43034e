"""The figures of bins that are about an event: rates, weights of evidence, information value, Gini, KS, trend."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cutwise.criteria.score import SMOOTHING, weight_of_evidence
from cutwise.errors import SchemeError
from cutwise.scheme.attribute import NumericAttribute
from cutwise.scheme.measures import chi_square_test

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.scheme.attribute import Attribute, Counts
    from cutwise.scheme.scheme import Scheme

# Encodings by a number that the counts of a bin give.
NUMBERS = ("woe", "rate")
# What a positive weight of evidence speaks for.
OTHERS, EVENT = "others", "event"


@dataclass(frozen=True, kw_only=True)
class BinFigures:
    """What the counts of one bin say about an event; None where that is not known.

    Parameters
    ----------
    share : float
        Its share of all rows.
    events : float
        Its rows with the event.
    rate : float
        Their share of its rows; None for a bin without rows.
    woe, iv : float
        Its weight of evidence and its part of the information value; both 0 for a bin without rows.
    cumulative_events, cumulative_others : float
        The share of all events, and of all other rows, in this bin and those before it.
    """

    share: float | None = None
    events: float | None = None
    rate: float | None = None
    woe: float | None = None
    iv: float | None = None
    cumulative_events: float | None = None
    cumulative_others: float | None = None


def counted_bins(attribute: Attribute) -> Counts:
    """Return the counts of all bins, at the end that of missing values."""
    return (*attribute.class_counts, attribute.missing_by_class)


def event_pairs(counts: Sequence[Sequence[float]], place: int) -> list[tuple[float, float]]:
    """Return the events and the other rows of each bin.

    Examples
    --------
    >>> event_pairs([(1, 2, 3), (4, 5, 6)], place=1)
    [(2, 4), (5, 10)]
    """
    return [(row[place], sum(count for k, count in enumerate(row) if k != place)) for row in counts]


def bin_figures(
    pairs: Sequence[tuple[float, float]], smoothing: float = SMOOTHING, positive: str = OTHERS
) -> list[BinFigures]:
    """Return the figures of bins from their events and other rows.

    Parameters
    ----------
    pairs : sequence of pairs of numbers
        The events and the other rows of each bin.
    smoothing : {0.5, 0}
        See `weight_of_evidence`.
    positive : {"others", "event"}
        What a positive weight of evidence speaks for.

    Examples
    --------
    >>> low, high = bin_figures([(1, 9), (4, 6)], smoothing=0)
    >>> round(low.woe, 4), round(high.woe, 4), round(low.iv + high.iv, 4)
    (1.0986, -0.6931, 0.7167)
    >>> low.cumulative_events, low.cumulative_others
    (0.2, 0.6)
    """
    if any(map(math.isnan, itertools.chain.from_iterable(pairs))):
        return [BinFigures()] * len(pairs)
    events, others = (sum(pair[k] for pair in pairs) for k in (0, 1))
    found = weight_of_evidence(pairs, smoothing)
    sign = 1.0 if positive == OTHERS else -1.0
    return [
        BinFigures(
            share=_part(sum(pair), events + others),
            events=pair[0],
            rate=_part(pair[0], sum(pair)),
            woe=sign * weight + 0.0,
            iv=value,
            cumulative_events=_part(up[0], events),
            cumulative_others=_part(up[1], others),
        )
        for pair, weight, value, up in zip(pairs, found.weights, found.values, _running(pairs), strict=True)
    ]


def code_numbers(scheme: Scheme, encode: str) -> list[NDArray[np.float64]]:
    """Return the weight of evidence, or the rate of the event, of each code of each attribute.

    Missing values have the code after the last bin, whatever ``scheme.missing`` says; at the end, where the code -1
    points to, is the number of an unseen category. What has no training rows says nothing: its weight is 0, its
    rate that of all rows.

    Parameters
    ----------
    scheme : Scheme
    encode : {"woe", "rate"}

    Examples
    --------
    >>> from cutwise import FixedCutsDiscretizer
    >>> scheme = FixedCutsDiscretizer([2.5]).fit([[1], [2], [3], [4], [5]], [0, 0, 0, 1, 0]).scheme_
    >>> code_numbers(scheme, "rate")[0].round(2).tolist()
    [0.0, 0.33, 0.2, 0.2]
    """
    place = scheme.event_place
    if place is None:
        raise SchemeError(
            f"encode={encode!r} is about one class, the event, and none is named among "
            f"{len(scheme.classes)} classes. Fit with event=…, or choose another encoding."
        )
    unknown = [attribute.name for attribute in scheme.attributes if not attribute.is_counted]
    if unknown:
        raise SchemeError(
            f"Attribute {unknown[0]!r} has bins whose rows are not known, so their {encode} is not either. "
            "Count rows first: scheme.recount(X, y)."
        )
    measure = _weights if encode == "woe" else _rates
    return [np.array(measure(event_pairs(counted_bins(attribute), place))) for attribute in scheme.attributes]


def _weights(pairs: Sequence[tuple[float, float]]) -> list[float]:
    return [*weight_of_evidence(pairs).weights, 0.0]


def _rates(pairs: Sequence[tuple[float, float]]) -> list[float]:
    total = sum(map(sum, pairs))
    of_all = sum(pair[0] for pair in pairs) / total if total else 0.0
    return [*(pair[0] / sum(pair) if sum(pair) else of_all for pair in pairs), of_all]


def _running(pairs: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the events and the other rows of each bin and those before it."""
    return list(itertools.accumulate(pairs, lambda sums, pair: (sums[0] + pair[0], sums[1] + pair[1])))


def _part(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def gini(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Return the Gini coefficient, 2 AUC - 1, of bins that are ranked by the rate of the event.

    None without events or without other rows.

    Examples
    --------
    >>> gini([(0, 10), (10, 0)]), round(gini([(1, 9), (4, 6)]), 4)
    (1.0, 0.4)
    """
    ranked = _by_rate(pairs)
    events, others = (sum(pair[k] for pair in ranked) for k in (0, 1))
    if not events or not others:
        return None
    before = itertools.accumulate((pair[1] for pair in ranked), initial=0)
    won = math.fsum(pair[0] * (2 * below + pair[1]) for pair, below in zip(ranked, before, strict=False))
    return won / (events * others) - 1.0


def kolmogorov_smirnov(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Return KS, the largest difference of the cumulative shares of events and others, bins ranked by rate.

    None without events or without other rows.

    Examples
    --------
    >>> round(kolmogorov_smirnov([(1, 9), (4, 6)]), 4)
    0.4
    """
    ranked = _by_rate(pairs)
    events, others = (sum(pair[k] for pair in ranked) for k in (0, 1))
    if not events or not others:
        return None
    return max(abs(up[0] / events - up[1] / others) for up in _running(ranked))


def _by_rate(pairs: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    return sorted((pair for pair in pairs if sum(pair)), key=lambda pair: pair[0] / sum(pair))


def chances_of_next(attribute: Attribute) -> list[float | None]:
    """Return for each bin how likely chance alone makes its class rates and those of the next bin differ as they do.

    By a chi-square test. There is None for the last interval or category, special values, missing values, bins
    whose rows are not known, and without classes.
    """
    last = len(attribute.cuts) if isinstance(attribute, NumericAttribute) else attribute.n_bins - 1
    chances: list[float | None] = [None] * (attribute.n_bins + 1)
    for b in range(last if len(attribute.missing_by_class) > 1 else 0):
        both = np.array(attribute.class_counts[b : b + 2], dtype=np.float64)
        if not np.isnan(both).any():
            chances[b] = chi_square_test([both])
    return chances


def trend_of(attribute: Attribute, place: int) -> str | None:
    """Return how the rate of an event moves over the intervals that have rows.

    "increasing", "decreasing", "peak" (up, then down), "valley" (down, then up) or "mixed"; None for a nominal
    attribute, for less than two intervals with rows, and where rows are not known.
    """
    if not isinstance(attribute, NumericAttribute) or not attribute.is_counted:
        return None
    pairs = [pair for pair in event_pairs(attribute.class_counts[: len(attribute.cuts) + 1], place) if sum(pair)]
    steps = [right[0] * sum(left) - left[0] * sum(right) for left, right in itertools.pairwise(pairs)]
    turns = [key for key, _ in itertools.groupby(step > 0 for step in steps if step)]
    if not steps:
        return None
    names = {(): "flat", (True,): "increasing", (False,): "decreasing", (True, False): "peak", (False, True): "valley"}
    return names.get(tuple(turns), "mixed")


def as_shares(moved: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return importances as shares of 1; where nothing moves, all are 0.

    Examples
    --------
    >>> as_shares(np.array([1.0, 3.0]))
    array([0.25, 0.75])
    """
    total = float(moved.sum())
    return np.asarray(moved / total if total > 0.0 else np.zeros(moved.size))
