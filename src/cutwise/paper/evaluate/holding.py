"""Do cuts hold? A method is fitted on one half of the rows, and its cuts are judged on the other.

Only the cuts of numeric columns are looked at, so programs beside the library can be judged, too.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise import kernels
from cutwise.criteria import mutual_information, weight_of_evidence
from cutwise.table import NumericColumn, read_columns
from cutwise.table.frames import take_rows
from cutwise.validation import deal_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    # Takes a table, its classes and weights, and returns the cuts of each column, none for categories.
    FindCuts = Callable[[Any, NDArray[Any], NDArray[np.float64] | None], Sequence[NDArray[np.float64]]]

# Cuts with less than this share of the rows between them are the same.
TOLERANCE = 0.05


@dataclass(frozen=True)
class HoldingFigures:
    """How cuts do on rows that they were not learned from. Figures of several tables add up.

    Parameters
    ----------
    n_fits : int
        The halves that cuts were learned from.
    n_cuts, n_confirmed : int
        The cuts, and those of them across which the rates of the classes move alike in both halves.
    relevance, new_relevance : float
        Bits a row, added up over the columns: the mutual information of bins and class in the first half, and by
        how much the rates of its bins shorten the log loss of the classes in the other half.
    iv, new_iv : float
        With two classes the information values, added up: with the weights of evidence of the first half, and the
        shares of the first or of the other half. NaN with more classes.
    n_again, n_either : int
        The cuts that resamples of the first half find, too, and those that it or they find.
    n_columns, n_noise : int
        The numeric columns, and those of them that are cut even though their values are shuffled.
    seconds : float
        The time of the first fits.
    """

    n_fits: int = 0
    n_cuts: int = 0
    n_confirmed: int = 0
    relevance: float = 0.0
    new_relevance: float = 0.0
    iv: float = 0.0
    new_iv: float = 0.0
    n_again: int = 0
    n_either: int = 0
    n_columns: int = 0
    n_noise: int = 0
    seconds: float = 0.0

    def __add__(self, other: HoldingFigures) -> HoldingFigures:
        """Return the figures of both."""
        if not isinstance(other, HoldingFigures):
            return NotImplemented
        return HoldingFigures(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    @property
    def cuts(self) -> float:
        """The mean number of cuts of a fit."""
        return _share(self.n_cuts, self.n_fits)

    @property
    def confirmed(self) -> float:
        """The share of the cuts that are confirmed; NaN without cuts."""
        return _share(self.n_confirmed, self.n_cuts)

    @property
    def again(self) -> float:
        """The share of the cuts that are found again; NaN without cuts."""
        return _share(self.n_again, self.n_either)

    @property
    def noise(self) -> float:
        """The share of the shuffled columns that are cut."""
        return _share(self.n_noise, self.n_columns)


def _share(part: float, whole: float) -> float:
    return part / whole if whole else math.nan


@dataclass(frozen=True, eq=False)
class HalvedTable:
    """A table whose halves are learned from and judged by in turn.

    Parameters
    ----------
    X : table
    y : ndarray
        The class of each row.
    weights : ndarray or None
        How often each row counts.
    seed : int
        Random seed. The halves are stratified by class.
    n_resamples : int
        How many bootstrap samples of a half are compared with it.

    Examples
    --------
    >>> import numpy as np
    >>> from cutwise import MDLPDiscretizer
    >>> x = np.arange(400.0)
    >>> y = (x > 150).astype(int)
    >>> found = HalvedTable(x[:, np.newaxis], y).judge(lambda X, y, _: MDLPDiscretizer().fit(X, y).cuts_)
    >>> found.n_fits, found.cuts, found.confirmed, found.again, found.noise
    (2, 1.0, 1.0, 1.0, 0.0)
    """

    X: Any
    y: NDArray[Any]
    weights: NDArray[np.float64] | None = None
    seed: int = 0
    n_resamples: int = 2

    def judge(self, find_cuts: FindCuts) -> HoldingFigures:
        """Learn from each half, and judge by the other."""
        codes = np.unique(self.y, return_inverse=True)[1]
        halves = deal_rows(codes, 2, np.random.RandomState(self.seed))
        first, second = (np.flatnonzero(halves == half) for half in (0, 1))
        return self._judge(find_cuts, first, second) + self._judge(find_cuts, second, first)

    def _judge(self, find_cuts: FindCuts, rows: NDArray[np.int64], new: NDArray[np.int64]) -> HoldingFigures:
        start = time.perf_counter()
        cuts = self._cuts(find_cuts, rows)
        columns = numeric_columns(self.X)
        found = HoldingFigures(n_fits=1, n_columns=len(columns), seconds=time.perf_counter() - start)
        for j, values in columns.items():
            found += judge_bins(*(self._count(values, part, cuts[j]) for part in (rows, new)))
        rng = np.random.RandomState(self.seed)
        for _ in range(self.n_resamples):
            others = self._cuts(find_cuts, rows[rng.randint(rows.size, size=rows.size)])
            for j, values in columns.items():
                found += compare_cuts(cuts[j], others[j], values[rows])
        return found + HoldingFigures(n_noise=self._cut_noise(find_cuts, rows, rng))

    def _cuts(self, find_cuts: FindCuts, rows: NDArray[np.int64]) -> Sequence[NDArray[np.float64]]:
        weights = None if self.weights is None else self.weights[rows]
        return find_cuts(take_rows(self.X, rows), self.y[rows], weights)

    def _cut_noise(self, find_cuts: FindCuts, rows: NDArray[np.int64], rng: np.random.RandomState) -> int:
        """Return how many numeric columns are cut when each of them is shuffled."""
        shuffled = np.column_stack([values[rng.permutation(rows)] for values in numeric_columns(self.X).values()])
        weights = None if self.weights is None else self.weights[rows]
        return sum(cuts.size > 0 for cuts in find_cuts(shuffled, self.y[rows], weights))

    def _count(
        self, values: NDArray[np.float64], rows: NDArray[np.int64], cuts: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return the rows [bin, class] of a column, without missing values."""
        classes, codes = np.unique(self.y, return_inverse=True)
        rows = rows[~np.isnan(values[rows])]
        counts = np.zeros((cuts.size + 1, classes.size))
        weights = 1.0 if self.weights is None else self.weights[rows]
        np.add.at(counts, (np.searchsorted(cuts, values[rows]), codes[rows]), weights)
        return counts


