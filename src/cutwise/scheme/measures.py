"""How far two samples of binned rows differ, and how far they would by chance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels
from cutwise.criteria import critical_value, expected_share, p_value

if TYPE_CHECKING:
    from numpy.typing import NDArray


SMOOTHING = 0.5
# The 97.5 % point of the normal distribution.
NORMAL = 1.959963984540054


@dataclass(frozen=True)
class RateChange:
    """The rate of a class in the new sample less that in training, with a 95 % confidence interval."""

    change: float
    low: float
    high: float


def stability_index(training: NDArray[np.float64], new: NDArray[np.float64]) -> float:
    """Return the population stability index (PSI) of the rows by bin.

    With p and q the shares of a bin in training and in the new sample, the sum of
    (q - p) ln(q / p). Each count is raised by one half first, so that empty bins have finite terms.

    Examples
    --------
    >>> import numpy as np
    >>> round(stability_index(np.array([500, 500]), np.array([60, 40])), 3)
    0.04
    """
    p, q = training + SMOOTHING, new + SMOOTHING
    p, q = p / p.sum(), q / q.sum()
    return float(((q - p) * kernels.elementary.log_of(q / p)).sum())


def divergence_by_chance(training: NDArray[np.float64], new: NDArray[np.float64]) -> float:
    """Return the mean Jensen-Shannon divergence of two samples that differ by chance only, in bits.

    All rows are thrown together and dealt again into samples of the same sizes; the mean is over
    every way to do so. Between whole numbers of rows, as fractional weights give, it is
    interpolated.

    Examples
    --------
    >>> import numpy as np
    >>> round(divergence_by_chance(np.array([500, 500]), np.array([60, 40])), 5)
    0.002
    """
    rows = training + new
    n_rows = round(float(rows.sum()))
    n_new = min(max(round(float(new.sum())), 1), n_rows - 1)
    if n_rows < 2:
        return 0.0
    total = 0.0
    for count in (rows * (n_rows / rows.sum())).tolist():
        below = min(int(count), n_rows - 1)
        low, high = (expected_share(whole, n_rows, n_new) for whole in (below, below + 1))
        total += low + (count - below) * (high - low)
    # Rounding may leave a little less than nothing.
    return max(total, 0.0)


def chi_square_test(tables: list[NDArray[np.float64]]) -> float:
    """Return the p-value that, in each of some tables [sample, category], the samples are alike.

    Categories that are expected less than once in a sample are thrown together, as the
    approximation asks for; tables in which one of the samples has no rows do not count.

    Examples
    --------
    >>> import numpy as np
    >>> round(chi_square_test([np.array([[500.0, 500.0], [60.0, 40.0]])]), 4)
    0.0565
    """
    statistic, freedom = 0.0, 0
    for table in tables:
        if not table.sum(axis=1).all():
            continue
        seen = _without_rare(table)
        expected = seen.sum(axis=1, keepdims=True) * seen.sum(axis=0) / seen.sum()
        statistic += float(((seen - expected) ** 2 / expected).sum())
        freedom += seen.shape[1] - 1
    return p_value(freedom, statistic) if freedom else 1.0


def _without_rare(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the table with the rarest categories as one, so that each is expected once in both samples."""
    totals = table.sum(axis=0)
    ordered = table[:, np.argsort(-totals, kind="stable")]
    least = table.sum() / table.sum(axis=1).min()
    n_common = int((totals >= least).sum())
    rest = ordered[:, n_common:].sum(axis=1, keepdims=True)
    if 0 < rest.sum() < least and n_common:
        # Even together they are too rare: the next one joins them.
        n_common -= 1
        rest = ordered[:, n_common:].sum(axis=1, keepdims=True)
    return np.hstack([ordered[:, :n_common], rest]) if rest.any() else ordered[:, :n_common]


