"""The rows of all columns together, for methods that look at columns jointly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cutwise.counts.count_table import CountTable

MISSING = -1


@dataclass(frozen=True, eq=False)
class JointTable:
    """Every row as places among the distinct values of each numeric column.

    Parameters
    ----------
    tables : tuple of CountTable
        The counts of each numeric column.
    ranks : ndarray of int32, of shape (n_numeric, n_rows)
        ``tables[j].values[ranks[j, row]]`` is the value of a row. Negative numbers stay
        out of the cutting, each a symbol of its own: MISSING, and below it the special values.
    nominal : ndarray of int32, of shape (n_nominal, n_rows)
        The codes of the nominal columns; MISSING where there is no value.
    classes : ndarray of int64
        The class of each row, 0 to n_classes - 1.
    n_classes : int
    weights : ndarray of int64 or None
        How often each row counts, in units of ``tables[j].unit``; None for once.
    """

    tables: tuple[CountTable, ...]
    ranks: NDArray[np.int32]
    nominal: NDArray[np.int32]
    classes: NDArray[np.int64]
    n_classes: int
    weights: NDArray[np.int64] | None = None

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return self.classes.size
