"""What a classifier learns from: codes, classes and weights, checked."""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.counts import whole_weights
from cutwise.validation import check_numbers, check_target, check_weights, meaning_of, meant_weights

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from sklearn.base import BaseEstimator

# A code beyond this is a measurement that was never cut, not the number of a bin.
LARGEST_CODE = 2**24 - 1
# Rows whose codes are read at once, which bounds the memory.
BLOCK = 1 << 16


@dataclass(frozen=True, eq=False)
class CodedRows:
    """The rows that a fit learns from.

    Parameters
    ----------
    codes : ndarray of int32, of shape (n_rows, n_attributes)
        The bin of each value, rows contiguous; -1 for a missing one.
    labels : ndarray of int
        The place of each row's class among `classes`.
    weights : ndarray of float or None
        How often each row counts, all above 0; None for once. They are multiples of a
        power of two so large that their sums are exact in any order.
    classes : ndarray
        The class labels in order.
    n_bins : ndarray of int
        The number of bins of each attribute, at least 1.
    feature_names : ndarray of str or None
    rests : ndarray of float or None
        What rounding took from each weight: positive or negative, and again such that sums
        are exact. None where nothing was taken.
    """

    codes: NDArray[np.int32]
    labels: NDArray[np.int64]
    weights: NDArray[np.float64] | None
    classes: NDArray[Any]
    n_bins: NDArray[np.int64]
    feature_names: NDArray[np.object_] | None = None
    rests: NDArray[np.float64] | None = None

    @property
    def offsets(self) -> NDArray[np.int64]:
        """The first cell of each attribute, and the number of cells: see `CellCounts`."""
        return first_cells(self.n_bins)

    @property
    def row_weights(self) -> NDArray[np.float64]:
        """The weight of each row, 1 where there are no weights."""
        return np.ones(self.labels.size) if self.weights is None else self.weights

    def distinct(self) -> CodedRows:
        """Return each different pair of codes and class once, in order, with the summed weights.

        What is computed from it does not depend on the order in which the rows came.
        """
        keys = _sort_keys(self.codes, self.n_bins, self.labels, self.classes.size)
        order = np.lexsort(keys)
        sorted_keys = keys[:, order]
        is_first = np.ones(order.size, dtype=bool)
        is_first[1:] = (sorted_keys[:, 1:] != sorted_keys[:, :-1]).any(axis=0)
        firsts = np.flatnonzero(is_first)
        weights = np.add.reduceat(self.row_weights[order], firsts)
        kept = order[firsts]
        return replace(
            self,
            codes=self.codes[kept],
            labels=self.labels[kept],
            weights=None if (weights == 1.0).all() else weights,
            rests=None,
        )