def is_noticeable(index: float, training: NDArray[np.float64], new: NDArray[np.float64], level: float) -> bool:
    """Return whether a shift with that stability index would reach a p-value below the level.

    Chi-square is then about index * n m / (n + m) plus its degrees of freedom, for n and m rows; that
    must be above the critical value.

    Examples
    --------
    >>> import numpy as np
    >>> [is_noticeable(0.25, np.array([500, 500]), np.array([m, m]), 0.01) for m in (10, 15)]
    [False, True]
    """
    freedom = int(((training + new) > 0).sum()) - 1
    if freedom < 1:
        return True
    n, m = float(training.sum()), float(new.sum())
    return bool(index * n * m / (n + m) + freedom > critical_value(freedom, level))


def class_change(training: NDArray[np.float64], new: NDArray[np.float64]) -> float:
    """Return by how much the class rates of the bins changed, less what chance gives.

    Cohen's h of two rates is the difference of 2 arcsin(sqrt(rate)); for several classes it is
    twice the angle between the square roots of their rates. Its square is averaged over the bins,
    by their new rows, less its mean (C - 1) (1 / n + 1 / m) by chance, for C classes and n and m rows
    of a bin. The root of the rest, or 0, is returned.

    Parameters
    ----------
    training, new : ndarray of shape (n_bins, n_classes)

    Examples
    --------
    >>> import numpy as np
    >>> round(class_change(np.array([[8000.0, 2000.0]]), np.array([[7000.0, 3000.0]])), 2)
    0.23
    """
    before, after = training.sum(axis=1), new.sum(axis=1)
    both = (before > 0) & (after > 0)
    if not both.any():
        return 0.0
    n, m = before[both], after[both]
    overlap = np.sqrt(training[both] / n[:, None] * (new[both] / m[:, None])).sum(axis=1)
    # Further digits of an angle depend on the processor.
    squares = (2.0 * np.arccos(np.clip(overlap, 0.0, 1.0)).round(12)) ** 2
    n_classes = ((training[both] + new[both]) > 0).sum(axis=1)
    beyond = squares - (n_classes - 1) * (1.0 / n + 1.0 / m)
    return math.sqrt(max(float((beyond * m).sum() / m.sum()), 0.0))


def rate_change(before: float, n: float, after: float, m: float) -> RateChange:
    """Return the change from a rate of ``before / n`` to one of ``after / m``.

    The interval is Newcombe's, made of Wilson's intervals of the two rates.

    Examples
    --------
    >>> rate_change(50, 100, 60, 100)
    RateChange(change=0.0999..., low=-0.0373..., high=0.2321...)
    """
    old, new = before / n, after / m
    old_low, old_high = wilson(old, n)
    new_low, new_high = wilson(new, m)
    change = new - old
    low = change - math.hypot(new - new_low, old_high - old)
    return RateChange(change, low, change + math.hypot(new_high - new, old - old_low))


