"""Wilcoxon's signed-rank test: is one method better than another over many data sets.

The differences of two methods are ranked by size, 1 for the smallest, equal ones by their
mean. R+ is the sum of the ranks of the data sets on which the first method is better, R- that
of the others. What becomes of differences of zero is a rule to choose:

- ``"split"`` ranks them with the others and gives half of their ranks to each side. The paper
  does so: R+ and R- are then always N (N + 1) / 2 together.
- ``"drop-odd"`` is the same, after one of them is dropped if their number is odd (Demsar 2006).
- ``"pratt"`` ranks them with the others and gives their ranks to none.
- ``"drop"`` leaves them out before ranking (Wilcoxon 1945).
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.stats import norm, rankdata

from cutwise.paper.evaluate.summary import checked_accuracies

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

ZERO_RULES = ("split", "drop-odd", "pratt", "drop")
P_VALUES = ("auto", "exact", "normal")
MOST_EXACT = 100
DECIMALS = 9
"""Differences of accuracies, in percent, are equal if they agree in so many decimals."""


class SignedRanks(NamedTuple):
    """The signed-rank test of one sample of differences.

    Parameters
    ----------
    r_plus, r_minus : float
        Sums of the ranks of the positive and of the negative differences.
    n : int
        How many differences were ranked.
    p_value : float
        Two-sided: how probable sums at least as unequal are if signs are chance.
    """

    r_plus: float
    r_minus: float
    n: int
    p_value: float


def signed_rank_test(differences: ArrayLike, zeros: str = "split", p_value: str = "auto") -> SignedRanks:
    """Test whether differences are as often and as far above zero as below.

    Parameters
    ----------
    differences : array-like of shape (n,)
    zeros : {"split", "drop-odd", "pratt", "drop"}, default="split"
        What becomes of differences of zero.
    p_value : {"auto", "exact", "normal"}, default="auto"
        "exact" counts all ways to give signs to the ranks, ties included; "normal" is the
        approximation with the correction for ties; "auto" is exact up to 100 differences.

    Returns
    -------
    SignedRanks
        With a p-value of 1 if no difference is left.

    Examples
    --------
    >>> from cutwise.paper.evaluate import signed_rank_test
    >>> signed_rank_test([3.0, 1.0, -0.5, 2.0, 0.0])
    SignedRanks(r_plus=12.5, r_minus=2.5, n=5, p_value=0.25)
    >>> signed_rank_test([3.0, 1.0, -0.5, 2.0, 0.0], zeros="drop")
    SignedRanks(r_plus=9.0, r_minus=1.0, n=4, p_value=0.25)
    """
    values = np.asarray(differences, dtype=np.float64)
    if values.ndim != 1 or not np.isfinite(values).all():
        message = f"Differences must be a list of finite numbers, not {differences!r}. Leave out what is missing."
        raise ValueError(message)
    _check_choice("zeros", zeros, ZERO_RULES)
    _check_choice("p_value", p_value, P_VALUES)
    kept = _without_dropped(values, zeros)
    ranks = rankdata(np.abs(kept))
    shared = ranks[kept == 0].sum() / 2 if zeros in {"split", "drop-odd"} else 0.0
    r_plus = float(ranks[kept > 0].sum() + shared)
    r_minus = float(ranks[kept < 0].sum() + shared)
    is_exact = p_value == "exact" or (p_value == "auto" and kept.size <= MOST_EXACT)
    p = _exact_p(kept, ranks) if is_exact else _normal_p(kept, ranks, r_plus, zeros)
    return SignedRanks(r_plus, r_minus, int(kept.size), p)


def rank_sums(accuracies: ArrayLike, zeros: str = "split") -> NDArray[np.float64]:
    """Return R[i, j]: the sum of the ranks of the data sets on which method i beats method j.

    Parameters
    ----------
    accuracies : array-like of shape (n_datasets, n_methods)
        In percent. Differences that agree in nine decimals are equal.
    zeros : {"split", "drop-odd", "pratt", "drop"}, default="split"
        What becomes of data sets on which two methods are equal. The paper splits their ranks.

    Returns
    -------
    ndarray of shape (n_methods, n_methods)
        Zeros on the diagonal.

    Examples
    --------
    >>> from cutwise.paper.evaluate import rank_sums
    >>> rank_sums([[80.0, 75.0], [90.0, 91.0], [70.0, 68.0]])
    array([[0., 5.],
           [1., 0.]])
    """
    table = checked_accuracies(accuracies)
    sums = np.zeros((table.shape[1], table.shape[1]))
    for i, j in combinations(range(len(sums)), 2):
        found = signed_rank_test(_differences(table, i, j), zeros, "normal")
        sums[i, j], sums[j, i] = found.r_plus, found.r_minus
    return sums


def rank_sum_p_values(accuracies: ArrayLike, zeros: str = "split") -> NDArray[np.float64]:
    """Return the two-sided p-value of each pair of methods, as in `rank_sums`; 1 on the diagonal."""
    table = checked_accuracies(accuracies)
    values = np.ones((table.shape[1], table.shape[1]))
    for i, j in combinations(range(len(values)), 2):
        values[i, j] = values[j, i] = signed_rank_test(_differences(table, i, j), zeros).p_value
    return values


def critical_rank_sum(n: int, alpha: float = 0.05, sides: int = 2) -> int | None:
    """Return the smallest R+ that is significant for n data sets without ties.

    It is the smallest whole number r with P(R+ >= r) <= alpha / sides, where each of the 2**n
    ways to give signs to the ranks 1 to n is as probable as any other. For n = 45 and
    alpha = 0.05 with two sides it is 692, the paper's value: P(R+ >= 692) is 0.0244, P(R+ >= 691)
    is 0.0251. The paper asks for more than 692, one rank more than the level needs. With one
    side it would be 664.

    Parameters
    ----------
    n : int
    alpha : float, default=0.05
    sides : {1, 2}, default=2

    Returns
    -------
    int or None
        None if not even n wins are significant.

    Examples
    --------
    >>> from cutwise.paper.evaluate import critical_rank_sum
    >>> critical_rank_sum(45), critical_rank_sum(45, sides=1), critical_rank_sum(5)
    (692, 664, None)
    """
    if n < 1 or not 0 < alpha < 1 or sides not in {1, 2}:
        raise ValueError(
            f"There is no critical rank sum for n={n!r}, alpha={alpha!r}, sides={sides!r}: "
            "n must be at least 1, alpha between 0 and 1, sides 1 or 2."
        )
    at_least = _chances(np.arange(1, n + 1))[::-1].cumsum()[::-1]
    significant = np.flatnonzero(at_least <= alpha / sides)
    return int(significant[0]) if significant.size else None


def _differences(table: NDArray[np.float64], i: int, j: int) -> NDArray[np.float64]:
    return np.round(table[:, i] - table[:, j], DECIMALS)


def _without_dropped(values: NDArray[np.float64], zeros: str) -> NDArray[np.float64]:
    kept = np.ones(values.size, dtype=np.bool_)
    places = np.flatnonzero(values == 0)
    if zeros == "drop":
        kept[places] = False
    elif zeros == "drop-odd" and places.size % 2:
        kept[places[0]] = False
    return np.asarray(values[kept])


def _exact_p(kept: NDArray[np.float64], ranks: NDArray[np.float64]) -> float:
    """Return how probable sums at least as unequal are; the doubled ranks of ties are whole numbers."""
    doubled = np.round(2 * ranks[kept != 0]).astype(np.int64)
    larger = max(doubled[kept[kept != 0] > 0].sum(), doubled[kept[kept != 0] < 0].sum())
    return min(1.0, float(2 * _chances(doubled)[larger:].sum()))


def _chances(ranks: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the probability of each sum of those ranks whose coin shows heads."""
    chances = np.ones(1)
    for rank in ranks:
        longer = np.zeros(chances.size + rank)
        longer[: chances.size] = chances / 2
        longer[rank:] += chances / 2
        chances = longer
    return chances


def _normal_p(kept: NDArray[np.float64], ranks: NDArray[np.float64], r_plus: float, zeros: str) -> float:
    n, n_zero = kept.size, int((kept == 0).sum())
    mean, variance = _moments(n)
    ties = ranks
    if zeros == "pratt":
        zero_mean, zero_variance = _moments(n_zero)
        mean, variance, ties = mean - zero_mean, variance - zero_variance, ranks[kept != 0]
    counts = np.unique(ties, return_counts=True)[1].astype(np.float64)
    variance -= float((counts**3 - counts).sum()) / 48
    return float(2 * norm.sf(abs(r_plus - mean) / np.sqrt(variance))) if variance > 0 else 1.0


def _moments(n: int) -> tuple[float, float]:
    """Return mean and variance of R+ for n ranks without ties."""
    return n * (n + 1) / 4, n * (n + 1) * (2 * n + 1) / 24


def _check_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise ValueError(f"{name}={value!r} is unknown. Choose one of {', '.join(map(repr, choices))}.")
