"""The rows that a fit learns from: a table, their classes and their weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils import _safe_indexing

from cutwise.counts import RowGroups, whole_weights
from cutwise.fitting.checks import check_table, check_target, check_weights, meant_weights

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from sklearn.base import BaseEstimator

    from cutwise.fitting.checks import CheckedTable


@dataclass(frozen=True, eq=False)
class Rows:
    """What was passed to fit, checked.

    Parameters
    ----------
    table : CheckedTable
    classes : ndarray
        The class labels.
    codes : ndarray of int
        The place of each row's class among them.
    weights : ndarray of int or None
        How often each row counts, in units of `unit`; None for once.
    unit : float
    kept : ndarray of int or None
        The places, among the rows passed to fit, of those with a weight; None for all.
    n_given : int
        The number of rows passed to fit.
    """

    table: CheckedTable
    classes: NDArray[Any]
    codes: NDArray[np.int64]
    n_given: int
    weights: NDArray[np.int64] | None = None
    unit: float = 1.0
    kept: NDArray[np.int64] | None = None

    def groups(self, parts: NDArray[np.int64] | None = None, n_parts: int = 0) -> RowGroups:
        """Return the rows in groups of one class and one part."""
        return RowGroups(self.codes, self.classes.size, parts, n_parts, weights=self.weights, unit=self.unit)

    @property
    def row_weights(self) -> NDArray[np.float64]:
        """The weight of each row, 1 where there are none."""
        if self.weights is None:
            return np.ones(self.codes.size)
        return np.asarray(self.weights * self.unit, dtype=np.float64)

    @property
    def total_weight(self) -> float:
        """The weight of all rows; without weights their number."""
        return self.codes.size if self.weights is None else float(self.weights.sum() * self.unit)


def read_rows(
    estimator: BaseEstimator,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    reset: bool = True,
    meaning: str | None = None,
) -> Rows:
    """Check what is passed to fit. Rows of weight zero are left out.

    `meaning` says what the weights mean; by default the parameter ``weights`` of the estimator does.
    """
    table = check_table(estimator, X, reset=reset)
    classes, codes = check_target(estimator, table.data, y)
    return weigh_rows(Rows(table, classes, codes, codes.size), sample_weight, meaning or meaning_of(estimator))


def meaning_of(estimator: BaseEstimator) -> str:
    """Return what sample weights mean to an estimator, see `meant_weights`."""
    meaning: str = getattr(estimator, "weights", "count")
    return meaning


def weigh_rows(rows: Rows, sample_weight: Any, meaning: str) -> Rows:
    """Return the rows with their weights, those of weight zero left out."""
    weights = check_weights(sample_weight, rows.codes.size)
    if weights is None:
        return rows
    weights = meant_weights(weights, meaning)
    if (weights == 1.0).all():
        return rows
    kept = None
    table, classes, codes = rows.table, rows.classes, rows.codes
    if not weights.all():
        kept = np.flatnonzero(weights)
        table = table.with_data(_safe_indexing(table.data, kept))
        seen, codes = np.unique(codes[kept], return_inverse=True)
        classes, weights = classes[seen], weights[kept]
    units, unit = whole_weights(weights)
    return Rows(table, classes, codes, rows.n_given, units, unit, kept)
