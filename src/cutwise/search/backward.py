"""The backward path: remove one cut after the other, and keep the best scheme on the way.

Adding cuts one by one cannot find columns that tell of the class only together: the first
cut of an exclusive or brings nothing. From a scheme that has them all the cuts that
matter can be told from the others, because removing one of them costs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cutwise import kernels
from cutwise.criteria.joint_psi import PartitionSums
from cutwise.search.result import first_of_best, margin

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.search.joint_task import Gaps, JointTask, JudgedCuts

NONE = -1
# Equal rows are joined again when so many fewer are left.
JOIN_BELOW = 0.7


class RemainingCuts(NamedTuple):
    """The cuts that are left: column, gap, the bin on the right, and how many cuts one stands for.

    A nominal column has a single entry without a gap and without a bin: it leaves at once.
    """

    column: NDArray[np.int64]
    gap: NDArray[np.int64]
    bin: NDArray[np.int64]
    size: NDArray[np.int64]

    def pick(self, which: NDArray[np.bool_]) -> RemainingCuts:
        """Return some of the cuts."""
        return RemainingCuts(*(field[which] for field in self))


def best_on_path(task: JointTask, gaps: Gaps) -> JudgedCuts:
    """Go from a scheme to the empty one and return the best scheme met.

    Of equally good ones the one with the fewest cuts is returned. Where several cuts are
    as little worth, the first of the first column goes. Columns with more cuts than
    allowed lose theirs first.
    """
    path = _Path(task, gaps)
    values, removed = [path.value], []
    while path.cuts.column.size:
        removed.append(path.remove_one())
        values.append(path.value)
    # Schemes are worth considering from the first one on that keeps the limits.
    last_over = max((i for i, over in enumerate(path.over) if over), default=NONE)
    reached = np.array(values)
    reached[: last_over + 1] = -np.inf
    best = reached.max()
    n_removed = int(np.flatnonzero(reached >= best - margin(float(best)))[-1])
    kept = [set(chosen.tolist()) for chosen in gaps]
    for column, gap in removed[:n_removed]:
        kept[column] -= kept[column] if gap == NONE else {gap}
    return task.judge([np.array(sorted(chosen), dtype=np.int64) for chosen in kept])


class _Path:
    """A scheme that loses its cuts one by one."""

    def __init__(self, task: JointTask, gaps: Gaps) -> None:
        self.task = task
        self.cells = task.rows.cells(gaps).joined()
        self.cuts = _list_cuts(task, gaps)
        width = max((chosen.size for chosen in gaps), default=0) + 1
        # Bins keep their first number; those that are gone have no bin to their left.
        self.left_of = np.full((task.n_columns, width), NONE, dtype=np.int64)
        has_bin = self.cuts.bin >= 0
        self.left_of[self.cuts.column[has_bin], self.cuts.bin[has_bin]] = self.cuts.bin[has_bin] - 1
        self.n_left = np.bincount(self.cuts.column, minlength=task.n_columns)
        self.has_symbols = np.array([column.has_symbols for column in task.rows.columns], dtype=bool)
        self.sums = task.scale.sums(self.cells.now, int(self.cuts.size.sum()))
        self.over: list[bool] = [bool(self._is_over().any())]

    @property
    def value(self) -> float:
        return self.task.scale.value(self.sums)

    def remove_one(self) -> tuple[int, int]:
        """Remove the cut that is worth least; return its column and gap."""
        cuts = self.cuts
        gains, losses, leaves = self._effects()
        values = self.task.scale.changed_values(self.sums, gains, losses, -cuts.size)
        over = self._is_over()[cuts.column]
        if over.any():
            values[~over] = -np.inf
        at = first_of_best(values)
        column, gap = int(cuts.column[at]), int(cuts.gap[at])
        n_cuts = self.sums.n_cuts - int(cuts.size[at])
        self.sums = PartitionSums(self.sums.gain + int(gains[at]), self.sums.loss + int(losses[at]), n_cuts)
        self._merge(column, int(cuts.bin[at]), leaves=bool(leaves[at]))
        self.cuts = cuts.pick(np.arange(cuts.gap.size) != at)
        self.n_left[column] -= 1
        self.over.append(bool(self._is_over().any()))
        return column, gap

    def _is_over(self) -> NDArray[np.bool_]:
        """Return which columns have more cuts than they may; nominal ones have no limit."""
        return self.n_left > np.array(self.task.max_cuts, dtype=np.int64)

    def _effects(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
        """Return the change of both sums for each cut, and whether its column leaves the cells."""
        cuts, now = self.cuts, self.cells.now
        gains = np.zeros(self.left_of.shape, dtype=np.int64)
        losses = np.zeros(self.left_of.shape, dtype=np.int64)
        room = np.empty(now.n_cells, dtype=np.int64)
        columns = np.unique(cuts.column[cuts.bin >= 0])
        kernels.joint.joint.merge_bins(
            self.cells.codes, columns, self.left_of, now.arrays, now.n_cells, now.n_entries, self.task.scale.terms,
            room, gains, losses,
        )  # fmt: skip
        gain, loss = gains[cuts.column, cuts.bin], losses[cuts.column, cuts.bin]
        # With its last cut a column leaves, and its symbols too.
        leaves = (cuts.bin == NONE) | (self.has_symbols & (self.n_left == 1))[cuts.column]
        for at in np.flatnonzero(leaves):
            sums = self.task.scale.sums(self.cells.without(int(cuts.column[at])), 0)
            gain[at], loss[at] = sums.gain - self.sums.gain, sums.loss - self.sums.loss
        return gain, loss, leaves

    def _merge(self, column: int, right: int, *, leaves: bool) -> None:
        """Give the rows of a bin the code of the bin to its left, or all rows the same."""
        codes = self.cells.codes[column]
        if leaves:
            codes = np.zeros_like(codes)
            self.left_of[column] = NONE
        else:
            left = self.left_of[column, right]
            codes = np.where(codes == right, left, codes).astype(np.int32)
            self.left_of[column][self.left_of[column] == right] = left
            self.left_of[column, right] = NONE
        self.cells.replace(column, codes)
        if self.cells.now.n_entries < JOIN_BELOW * self.cells.n_rows:
            self.cells = self.cells.joined()


def _list_cuts(task: JointTask, gaps: Gaps) -> RemainingCuts:
    """Return the cuts of a scheme, column by column and from left to right."""
    rows: list[tuple[int, int, int, int]] = []
    for j, (column, chosen) in enumerate(zip(task.rows.columns, gaps, strict=True)):
        if column.whole:
            rows += [(j, NONE, NONE, chosen.size)] if chosen.size else []
        else:
            rows += [(j, int(gap), right, 1) for right, gap in enumerate(chosen, start=1)]
    table = np.array(rows, dtype=np.int64).reshape(-1, 4)
    return RemainingCuts(*np.ascontiguousarray(table.T))
