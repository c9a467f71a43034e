"""A sample of rows that depends on the rows alone, not on their order or on who read them.

Each row has a hash, made from the bits of its numbers. The sample holds the rows with the
smallest hashes; rows that are alike have the same hash and count as one with a weight. So
samples of pieces of a table join to the sample of the whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.counting.tallies import Tidied

HIGHEST = np.uint64((1 << 64) - 1)


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows with the smallest hashes, in the order of these.

    Parameters
    ----------
    hashes : ndarray of uint64
    weights : ndarray of int
        How many rows are like each of these.
    values : ndarray [row, column]
    """

    hashes: NDArray[np.uint64]
    weights: NDArray[np.int64]
    values: NDArray[np.float64]

    def joined(self, other: Sample, size: int) -> Sample:
        """Return the sample of the rows of both."""
        return _smallest([self, other], size)

    def column(self, place: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return the values of a column in ascending order, each once, and their weights."""
        column = self.values[:, place]
        present = ~np.isnan(column)
        values, places = np.unique(column[present], return_inverse=True)
        weights = np.zeros(values.size, dtype=np.int64)
        np.add.at(weights, places, self.weights[present])
        return values, weights


class Sampler:
    """A sample that grows while the rows come in.

    Parameters
    ----------
    size : int
        The largest number of different rows.
    n_columns : int
    """

    def __init__(self, size: int, n_columns: int) -> None:
        self._size, self._n_columns = size, n_columns
        self._parts: list[Sample] = []
        self._n_waiting = 0
        self._threshold = HIGHEST

    def add(
        self,
        columns: Sequence[Tidied],
        marks: NDArray[np.bool_] | None = None,
        weights: NDArray[np.int64] | None = None,
    ) -> None:
        """Look at rows: all of them, or those that are marked; without weights each counts once."""
        hashes = np.zeros(columns[0].values.size, dtype=np.uint64)
        for column in columns:
            kernels.tallies.mix_rows(column.bits, hashes)
        low = hashes < self._threshold
        picked = np.flatnonzero(low if marks is None else low & marks)
        if picked.size > self._size:
            # No more than these can stay; what is copied for each row is large.
            smallest = np.unique(hashes[picked])[: self._size]
            picked = picked[hashes[picked] <= smallest[-1]]
        if picked.size == 0:
            return
        values = np.column_stack([column.values[picked] for column in columns])
        counts = np.ones(picked.size, dtype=np.int64) if weights is None else weights[picked]
        self._parts.append(Sample(hashes[picked], counts, values))
        self._n_waiting += picked.size
        if self._n_waiting >= self._size:
            self._settle()

    def sample(self) -> Sample:
        """Return the sample so far."""
        self._settle()
        return self._parts[0]

    def _settle(self) -> None:
        """Keep the smallest hashes; from then on only smaller ones count."""
        sample = _smallest([*self._parts, _no_rows(self._n_columns)], self._size)
        self._parts, self._n_waiting = [sample], 0
        if sample.hashes.size == self._size:
            self._threshold = sample.hashes[-1] + np.uint64(1)


def _no_rows(n_columns: int) -> Sample:
    return Sample(np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.int64), np.empty((0, n_columns)))


def _smallest(samples: Sequence[Sample], size: int) -> Sample:
    """Return the rows with the smallest hashes, those that are alike as one."""
    hashes = np.concatenate([sample.hashes for sample in samples])
    weights = np.concatenate([sample.weights for sample in samples])
    values = np.concatenate([sample.values for sample in samples])
    order = np.argsort(hashes, kind="stable")
    hashes = hashes[order]
    firsts = np.flatnonzero(np.append(True, hashes[1:] != hashes[:-1])) if hashes.size else order
    sums = np.add.reduceat(weights[order], firsts) if firsts.size else weights
    kept = firsts[:size]
    return Sample(hashes[kept], sums[:size], values[order[kept]])
