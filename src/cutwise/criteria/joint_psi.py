"""Psi of all columns at once: the mutual information of the joint cells and the class, less their divergence."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cutwise import kernels
from cutwise.counts.joint import NO_GAPS, JointRows
from cutwise.criteria.psi import Divergence, NoDivergence, SplitDivergence, TermTables
from cutwise.criteria.score import Score

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.counts import JointTable
    from cutwise.counts.joint import CellGrouping
    from cutwise.kernels.inputs import TermLookup


class PartitionSums(NamedTuple):
    """The whole-numbered sums of a partition: its relevance, its divergence, its cuts."""

    gain: int
    loss: int
    n_cuts: int


@dataclass(frozen=True)
class JointPsi:
    """``Psi(D) = exp(-|D| / (n_d m)) * I(A_1, ..., A_m; C) - J`` of the cuts of m columns.

    I and J are those of the joint cells: the rows that have the same code in every column.
    A column without a cut takes no part in the cells, nor do its missing values; one with
    cuts brings its missing and its special values along as codes of their own. A nominal
    column of k categories counts as k - 1 cuts if it takes part. m is the number of
    columns that can be cut at all. On a single column without missing values this is
    Psi.

    Parameters
    ----------
    n_d : float
        N_D of the paper; infinity takes the discount away.
    divergence : Divergence
        J, and the way in which its validation part is chosen. With weights the expected
        divergence between two whole numbers of rows lies on a line.

    Examples
    --------
    >>> import numpy as np
    >>> from cutwise.counts import JointTable, RowGroups, count_column
    >>> from cutwise.criteria import JointPsi
    >>> x, y = np.array([[0, 0, 1, 1], [0, 1, 0, 1]]), np.array([0, 1, 1, 0])
    >>> tables = tuple(count_column(column, RowGroups(y, 2)) for column in x)
    >>> joint = JointTable(tables, x.astype(np.int32), np.empty((0, 4), np.int32), y, 2)
    >>> JointPsi(n_d=50.0).score(joint, [[0], []]).relevance
    0.0
    >>> JointPsi(n_d=50.0).score(joint, [[0], [0]]).relevance
    1.0
    """

    n_d: float = math.inf
    divergence: Divergence = field(default_factory=NoDivergence)

    def rows(self, joint: JointTable, parts: NDArray[np.int64] | None = None) -> JointRows:
        """Return the rows as the criterion needs them.

        Parameters
        ----------
        joint : JointTable
        parts : ndarray of int64, optional
            The part of each row; only for the divergence between given parts.
        """
        if not isinstance(self.divergence, SplitDivergence):
            return JointRows.from_table(joint)
        if parts is None:
            message = "The divergence between given parts needs the part of each row."
            raise ValueError(message)
        return JointRows.from_table(joint, parts, self.divergence.judged)

    def score(
        self,
        joint: JointTable,
        gaps: Sequence[NDArray[np.int64] | list[int]],
        nominal: Sequence[int] = (),
        parts: NDArray[np.int64] | None = None,
    ) -> Score:
        """Return the value of a scheme.

        Parameters
        ----------
        joint : JointTable
        gaps : sequence of array-like
            The gaps that have a cut, for each numeric column.
        nominal : sequence of int
            The nominal columns that take part in the cells.
        parts : ndarray of int64, optional
            The part of each row; only for the divergence between given parts.
        """
        rows = self.rows(joint, parts)
        chosen = []
        for column in rows.columns:
            if column.whole:
                chosen.append(column.every_gap if column.source in nominal else NO_GAPS)
            else:
                chosen.append(np.sort(np.asarray(gaps[column.source], dtype=np.int64)))
        scale = JointScale.of(self, rows)
        sums = scale.sums(rows.cells(chosen).now, sum(gap.size for gap in chosen))
        return scale.score(sums)


@dataclass(frozen=True, eq=False)
class JointScale:
    """A joint criterion made ready for some rows: sums in whole numbers, and what they are worth.

    Parameters
    ----------
    terms : TermLookup
        The tables of terms.
    whole : int
        What the relevance terms of the rows in a single cell add up to.
    spread : float
        The number of cuts at which the relevance counts only 1/e of itself.
    """

    terms: TermLookup
    whole: int
    spread: float

    @classmethod
    def of(cls, criterion: JointPsi, rows: JointRows) -> JointScale:
        """Fill the tables for some rows."""
        total = int(rows.counts.sum())
        terms = TermTables().get(total, rows.n_whole, criterion.divergence.n_valid(rows.n_whole))
        by_class = np.zeros(int(rows.classes.max(initial=0)) + 1, dtype=np.int64)
        np.add.at(by_class, rows.classes, rows.counts)
        whole = kernels.joint.joint.sum_terms(by_class, by_class.size, terms)
        whole -= kernels.joint.joint.sum_terms(np.array([total]), 1, terms)
        return cls(terms, int(whole), criterion.n_d * max(len(rows.columns), 1))

    @property
    def unit(self) -> float:
        """How many units are one bit."""
        return self.terms.n_rows * self.terms.scale

    def sums(self, grouping: CellGrouping, n_cuts: int) -> PartitionSums:
        """Return the sums of a partition into cells."""
        kernel, terms, arrays = kernels.joint.joint, self.terms, grouping.arrays
        gain = kernel.sum_terms(arrays.entries.counts, grouping.n_entries, terms) - self.whole
        gain -= kernel.sum_terms(arrays.cells.counts, grouping.n_cells, terms)
        loss = kernel.sum_losses(arrays, grouping.n_cells, terms)
        return PartitionSums(int(gain), int(loss), n_cuts)

    def value(self, sums: PartitionSums) -> float:
        """Return Psi in bits."""
        weight = float(kernels.bins.splitting.kept_weight(sums.n_cuts, self.spread))
        return (weight * sums.gain - sums.loss) / self.unit

    def changed_values(
        self,
        sums: PartitionSums,
        gains: NDArray[np.int64],
        losses: NDArray[np.int64],
        cuts: NDArray[np.int64] | int,
    ) -> NDArray[np.float64]:
        """Return Psi after each of many changes of a partition: of its sums and of its number of cuts."""
        weights: Any
        n_cuts = sums.n_cuts + cuts
        if isinstance(n_cuts, int):
            weights = kernels.bins.splitting.kept_weight(n_cuts, self.spread)
        else:
            weights = kernels.bins.splitting.weights_of(int(n_cuts.max(initial=0)) + 1, self.spread)[n_cuts]
        values: NDArray[np.float64] = (weights * (sums.gain + gains) - (sums.loss + losses)) / self.unit
        return values

    def score(self, sums: PartitionSums) -> Score:
        """Return Psi and its two halves, in bits."""
        return Score(self.value(sums), sums.gain / self.unit, sums.loss / self.unit)
