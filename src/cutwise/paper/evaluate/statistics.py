"""Methods compared over data sets: ranks, wins, Friedman's test and what comes after it.

All functions take accuracies [data set, method] without gaps. The tests are those that Demsar
(Statistical comparisons of classifiers over multiple data sets, 2006) recommends.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.stats import chi2, f, norm, rankdata, studentized_range

from cutwise.paper.evaluate.summary import checked_accuracies
from cutwise.paper.evaluate.wilcoxon import DECIMALS

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


class Friedman(NamedTuple):
    """Friedman's test: do the methods differ at all.

    Parameters
    ----------
    chi_square, p_value : float
        Friedman's statistic, corrected for ties, and its p-value.
    f, f_p_value : float
        Iman and Davenport's statistic, which finds differences that Friedman's misses, and its p-value.
    """

    chi_square: float
    p_value: float
    f: float
    f_p_value: float


class Outcomes(NamedTuple):
    """On how many data sets method i is better than j, equal, worse: arrays [i, j]."""

    wins: NDArray[np.int64]
    ties: NDArray[np.int64]
    losses: NDArray[np.int64]


def average_ranks(accuracies: ArrayLike) -> NDArray[np.float64]:
    """Return the mean rank of each method; 1 is the best, equal ones share the mean of their ranks.

    Examples
    --------
    >>> from cutwise.paper.evaluate import average_ranks
    >>> average_ranks([[80.0, 70.0, 70.0], [60.0, 65.0, 50.0]])
    array([1.5 , 1.75, 2.75])
    """
    return np.asarray(_ranks(accuracies).mean(axis=0))


def best_counts(accuracies: ArrayLike) -> NDArray[np.int64]:
    """Return on how many data sets each method has the highest accuracy; equal ones count for each.

    Examples
    --------
    >>> from cutwise.paper.evaluate import best_counts
    >>> best_counts([[80.0, 80.0, 70.0], [60.0, 65.0, 50.0]])
    array([1, 2, 0])
    """
    table = np.round(checked_accuracies(accuracies), DECIMALS)
    return np.asarray((table == table.max(axis=1, keepdims=True)).sum(axis=0))


def pairwise_outcomes(accuracies: ArrayLike) -> Outcomes:
    """Return how often each method is better than each other, equal, worse.

    Examples
    --------
    >>> from cutwise.paper.evaluate import pairwise_outcomes
    >>> pairwise_outcomes([[80.0, 80.0], [60.0, 65.0]]).wins
    array([[0, 0],
           [1, 0]])
    """
    table = checked_accuracies(accuracies)
    differences = np.round(table[:, :, np.newaxis] - table[:, np.newaxis, :], DECIMALS)
    wins, ties = (differences > 0).sum(axis=0), (differences == 0).sum(axis=0)
    return Outcomes(wins, ties, wins.T.copy())


def friedman_test(accuracies: ArrayLike) -> Friedman:
    """Test whether some method is better or worse than the others.

    Examples
    --------
    >>> from cutwise.paper.evaluate import friedman_test
    >>> round(friedman_test([[3.0, 2.0, 1.0], [3.0, 1.0, 2.0], [3.0, 2.0, 1.0]]).chi_square, 3)
    4.667
    """
    ranks = _ranks(accuracies)
    n, k = ranks.shape
    # Without ties the ranks of a data set vary by k (k + 1) / 12; ties make that less.
    spread = float(((ranks - (k + 1) / 2) ** 2).sum()) / (n * (k - 1))
    if spread == 0:
        return Friedman(0.0, 1.0, 0.0, 1.0)
    chi_square = n * float(((ranks.mean(axis=0) - (k + 1) / 2) ** 2).sum()) / spread
    p_value = float(chi2.sf(chi_square, k - 1))
    rest = n * (k - 1) - chi_square
    if rest <= 1e-12 * n * k:
        return Friedman(chi_square, p_value, np.inf, 0.0 if n > 1 else 1.0)
    ratio = (n - 1) * chi_square / rest
    return Friedman(chi_square, p_value, ratio, float(f.sf(ratio, k - 1, (k - 1) * (n - 1))))


def nemenyi_difference(n_methods: int, n_datasets: int, alpha: float = 0.05) -> float:
    """Return the critical difference: average ranks that differ by more are significantly different.

    Examples
    --------
    >>> from cutwise.paper.evaluate import nemenyi_difference
    >>> round(nemenyi_difference(4, 14), 3)
    1.254
    """
    if n_methods < 2 or n_datasets < 1 or not 0 < alpha < 1:
        raise ValueError(
            f"No critical difference for {n_methods} methods, {n_datasets} data sets, alpha={alpha!r}: "
            "it takes two methods, a data set and an alpha between 0 and 1."
        )
    quantile = float(studentized_range.ppf(1 - alpha, n_methods, np.inf))
    return quantile / math.sqrt(2) * _rank_error(n_methods, n_datasets)


def holm_adjusted(p_values: ArrayLike) -> NDArray[np.float64]:
    """Return p-values adjusted by Holm's step-down: those below alpha are significant together.

    Examples
    --------
    >>> from cutwise.paper.evaluate import holm_adjusted
    >>> holm_adjusted([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    values = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    steps = values[order] * np.arange(values.size, 0, -1)
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted


def holm_test(accuracies: ArrayLike, control: int | None = None) -> NDArray[np.float64]:
    """Compare all methods with one by their average ranks, adjusted by Holm.

    Parameters
    ----------
    accuracies : array-like of shape (n_datasets, n_methods)
    control : int or None, default=None
        The column to compare with; None for the first of the best average rank.

    Returns
    -------
    ndarray of shape (n_methods,)
        Adjusted two-sided p-values; NaN for the control itself.

    Examples
    --------
    >>> from cutwise.paper.evaluate import holm_test
    >>> holm_test([[9.0, 5.0, 1.0]] * 6).round(4)
    array([   nan, 0.0833, 0.0011])
    """
    ranks = _ranks(accuracies)
    means = ranks.mean(axis=0)
    k = means.size
    chosen = int(means.argmin()) if control is None else control
    if not 0 <= chosen < k:
        raise ValueError(f"control={control!r} is no column of {k} methods. Pass a number from 0 to {k - 1}.")
    others = np.arange(k) != chosen
    scores = np.abs(means[others] - means[chosen]) / _rank_error(k, ranks.shape[0])
    adjusted = np.full(k, np.nan)
    adjusted[others] = holm_adjusted(2 * norm.sf(scores))
    return adjusted


def _ranks(accuracies: ArrayLike) -> NDArray[np.float64]:
    table = np.round(checked_accuracies(accuracies), DECIMALS)
    return np.asarray(rankdata(-table, axis=1), dtype=np.float64)


def _rank_error(n_methods: int, n_datasets: int) -> float:
    """Return the standard error of the difference of two average ranks."""
    return math.sqrt(n_methods * (n_methods + 1) / (6 * n_datasets))
