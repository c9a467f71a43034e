"""Merging all columns level by level, as long as their bins tell the classes apart."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cutwise.criteria import ColumnFreedom, KeptPurity, RowGrouping
from cutwise.search.bins import Bins
from cutwise.search.limits import NO_LIMITS
from cutwise.search.result import Found, nothing_to_cut

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cutwise.counts import JointTable
    from cutwise.criteria import Alikeness, ConsistencyTest
    from cutwise.search.limits import Limits


@dataclass(frozen=True)
class LevelSearch:
    """Merge at lower and lower levels of significance, first all columns, then each one.

    In the first phase all columns are merged at one level after the other, until the
    bins are no longer consistent enough. That level is undone. In the second phase the
    columns take turns, each with a level of its own; a column whose next level would
    break the consistency stays as it is.

    Parameters
    ----------
    alikeness : Alikeness
        How alike two neighbouring bins are.
    test : ConsistencyTest
        What the bins must satisfy.
    first_level, factor, last_level : float
        The levels: the first one, what the next one is multiplied by, and the lowest.

    Examples
    --------
    >>> import numpy as np
    >>> from cutwise.counts import CountTable, JointTable
    >>> from cutwise.search import LevelSearch
    >>> table = CountTable.from_dense([1, 2, 3, 4], [[1, 0], [1, 0], [0, 1], [0, 1]])
    >>> ranks = np.array([[0, 1, 2, 3]], dtype=np.int32)
    >>> no_nominal = np.empty((0, 4), dtype=np.int32)
    >>> joint = JointTable((table,), ranks, no_nominal, np.array([0, 0, 1, 1]), 2)
    >>> LevelSearch().run(joint)[0].gaps
    array([1])
    """

    alikeness: Alikeness = field(default_factory=ColumnFreedom)
    test: ConsistencyTest = field(default_factory=KeptPurity)
    first_level: float = 0.5
    factor: float = 0.9
    last_level: float = 1e-7

    def run(self, joint: JointTable, limits: Limits = NO_LIMITS) -> list[Found]:
        """Search the gaps of all numeric columns."""
        state = _State(joint, self)
        level = self.first_level
        while level >= self.last_level and state.merge(range(len(joint.tables)), level):
            level *= self.factor
        levels = [level] * len(joint.tables)
        taking_turns = list(range(len(joint.tables)))
        while taking_turns:
            for column in tuple(taking_turns):
                if levels[column] >= self.last_level and state.merge([column], levels[column]):
                    levels[column] *= self.factor
                else:
                    taking_turns.remove(column)
        return [state.found(column, level, limits) for column, level in enumerate(levels)]


class _State:
    """The bins of all columns and the groups of rows that they make."""

    def __init__(self, joint: JointTable, search: LevelSearch) -> None:
        self._search = search
        self._nothing = [nothing_to_cut(table) for table in joint.tables]
        self._bins = [Bins.of_values(table) for table in joint.tables]
        self._rows = RowGrouping(joint)
        self._at_first = self._rows.consistency()

    def merge(self, columns: Iterable[int], level: float) -> bool:
        """Merge some columns at a level; tell whether the test holds, else change nothing."""
        changed = {}
        for column in columns:
            old = self._bins[column]
            if self._nothing[column] is None and old.n_bins > 1:
                new = old.merged(self._search.alikeness, level)
                if new.n_bins < old.n_bins:
                    changed[column] = new
        if not changed:
            return True
        rows = self._rows
        for column, new in changed.items():
            rows = rows.with_bins(column, new.lasts)
        if not self._search.test.holds(rows.consistency(), self._at_first):
            return False
        self._rows = rows
        for column, new in changed.items():
            self._bins[column] = new
        return True

    def found(self, column: int, level: float, limits: Limits) -> Found:
        """Return the result for one column, with the limits met."""
        nothing = self._nothing[column]
        if nothing is not None:
            return nothing
        bins = self._bins[column]
        stop = "consistency" if level >= self._search.last_level else "last_level"
        if limits != NO_LIMITS:
            limited = bins.limited(self._search.alikeness, level, limits)
            stop = stop if limited.n_bins == bins.n_bins else "limit"
            bins = limited
        return Found(bins.gaps, stop if bins.n_bins > 1 else "all_merged")
