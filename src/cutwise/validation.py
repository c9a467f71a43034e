"""Checks of what is passed to fit, transform and predict: the same for every estimator."""

from __future__ import annotations

import copy
import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils import check_array, check_consistent_length, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from cutwise.counts import RowGroups, relative_weights, whole_weights
from cutwise.errors import TableError, WeightsWarning
from cutwise.scikit_learn import check_columns
from cutwise.table import is_frame, plain_vector
from cutwise.table.columns import is_missing
from cutwise.table.frames import n_rows_of, names_of, select_places, take_rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray
    from sklearn.base import BaseEstimator


# What sample weights mean: how often each row counts, or nothing but their ratios.
WEIGHTS = ("count", "relative")
# Weights that are counts must stand for a number of rows that can be counted, and
# should stand for one that is plausible.
MOST_ROWS = 2.0**62
LEAST_ROWS = 1e-9
MOST_PLAUSIBLE_ROWS = 2.0**53
LEAST_PLAUSIBLE_SHARE = 0.1
# A target of more different numbers than this is taken for a measurement.
MOST_NUMBERS = 100


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

    def only(self, places: Sequence[int]) -> CheckedTable:
        """Return a table with the columns at some places, of all of which it still tells the number and the names."""
        return replace(self, data=select_places(self.data, places), names=[self.names[j] for j in places])


def set_fitted(
    estimator: BaseEstimator,
    n_features: int,
    feature_names: NDArray[np.object_] | None,
    learned: Mapping[str, Any],
    without: Sequence[str] = (),
) -> None:
    """Set everything that a fit has learned at once, so that no failure leaves an estimator half new.

    Parameters
    ----------
    estimator : BaseEstimator
    n_features : int
        The number of columns.
    feature_names : ndarray of str or None
        Their names; None if the table had none.
    learned : mapping
        The fitted attributes by name.
    without : sequence of str
        Attributes of an earlier fit that go.
    """
    gone = {*without, "feature_names_in_"}
    state = {name: value for name, value in vars(estimator).items() if name not in gone}
    state |= {"n_features_in_": n_features, **learned}
    if feature_names is not None:
        state["feature_names_in_"] = feature_names
    estimator.__dict__ = state


def check_table(estimator: BaseEstimator, data: Any, *, reset: bool) -> CheckedTable:
    """Check a table against scikit-learn's rules without touching the estimator."""
    probe = copy.copy(estimator)
    if is_frame(data):
        check_columns(probe, data, names_of(data), reset=reset)
        _check_not_empty(data, probe.n_features_in_)
    else:
        data = validate_data(probe, _keep_what_arrays_lose(data), reset=reset, dtype=None, ensure_all_finite=False)
    feature_names = getattr(probe, "feature_names_in_", None)
    names = [f"x{j}" for j in range(probe.n_features_in_)] if feature_names is None else list(feature_names)
    return CheckedTable(data, names, probe.n_features_in_, feature_names)


def check_numbers(estimator: BaseEstimator, data: Any, *, reset: bool) -> NDArray[Any]:
    """Return a table of numbers, missing ones among them, as an array; set or compare the estimator's columns."""
    if not is_frame(data):
        array = validate_data(estimator, check_nested(data), reset=reset, ensure_all_finite="allow-nan")
    else:
        check_columns(estimator, data, names_of(data), reset=reset)
        array = check_array(data, estimator=estimator, input_name="X", ensure_all_finite="allow-nan")
    return np.asarray(array)


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
        raise TableError(
            f"The table is nested {array.ndim} deep (shape {array.shape}), but a table has rows and columns only. "
            "Give one list of values for each row."
        )
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
                    f"Column 'x{j}' holds {value!r:.40} in row {place}, which is neither number, string nor boolean. "
                    "Give one value for each row and column."
                )
    return "The table is a list that makes no rows and columns. Give one list of values for each row."


def _check_not_empty(data: Any, n_features: int) -> None:
    n_rows = n_rows_of(data)
    for number, what in ((n_rows, "row"), (n_features, "column")):
        if number == 0:
            raise TableError(f"The table has 0 {what}s (shape={n_rows, n_features}); at least 1 {what} is required.")


def check_target(estimator: BaseEstimator, data: Any, target: Any) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the class labels in order and each row's place among them."""
    if target is None:
        raise ValueError(
            f"{type(estimator).__name__} requires y to be passed, but the target y is None. "
            "It needs the class of each row."
        )
    if isinstance(target, str):
        raise TableError(
            f"The target y is the string {target!r}, but it must hold the class of each row. If that is a column of "
            f"the table, pass y=X[{target!r}] and X without it; fit_table takes the name of a column."
        )
    vector = plain_vector(target)
    if isinstance(vector, list | tuple) and any(isinstance(label, list | tuple | dict) for label in vector):
        _check_flat(vector)
    if isinstance(vector, list | tuple) and any(map(is_missing, vector)):
        # numpy would turn a NaN among strings into the string "nan".
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
    classes, codes = _classes_and_codes(labels)
    check_number_of_classes(classes, "The target y")
    return classes, codes


def check_number_of_classes(classes: Sequence[Any] | NDArray[Any], what: str) -> None:
    """Raise TableError if the classes are so many numbers that they must be measurements."""
    if len(classes) <= MOST_NUMBERS or isinstance(classes[0], str | bytes):
        return
    raise TableError(
        f"{what} holds {len(classes):,} different numbers, such as {classes[0]} and {classes[1]}: measurements, not "
        f"classes. Turn them into a few classes first; if they are classes, into strings."
    )


