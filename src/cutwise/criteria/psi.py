"""Psi: relevance, discounted by the number of cuts, less divergence."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from cutwise import kernels
from cutwise.criteria.divergence import Divergence, NoDivergence
from cutwise.criteria.relevance import mutual_information
from cutwise.criteria.score import Score
from cutwise.criteria.term_tables import TermTables

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.counts import CountTable
    from cutwise.kernels.inputs import Labelled, Parts, Terms


@dataclass(frozen=True)
class Psi:
    """``Psi(D) = exp(-|D| / n_d) * I(A; C) - J(A)`` of a partition by the cuts D.

    Parameters
    ----------
    n_d : float
        N_D of the paper: the number of cuts at which the relevance counts only 1/e of
        itself. Infinity takes the discount away.
    divergence : Divergence
        J, and the way in which its validation part is chosen.

    Examples
    --------
    >>> from cutwise.counts import CountTable
    >>> from cutwise.criteria import Psi
    >>> table = CountTable.from_dense([1, 2, 3, 4], [[2, 0], [2, 0], [0, 2], [0, 2]])
    >>> Psi(n_d=50.0).score(table, [1])
    Score(value=0.9801986733067553, relevance=1.0, divergence=0.0)
    """

    name: ClassVar[str] = "Psi"

    n_d: float = math.inf
    divergence: Divergence = field(default_factory=NoDivergence)
    _tables: TermTables = field(default_factory=TermTables, init=False, repr=False, compare=False)

    def score(self, table: CountTable, gaps: NDArray[np.int64] | list[int]) -> Score:
        """Return the value of the partition with a cut in each of these gaps."""
        ends = table.bin_ends(np.asarray(gaps, dtype=np.int64))
        relevance = mutual_information(table.by_class.by_bin(ends))
        divergence = self.divergence.of_bins(table, ends)
        weight = kernels.elementary.exp(-len(gaps) / self.n_d)
        return Score(weight * relevance - divergence, relevance, divergence)

    def score_of_units(self, n_cuts: int, gain: int, loss: int, terms: Terms) -> Score:
        """Return the score of a scheme from the whole-numbered sums of a search."""
        unit = terms.n_rows * terms.scale
        weight = kernels.elementary.exp(-n_cuts / self.n_d)
        return Score((weight * gain - loss) / unit, gain / unit, loss / unit)

    def inputs(self, table: CountTable) -> tuple[Labelled, Parts | None, Terms]:
        """Return what the compiled searches take."""
        n_rows = table.n_rows
        n_whole = table.n_whole
        terms = self._tables.get(n_rows, n_whole, self.divergence.n_valid(n_whole))
        return table.by_class.labelled, self.divergence.parts(table), terms
