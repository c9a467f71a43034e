"""When two neighbouring bins are alike enough to be merged.

Two bins are merged if their chi-square is below the critical value of a level of
significance: at a level of 0.1, bins with the same class probabilities exceed it in one
case of ten. The methods differ in the degrees of freedom and in which pair goes first.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from cutwise.criteria.chi_square import critical_value

if TYPE_CHECKING:
    from numpy.typing import NDArray


class AlikenessTables(NamedTuple):
    """What chi-square is compared with, for each number of classes in the pair less one.

    A pair is merged if chi-square is below its threshold; the pair with the smallest
    ``(chi-square - threshold) * factor`` goes first.
    """

    thresholds: NDArray[np.float64]
    factors: NDArray[np.float64]


class Alikeness(Protocol):
    """A way to judge how alike two neighbouring bins are."""

    @property
    def shares_decide(self) -> bool:
        """Whether neighbours with the same shares of the classes are the most alike."""

    def tables(self, level: float, n_classes: int) -> AlikenessTables:
        """Return the tables for one level of significance.

        Parameters
        ----------
        level : float
            Above 0 and below 1.
        n_classes : int
            The number of classes in the column.
        """


@lru_cache(maxsize=512)
def critical_values(level: float, n_classes: int) -> NDArray[np.float64]:
    """Return the critical values of chi-square with 0 to n_classes - 1 degrees of freedom.

    With no degree of freedom, bins of one and the same class, nothing is critical.

    Examples
    --------
    >>> from cutwise.criteria import critical_values
    >>> critical_values(0.1, 3).round(4)
    array([   inf, 2.7055, 4.6052])
    """
    values = np.full(n_classes, np.inf)
    values[1:] = [critical_value(freedom, level) for freedom in range(1, n_classes)]
    values.flags.writeable = False
    return values


@dataclass(frozen=True)
class ColumnFreedom:
    """Degrees of freedom from the classes of the column, the smallest chi-square first.

    ChiMerge and Chi2 judge so.
    """

    shares_decide = True

    def tables(self, level: float, n_classes: int) -> AlikenessTables:
        """Return the tables for one level of significance."""
        threshold = critical_value(n_classes - 1, level)
        return AlikenessTables(np.full(n_classes, threshold), np.ones(n_classes))


@dataclass(frozen=True)
class PairFreedom:
    """Degrees of freedom from the classes of the two bins, the largest margin first.

    The margin is the critical value less chi-square. Bins of one and the same class are
    always merged. Modified Chi2 judges so.
    """

    shares_decide = False

    def tables(self, level: float, n_classes: int) -> AlikenessTables:
        """Return the tables for one level of significance."""
        return AlikenessTables(critical_values(level, n_classes), np.ones(n_classes))


@dataclass(frozen=True)
class ScaledPairFreedom:
    """The margin of `PairFreedom` in standard deviations, sqrt(2 df), of chi-square.

    Extended Chi2 judges so.
    """

    shares_decide = False

    def tables(self, level: float, n_classes: int) -> AlikenessTables:
        """Return the tables for one level of significance."""
        factors = 1.0 / np.sqrt(2.0 * np.maximum(np.arange(n_classes), 0.5))
        return AlikenessTables(critical_values(level, n_classes), factors)
