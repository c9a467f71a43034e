"""How well the bins of a column predict the class of rows that did not help to find them, by N_D."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels
from cutwise.counts import SparseCounts
from cutwise.counts.dealing import deal_counts, with_counts
from cutwise.criteria import Psi
from cutwise.search.psi import GreedySearch
from cutwise.search.result import NO_LIMITS, BinLimits, is_better

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.counts import ColumnCounts
    from cutwise.criteria import Divergence
    from cutwise.search.psi import ExactSearch
    from cutwise.search.result import SearchResult


@dataclass(frozen=True)
class HeldOutLosses:
    """The held-out log losses of a column's bins, one for each N_D.

    Parameters
    ----------
    search : GreedySearch or ExactSearch
    divergence : Divergence
        J; it must not need parts.
    limits : tuple of BinLimits
        Of several, those under which Psi is highest.
    n_ds : sequence of float
        The values of N_D, ascending.
    n_folds : int
        Each fold is held out once.

    Notes
    -----
    The greedy search adds one cut at a time, and a larger N_D mostly goes on where a smaller one stops. So each
    fold is searched once, with the largest N_D; the others stop earlier on the same path. The exact search is run
    for each N_D.

    Examples
    --------
    >>> import numpy as np
    >>> from cutwise.counts import ColumnCounts
    >>> from cutwise.criteria import ExpectedDivergence
    >>> from cutwise.search import GreedySearch, HeldOutLosses
    >>> table = ColumnCounts.from_dense(np.arange(20), [[5, 0], [0, 5]] * 10)
    >>> losses = HeldOutLosses(GreedySearch(), ExpectedDivergence(), n_ds=(2, 50)).of(table)
    >>> losses[1] < losses[0]
    True
    """

    search: GreedySearch | ExactSearch
    divergence: Divergence
    limits: tuple[BinLimits, ...] = (NO_LIMITS,)
    n_ds: Sequence[float] = (2, 5, 10, 20, 50, 100, 200)
    n_folds: int = 5
    # One for each fold and N_D, as each keeps the terms of tables of its size.
    _criteria: list[list[Psi]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        criteria = [[Psi(float(n_d), self.divergence) for n_d in self.n_ds] for _ in range(self.n_folds)]
        object.__setattr__(self, "_criteria", criteria)

    def of(self, table: ColumnCounts, limits: Sequence[BinLimits] | None = None) -> list[float]:
        """Return the log losses in bits, added up over all rows of the column; `limits` are those of this one."""
        if table.n_values < 2:
            return [0.0] * len(self.n_ds)
        entries = table.by_class
        terms: list[list[float]] = [[] for _ in self.n_ds]
        for fold, held_out in enumerate(deal_counts(table, self.n_folds)):
            left, places = with_counts(table, entries.counts - held_out)
            judge = _Judge(table, held_out)
            judged: dict[bytes, list[float]] = {}
            for gaps, loss in zip(self._schemes(left, fold, limits or self.limits), terms, strict=True):
                ends = (places[gaps] + places[gaps + 1] + 1) // 2
                if ends.tobytes() not in judged:
                    judged[ends.tobytes()] = judge.losses(ends)
                loss.extend(judged[ends.tobytes()])
        return [math.fsum(loss) for loss in terms]

    def _schemes(self, table: ColumnCounts, fold: int, limits: Sequence[BinLimits]) -> list[NDArray[np.int64]]:
        """Return the gaps that get a cut, for each N_D."""
        share = 1.0 - 1.0 / self.n_folds
        found = [self._by_n_d(table, self._criteria[fold], own.scaled(share)) for own in limits]
        best = np.argmax([[psi for _, psi in schemes] for schemes in found], axis=0)
        return [found[one][i][0] for i, one in enumerate(best.tolist())]

    def _by_n_d(
        self, table: ColumnCounts, criteria: list[Psi], limits: BinLimits
    ) -> list[tuple[NDArray[np.int64], float]]:
        """Return the gaps and Psi of the scheme for each N_D."""
        if isinstance(self.search, GreedySearch):
            path = self.search.run(criteria[-1], table, limits)
            return [_stopped(path, criterion.n_d) for criterion in criteria]
        found = [self.search.run(criterion, table, limits) for criterion in criteria]
        return [(one.gaps, one.score.value if one.score else 0.0) for one in found]


def stop_for(steps: Sequence[tuple[float, float]], n_d: float) -> tuple[int, float]:
    """Return after how many cuts a path stops for a smaller N_D, and Psi there; a step is relevance and divergence."""
    weights = kernels.elementary.exp_of(-np.arange(1.0, len(steps) + 1) / n_d)
    psi, n_cuts = 0.0, 0
    for (relevance, divergence), weight in zip(steps, weights.tolist(), strict=True):
        value = weight * relevance - divergence
        if not is_better(value, psi):
            break
        psi, n_cuts = value, n_cuts + 1
    return n_cuts, psi


def _stopped(path: SearchResult, n_d: float) -> tuple[NDArray[np.int64], float]:
    """Return the gaps that are cut when a path stops for a smaller N_D, and Psi there."""
    n_cuts, psi = stop_for([(step.score.relevance, step.score.divergence) for step in path.steps], n_d)
    return np.sort(np.array([step.gap for step in path.steps[:n_cuts]], dtype=np.int64)), psi


class _Judge:
    """Learns the class rates of bins from some rows of a column and predicts the others."""

    def __init__(self, table: ColumnCounts, held_out: NDArray[np.int64]) -> None:
        entries = table.by_class
        self._n_values, self._unit = table.n_values, table.unit
        self._learned = SparseCounts(entries.starts, entries.labels, entries.counts - held_out, entries.n_labels)
        self._held_out = SparseCounts(entries.starts, entries.labels, held_out, entries.n_labels)

    def losses(self, ends: NDArray[np.int64]) -> list[float]:
        """Return what each class and bin adds to the log loss; all bins but the last end before these values."""
        ends = np.append(ends, self._n_values)
        counts = self._learned.by_bin(ends) * self._unit
        rates = (counts + 1.0) / (counts.sum(axis=1, keepdims=True) + counts.shape[1])
        rows = self._held_out.by_bin(ends) * self._unit
        losses: list[float] = (-rows * kernels.elementary.log2_of(rates)).ravel().tolist()
        return losses
