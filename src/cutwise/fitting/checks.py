"""Checks of what is passed to fit, transform and predict: the same for every estimator."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils import check_array, check_consistent_length, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _num_samples, validate_data

from cutwise.errors import TableError
from cutwise.table import as_frame, is_frame, plain_vector
from cutwise.table.columns import is_missing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from sklearn.base import BaseEstimator


MOST_ROWS = 2.0**62


@dataclass(frozen=True, eq=False)
class CheckedTable:
    """A table that may be read column by column, and what to call its columns."""

    data: Any
    names: Sequence[str]
    n_features: int
    feature_names: NDArray[np.object_] | None

    def with_data(self, data: Any) -> CheckedTable:
        """Return the same columns with other rows."""
        return replace(self, data=data)


def name_columns(estimator: BaseEstimator, n_features: int, feature_names: NDArray[np.object_] | None) -> None:
    """Set the fitted attributes that say which columns there were."""
    estimator.n_features_in_ = n_features
    if feature_names is not None:
        estimator.feature_names_in_ = feature_names
    elif hasattr(estimator, "feature_names_in_"):
        del estimator.feature_names_in_


def check_table(estimator: BaseEstimator, data: Any, *, reset: bool) -> CheckedTable:
    """Check a table against scikit-learn's rules without touching the estimator."""
    probe = copy.copy(estimator)
    if is_frame(data):
        as_frame(data)  # refuses a lazy one
        validate_data(probe, data, reset=reset, skip_check_array=True)
        _check_not_empty(data, probe.n_features_in_)
    else:
        data = validate_data(probe, _keep_what_arrays_lose(data), reset=reset, dtype=None, ensure_all_finite=False)
    feature_names = getattr(probe, "feature_names_in_", None)
    names = [f"x{j}" for j in range(probe.n_features_in_)] if feature_names is None else list(feature_names)
    return CheckedTable(data, names, probe.n_features_in_, feature_names)


def _keep_what_arrays_lose(data: Any) -> Any:
    """Keep numbers in nested lists numbers beside text, and masked values missing."""
    if isinstance(data, np.ma.MaskedArray):
        missing: Any = np.nan if data.dtype.kind in "iuf" else None
        return np.where(np.ma.getmaskarray(data), missing, data.data)
    if isinstance(data, list | tuple):
        array = check_nested(data)
        return np.array(data, dtype=object) if array.dtype.kind in "US" else array
    return data


def check_nested(data: Any) -> Any:
    """Return nested lists as an array, and leave the rest alone; raise TableError if they make no table."""
    if not isinstance(data, list | tuple):
        return data
    try:
        array = np.asarray(data)
    except ValueError:
        raise TableError(_uneven(data)) from None
    if array.ndim > 2:
        message = (
            f"The table is nested {array.ndim} deep (shape {array.shape}), but a table has rows and columns only. "
            "Give one list of values for each row."
        )
        raise TableError(message)
    return array


def _uneven(rows: Sequence[Any]) -> str:
    """Return what is wrong with nested lists that make no table."""
    first = len(rows[0]) if isinstance(rows[0], list | tuple | np.ndarray) else None
    for place, row in enumerate(rows):
        if not isinstance(row, list | tuple | np.ndarray):
            return f"Row {place} of the table is {row!r:.40}, but others are lists. Give a list of values for each row."
        if len(row) != first:
            return f"Row 0 of the table has {first} values, but row {place} has {len(row)}. Give all rows as many."
        for j, value in enumerate(row):
            if isinstance(value, list | tuple | dict | np.ndarray):
                return (
                    f"Column 'x{j}' holds {value!r:.40} in row {place}, which is neither number, text nor boolean. "
                    "Give one value for each row and column."
                )
    return "The table is a list that makes no rows and columns. Give one list of values for each row."


def _check_not_empty(data: Any, n_features: int) -> None:
    n_rows = _num_samples(data)
    for number, what in ((n_rows, "row"), (n_features, "column")):
        if number == 0:
            message = f"The table has 0 {what}s (shape={n_rows, n_features}); at least 1 {what} is required."
            raise TableError(message)


