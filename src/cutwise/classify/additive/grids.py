"""The grids of pairs in a fitted model: which cell of each grid a row of codes is in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cutwise.persist.strict import require

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.classify.additive.learning import LearnedPairs


@dataclass(frozen=True, eq=False)
class PairGrids:
    """Scores of pairs of columns, each on the grid of the columns' groups.

    Parameters
    ----------
    learned : LearnedPairs
    offsets : ndarray of int
        The first cell of each column; at the end the number of cells.
    """

    learned: LearnedPairs
    offsets: NDArray[np.int64]

    @property
    def n_pairs(self) -> int:
        """The number of pairs."""
        return len(self.learned.pairs)

    def groups_of_column(self, j: int) -> NDArray[np.int64]:
        """Return the group of each bin of a column, from 1 on; 0 for none."""
        return self.learned.groups[self.offsets[j] : self.offsets[j + 1]]

    def shape(self, pair: int) -> tuple[int, int]:
        """Return the numbers of groups of a pair's two columns."""
        first, second = (int(self.groups_of_column(j).max(initial=0)) for j in self.learned.pairs[pair])
        return first, second

    @property
    def firsts(self) -> NDArray[np.int64]:
        """Where the grid of each pair begins, and at the end how many cells all of them have."""
        sizes = [np.prod(self.shape(pair)) for pair in range(self.n_pairs)]
        return np.concatenate(([0], np.cumsum(sizes, dtype=np.int64)))

    def grid(self, pair: int) -> NDArray[np.float64]:
        """Return the scores of a pair [group, group of the other, class]."""
        firsts = self.firsts
        return self.learned.scores[firsts[pair] : firsts[pair + 1]].reshape(*self.shape(pair), -1)

    def described(
        self, pair: int
    ) -> tuple[tuple[int, int], tuple[NDArray[np.int64], NDArray[np.int64]], NDArray[np.float64]]:
        """Return the columns of a pair, the group of each of their codes, and the scores by group."""
        first, second = self.learned.pairs[pair].tolist()
        return (first, second), (self.groups_of_column(first), self.groups_of_column(second)), self.grid(pair)

    def cells_of(self, codes: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return the cell of each row in the grid of each pair, -1 for none."""
        cells = np.empty((codes.shape[0], self.n_pairs), dtype=np.int64)
        for pair, (first, begin) in enumerate(zip(self.learned.pairs, self.firsts, strict=False)):
            one, two = (self._groups(codes, int(j)) for j in first)
            cells[:, pair] = np.where((one > 0) & (two > 0), begin + (one - 1) * self.shape(pair)[1] + (two - 1), -1)
        return cells

    def _groups(self, codes: NDArray[np.int32], j: int) -> NDArray[np.int64]:
        groups = np.append(self.groups_of_column(j), 0)
        own = codes[:, j]
        return groups[np.where((own >= 0) & (own < groups.size - 1), own, groups.size - 1)]

    def check(self) -> None:
        """Raise FormatError if the parts do not belong together."""
        pairs, n_columns = self.learned.pairs, self.offsets.size - 1
        require(bool((pairs < n_columns).all()), "'pairs' names a column that is not there.")
        varied = all(min(self.shape(pair)) > 1 for pair in range(self.n_pairs))
        require(varied, "'pairs' names a column whose bins are all in one group.")
        for j in range(n_columns):
            groups = self.groups_of_column(j)
            used = np.unique(groups[groups > 0])
            require(
                used.tolist() == list(range(1, used.size + 1)), "'groups' of a column must be 1, 2, … without gaps."
            )
        require(int(self.firsts[-1]) == len(self.learned.scores), "'pair_scores' does not fit the groups of the pairs.")
