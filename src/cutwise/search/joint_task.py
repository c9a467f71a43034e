"""The steps of the joint search: what they share, the refinement, and the backward path.

On the backward path one cut after the other is removed, and the best scheme on the way is kept. Adding
cuts one by one cannot find columns that are informative only jointly: the first cut of an exclusive or
brings nothing. From a scheme that has them all the cuts that matter can be recognised, because
removing one of them costs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cutwise import kernels
from cutwise.counts.joint import NO_GAPS
from cutwise.criteria.joint_psi import PartitionSums
from cutwise.kernels.inputs import margin_of
from cutwise.search.result import first_of_best, is_better

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.counts.joint import JointRows
    from cutwise.criteria.joint_psi import JointScale

Gaps = list["NDArray[np.int64]"]


class JudgedCuts(NamedTuple):
    """A scheme, one array of gaps for each column, with its sums and its value."""

    gaps: Gaps
    sums: PartitionSums
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
    min_counts : tuple of int
        The smallest count of a bin of each column.
    """

    rows: JointRows
    scale: JointScale
    max_cuts: tuple[int, ...]
    min_counts: tuple[int, ...]

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

    def judge(self, gaps: Gaps) -> JudgedCuts:
        """Return the scheme with its value."""
        sums = self.scale.sums(self.rows.cells(gaps).now, count_cuts(gaps))
        return JudgedCuts(gaps, sums, self.scale.value(sums))

    def may_cut(self, column: int, gaps: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return for each gap of a column whether a cut there leaves both bins large enough."""
        up_to = self._counts_up_to[column]
        edges = np.concatenate([[0], up_to[gaps], up_to[-1:]])
        inner = up_to[:-1]
        bins = np.searchsorted(gaps, np.arange(inner.size))
        least = max(self.min_counts[column], 1)
        allowed: NDArray[np.bool_] = (inner - edges[bins] >= least) & (edges[bins + 1] - inner >= least)
        return allowed

    def with_large_bins(self, column: int, gaps: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the gaps less those that would make a bin too small, from left to right."""
        if self.rows.columns[column].whole:
            return gaps
        up_to = self._counts_up_to[column]
        start, kept, least = 0, [], self.min_counts[column]
        for gap in gaps.tolist():
            if up_to[gap] - start >= least and up_to[-1] - up_to[gap] >= least:
                kept.append(gap)
                start = up_to[gap]
        return np.array(kept, dtype=np.int64)


def count_cuts(gaps: Sequence[NDArray[np.int64]]) -> int:
    """Return the number of cuts of all columns."""
    return sum(chosen.size for chosen in gaps)


def refined(task: JointTask, start: JudgedCuts) -> JudgedCuts:
    """Return a scheme that no single change of a cut makes better."""
    state = _State(task, start)
    changed = True
    while changed:
        changed = False
        for column in reversed(range(task.n_columns)):
            if task.rows.columns[column].whole:
                changed |= state.turn(column)
            else:
                changed |= state.shift_cuts(column)
                changed |= state.add_cuts(column)
    return state.judged


class _State:
    """A scheme, its cells, and room for the sweep."""

    def __init__(self, task: JointTask, start: JudgedCuts) -> None:
        self.task = task
        self.judged = start
        self.cells = task.rows.cells(start.gaps)
        self._orders: dict[int, NDArray[np.int64]] = {}
        n_rows = self.cells.n_rows
        self._left = np.zeros((3, n_rows), dtype=np.int64)
        self._left_parts = np.zeros((n_rows, self.cells.rows_by_part.size), dtype=np.int64)

    def turn(self, column: int) -> bool:
        """Let a nominal column in or out if that is better."""
        every = self.task.rows.columns[column].every_gap
        return self._try(column, NO_GAPS if self.judged.gaps[column].size else every)

    def shift_cuts(self, column: int) -> bool:
        """Remove each cut of a column, or put it elsewhere in the column, if that is better."""
        changed = False
        for gap in self.judged.gaps[column].tolist():
            gaps = self.judged.gaps[column]
            rest = gaps[gaps != gap]
            # The cells must be those of the rest before the sweep.
            fewer = self._judge(column, rest)
            more = self._best_addition(column, rest, fewer.sums)
            better = fewer if more is None or not is_better(more.value, fewer.value) else more
            if is_better(better.value, self.judged.value):
                self.judged, changed = better, True
            self._show(column)
        return changed

    def add_cuts(self, column: int) -> bool:
        """Add cuts to a column as long as that is better."""
        changed = False
        while True:
            more = self._best_addition(column, self.judged.gaps[column], self.judged.sums)
            better = more is not None and is_better(more.value, self.judged.value)
            if more is not None and better:
                self.judged, changed = more, True
            self._show(column)
            if not better:
                return changed

    def _try(self, column: int, gaps: NDArray[np.int64]) -> bool:
        """Give a column other cuts if that is better."""
        other = self._judge(column, gaps)
        better = is_better(other.value, self.judged.value)
        if better:
            self.judged = other
        self._show(column)
        return better

    def _show(self, column: int) -> None:
        """Make the cells those of the scheme again."""
        codes = self.task.rows.columns[column].codes(self.judged.gaps[column])
        if not np.array_equal(codes, self.cells.codes[column]):
            self.cells.replace(column, codes)

    def _judge(self, column: int, gaps: NDArray[np.int64]) -> JudgedCuts:
        """Make the cells those of other cuts of a column, and judge them."""
        self.cells.replace(column, self.task.rows.columns[column].codes(gaps))
        n_cuts = self.judged.sums.n_cuts - self.judged.gaps[column].size + gaps.size
        sums = self.task.scale.sums(self.cells.now, n_cuts)
        return JudgedCuts(self._with(column, gaps), sums, self.task.scale.value(sums))

    def _with(self, column: int, gaps: NDArray[np.int64]) -> Gaps:
        return [gaps if j == column else chosen for j, chosen in enumerate(self.judged.gaps)]

    def _best_addition(self, column: int, gaps: NDArray[np.int64], base: PartitionSums) -> JudgedCuts | None:
        """Return the best scheme with one more cut in a column, whose cells are shown and add up to `base`."""
        task, scale = self.task, self.task.scale
        allowed = task.may_cut(column, gaps)
        if gaps.size >= task.max_cuts[column] or not allowed.any():
            return None
        source = task.rows.columns[column]
        if gaps.size == 0 and source.has_symbols:
            self.cells.replace(column, source.symbols())
            base = scale.sums(self.cells.now, base.n_cuts)
        gains, losses = self._sweep(column)
        values = scale.changed_values(base, gains, losses, 1)
        values[~allowed] = -np.inf
        at = first_of_best(values)
        sums = PartitionSums(base.gain + int(gains[at]), base.loss + int(losses[at]), base.n_cuts + 1)
        more = np.sort(np.append(gaps, at))
        return JudgedCuts(self._with(column, more), sums, scale.value(sums))

    def _sweep(self, column: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the change of both sums for a further cut in each gap of a column."""
        cells = self.cells
        source = self.task.rows.columns[column]
        if column not in self._orders:
            self._orders[column] = source.order().astype(np.int32)
        gains = np.zeros(source.n_values, dtype=np.int64)
        losses = np.zeros(source.n_values, dtype=np.int64)
        kernels.joint.joint.sweep(
            self._orders[column], source.ranks, cells.counts, cells.parts, cells.now.arrays, self.task.scale.terms,
            self._left, self._left_parts, gains, losses,
        )  # fmt: skip
        return gains[:-1], losses[:-1]


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
    n_removed = int(np.flatnonzero(reached >= best - margin_of(float(best)))[-1])
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
            room, np.empty(gains.shape[1], dtype=np.uint64), gains, losses,
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
