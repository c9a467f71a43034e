"""Search for the cuts of all columns at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels
from cutwise.counts import thin
from cutwise.counts.joint import CLASS_COLUMN, NO_GAPS, JointRows
from cutwise.criteria import Divergence, ExpectedDivergence, Psi, Score
from cutwise.criteria.joint_psi import JointPsi, JointScale
from cutwise.search.joint_task import Gaps, JointTask, JudgedCuts, best_on_path, refined
from cutwise.search.psi import GreedySearch
from cutwise.search.result import NO_LIMITS, BinLimits, SearchResult, is_better, limits_by_column, nothing_to_cut

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from cutwise.counts import JointTable
    from cutwise.counts.joint import JointColumn
    from cutwise.search.result import ColumnLimits


@dataclass(frozen=True)
class JointFound:
    """What the joint search found.

    Parameters
    ----------
    columns : tuple of SearchResult
        The cuts of each numeric column. The value of a column's score is what the
        scheme's Psi loses without its cuts; its relevance and divergence are those of the
        column alone.
    nominal : dict
        The nominal columns that take part in the cells, and what the scheme's Psi loses
        without each of them.
    score : Score
        Psi of the whole scheme, with the relevance and the divergence of the cells.
    n_cells : int
        The number of cells that have rows.
    """

    columns: tuple[SearchResult, ...]
    nominal: dict[int, float]
    score: Score
    n_cells: int


@dataclass(frozen=True)
class JointSearch:
    """Look for the cuts of all columns that together have the highest JointPsi.

    From each of several starts one cut after the other is removed down to the empty
    scheme; the best scheme on that path is refined by moving, adding and removing single
    cuts until none of that helps; the best refined scheme is the result. The starts are
    grids of equally filled bins in every column, fine and coarse (grid_bins, a half of it,
    and so on down to two), and the scheme that GreedySearch finds column by column.
    So the result is never worse than any of these.

    Nominal columns take part in the cells as a whole or not at all, whichever is better.

    Parameters
    ----------
    n_d : float
        N_D of the paper.
    divergence : Divergence
        J, and the way in which its validation part is chosen.
    grid_bins : int
        The bins of a column in the finest grid.
    max_attributes : int or None
        The largest number of columns that enter. If there are more, those enter that add
        most to the best of all other columns, on the grid; the others get no cut.

    Notes
    -----
    The direction of the limits is not followed: a column's rate may rise and fall from bin
    to bin, as it means little where columns work together.

    Examples
    --------
    >>> import numpy as np
    >>> from cutwise.counts import JointTable, RowGroups, count_column
    >>> from cutwise.search import JointSearch
    >>> x = np.array([[i // 4 for i in range(16)], [i % 4 for i in range(16)]] * 1).repeat(5, axis=1)
    >>> y = ((x[0] > 1) ^ (x[1] > 0)).astype(np.int64)
    >>> tables = tuple(count_column(column, RowGroups(y, 2)) for column in x)
    >>> joint = JointTable(tables, x.astype(np.int32), np.empty((0, y.size), np.int32), y, 2)
    >>> [found.gaps.tolist() for found in JointSearch().run(joint)]
    [[1], [0]]
    """

    n_d: float = 50.0
    divergence: Divergence = field(default_factory=ExpectedDivergence)
    grid_bins: int = 8
    max_attributes: int | None = 64

    def run(
        self, joint: JointTable, limits: ColumnLimits = NO_LIMITS, parts: NDArray[np.int64] | None = None
    ) -> list[SearchResult]:
        """Search the gaps of all numeric columns.

        Parameters
        ----------
        joint : JointTable
        limits : BinLimits or sequence of BinLimits
        parts : ndarray of int64, optional
            The part of each row; only for the divergence between given parts, which also
            needs tables that count by part.
        """
        return list(self.find(joint, limits, parts).columns)

    def find(
        self,
        joint: JointTable,
        limits: ColumnLimits = NO_LIMITS,
        parts: NDArray[np.int64] | None = None,
        each: Callable[[Callable[[Gaps], JudgedCuts], Iterable[Gaps]], Iterable[JudgedCuts]] = map,
    ) -> JointFound:
        """Do as `run`, and return the scheme as a whole, too.

        `each` applies a function to all starts, as ``map`` does; it may do so in threads.
        """
        criterion = JointPsi(self.n_d, self.divergence)
        rows = criterion.rows(joint, parts)
        scale = JointScale.of(criterion, rows)
        own_limits = limits_by_column(limits, len(joint.tables))
        task = self._enter(joint, rows, scale, own_limits)
        best: JudgedCuts | None = None
        for judged in each(
            lambda start: refined(task, best_on_path(task, start)), self._starts(joint, task, own_limits)
        ):
            if best is None or is_better(judged.value, best.value):
                best = judged
        return _write_down(joint, task, Psi(self.n_d, self.divergence), best or task.judge([]))

    def _enter(self, joint: JointTable, rows: JointRows, scale: JointScale, limits: Sequence[BinLimits]) -> JointTask:
        """Choose the columns that enter, from the least to the most useful."""
        useful = [
            j
            for j, column in enumerate(rows.columns)
            if column.whole or nothing_to_cut(joint.tables[column.source]) is None
        ]
        if np.unique(rows.classes).size < 2:
            useful = []
        rows = rows.entering(useful)
        grid = [self._grid(joint, column, self.grid_bins) for column in rows.columns]
        order = np.argsort(usefulness(rows, scale, grid), kind="stable")
        if self.max_attributes is not None:
            order = order[max(order.size - self.max_attributes, 0) :]
        rows = rows.entering(order.tolist())
        max_cuts = tuple(
            column.n_values if column.whole else limits[column.source].max_cuts(joint.tables[column.source])
            for column in rows.columns
        )
        min_counts = tuple(
            0 if column.whole else limits[column.source].min_count(joint.tables[column.source])
            for column in rows.columns
        )
        return JointTask(rows, scale, max_cuts, min_counts)

    def _starts(self, joint: JointTable, task: JointTask, limits: Sequence[BinLimits]) -> Iterator[Gaps]:
        """Give the schemes to start from."""
        columns = task.rows.columns
        n_bins = self.grid_bins if columns else 0
        while n_bins >= 2:
            grid = [self._grid(joint, column, n_bins) for column in columns]
            yield [task.with_large_bins(j, gaps) for j, gaps in enumerate(grid)]
            n_bins //= 2
        if columns:
            yield self._one_by_one(joint, task, limits)

    def _one_by_one(self, joint: JointTable, task: JointTask, limits: Sequence[BinLimits]) -> Gaps:
        """Return the scheme of MRmD, which looks at each column alone."""
        criterion, search = Psi(self.n_d, self.divergence), GreedySearch()
        found = [
            column.every_gap
            if column.whole
            else search.run(criterion, joint.tables[column.source], limits[column.source]).gaps
            for column in task.rows.columns
        ]
        return [task.with_large_bins(j, gaps) for j, gaps in enumerate(found)]

    @staticmethod
    def _grid(joint: JointTable, column: JointColumn, n_bins: int) -> NDArray[np.int64]:
        """Return the gaps that fill n_bins bins equally; those of a nominal column are given."""
        return column.every_gap if column.whole else thin(joint.tables[column.source], n_bins)[1]


def usefulness(rows: JointRows, scale: JointScale, gaps: Gaps) -> NDArray[np.int64]:
    """Return what each column adds to the best of all other columns, or brings alone.

    Looking at pairs is enough to see an exclusive or of two columns, of which neither
    brings anything alone.
    """
    cells = rows.cells(gaps).joined()
    scores = kernels.joint.joint.score_pairs(
        cells.codes, cells.classes, cells.counts, cells.parts, cells.now.arrays, scale.terms, CLASS_COLUMN
    )
    alone = np.diagonal(scores).copy()
    added = scores - alone
    np.fill_diagonal(added, alone - scale.whole)
    best: NDArray[np.int64] = added.max(axis=1, initial=np.iinfo(np.int64).min)
    return best


def _write_down(joint: JointTable, task: JointTask, criterion: Psi, best: JudgedCuts) -> JointFound:
    """Return the result for the columns in the order of the table."""
    cells = task.rows.cells(best.gaps)
    columns: list[SearchResult | None] = [nothing_to_cut(table) for table in joint.tables]
    nominal = {}
    for j, (column, gaps) in enumerate(zip(task.rows.columns, best.gaps, strict=True)):
        without = task.scale.sums(cells.without(j), best.sums.n_cuts - gaps.size)
        lost = best.value - task.scale.value(without)
        if not column.whole:
            alone = criterion.score(joint.tables[column.source], gaps)
            score = Score(lost, alone.relevance, alone.divergence)
            columns[column.source] = SearchResult(gaps, "joint_optimum", score=score)
        elif gaps.size:
            nominal[column.source] = lost
    left_out = SearchResult(NO_GAPS, "left_out", score=Score(0.0, 0.0, 0.0))
    found = tuple(left_out if column is None else column for column in columns)
    return JointFound(found, dict(sorted(nominal.items())), task.scale.score(best.sums), cells.now.n_cells)
