"""Checks of what is passed to fit and predict."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils import _safe_indexing, check_array, check_consistent_length, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, _num_samples, validate_data

from cutwise.counts import whole_weights
from cutwise.errors import TableError
from cutwise.table import as_frame, is_frame, plain_vector
from cutwise.table.columns import is_missing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from sklearn.base import BaseEstimator


@dataclass(frozen=True, eq=False)
class CheckedTable:
    """A table that may be read column by column, and what to call its columns."""

    data: Any
    names: Sequence[str]
    feature_names: NDArray[np.object_] | None


@dataclass(frozen=True, eq=False)
class Rows:
    """What was passed to fit, checked; rows of weight zero are left out."""

    table: CheckedTable
    classes: NDArray[Any]
    codes: NDArray[np.int32]
    weights: NDArray[np.float64]


def check_table(estimator: BaseEstimator, data: Any, *, reset: bool) -> CheckedTable:
    """Check a table against scikit-learn's rules without touching the estimator."""
    probe = copy.copy(estimator)
    if is_frame(data):
        as_frame(data)  # refuses a lazy one
        validate_data(probe, data, reset=reset, skip_check_array=True)
        n_rows = _num_samples(data)
        for number, what in ((n_rows, "row"), (probe.n_features_in_, "column")):
            if number == 0:
                message = f"The table has 0 {what}s (shape={n_rows, probe.n_features_in_}); at least 1 is required."
                raise TableError(message)
    else:
        data = validate_data(probe, _keep_numbers(data), reset=reset, dtype=None, ensure_all_finite=False)
    feature_names = getattr(probe, "feature_names_in_", None)
    names = [f"x{j}" for j in range(probe.n_features_in_)] if feature_names is None else list(feature_names)
    return CheckedTable(data, names, feature_names)


def _keep_numbers(data: Any) -> Any:
    """Keep numbers in nested lists numbers beside text."""
    if isinstance(data, list | tuple):
        try:
            array = np.asarray(data)
        except ValueError:
            return data
        return np.array(data, dtype=object) if array.dtype.kind in "US" else array
    return data


def check_rows(estimator: BaseEstimator, X: Any, y: Any, sample_weight: Any = None) -> Rows:
    """Check what is passed to fit."""
    table = check_table(estimator, X, reset=True)
    labels = _check_labels(estimator, table.data, y)
    weights: NDArray[np.float64] = np.ones(labels.size)
    if sample_weight is not None:
        weights = _check_sample_weight(plain_vector(sample_weight), labels, dtype=np.float64, ensure_non_negative=True)
        kept = np.flatnonzero(weights)
        if kept.size < labels.size:
            table = CheckedTable(_safe_indexing(table.data, kept), table.names, table.feature_names)
            labels, weights = labels[kept], weights[kept]
        units, unit = whole_weights(weights)
        weights = np.asarray(units * unit, dtype=np.float64)
    classes, codes = np.unique(labels, return_inverse=True)
    return Rows(table, classes, codes.astype(np.int32), weights)


def _check_labels(estimator: BaseEstimator, data: Any, target: Any) -> NDArray[Any]:
    """Return the class of each row."""
    if target is None:
        message = (
            f"{type(estimator).__name__} requires y to be passed, but the target y is None. "
            "It needs the class of each row."
        )
        raise ValueError(message)
    vector = plain_vector(target)
    if isinstance(vector, np.ndarray) and vector.dtype == object:
        labels = vector.ravel().tolist()
        if any(is_missing(label) for label in labels):
            message = "The target y lacks labels. Remove the rows without one."
            raise TableError(message)
        if len({isinstance(label, str) for label in labels}) > 1:
            message = "The target y mixes texts with other labels. Use one type for all of them."
            raise TableError(message)
    else:
        vector = check_array(vector, ensure_2d=False, dtype=None, input_name="y", ensure_min_samples=0)
    checked = column_or_1d(vector, warn=True)
    check_consistent_length(data, checked)
    check_classification_targets(checked)
    return np.asarray(checked)