def wilson(rate: float, rows: float) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a rate.

    Examples
    --------
    >>> [round(end, 3) for end in wilson(0.2, 100)]
    [0.133, 0.289]
    """
    square = NORMAL**2
    middle = (rate + square / (2.0 * rows)) / (1.0 + square / rows)
    half = NORMAL / (1.0 + square / rows) * math.sqrt(rate * (1.0 - rate) / rows + square / (4.0 * rows**2))
    return max(middle - half, 0.0), min(middle + half, 1.0)


# The stability index of samples that differ little is so many times their Jensen-Shannon divergence in bits.
INDEX_OF_A_BIT = 8.0 * math.log(2.0)


def index_by_chance(training: NDArray[np.float64], new: NDArray[np.float64]) -> float:
    """Return the stability index that two samples have on average if they differ by chance only.

    It is taken from the mean divergence by chance, 8 ln 2 times which the index is for small differences.

    Examples
    --------
    >>> import numpy as np
    >>> round(index_by_chance(np.array([500, 500]), np.array([60, 40])), 3)
    0.011
    """
    return INDEX_OF_A_BIT * divergence_by_chance(training, new)


@dataclass(frozen=True)
class RankedGini:
    """The Gini coefficient of ranked bins, with a 95 % confidence interval."""

    gini: float
    low: float
    high: float


def ranked_gini(
    scores: NDArray[np.float64], events: NDArray[np.float64], others: NDArray[np.float64]
) -> RankedGini | None:
    """Return the Gini coefficient, 2 AUC - 1, of bins with a score each; a high one speaks for the event.

    Bins with the same score are one. The interval is DeLong's, on the scale of log-odds of AUC. None with less than two
    events or two other rows.

    Examples
    --------
    >>> import numpy as np
    >>> found = ranked_gini(np.array([0.1, 0.4]), np.array([10.0, 40.0]), np.array([90.0, 60.0]))
    >>> round(found.gini, 2), round(found.low, 2), round(found.high, 2)
    (0.4, 0.25, 0.53)
    """
    n, m = float(events.sum()), float(others.sum())
    if n < 2 or m < 2:
        return None
    _, places = np.unique(scores, return_inverse=True)
    own, rest = (np.bincount(places, counts) for counts in (events, others))
    below = (np.cumsum(rest) - rest / 2.0) / m
    above = 1.0 - (np.cumsum(own) - own / 2.0) / n
    area = float((own * below).sum() / n)
    spread = float(
        (own * (below - area) ** 2).sum() / (n - 1.0) / n + (rest * (above - area) ** 2).sum() / (m - 1.0) / m
    )
    if not 0.0 < area < 1.0:
        return RankedGini(2.0 * area - 1.0, 2.0 * area - 1.0, 2.0 * area - 1.0)
    odds, half = math.log(area / (1.0 - area)), NORMAL * math.sqrt(spread) / (area * (1.0 - area))
    low, high = (2.0 / (1.0 + math.exp(-end)) - 1.0 for end in (odds - half, odds + half))
    return RankedGini(2.0 * area - 1.0, low, high)


STABLE = "stable"
A_LITTLE = "shifted a little"
SHIFTED = "shifted"
CLASSES_CHANGED = "class rates changed"
TOO_FEW = "too few rows to tell"
NOTHING_TO_COMPARE = "no training counts"

LEVEL = 0.01
SMALL_INDEX = 0.1
LARGE_INDEX = 0.25
LARGE_CLASS_CHANGE = 0.1


def index_beyond_chance(index: float, divergence: float, by_chance: float) -> float:
    """Return the part of a stability index that chance does not explain.

    It is the part of the Jensen-Shannon divergence beyond its mean by chance.
    """
    return index * max(1.0 - by_chance / divergence, 0.0) if divergence > 0 else 0.0


def shift_verdict(
    index: float, divergence: float, by_chance: float, p_value: float, level: float, *, enough: bool
) -> str:
    """Return whether the rows moved between the bins; `enough` says whether there are rows enough to tell."""
    beyond = index_beyond_chance(index, divergence, by_chance)
    if p_value < level and beyond >= SMALL_INDEX:
        return SHIFTED if beyond >= LARGE_INDEX else A_LITTLE
    return STABLE if enough else TOO_FEW


def class_verdict(change: float, p_value: float, level: float) -> str | None:
    """Return CLASSES_CHANGED if the class rates within the bins changed, else None."""
    return CLASSES_CHANGED if p_value < level and change >= LARGE_CLASS_CHANGE else None


def joined_verdict(shift: str, classes: str | None) -> str:
    """Return both verdicts as one string; a change is said, its absence not.

    Examples
    --------
    >>> joined_verdict("stable", "class rates changed"), joined_verdict("shifted", "class rates changed")
    ('class rates changed', 'shifted, class rates changed')
    """
    if classes is None:
        return shift
    return classes if shift in (STABLE, TOO_FEW) else f"{shift}, {classes}"
