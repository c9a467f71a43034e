"""Psi: relevance, discounted by the number of cuts, less divergence."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from cutwise import kernels
from cutwise.criteria.divergence import Divergence, NoDivergence
from cutwise.criteria.score import Score, mutual_information
from cutwise.kernels.inputs import TermLookup

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.counts import ColumnCounts
    from cutwise.kernels.inputs import LabelledRows, RowsByPart


class TermTables:
    """The last tables of terms: columns without missing values share one."""

    def __init__(self) -> None:
        self._last: dict[tuple[int, int, int], TermLookup] = {}
        self._lock = threading.Lock()

    def get(self, n_rows: int, n_whole: int, n_valid: int) -> TermLookup:
        """Return the tables for a column of counts that sum to n_rows and stand for n_whole rows."""
        with self._lock:
            terms = self._last.get((n_rows, n_whole, n_valid))
            if terms is None:
                terms = self._fill(n_rows, n_whole, n_valid)
                self._last = {(n_rows, n_whole, n_valid): terms}
            return terms

    @staticmethod
    def _fill(n_rows: int, n_whole: int, n_valid: int) -> TermLookup:
        make = kernels.bins.terms
        scale = make.choose_scale(n_rows)
        expected_scale = scale * (n_rows / n_whole)
        expected = np.empty(0, dtype=np.int64)
        if n_valid:
            expected = make.fill_expected_terms(n_whole, n_valid, expected_scale)
        counts = make.fill_count_terms(n_whole, scale)
        fraction = None if n_whole == n_rows else (n_whole, expected_scale, n_whole / n_rows)
        return TermLookup(counts, expected, scale, n_rows, n_valid, fraction)


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
    >>> from cutwise.counts import ColumnCounts
    >>> from cutwise.criteria import Psi
    >>> table = ColumnCounts.from_dense([1, 2, 3, 4], [[2, 0], [2, 0], [0, 2], [0, 2]])
    >>> Psi(n_d=50.0).score(table, [1])
    Score(value=0.9801986733067553, relevance=1.0, divergence=0.0)
    """

    name: ClassVar[str] = "Psi"

    n_d: float = math.inf
    divergence: Divergence = field(default_factory=NoDivergence)
    _tables: TermTables = field(default_factory=TermTables, init=False, repr=False, compare=False)

    def score(self, table: ColumnCounts, gaps: NDArray[np.int64] | list[int]) -> Score:
        """Return the value of the partition with a cut in each of these gaps."""
        ends = table.bin_ends(np.asarray(gaps, dtype=np.int64))
        relevance = mutual_information(table.by_class.by_bin(ends))
        divergence = self.divergence.of_bins(table, ends)
        weight = kernels.elementary.exp(-len(gaps) / self.n_d)
        return Score(weight * relevance - divergence, relevance, divergence)

    def score_of_units(self, n_cuts: int, gain: int, loss: int, terms: TermLookup) -> Score:
        """Return the score of a scheme from the whole-numbered sums of a search."""
        unit = terms.n_rows * terms.scale
        weight = kernels.elementary.exp(-n_cuts / self.n_d)
        return Score((weight * gain - loss) / unit, gain / unit, loss / unit)

    def inputs(self, table: ColumnCounts) -> tuple[LabelledRows, RowsByPart | None, TermLookup]:
        """Return what the compiled searches take."""
        n_rows = table.n_rows
        n_whole = table.n_whole
        terms = self._tables.get(n_rows, n_whole, self.divergence.n_valid(n_whole))
        return table.by_class.labelled, self.divergence.parts(table), terms
