"""MDLP of Fayyad and Irani in plain Python, as one would write it on a blackboard.

A set of rows is cut where the two parts have the least entropy; the cut is kept if the
entropy falls by more than the cut costs to describe, and the parts are cut in turn. Of
equally good cuts (up to a relative 1e-9) the leftmost is taken, unless `choose` is max.
"""

from __future__ import annotations

import math
from collections import Counter

SAME = 1e-9


def plain_mdlp(x, y, choose=min) -> list[float]:
    """Return the cuts of one column, in ascending order; rows whose value is NaN are left out."""
    by_value: dict[float, Counter] = {}
    for value, label in zip(x, y, strict=True):
        if not math.isnan(value):
            by_value.setdefault(float(value), Counter())[label] += 1
    values = sorted(by_value)
    gaps = cut_gaps([by_value[value] for value in values], choose)
    return [between(values[gap], values[gap + 1]) for gap in gaps]


def cut_gaps(counts: list[Counter], choose=min) -> list[int]:
    """Return the gaps to cut: gap i is the one after the i-th value."""
    gap = best_gap(counts, choose)
    if gap is None or not pays(sum_up(counts[: gap + 1]), sum_up(counts[gap + 1 :])):
        return []
    right = [gap + 1 + later for later in cut_gaps(counts[gap + 1 :], choose)]
    return [*cut_gaps(counts[: gap + 1], choose), gap, *right]


def best_gap(counts: list[Counter], choose=min) -> int | None:
    """Return the gap whose parts have the least entropy, None if there is nothing to gain."""
    left, right = Counter(), sum_up(counts)
    if len(counts) < 2 or len(right) < 2:
        return None
    smallest_difference = SAME * bits(right)
    scores = []
    for of_value in counts[:-1]:
        left, right = left + of_value, right - of_value
        scores.append(bits(left) + bits(right))
    least = min(scores)
    return choose(gap for gap, score in enumerate(scores) if score <= least + smallest_difference)


def pays(left: Counter, right: Counter) -> bool:
    """Whether a cut gains more than it costs, both in bits for all rows together."""
    whole = left + right
    gain = bits(whole) - bits(left) - bits(right)
    rows = whole.total()
    return gain > math.log2(rows - 1) + delta(whole, left, right)


def delta(whole: Counter, left: Counter, right: Counter) -> float:
    """Return what it costs to describe the classes of the two parts, beyond those of the whole."""
    all_classes = len(whole) * math.log2(3) + math.log1p(-2 * 3.0 ** -len(whole)) / math.log(2)
    return all_classes - sum(
        sign * len(part) * bits(part) / part.total() for sign, part in ((1, whole), (-1, left), (-1, right))
    )


def bits(classes: Counter) -> float:
    """Return the entropy of some rows in bits, times their number."""
    rows = classes.total()
    return math.fsum(count * math.log2(rows / count) for count in classes.values())


def sum_up(counts: list[Counter]) -> Counter:
    """Return the rows of several values by class."""
    total = Counter()
    for of_value in counts:
        total.update(of_value)
    return total


def between(low: float, high: float) -> float:
    """Return the middle of a gap, the lower end if no double lies between."""
    middle = (low + high) / 2
    return middle if low <= middle < high else low
