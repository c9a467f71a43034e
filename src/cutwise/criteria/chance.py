"""How often the best cut of a bin is as good by chance: a maximally selected likelihood ratio.

A search takes the best of many cuts, so a cut is to be compared with the best one of rows whose classes were dealt at
random. The chance that this reaches the likelihood ratio of the cut is the p-value, with the choice among all gaps
counted in. What is dealt are the classes of the rows of the bin: their numbers and the places where a cut may lie stay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cutwise import kernels
from cutwise.criteria.score import mutual_information

if TYPE_CHECKING:
    from numpy.typing import NDArray

# The likelihood ratio of a bit of information in one row.
PER_BIT = 1.3862943611198906
# Ratios that differ less are equal.
TIE = 1e-7
# With three classes or more, up to so many rows are dealt again and again.
MAX_DEALT = 256
# Chances below this one are not dealt for, which would take many deals.
NOT_DEALT = 1e-3
# With more rows the chance is an approximation, which was never found to be more than this factor too small.
CAUTION = 1.25
# Smaller chances are not told apart.
SMALLEST = 1e-15
N_DIGITS = 6
BOTH_SIDES = (True, True)
# What the choice of the place of a cut that is no accident adds to its likelihood ratio, where gaps lie close together,
# and how fast that falls with the distance of the gaps.
SHARE_OF_PLACE, FALL_OF_SHARE = 3.0, 1.165


class CutPlaces(NamedTuple):
    """Where the cuts of a bin may lie, and the rows of the bin.

    Parameters
    ----------
    class_rows : ndarray of int
        The rows of each class.
    times : ndarray of int
        For each place, from left to right, how many rows lie left of it.
    scales : ndarray of float, optional
        With fractional weights, what a likelihood ratio at each place is divided by.
    """

    class_rows: NDArray[np.int64]
    times: NDArray[np.int64]
    scales: NDArray[np.float64] | None = None


def likelihood_ratio(left: NDArray[np.int64], right: NDArray[np.int64], unit: float = 1.0) -> float:
    """Return twice the logarithm of the likelihood ratio of two bins against one, from their counts by class.

    Examples
    --------
    >>> import numpy as np
    >>> from cutwise.criteria import likelihood_ratio
    >>> round(likelihood_ratio(np.array([8, 2]), np.array([2, 8])), 4)
    7.7098
    """
    halves = np.stack([left, right])
    return PER_BIT * mutual_information(halves) * float(halves.sum()) * unit


def chance_of_best(ratio: float, places: CutPlaces, sides: tuple[bool, bool] = BOTH_SIDES) -> float:
    """Return how often the best cut of a bin has at least this likelihood ratio if classes are dealt at random.

    Parameters
    ----------
    ratio : float
        The likelihood ratio, as `likelihood_ratio` gives it.
    places : CutPlaces
        The bin.
    sides : pair of bool
        For two classes: whether cuts count that leave few rows of the rarer class on the left, and those that
        leave many.

    Returns
    -------
    float
        In six digits. Exact for two classes and up to some thousand rows, else within a few percent; with three classes
        or more rather too large than too small.

    Examples
    --------
    >>> import numpy as np
    >>> from cutwise.criteria import CutPlaces, chance_of_best
    >>> places = CutPlaces(np.array([10, 10]), np.arange(1, 20))
    >>> chance_of_best(7.7098, places)
    0.0806794
    """
    rows = np.sort(places.class_rows[places.class_rows > 0])
    n_rows, times = int(rows.sum()), places.times
    if rows.size < 2 or times.size == 0 or ratio <= 0.0:
        return 1.0
    least_scale = 1.0 if places.scales is None else float(places.scales.min())
    if ratio / max(least_scale, 1.0) > 100.0 + 3.0 * rows.size + 4.0 * float(kernels.elementary.log_of(n_rows)):
        return SMALLEST
    levels = np.array([ratio * (1.0 - TIE)])
    if places.scales is not None:
        levels = levels / places.scales
    if rows.size == 2:
        found = kernels.chance.two_classes.chance(n_rows, int(rows[0]), times, levels, sides)
    else:
        found = _of_many_classes(rows, times, levels)
    return float(f"{min(max(found, SMALLEST), 1.0):.{N_DIGITS}g}")


def _of_many_classes(rows: NDArray[np.int64], times: NDArray[np.int64], levels: NDArray[np.float64]) -> float:
    """Approximate the chance; where rows are few and it is not very small, deal them instead."""
    n_rows = int(rows.sum())
    sizes, n_of_size = np.unique(rows, return_counts=True)
    found = CAUTION * float(kernels.chance.many_classes.chance(n_rows, sizes, n_of_size, times, levels))
    if n_rows > MAX_DEALT or found < NOT_DEALT:
        return found
    return float(kernels.chance.shuffling.chance(rows, times, levels))


def expected_loss(ratio: float, n_classes: int, distance: float, n_rows: float) -> float:
    """Return the information of a cut, in bits for each row of the column, that new rows will not show.

    The plug-in information of a cut that was fixed beforehand is too large by (classes - 1) / (2 n ln 2) on average.
    The choice of its place adds more: at a cut that is no accident, the largest of the likelihood ratios of the gaps
    around it exceeds that of the right one by 3 on average, less if few gaps are near.

    Parameters
    ----------
    ratio : float
        The likelihood ratio of the cut.
    n_classes : int
        The classes in the bin that it cuts.
    distance : float
        How far the gaps beside it are: -log of the correlation between two cuts.
    n_rows : float
        The rows of the column.

    Examples
    --------
    >>> from cutwise.criteria import expected_loss
    >>> round(expected_loss(30.0, 2, 1e-4, 1000.0), 6)
    0.00279
    """
    place = SHARE_OF_PLACE * float(kernels.elementary.exp_of(-FALL_OF_SHARE * np.sqrt(0.5 * ratio * distance)))
    return float(f"{min(n_classes - 1.0 + place, ratio) / (PER_BIT * n_rows):.{N_DIGITS}g}")