def first_cells(n_bins: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where the cells of each attribute begin, and at the end how many there are."""
    return np.concatenate(([0], np.cumsum(n_bins, dtype=np.int64)))


def _sort_keys(
    codes: NDArray[np.int32], n_bins: NDArray[np.int64], labels: NDArray[np.int64], n_classes: int
) -> NDArray[np.int64]:
    """Return few whole numbers for each row that together determine its codes and its class."""
    keys = [labels.astype(np.int64)]
    room = n_classes
    for j, size in enumerate((n_bins + 1).tolist()):
        if room * size >= 1 << 62:
            keys.append(np.zeros(labels.size, dtype=np.int64))
            room = 1
        keys[-1] = keys[-1] * size + (codes[:, j] + 1)
        room *= size
    return np.stack(keys)


def read_sample(
    estimator: BaseEstimator,
    X: Any,
    y: Any,
    sample_weight: Any,
    *,
    n_bins: Any = None,
    min_bins: Any = None,
    classes: NDArray[Any] | None = None,
    reset: bool = True,
) -> CodedRows:
    """Check what is passed to fit without touching the estimator. Rows of weight zero are left out.

    Parameters
    ----------
    n_bins : int, array-like or None
        The declared numbers of bins; None for the largest code and one.
    min_bins : int, array-like or None
        The least numbers of bins.
    classes : ndarray or None
        All class labels in order; None for those of the rows.
    reset : bool
        Whether the table may have other columns than the one before.
    """
    probe = copy.copy(estimator)
    array = check_numbers(probe, X, reset=reset)
    found, places = check_target(estimator, array, y)
    target = found[places]
    weights, rests = check_weights(sample_weight, target.size), None
    if weights is not None:
        weights = meant_weights(weights, meaning_of(estimator))
        kept = weights > 0
        array, target = array[kept], target[kept]
        weights, rests = _round_weights(weights[kept])
    names = getattr(probe, "feature_names_in_", None)
    codes = _training_codes(array, names)
    classes, labels = _place_labels(target, classes)
    bins = _count_bins(codes, n_bins, names)
    if min_bins is not None:
        bins = _at_least(bins, min_bins, names, is_declared=n_bins is not None)
    return CodedRows(codes, labels, weights, classes, bins, names, rests)


def _round_weights(weights: NDArray[np.float64]) -> tuple[NDArray[np.float64] | None, NDArray[np.float64] | None]:
    """Return weights whose sums are exact in any order, and the rests that rounding took."""
    if (weights == 1.0).all():
        return None, None
    units, unit = whole_weights(weights)
    rounded = np.asarray(units * unit, dtype=np.float64)
    rests = np.asarray(weights - rounded)
    if not rests.any():
        return rounded, None
    # As many rests as rows, each below the unit: this grid keeps their sums within 53 bits.
    step = math.ldexp(unit, math.frexp(weights.size)[1] - 52)
    return rounded, np.asarray(np.rint(rests / step) * step)


def read_codes(estimator: BaseEstimator, X: Any) -> NDArray[np.int32]:
    """Return the codes of a table to predict; -1 where a value is missing."""
    array = check_numbers(copy.copy(estimator), X, reset=False)
    if array.dtype.kind == "f" or array.dtype.itemsize > 4:
        array = np.minimum(array, LARGEST_CODE + 1)  # no bin either, and a number that 32 bits can hold
    return _whole_numbers(array)


def _training_codes(array: NDArray[Any], names: NDArray[np.object_] | None) -> NDArray[np.int32]:
    too_large = array > LARGEST_CODE
    if too_large.any():
        row, j = np.argwhere(too_large)[0]
        message = (
            f"Column {_name(names, j)} has the code {array[row, j]} in row {row}. Codes are numbers of bins, "
            f"at most {LARGEST_CODE}; cut the column with a discretizer first."
        )
        raise ValueError(message)
    return _whole_numbers(array)


def _whole_numbers(array: NDArray[Any]) -> NDArray[np.int32]:
    """Return codes as whole numbers, fractions cut off; -1 for NaN and below zero."""
    codes = np.empty(array.shape, dtype=np.int32)
    is_signed = array.dtype.kind in "if"  # unsigned numbers and booleans are never below zero
    for first in range(0, len(array), BLOCK):
        rows = array[first : first + BLOCK]
        codes[first : first + BLOCK] = np.fmax(rows, -1) if is_signed else rows
    return codes


def _count_bins(codes: NDArray[np.int32], declared: Any, names: NDArray[np.object_] | None) -> NDArray[np.int64]:
    seen: NDArray[np.int64] = np.maximum(codes.max(axis=0).astype(np.int64) + 1, 1)
    if declared is None:
        return seen
    n_bins = _one_for_each("n_bins", declared, seen.size)
    beyond = np.flatnonzero(seen > n_bins)
    if beyond.size:
        j = beyond[0]
        message = (
            f"Column {_name(names, j)} has the code {seen[j] - 1}, but 'n_bins' gives it {n_bins[j]} bins. "
            "Codes go from 0 to the number of bins less one; missing values are -1."
        )
        raise ValueError(message)
    return n_bins


def _one_for_each(parameter: str, numbers: Any, n_columns: int) -> NDArray[np.int64]:
    """Return a number of bins for each column, of one for all of them or one for each."""
    given = np.asarray(numbers)
    if given.dtype.kind not in "iu" or given.shape not in ((), (n_columns,)) or (given < 1).any():
        message = (
            f"{parameter!r} must be a whole number above 0, or one for each of the {n_columns} columns; got {numbers}."
        )
        raise ValueError(message)
    return np.full(n_columns, given, dtype=np.int64)


def _at_least(
    bins: NDArray[np.int64], least: Any, names: NDArray[np.object_] | None, *, is_declared: bool
) -> NDArray[np.int64]:
    """Return the numbers of bins, or the least ones where those are larger."""
    wanted = _one_for_each("min_categories", least, bins.size)
    beyond = np.flatnonzero(wanted > bins)
    if is_declared and beyond.size:
        j = beyond[0]
        message = (
            f"'min_categories' asks for {wanted[j]} bins of the column {_name(names, j)}, but 'n_bins' gives it "
            f"{bins[j]}. Leave 'min_categories' out."
        )
        raise ValueError(message)
    return np.maximum(bins, wanted)


def _name(names: NDArray[np.object_] | None, j: int) -> str:
    return f"x{j}" if names is None else repr(names[j])


def _place_labels(target: NDArray[Any], classes: NDArray[Any] | None) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the class labels in order and each row's place among them."""
    found, labels = np.unique(target, return_inverse=True)
    if classes is None:
        return found, labels
    unknown = found[~np.isin(found, classes)]
    if unknown.size:
        message = (
            f"The target y has the label {unknown.tolist()[0]!r}, which is not among the classes {classes.tolist()}."
        )
        raise ValueError(message)
    return classes, np.searchsorted(classes, found)[labels]