def _check_flat(labels: Sequence[Any]) -> None:
    """Refuse lists among the labels, unless all of them are lists of one label."""
    for place, label in enumerate(labels):
        if not isinstance(label, list | tuple) or len(label) != 1:
            raise TableError(f"The target y has {label!r:.40} in row {place}. Give one label for each row.")


def _classes_and_codes(labels: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the different labels in order and each row's place among them."""
    if labels.dtype.kind in "iu" and labels.size:
        lowest, highest = int(labels.min()), int(labels.max())
        if highest - lowest < labels.size and highest < 1 << 62:
            # Small whole numbers are counted, which is much faster than sorting.
            from_lowest = labels.astype(np.int64)
            from_lowest -= lowest
            seen = np.bincount(from_lowest) > 0
            place = np.cumsum(seen) - 1
            return (np.flatnonzero(seen) + lowest).astype(labels.dtype), place[from_lowest]
    classes, codes = np.unique(labels, return_inverse=True)
    return classes, codes


def _check_labels(labels: list[Any]) -> None:
    """Check labels that may be of any type: none is missing and they are of one kind."""
    gaps = [row for row, label in enumerate(labels) if is_missing(label)]
    if gaps:
        raise TableError(
            f"The target y has no label in {len(gaps)} of {len(labels)} rows, first in row {gaps[0]}. "
            "Remove those rows."
        )
    if len({isinstance(label, str) for label in labels}) > 1:
        kinds = sorted({type(label).__name__ for label in labels})
        raise TableError(f"The target y mixes labels of the types {' and '.join(kinds)}. Use one type for all of them.")


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
        raise ValueError(f"'sample_weight' must be numbers; got {vector[:3].tolist()} …") from None
    bad = np.flatnonzero(~(np.isfinite(doubles) & (doubles >= 0)))
    if bad.size:
        raise ValueError(
            f"'sample_weight' must be finite and not negative, but row {bad[0]} has {doubles[bad[0]]}. "
            "Remove such rows or give them the weight 0."
        )
    if not doubles.any():
        raise ValueError(
            "Every sample weight is zero, so there is nothing to learn from. Give some rows a 'sample_weight' above 0."
        )
    return doubles


def meant_weights(weights: NDArray[np.float64], meaning: str) -> NDArray[np.float64]:
    """Return weights as numbers of rows, in two ways.

    Parameters
    ----------
    weights : ndarray of float
        Finite and not negative, some above 0.
    meaning : {"count", "relative"}
        "count" takes them as they are, and tells where they hardly are numbers of rows; "relative" multiplies them by
        the number that makes them sum to the number of rows with a weight above 0.
    """
    is_positive = weights > 0
    if meaning == "relative":
        rescaled = np.zeros_like(weights)
        rescaled[is_positive] = relative_weights(weights[is_positive])
        return rescaled
    with np.errstate(over="ignore"):
        total = float(weights.sum())
    n_rows = int(np.count_nonzero(is_positive))
    if not LEAST_ROWS <= total < MOST_ROWS:
        why = "more rows than can be counted" if total >= MOST_ROWS else "no number of rows"
        raise ValueError(
            f"The sample weights add up to {total:g}, {why}: a weight is how often a row counts. "
            "Set weights='relative' if only their ratios matter."
        )
    if total > MOST_PLAUSIBLE_ROWS or total < LEAST_PLAUSIBLE_SHARE * n_rows:
        message = (
            f"The sample weights of {n_rows:,} rows add up to {total:g}, and a weight is how often a row counts. "
            f"The result is that of a table of {total:g} rows; set weights='relative' if only the ratios of the "
            "weights matter."
        )
        warnings.warn(message, WeightsWarning, stacklevel=2)
    return weights


@dataclass(frozen=True, eq=False)
class CheckedRows:
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

    def class_totals(self) -> list[int]:
        """Return the weight of the rows of each class, in units; without weights their number."""
        if self.weights is None:
            counts: list[int] = np.bincount(self.codes, minlength=self.classes.size).tolist()
            return counts[: self.classes.size]
        return [int(self.weights[self.codes == k].sum()) for k in range(self.classes.size)]

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
) -> CheckedRows:
    """Check what is passed to fit. Rows of weight zero are left out.

    `meaning` says what the weights mean; by default the parameter ``weights`` of the estimator does.
    """
    table = check_table(estimator, X, reset=reset)
    classes, codes = check_target(estimator, table.data, y)
    return weigh_rows(CheckedRows(table, classes, codes, codes.size), sample_weight, meaning or meaning_of(estimator))


def meaning_of(estimator: BaseEstimator) -> str:
    """Return what sample weights mean to an estimator, see `meant_weights`."""
    meaning: str = getattr(estimator, "weights", "count")
    return meaning


def weigh_rows(rows: CheckedRows, sample_weight: Any, meaning: str) -> CheckedRows:
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
        table = table.with_data(take_rows(table.data, kept))
        seen, codes = np.unique(codes[kept], return_inverse=True)
        classes, weights = classes[seen], weights[kept]
    units, unit = whole_weights(weights)
    return CheckedRows(table, classes, codes, rows.n_given, units, unit, kept)


def deal_rows(classes: NDArray[np.int64], n_parts: int, random: np.random.RandomState) -> NDArray[np.int64]:
    """Return a part for each row, so that every part gets its share of each class.

    Rows are shuffled within their class, laid out class by class and dealt like cards:
    parts differ by at most one row in all, and by at most one in each class.
    """
    order = np.lexsort((random.random_sample(classes.size), classes))
    dealt = np.arange(classes.size)
    dealt %= n_parts
    parts = np.empty(classes.size, dtype=np.int64)
    parts[order] = dealt
    return parts
