"""Which rows belong together: those of one class and one part."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class RowGroups:
    """The rows of a table in runs of one class and one part, shared by all columns.

    Parameters
    ----------
    classes : ndarray of int
        Each row's class, 0 to n_classes - 1.
    n_classes : int
    parts : ndarray of int, optional
        Each row's part, 0 to n_parts - 1.
    n_parts : int
    weights : ndarray of int, optional
        How often each row counts, in units of `unit`; at least 1.
    unit : float
        The weight of a count of one.
    """

    def __init__(
        self,
        classes: NDArray[np.integer],
        n_classes: int,
        parts: NDArray[np.integer] | None = None,
        n_parts: int = 0,
        *,
        weights: NDArray[np.int64] | None = None,
        unit: float = 1.0,
    ) -> None:
        self.n_rows = classes.size
        self.weights = weights
        self.unit = unit
        self.n_classes = n_classes
        self.n_parts = 0 if parts is None else n_parts
        width = max(self.n_parts, 1)
        n_groups = n_classes * width
        # numpy sorts short integers by counting, which is much faster.
        short = np.uint16 if n_groups <= 1 << 16 else np.int64
        groups = classes.astype(short)
        if parts is not None:
            groups = (classes * width + parts).astype(short)
        rows_by_group = np.bincount(groups, minlength=n_groups)
        order = np.argsort(groups, kind="stable")
        self.order = order.astype(np.int32) if self.n_rows < 1 << 31 else order
        seen = np.flatnonzero(rows_by_group)
        self.bounds = np.append(0, np.cumsum(rows_by_group[seen])).astype(np.int64)
        self.class_of_run = (seen // width).astype(np.int32)
        self.part_of_run = (seen % width).astype(np.int32)

    @property
    def n_runs(self) -> int:
        """The number of groups that have rows."""
        return self.class_of_run.size

    @cached_property
    def run_of_row(self) -> NDArray[np.int32]:
        """Each row's run."""
        runs = np.empty(self.n_rows, dtype=np.int32)
        runs[self.order] = np.repeat(np.arange(self.n_runs, dtype=np.int32), np.diff(self.bounds))
        return runs
