"""What the parts of the joint search share: the rows, the criterion, the limits."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.counts.joint_cells import JointCells
    from cutwise.counts.joint_rows import JointRows
    from cutwise.criteria.joint_psi import JointScale, Sums

Gaps = list["NDArray[np.int64]"]


class Judged(NamedTuple):
    """A scheme, one array of gaps for each column, with its sums and its value."""

    gaps: Gaps
    sums: Sums
    value: float


@dataclass(frozen=True, eq=False)
class JointTask:
    """A joint search: the columns that entered, how schemes are judged, and the limits.

    Parameters
    ----------
    rows : JointRows
        Columns from the least to the most useful.
    scale : JointScale
    max_cuts : tuple of int
        The largest number of cuts of each column.
    min_count : int
        The smallest count of a bin.
    """

    rows: JointRows
    scale: JointScale
    max_cuts: tuple[int, ...]
    min_count: int

    @property
    def n_columns(self) -> int:
        """The number of columns that entered."""
        return len(self.rows.columns)

    @cached_property
    def _counts_up_to(self) -> list[NDArray[np.int64]]:
        """For each column and value, the count of the rows up to that value."""
        totals = []
        for column in self.rows.columns:
            by_value = np.zeros(column.n_values, dtype=np.int64)
            has_value = column.ranks >= 0
            np.add.at(by_value, column.ranks[has_value], self.rows.counts[has_value])
            totals.append(np.cumsum(by_value))
        return totals

    def judge(self, gaps: Gaps, cells: JointCells | None = None) -> Judged:
        """Return the scheme with its value."""
        cells = self.rows.cells(gaps) if cells is None else cells
        sums = self.scale.sums(cells.now, count_cuts(gaps))
        return Judged(gaps, sums, self.scale.value(sums))

    def may_cut(self, column: int, gaps: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return for each gap of a column whether a cut there leaves both bins large enough."""
        up_to = self._counts_up_to[column]
        edges = np.concatenate([[0], up_to[gaps], up_to[-1:]])
        inner = up_to[:-1]
        bins = np.searchsorted(gaps, np.arange(inner.size))
        least = max(self.min_count, 1)
        allowed: NDArray[np.bool_] = (inner - edges[bins] >= least) & (edges[bins + 1] - inner >= least)
        return allowed

    def with_large_bins(self, column: int, gaps: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the gaps less those that would make a bin too small, from left to right."""
        if self.rows.columns[column].whole:
            return gaps
        up_to = self._counts_up_to[column]
        start, kept = 0, []
        for gap in gaps.tolist():
            if up_to[gap] - start >= self.min_count and up_to[-1] - up_to[gap] >= self.min_count:
                kept.append(gap)
                start = up_to[gap]
        return np.array(kept, dtype=np.int64)


def count_cuts(gaps: Sequence[NDArray[np.int64]]) -> int:
    """Return the number of cuts of all columns."""
    return sum(chosen.size for chosen in gaps)
