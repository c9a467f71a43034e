"""Consistency: how well the bins of all columns jointly separate the classes.

Rows with the same bin or category in every column make a group. A missing value is a
symbol like any other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from cutwise import kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.counts import JointTable

_NO_WEIGHTS = np.empty(0, dtype=np.int64)


class Consistency(NamedTuple):
    """What the groups of rows say; rows are counted by their weights.

    Parameters
    ----------
    n_rows : int
        All rows.
    n_beside : int
        The rows that are not of the largest class of their group.
    n_pure : int
        The rows whose group is of a single class.
    minority : float
        The largest minority: the share that a class has in its group, or that all others
        have, whichever is less, unless both have half. It is xi of variable precision
        rough sets.
    """

    n_rows: int
    n_beside: int
    n_pure: int
    minority: float

    @property
    def inconsistency(self) -> float:
        """The share of rows that are not of the largest class of their group."""
        return self.n_beside / self.n_rows if self.n_rows else 0.0

    @property
    def purity(self) -> float:
        """The share of rows whose group is of a single class: gamma of rough sets."""
        return self.n_pure / self.n_rows if self.n_rows else 1.0


class RowGrouping:
    """The rows of a table, grouped by the bins of all columns.

    Parameters
    ----------
    joint : JointTable
    lasts : list of ndarray, optional
        For each numeric column the last value of each bin; by default every value is a
        bin.
    keys : ndarray, optional
        The keys of the rows for these bins.

    Examples
    --------
    >>> import numpy as np
    >>> from cutwise.counts import ColumnCounts, JointTable
    >>> from cutwise.criteria import RowGrouping
    >>> table = ColumnCounts.from_dense([1, 2, 3], [[1, 0], [1, 0], [0, 1]])
    >>> ranks = np.array([[0, 1, 2]], dtype=np.int32)
    >>> joint = JointTable((table,), ranks, np.empty((0, 3), dtype=np.int32), np.array([0, 0, 1]), 2)
    >>> rows = RowGrouping(joint)
    >>> rows.consistency().purity
    1.0
    >>> rows.with_bins(0, np.array([0, 2])).consistency().purity
    0.3333333333333333
    """

    def __init__(
        self,
        joint: JointTable,
        lasts: list[NDArray[np.int64]] | None = None,
        keys: NDArray[np.uint64] | None = None,
    ) -> None:
        self.joint = joint
        self._lasts = [np.arange(table.n_values) for table in joint.tables] if lasts is None else lasts
        self._keys = _first_keys(joint) if keys is None else keys

    def with_bins(self, column: int, lasts: NDArray[np.int64]) -> RowGrouping:
        """Return the grouping after bins of one numeric column were merged.

        Parameters
        ----------
        column : int
            The place among the numeric columns.
        lasts : ndarray
            The last value of each bin.
        """
        changed = list(self._lasts)
        changed[column] = lasts
        keys = kernels.joint.grouping.change_bins(
            self._keys, column, self.joint.ranks[column], self._lasts[column], lasts
        )
        return RowGrouping(self.joint, changed, keys)

    def consistency(self) -> Consistency:
        """Count the groups."""
        weights = _NO_WEIGHTS if self.joint.weights is None else self.joint.weights
        return Consistency(*kernels.joint.grouping.count_groups(self._keys, self.joint.classes, weights))


def _first_keys(joint: JointTable) -> NDArray[np.uint64]:
    """Return the keys of rows whose values all are bins of their own."""
    keys = np.zeros(joint.n_rows, dtype=np.uint64)
    for column, symbols in enumerate([*joint.ranks, *joint.nominal]):
        kernels.joint.grouping.add_symbols(keys, column, symbols)
    return keys


class ConsistencyTest(Protocol):
    """What merging must not do to the consistency."""

    def holds(self, now: Consistency, at_first: Consistency) -> bool:
        """Tell whether the bins are still good enough, given how the table was at first."""


@dataclass(frozen=True)
class BoundedInconsistency:
    """The inconsistency stays within a bound, or within what the table had at first.

    Parameters
    ----------
    bound : float
        The largest share of rows that are not of the largest class of their group.
    """

    bound: float = 0.0

    def holds(self, now: Consistency, at_first: Consistency) -> bool:
        """Tell whether the inconsistency is within the bound."""
        return now.inconsistency <= max(self.bound, at_first.inconsistency)


@dataclass(frozen=True)
class KeptPurity:
    """No row loses a group of a single class, on balance."""

    def holds(self, now: Consistency, at_first: Consistency) -> bool:
        """Tell whether as many rows as at first are in groups of a single class."""
        return now.n_pure >= at_first.n_pure


@dataclass(frozen=True)
class KeptMajorities:
    """No minority of a group becomes larger than the largest at first."""

    def holds(self, now: Consistency, at_first: Consistency) -> bool:
        """Tell whether the largest minority is no larger than at first."""
        return now.minority <= at_first.minority
