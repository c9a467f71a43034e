"""Points: log-odds on another scale, a number for each bin, which add up to the score."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.classify.scorecard.on_codes import LearnedCard

BEST, MEAN = "best", "mean"


@dataclass(frozen=True)
class Scaling:
    """How log-odds become points.

    Parameters
    ----------
    pdo : float
        The points that double the odds.
    base_score : float
        The score of a row with the base odds.
    base_odds : float
        Other rows for each event.
    rounding : int or None
        The decimals of points; None leaves them as they are.
    """

    pdo: float
    base_score: float
    base_odds: float
    rounding: int | None

    @property
    def factor(self) -> float:
        """The points of a log-odds of 1."""
        return self.pdo / float(kernels.elementary.log(2.0))

    @property
    def offset(self) -> float:
        """The score of even odds."""
        return self.base_score - self.factor * float(kernels.elementary.log(float(self.base_odds)))

    def rounded(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return points with as many decimals as wanted."""
        return points if self.rounding is None else np.asarray(np.round(points, self.rounding) + 0.0)


@dataclass(frozen=True, eq=False)
class CardPoints:
    """The points of every bin of the columns that are used.

    Parameters
    ----------
    card : LearnedCard
    scaling : Scaling
    """

    card: LearnedCard
    scaling: Scaling

    @property
    def columns(self) -> list[int]:
        """The places of the columns that are used."""
        return self.card.fates.kept

    @cached_property
    def base(self) -> float:
        """The score before any column is known; the columns share it in equal parts."""
        return self.scaling.offset + self.scaling.factor * self.card.intercept

    @cached_property
    def exact(self) -> list[NDArray[np.float64]]:
        """The points of each code of each column, not rounded; at the end those of an unseen category."""
        share = self.base / max(len(self.columns), 1)
        ends, log_odds = self.card.counts.offsets, self.card.log_odds
        added = [np.append(log_odds[ends[j] : ends[j + 1]], 0.0) for j in self.columns]
        return [self.scaling.factor * each + share for each in added]

    @cached_property
    def points(self) -> list[NDArray[np.float64]]:
        """The same as they are given, rounded."""
        return [self.scaling.rounded(each) for each in self.exact]

    @cached_property
    def has_rows(self) -> list[NDArray[np.bool_]]:
        """Whether each code of each column has training rows; at the end False for an unseen category."""
        ends = self.card.counts.offsets
        filled = self.card.counts.has_rows
        return [np.append(filled[ends[j] : ends[j + 1]], False) for j in self.columns]

    @property
    def error(self) -> float:
        """The largest difference that rounding makes in a score, over all combinations of bins."""
        if not self.columns:
            return abs(float(self.scaling.rounded(np.array([self.base]))[0]) - self.base)
        apart = [given - exact for given, exact in zip(self.points, self.exact, strict=True)]
        return float(max(sum(each.max() for each in apart), -sum(each.min() for each in apart)))

    def baselines(self, against: str) -> list[float]:
        """Return the points that each column is compared with: those of its best bin with rows, or their mean."""
        ends = self.card.counts.offsets
        found = []
        for j, points, filled in zip(self.columns, self.points, self.has_rows, strict=True):
            rows = self.card.counts.of_cell[ends[j] : ends[j + 1]].sum(axis=1)
            best = points[filled].max() if against == BEST else (points[:-1] * rows).sum() / rows.sum()
            found.append(float(best))
        return found

    def costs(self, against: str) -> list[NDArray[np.float64]]:
        """Return how many points each code is below what its column is compared with.

        0 for codes that are not below, and for those without training rows.
        """
        each = zip(self.points, self.has_rows, self.baselines(against), strict=True)
        return [np.where(filled, np.maximum(best - points, 0.0), 0.0) for points, filled, best in each]

    def by_column(self, codes: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return the points of rows, a column for each that is used; the code -1 points to the end."""
        return _looked_up(self.points, codes[:, self.columns])

    def scores(self, codes: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return the score of each row."""
        if not self.columns:
            return np.full(codes.shape[0], self.scaling.rounded(np.array([self.base]))[0])
        total = np.zeros(codes.shape[0])
        for place, points in zip(self.columns, self.points, strict=True):
            total += points[codes[:, place]]
        return total if self.scaling.rounding is None else self.scaling.rounded(total)

    def reasons(self, codes: NDArray[np.int32], k: int, against: str) -> NDArray[np.int64]:
        """Return the k columns that cost each row most, as places among those used; -1 where no more cost anything."""
        costs = _looked_up(self.costs(against), codes[:, self.columns])
        rows = np.arange(codes.shape[0])
        found = np.full((rows.size, k), -1)
        for place in range(min(k, costs.shape[1])):
            # Of equal costs argmax takes the first.
            most = costs.argmax(axis=1)
            found[:, place] = np.where(costs[rows, most] > 0.0, most, -1)
            costs[rows, most] = 0.0
        return found


def _looked_up(of_code: list[NDArray[np.float64]], codes: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return the number of each code of each column."""
    found = np.empty(codes.shape)
    for place, numbers in enumerate(of_code):
        found[:, place] = numbers[codes[:, place]]
    return found