def numeric_columns(table: Any) -> dict[int, NDArray[np.float64]]:
    """Return the numeric columns of a table by their places; NaN is missing."""
    read = (column() for column in read_columns(table, [f"x{j}" for j in range(table.shape[1])]))
    return {
        j: np.asarray(column.values, dtype=np.float64)
        for j, column in enumerate(read)
        if isinstance(column, NumericColumn)
    }


def judge_bins(learned: NDArray[np.float64], new: NDArray[np.float64]) -> HoldingFigures:
    """Judge the bins of one column by their rows [bin, class] in both halves.

    A cut is confirmed if the changes of the class rates across it, from the bin before to the bin after, point the
    same way in both halves: their products, added up over the classes, are positive. With two classes that is the
    same as a rate that moves in the same direction. A bin without new rows confirms nothing.

    Examples
    --------
    >>> import numpy as np
    >>> found = judge_bins(np.array([[8.0, 2], [5, 5], [2, 8]]), np.array([[7.0, 3], [8, 2], [3, 7]]))
    >>> found.n_cuts, found.n_confirmed
    (2, 1)
    """
    products = (_rate_changes(learned) * _rate_changes(new)).sum(axis=1)
    iv = new_iv = math.nan
    if learned.shape[1] == 2:
        weights, iv, _ = weight_of_evidence(learned.tolist())
        shares = new / np.maximum(new.sum(axis=0), 1.0)
        new_iv = math.fsum(((shares[:, 1] - shares[:, 0]) * weights).tolist())
    return HoldingFigures(
        n_cuts=products.size,
        n_confirmed=int((products > 0.0).sum()),
        relevance=mutual_information(learned),
        new_relevance=_saved_bits(learned, new),
        iv=iv,
        new_iv=new_iv,
    )


def _rate_changes(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the changes of the class rates [cut, class]; NaN beside a bin without rows."""
    with np.errstate(invalid="ignore"):
        return np.diff(counts / counts.sum(axis=1, keepdims=True), axis=0)


def _saved_bits(learned: NDArray[np.float64], new: NDArray[np.float64]) -> float:
    """Return the bits a row by which the learned rates of bins predict the new classes better than those of all rows.

    To each count one is added.
    """

    def log_rates(counts: NDArray[np.float64]) -> NDArray[np.float64]:
        rates = (counts + 1.0) / (counts + 1.0).sum(axis=1, keepdims=True)
        logs: NDArray[np.float64] = kernels.elementary.log2_of(rates)
        return logs

    gains = new * (log_rates(learned) - log_rates(learned.sum(axis=0, keepdims=True)))
    return math.fsum(gains.ravel().tolist()) / max(float(new.sum()), 1.0)


def compare_cuts(cuts: NDArray[np.float64], others: NDArray[np.float64], values: NDArray[np.float64]) -> HoldingFigures:
    """Count the cuts that two sets share: pairs, each cut in one only, with less than `TOLERANCE` of the rows between.

    Examples
    --------
    >>> import numpy as np
    >>> found = compare_cuts(np.array([10.5, 50.5]), np.array([12.5, 30.5]), np.arange(100.0))
    >>> found.n_again, found.n_either
    (1, 3)
    """
    ordered = np.sort(values[~np.isnan(values)])
    places, other_places = (
        (np.searchsorted(ordered, c, side="right") / max(ordered.size, 1)).tolist() for c in (cuts, others)
    )
    n_again = i = j = 0
    while i < len(places) and j < len(other_places):
        distance = places[i] - other_places[j]
        if abs(distance) < TOLERANCE:
            n_again, i, j = n_again + 1, i + 1, j + 1
        elif distance < 0:
            i += 1
        else:
            j += 1
    return HoldingFigures(n_again=n_again, n_either=len(places) + len(other_places) - n_again)
