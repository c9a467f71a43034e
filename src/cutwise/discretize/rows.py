"""Reading rows of which some, or all, may have no class label."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils import check_consistent_length, column_or_1d

from cutwise.counts import ALL_ROWS
from cutwise.errors import TableError
from cutwise.table import plain_vector
from cutwise.table.columns import is_missing
from cutwise.validation import CheckedRows, check_table, check_target, meaning_of, read_rows, weigh_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from sklearn.base import BaseEstimator

    from cutwise.counts import RowGroups


# A target with more labels than this is taken for a measurement.
MOST_CLASSES = 100


def read_labelled_or_not(
    estimator: BaseEstimator, X: Any, y: Any, sample_weight: Any, *, reset: bool = True, meaning: str | None = None
) -> CheckedRows:
    """Check what is passed to fit; without class labels all rows are of one class."""
    table = check_table(estimator, X, reset=reset)
    n_rows = table.data.shape[0]
    rows = CheckedRows(table, np.array([ALL_ROWS]), np.zeros(n_rows, dtype=np.int64), n_rows)
    if y is not None:
        check_consistent_length(table.data, plain_vector(y))
        try:
            classes, codes = check_target(estimator, table.data, y)
        except (TypeError, ValueError):
            classes, codes = rows.classes, rows.codes
        if classes.size <= MOST_CLASSES:
            rows = CheckedRows(table, classes, codes, n_rows)
    return weigh_rows(rows, sample_weight, meaning or meaning_of(estimator))


def read_partly_labelled(
    estimator: BaseEstimator, X: Any, y: Any, sample_weight: Any = None
) -> tuple[CheckedRows, RowGroups, bool]:
    """Check what is passed to fit, where labels may be missing.

    Returns
    -------
    rows : CheckedRows
        With the classes of the labelled rows.
    groups : RowGroups
        The rows by class; those without a label, if there are any, are one class more.
    unlabelled : bool
        Whether there are rows without a label.
    """
    labels = _labels_or_none(y)
    lacks_label = np.array([is_missing(label) for label in labels], dtype=bool)
    if not lacks_label.any():
        rows = read_rows(estimator, X, y, sample_weight)
        return rows, rows.groups(), False
    table = check_table(estimator, X, reset=True)
    check_consistent_length(table.data, labels)
    if lacks_label.all():
        message = "The target y has no labels at all, so there is nothing to learn from. Give the class of some rows."
        raise TableError(message)
    known = _as_vector([label for label in labels if not is_missing(label)])
    classes, known_codes = check_target(estimator, known, known)
    codes = np.full(len(labels), classes.size, dtype=np.int64)
    codes[~lacks_label] = known_codes
    # Until the weights are read, no label is a class like any other.
    rows = weigh_rows(
        CheckedRows(table, np.append(classes, classes[:1]), codes, codes.size), sample_weight, meaning_of(estimator)
    )
    groups = rows.groups()
    kept = slice(None) if rows.kept is None else rows.kept
    if not lacks_label[kept].any():
        return rows, groups, False
    if rows.classes.size == 1:
        message = "No row with a label has a weight above 0, so there is nothing to learn from."
        raise TableError(message)
    return replace(rows, classes=rows.classes[:-1]), groups, True


def _labels_or_none(y: Any) -> list[Any]:
    """Return the labels one by one, None or NaN where one is missing; empty if none can be missing."""
    vector = plain_vector(y)
    if isinstance(vector, list | tuple):
        items = np.empty(len(vector), dtype=object)
        items[:] = vector
        vector = items
    if not isinstance(vector, np.ndarray) or vector.dtype.kind not in "fO":
        return []
    if vector.dtype.kind == "f" and not np.isnan(vector).any():
        return []
    labels: list[Any] = column_or_1d(vector, warn=True).tolist()
    return labels


def _as_vector(labels: list[Any]) -> NDArray[Any]:
    """Return labels of one kind as numpy would hold them, others as they are."""
    if len({isinstance(label, str) for label in labels}) == 1:
        return np.asarray(labels)
    vector = np.empty(len(labels), dtype=object)
    vector[:] = labels
    return vector
