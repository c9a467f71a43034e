"""Checks of what is passed to fit and predict."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_sample_weight,
    _check_y,
    _num_samples,
    check_consistent_length,
    validate_data,
)

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


def check_table(estimator: BaseEstimator, data: Any, *, reset: bool) -> CheckedTable:
    """Check a table against scikit-learn's rules without touching the estimator."""
    probe = copy.copy(estimator)
    if is_frame(data):
        as_frame(data)  # refuses a lazy one
        validate_data(probe, data, reset=reset, skip_check_array=True)
        shape = (_num_samples(data), probe.n_features_in_)
        if 0 in shape:
            what = "sample" if shape[0] == 0 else "feature"
            message = f"The table has 0 {what}(s) (shape={shape}) while a minimum of 1 is required."
            raise TableError(message)
    else:
        nested = np.array(data, dtype=object) if _holds_text(data) else data
        data = validate_data(probe, nested, reset=reset, dtype=None, ensure_all_finite=False)
    feature_names = getattr(probe, "feature_names_in_", None)
    names = [f"x{j}" for j in range(probe.n_features_in_)] if feature_names is None else list(feature_names)
    return CheckedTable(data, names, feature_names)


def _holds_text(data: Any) -> bool:
    """Tell whether nested lists hold text, in which numpy would turn the numbers into text too."""
    if not isinstance(data, list | tuple):
        return False
    try:
        return np.asarray(data).dtype.kind in "US"
    except ValueError:
        return False


def check_target(estimator: BaseEstimator, data: Any, target: Any) -> NDArray[Any]:
    """Return the class label of each row."""
    if target is None:
        message = (
            f"{type(estimator).__name__} requires y to be passed, but the target y is None. "
            "It needs the class of each row."
        )
        raise ValueError(message)
    labels: NDArray[Any] = _check_y(plain_vector(target), estimator=estimator)
    if labels.dtype == object:
        gaps = [row for row, label in enumerate(labels.tolist()) if is_missing(label)]
        if gaps:
            message = f"The target y lacks {len(gaps)} labels (first in row {gaps[0]}). Remove those rows."
            raise TableError(message)
    check_consistent_length(data, labels)
    check_classification_targets(labels)
    return labels


def check_weights(weights: Any, data: Any) -> NDArray[np.float64]:
    """Return how often each row counts."""
    given = None if weights is None else plain_vector(weights)
    doubles: NDArray[np.float64] = _check_sample_weight(given, data, dtype=np.float64, ensure_non_negative=True)
    return doubles
