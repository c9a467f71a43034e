"""A new sample: its rows by bin and class, for each attribute of a scheme."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.counts import ALL_ROWS
from cutwise.errors import SchemeError, TableError
from cutwise.scheme.attribute import NominalAttribute
from cutwise.scheme.by_hand import with_scores_of_counts
from cutwise.scheme.codes import codes_of_column
from cutwise.table import NominalColumn, as_frame, is_frame, plain_vector, read_column
from cutwise.validation import check_weights, meant_weights

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from cutwise.scheme.attribute import Attribute
    from cutwise.scheme.scheme import Scheme
    from cutwise.table.columns import Column


MOST_EXAMPLES = 5


@dataclass(frozen=True, eq=False)
class RecountedAttribute:
    """One attribute of the new sample.

    Parameters
    ----------
    counts : ndarray of shape (n_bins + 2, n_classes)
        The weight of the rows by bin and class; the last two are missing values and unseen
        categories. Without classes there is one column.
    unseen : tuple of str
        The commonest unseen categories.
    """

    counts: NDArray[np.float64]
    unseen: tuple[str, ...]


def codes_of_rows(scheme: Scheme, X: Any) -> NDArray[np.int32]:
    """Return the codes of rows; see `Scheme.transform`."""
    sources, n_rows = _sources(scheme, X)
    codes = np.empty((n_rows, len(sources)), dtype=np.int32, order="F")
    for j, (attribute, source) in enumerate(zip(scheme.attributes, sources, strict=True)):
        codes_of_column(attribute, read_column(source, attribute.name, attribute.kind), scheme.missing, out=codes[:, j])
    return codes


def count_sample(scheme: Scheme, X: Any, y: Any, sample_weight: Any) -> Iterator[RecountedAttribute]:
    """Count each attribute of a scheme in a new sample."""
    sources, n_rows = _sources(scheme, X)
    if n_rows == 0:
        message = "The table has 0 rows, so there is nothing to compare. Give at least one row."
        raise TableError(message)
    weights = check_weights(sample_weight, n_rows)
    if weights is not None:
        weights = meant_weights(weights, str(scheme.parameters.get("weights", "count")))
    classes, n_classes = np.zeros(n_rows, dtype=np.int64), 1
    if y is not None:
        classes, n_classes = class_places(scheme, y, n_rows), len(scheme.classes)
    for attribute, source in zip(scheme.attributes, sources, strict=True):
        yield _count(attribute, read_column(source, attribute.name, attribute.kind), classes, n_classes, weights)


def _count(
    attribute: Attribute,
    column: Column,
    classes: NDArray[np.int64],
    n_classes: int,
    weights: NDArray[np.float64] | None,
) -> RecountedAttribute:
    codes = np.empty(classes.size, dtype=np.int32)
    codes_of_column(attribute, column, "bin", out=codes)
    unseen: tuple[str, ...] = ()
    if isinstance(attribute, NominalAttribute) and isinstance(column, NominalColumn):
        apart = np.flatnonzero(codes < 0)
        codes[apart] = attribute.n_bins + 1
        commonest = Counter(str(column.items[row]) for row in apart.tolist()).most_common(MOST_EXAMPLES)
        unseen = tuple(label for label, _ in commonest)
    size = (attribute.n_bins + 2) * n_classes
    counts = np.bincount(codes * np.int64(n_classes) + classes, weights=weights, minlength=size)
    return RecountedAttribute(counts.reshape(-1, n_classes).astype(np.float64), unseen)


def _sources(scheme: Scheme, X: Any) -> tuple[list[Any], int]:
    """Return what holds each column of the scheme, and the number of rows."""
    if is_frame(X):
        frame = as_frame(X)
        names = list(frame.columns)
        if set(scheme.names) <= set(names):
            return [frame[name] for name in scheme.names], len(frame)
        if _has_no_names(scheme) and len(names) == len(scheme.names):
            return [frame[:, j] for j in range(len(names))], len(frame)
        lacking = [name for name in scheme.names if name not in set(names)]
        message = (
            f"The table lacks the column {lacking[0]!r} of the scheme ({len(lacking)} of {len(scheme.names)} are "
            f"lacking); it has {', '.join(map(repr, names[:20]))}."
        )
        raise TableError(message)
    array = _array(X)
    if array.ndim != 2 or array.shape[1] != len(scheme.names):
        message = (
            f"Expected a table, or an array with the {len(scheme.names)} columns of the scheme in its order, "
            f"got the shape {array.shape}."
        )
        raise TableError(message)
    return list(array.T), array.shape[0]


def _has_no_names(scheme: Scheme) -> bool:
    return scheme.names == tuple(f"x{j}" for j in range(len(scheme.names)))


def _array(X: Any) -> NDArray[Any]:
    if isinstance(X, np.ma.MaskedArray):
        array = np.array(X.data, dtype=object)
        array[np.ma.getmaskarray(X)] = None
        return array
    if isinstance(X, np.ndarray):
        return X
    return np.array(X, dtype=object)


def class_places(scheme: Scheme, y: Any, n_rows: int) -> NDArray[np.int64]:
    """Return the place of each row's class among those of the scheme."""
    vector: Any = plain_vector(y)
    labels = vector.ravel().tolist() if isinstance(vector, np.ndarray) else list(vector)
    if len(labels) != n_rows:
        message = f"The target y has {len(labels)} entries for {n_rows} rows; give one for each row."
        raise TableError(message)
    places = {label: place for place, label in enumerate(scheme.classes)}
    found = np.fromiter((places.get(label, -1) for label in labels), dtype=np.int64, count=n_rows)
    wrong = np.flatnonzero(found < 0)
    if wrong.size:
        known = ", ".join(map(repr, scheme.classes[:20]))
        message = (
            f"The target y has {wrong.size} labels that are no class of the scheme, first {labels[wrong[0]]!r} in row "
            f"{wrong[0]}; its classes are {known}. Remove those rows, or leave y out."
        )
        raise TableError(message)
    return found


def recounted(scheme: Scheme, X: Any, y: Any, sample_weight: Any) -> Scheme:
    """Return the scheme with the counts of these rows; see `Scheme.recount`."""
    if y is None and scheme.classes != (ALL_ROWS,):
        message = (
            f"The scheme counts rows by class ({', '.join(map(repr, scheme.classes[:5]))}). "
            "Give the classes of the rows: recount(X, y)."
        )
        raise SchemeError(message)
    if scheme.classes == (ALL_ROWS,):
        y = None
    counted = count_sample(scheme, X, y, sample_weight)
    pairs = zip(scheme.attributes, counted, strict=True)
    return replace(scheme, attributes=tuple(_recounted(*pair, scheme.criterion) for pair in pairs))


def _recounted(attribute: Attribute, counted: RecountedAttribute, criterion: str) -> Attribute:
    *bins, missing, unseen = counted.counts.tolist()
    counts = tuple(map(_whole, bins))
    without_value = _whole([sum(pair) for pair in zip(missing, unseen, strict=True)])
    if (counts, without_value) == (attribute.class_counts, attribute.missing_by_class):
        return attribute
    return with_scores_of_counts(replace(attribute, class_counts=counts, missing_by_class=without_value), criterion)


def _whole(counts: Iterable[float]) -> tuple[float, ...]:
    """Return counts without weights as whole numbers."""
    return tuple(int(count) if count.is_integer() else count for count in counts)