def check_target(estimator: BaseEstimator, data: Any, target: Any) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the class labels in order and each row's place among them."""
    if target is None:
        message = (
            f"{type(estimator).__name__} requires y to be passed, but the target y is None. "
            "It needs the class of each row."
        )
        raise ValueError(message)
    if isinstance(target, str):
        message = (
            f"The target y is the text {target!r}, but it must hold the class of each row. If that is a column of the "
            f"table, pass y=X[{target!r}] and X without it; fit_table takes the name of a column."
        )
        raise TableError(message)
    vector = plain_vector(target)
    if isinstance(vector, list | tuple) and any(isinstance(label, list | tuple | dict) for label in vector):
        _check_flat(vector)
    if isinstance(vector, list | tuple) and any(map(is_missing, vector)):
        # numpy would turn a NaN among texts into the text "nan".
        vector = np.array(vector, dtype=object)
    if isinstance(vector, np.ndarray) and vector.dtype == object:
        _check_labels(vector.ravel().tolist())
    else:
        vector = check_array(
            vector, ensure_2d=False, dtype=None, ensure_all_finite=True, input_name="y", ensure_min_samples=0
        )
    labels = column_or_1d(vector, warn=True)
    check_consistent_length(data, labels)
    check_classification_targets(labels)
    return _classes_and_codes(labels)


def _check_flat(labels: Sequence[Any]) -> None:
    """Refuse lists among the labels, unless all of them are lists of one label."""
    for place, label in enumerate(labels):
        if not isinstance(label, list | tuple) or len(label) != 1:
            message = f"The target y has {label!r:.40} in row {place}. Give one label for each row."
            raise TableError(message)


def _classes_and_codes(labels: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the different labels in order and each row's place among them."""
    if labels.dtype.kind in "iu" and labels.size:
        lowest, highest = int(labels.min()), int(labels.max())
        if highest - lowest < labels.size and highest < 1 << 62:
            # Small whole numbers are counted, which is much faster than sorting.
            from_lowest = labels.astype(np.int64) - lowest
            seen = np.bincount(from_lowest) > 0
            place = np.cumsum(seen) - 1
            return (np.flatnonzero(seen) + lowest).astype(labels.dtype), place[from_lowest]
    classes, codes = np.unique(labels, return_inverse=True)
    return classes, codes


def _check_labels(labels: list[Any]) -> None:
    """Check labels that may be of any type: none is missing and they are of one kind."""
    gaps = [row for row, label in enumerate(labels) if is_missing(label)]
    if gaps:
        message = (
            f"The target y has no label in {len(gaps)} of {len(labels)} rows, first in row {gaps[0]}. "
            "Remove those rows."
        )
        raise TableError(message)
    if len({isinstance(label, str) for label in labels}) > 1:
        kinds = sorted({type(label).__name__ for label in labels})
        message = f"The target y mixes labels of the types {' and '.join(kinds)}. Use one type for all of them."
        raise TableError(message)


def check_weights(weights: Any, n_rows: int) -> NDArray[np.float64] | None:
    """Return each row's weight as a double, or None if there are no weights."""
    if weights is None:
        return None
    vector = np.asarray(plain_vector(weights))
    if vector.ndim == 0 and vector.dtype.kind in "biuf":
        vector = np.full(n_rows, vector)
    if vector.shape != (n_rows,):
        message = f"'sample_weight' has the shape {vector.shape} for {n_rows} rows; give one number for each row."
        raise ValueError(message)
    try:
        doubles = vector.astype(np.float64)
    except (TypeError, ValueError):
        message = f"'sample_weight' must be numbers; got {vector[:3].tolist()} …"
        raise ValueError(message) from None
    bad = np.flatnonzero(~(np.isfinite(doubles) & (doubles >= 0)))
    if bad.size:
        message = (
            f"'sample_weight' must be finite and not negative, but row {bad[0]} has {doubles[bad[0]]}. "
            "Remove such rows or give them the weight 0."
        )
        raise ValueError(message)
    if not doubles.any():
        message = (
            "Every sample weight is zero, so there is nothing to learn from. Give some rows a 'sample_weight' above 0."
        )
        raise ValueError(message)
    _check_total(doubles)
    return doubles


def _check_total(weights: NDArray[np.float64]) -> None:
    """Raise ValueError if the weights stand for more rows than a whole number of 64 bits can count."""
    with np.errstate(over="ignore"):
        total = float(weights.sum())
    if total >= MOST_ROWS:
        message = (
            f"The sample weights add up to {total:g} rows, more than can be counted. "
            "Divide all of 'sample_weight' by the same number."
        )
        raise ValueError(message)
