"""How often categories differ in their class rates as much as they do, if they all have the same.

Categories are put in the order of their rates before they are grouped, so the best of all groupings is compared with
chance. A grouping cannot tell more of the class than the categories themselves: whether a bin of categories may be
divided is whether these differ at all. The statistic is Pearson's chi-square of the table of categories and classes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import gammaincc

from cutwise.criteria.chance import N_DIGITS, NOT_DEALT, SMALLEST, TIE

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Up to so many rows are dealt, so many times.
MAX_DEALT, N_DEALS = 24, 9_999


def chance_of_difference(counts: NDArray[np.int64], rows_per_count: float = 1.0) -> float:
    """Return how often chi-square is at least that of a table of categories, if classes are dealt at random.

    The distribution has the mean and the variance that dealing gives, which are known for any sizes of the categories,
    however rare (Haldane 1940), and is taken for a gamma distribution. Very few rows are dealt again and again instead.

    Parameters
    ----------
    counts : ndarray of int of shape (n_categories, n_classes)
        Each category has a row at least.
    rows_per_count : float
        With fractional weights, how many rows of one weight tell as much as a count of one.

    Returns
    -------
    float
        In six digits.

    Examples
    --------
    >>> import numpy as np
    >>> chance_of_difference(np.array([[40, 60], [55, 45], [45, 55]]))
    0.0963339
    """
    counts = counts[:, counts.any(axis=0)]
    n_categories, n_classes = counts.shape
    rows = counts * rows_per_count
    n_rows = float(rows.sum())
    if n_categories < 2 or n_classes < 2 or n_rows <= 4.0:
        return 1.0
    sizes, class_sizes = np.maximum(rows.sum(axis=1), 1.0), np.maximum(rows.sum(axis=0), 1.0)
    # The same up to a constant and a factor, and without differences of nearly equal numbers.
    squares = float((rows * rows / (sizes[:, np.newaxis] * class_sizes)).sum())
    statistic = n_rows * (squares - 1.0)
    mean, variance = _moments(sizes, class_sizes, n_rows)
    if variance <= 0.0 or statistic <= 0.0:
        return 1.0
    found = float(gammaincc(mean * mean / variance, statistic * mean / variance))
    if rows_per_count == 1.0 and n_rows <= MAX_DEALT and found >= NOT_DEALT:
        found = _dealt(counts, squares)
    return float(f"{min(max(found, SMALLEST), 1.0):.{N_DIGITS}g}")


def _moments(sizes: NDArray[np.float64], class_sizes: NDArray[np.float64], n: float) -> tuple[float, float]:
    """Return mean and variance of chi-square, if classes are dealt at random."""
    (free, uneven), (class_free, class_uneven) = (
        ((k - 1.0) * (n - k) / (n - 1.0), (float((n / rows).sum()) - k * k) / (n - 2.0))
        for rows, k in ((sizes, sizes.size), (class_sizes, class_sizes.size))
    )
    mean = n * (sizes.size - 1.0) * (class_sizes.size - 1.0) / (n - 1.0)
    even_part = 2.0 * n / (n - 3.0) * (free - uneven) * (class_free - class_uneven)
    return mean, even_part + n * n / (n - 1.0) * uneven * class_uneven


def _dealt(counts: NDArray[np.int64], squares: float) -> float:
    """Return the share of deals in which the sum of squares is at least this large, the rows themselves among them."""
    sizes, class_sizes = counts.sum(axis=1), counts.sum(axis=0)
    classes = np.repeat(np.arange(class_sizes.size), class_sizes)
    deals = np.random.default_rng(0).permuted(np.tile(classes, (N_DEALS, 1)), axis=1)
    starts = np.append(0, np.cumsum(sizes)[:-1])
    total = np.zeros(N_DEALS)
    for place, size in enumerate(class_sizes.tolist()):
        dealt = np.add.reduceat((deals == place).astype(np.int64), starts, axis=1)
        total += (dealt * dealt / (sizes * size)).sum(axis=1)
    return (1 + int(np.count_nonzero(total >= squares * (1.0 - TIE)))) / (1 + N_DEALS)
