"""What a discretizer has seen: rows in memory or counts, in either case as the counts of each column.

A discretizer says by its class attribute ``uses_parts`` whether it compares parts of the rows, given or dealt
at random. Those that do have the parameters ``validation``, ``n_splits`` and ``random_state``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from numbers import Integral
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from sklearn.utils import check_consistent_length, check_random_state, column_or_1d

from cutwise.counts import ALL_ROWS, GridCounts, NominalCounts, TableCounts, count_column
from cutwise.criteria import Divergence, ExpectedDivergence, SplitDivergence
from cutwise.discretize.passing import chosen_columns
from cutwise.errors import CountsError, TableError
from cutwise.estimator import Choices
from cutwise.scheme.event import place_of_event, rarer_class
from cutwise.scikit_learn import Interval
from cutwise.table import NominalColumn, plain_vector, read_columns
from cutwise.table.columns import is_missing
from cutwise.table.frames import ordered_columns
from cutwise.validation import (
    CheckedRows,
    check_number_of_classes,
    check_table,
    check_target,
    deal_rows,
    meaning_of,
    read_rows,
    weigh_rows,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray
    from sklearn.base import BaseEstimator

    from cutwise.counts import ColumnCounts, MergeableCounts, RowGroups
    from cutwise.table.columns import Column, Label

# A target with more labels than this is taken for a measurement.
MOST_CLASSES = 100


class CountedColumn(NamedTuple):
    """The counts of a column; if it is nominal, value u of the table is category u, in the order of its type if any."""

    name: str
    table: ColumnCounts
    categories: tuple[Label, ...] | None = None
    is_ordered: bool = False


# A thread takes columns of so many rows together at a time.
ROWS_AT_ONCE = 100_000


@dataclass(frozen=True, eq=False)
class SeenTable:
    """A table as a discretizer sees it, wherever it is.

    Parameters
    ----------
    names : sequence of str
        What to call the columns.
    feature_names : ndarray of str or None
        The names of all columns; None if the table had none.
    classes : ndarray
        The class labels.
    total_weight : float
        The weight of all rows; without weights their number.
    columns : sequence of callable
        The counts of each column; they are made when they are asked for.
    n_parts : int
        The number of parts that were counted.
    has_given_parts : bool
        Whether the user said which row is in which part.
    has_unlabelled : bool
        Whether rows without a label are counted, too, as one class more than there are.
    event : int or None
        The place of the event among the classes; None if there are not two and none is named.
    rank_errors : ndarray or None
        How fine the grids are on which columns were counted; None for rows.
    rows, groups : CheckedRows and RowGroups, or None
        The rows, if they are in memory.
    """

    names: Sequence[str]
    feature_names: NDArray[np.object_] | None
    classes: NDArray[Any]
    total_weight: float
    columns: Sequence[Callable[[], CountedColumn]]
    n_parts: int = 0
    has_given_parts: bool = False
    has_unlabelled: bool = False
    event: int | None = None
    rank_errors: NDArray[np.float64] | None = None
    rows: CheckedRows | None = None
    groups: RowGroups | None = None

    @property
    def n_features(self) -> int:
        """The number of columns, those counted that are not cut."""
        return len(self.names) if self.rows is None else self.rows.table.n_features

    @property
    def columns_at_once(self) -> int:
        """How many columns a thread takes at a time: several of few rows, large ones one by one."""
        return 1 if self.rows is None else max(1, ROWS_AT_ONCE // max(1, self.rows.table.data.shape[0]))


def see_rows(method: Any, X: Any, y: Any, sample_weight: Any, parts: Any) -> SeenTable:
    """Check what is passed to fit. Columns are read and counted one at a time, when they are asked for."""
    has_unlabelled = False
    if method.takes_unlabelled:
        rows, groups, has_unlabelled = read_partly_labelled(method, X, y, sample_weight)
        refuse_parts(method, parts)
    else:
        rows = (read_rows if method.needs_classes else read_labelled_or_not)(method, X, y, sample_weight)
        groups = group_rows(method, rows, parts)
    rows = replace(rows, table=chosen_columns(method.columns, rows.table))
    return SeenTable(
        names=rows.table.names,
        feature_names=rows.table.feature_names,
        classes=rows.classes,
        total_weight=rows.total_weight,
        columns=[ColumnOfRows(read, groups) for read in read_columns(rows.table.data, rows.table.names)],
        n_parts=groups.n_parts,
        has_given_parts=parts is not None,
        has_unlabelled=has_unlabelled,
        event=event_of(method, rows.classes.tolist(), rows.class_totals),
        rows=rows,
        groups=groups,
    )


def event_of(method: Any, classes: Sequence[Any], totals: Callable[[], Sequence[float]]) -> int | None:
    """Return the place of the event among the classes: the one that is named, or the rarer of two."""
    if method.event is not None:
        if list(classes) == [ALL_ROWS]:
            message = (
                f"event={method.event!r} names a class, but there are none. Pass the class of each row, or no event."
            )
            raise ValueError(message)
        return place_of_event(method.event, classes)
    return rarer_class(totals()) if len(classes) == 2 else None


@dataclass(frozen=True, slots=True)
class ColumnOfRows:
    """A column that is read, and counted in groups of rows, when it is called for."""

    read: Callable[[], Column]
    groups: RowGroups

    def __call__(self) -> CountedColumn:
        """Read the column and count it."""
        return count_read(self.read(), self.groups)


def count_read(column: Column, groups: RowGroups) -> CountedColumn:
    """Count a column."""
    if isinstance(column, NominalColumn):
        return CountedColumn(column.name, count_categories(column, groups), column.categories, column.is_ordered)
    return CountedColumn(column.name, count_column(column.values, groups))


def count_categories(column: NominalColumn, groups: RowGroups) -> ColumnCounts:
    """Count a nominal column; every category has a row, so value u of the table is category u."""
    codes = column.codes(column.categories)
    return count_column(np.where(codes < 0, np.nan, codes), groups)


def see_counts(
    method: Any, counts: Any, special: Sequence[NDArray[np.float64]], feature_names: NDArray[np.object_] | None
) -> SeenTable:
    """Check counts, and look at those that a method needs."""
    check_has_classes(method, counts.target)
    counts = with_used_parts(method, counts)
    if not method.needs_classes and len(counts.classes) > MOST_CLASSES:
        counts = counts.of_one_class()
    if method.weights == "relative":
        _check_evenness(method, counts)
        counts = counts.relative()
    _check_classes(counts)
    for column, values in zip(counts.columns, special, strict=True):
        _check_cells(column, values)
    return SeenTable(
        names=counts.names,
        feature_names=feature_names,
        classes=label_array(counts.classes),
        total_weight=counts.total_weight,
        columns=[partial(_counted, column, counts.unit) for column in counts.columns],
        n_parts=len(counts.parts),
        has_given_parts=bool(counts.parts),
        event=event_of(method, counts.classes, counts.class_totals),
        rank_errors=np.array(list(counts.rank_errors.values())),
    )


def check_counts(counts: Any) -> TableCounts:
    """Return counts, or raise if they are something else."""
    if not isinstance(counts, TableCounts):
        message = f"Expected the counts that count_table returns, got {type(counts).__name__}."
        raise CountsError(message)
    return counts


def check_has_classes(method: Any, target: str | None) -> None:
    """Raise if there is no column of classes, and one is needed."""
    if target is None and method.needs_classes:
        message = f"{type(method).__name__} needs the class of each row. Name the column of the classes: target=…"
        raise CountsError(message)


def label_array(labels: Sequence[Any]) -> NDArray[Any]:
    """Return labels as numpy holds them best without changing one."""
    array = np.asarray(labels)
    if array.tolist() == list(labels):
        return array
    return np.array(labels, dtype=object)


def plain_labels(classes: NDArray[Any]) -> tuple[Any, ...]:
    """Return class labels as Python strings, numbers or booleans."""
    labels = classes.tolist()
    for label in labels:
        if not isinstance(label, str | bool | int | float):
            message = (
                f"The class label {label!r} of type {type(label).__name__} is neither string, number nor boolean. "
                "Turn the target y into one of them."
            )
            raise TableError(message)
    return tuple(str(label) if isinstance(label, str) else label for label in labels)


def _check_classes(counts: TableCounts) -> None:
    """Raise if the target holds measurements."""
    for label in counts.classes:
        if isinstance(label, float) and label != int(label):
            message = (
                f"The target {counts.target!r} holds continuous values, such as {label!r}, and no classes. "
                "Choose another target, or turn it into classes."
            )
            raise CountsError(message)
    check_number_of_classes(counts.classes, f"The target {counts.target!r}")


def _check_evenness(method: Any, counts: TableCounts) -> None:
    """Raise if cuts are to be tested with relative weights of which only sums are known."""
    if counts.n_records is not None and getattr(method, "confirm", None) is not None:
        message = (
            f"confirm={method.confirm!r} with weights='relative' asks how uneven the weights of the rows are, and "
            "counts do not tell that. Pass the rows to fit, or set confirm=None."
        )
        raise CountsError(message)


def _counted(column: MergeableCounts, unit: float) -> CountedColumn:
    table = column.table() if unit == 1.0 else replace(column.table(), unit=unit)
    return CountedColumn(column.name, table, column.categories if isinstance(column, NominalCounts) else None)


def _check_cells(column: MergeableCounts, special: NDArray[np.float64]) -> None:
    """Raise if a special value lies in a cell with other values."""
    if not isinstance(column, GridCounts):
        return
    cells = np.searchsorted(column.edges, special)
    mixed = special[(column.lows[cells] < column.highs[cells])]
    if mixed.size:
        message = (
            f"Column {column.name!r}: the special value {mixed[0]!r} was counted together with others. "
            "Count the table again with special_values=…, so that it gets a cell of its own."
        )
        raise CountsError(message)


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


TRAINING, VALIDATION = 0, 1
PART_CONSTRAINTS: dict[str, list[Any]] = {
    "validation": [Choices("expected", "crossfit", "holdout")],
    "n_splits": [Interval(Integral, 2, None, closed="left")],
    "random_state": ["random_state"],
}


def group_rows(method: Any, rows: CheckedRows, parts: Any) -> RowGroups:
    """Return the rows in groups of one class and one part; `parts` are those that the user gave, or None."""
    refuse_parts(method, parts)
    if not method.uses_parts or method.validation == "expected":
        return rows.groups()
    row_parts = _row_parts(method, rows, parts)
    return rows.groups(row_parts, 2 if method.validation == "holdout" else int(row_parts.max()) + 1)


def divergence_of_parts(method: Any, n_parts: int) -> Divergence:
    """Return the divergence between the parts, or its mean over all of them."""
    if method.validation == "expected":
        return ExpectedDivergence(method.n_splits)
    return SplitDivergence((VALIDATION,) if method.validation == "holdout" else tuple(range(n_parts)))


def check_parts(parts: Any, n_rows: int) -> NDArray[np.int64]:
    """Return each row's part as a whole number."""
    vector = column_or_1d(np.asarray(plain_vector(parts)))
    if vector.size != n_rows:
        message = f"'parts' has {vector.size} entries for {n_rows} rows; give one for each row."
        raise ValueError(message)
    whole = vector.astype(np.int64) if vector.dtype.kind in "biuf" else None
    if whole is None or not np.array_equal(whole, vector):
        message = f"'parts' must be whole numbers, one for each row; got {vector[:3].tolist()} …"
        raise ValueError(message)
    return np.asarray(whole, dtype=np.int64)


def refuse_parts(method: Any, parts: Any) -> None:
    """Raise if parts are given to a method that does not look at any."""
    if parts is None:
        return
    if not method.uses_parts:
        message = f"{type(method).__name__} does not compare parts of the rows. Leave 'parts' out."
        raise ValueError(message)
    if method.validation == "expected":
        message = (
            "validation='expected' averages over every split and takes no 'parts'. "
            "Choose validation='holdout' or 'crossfit', or leave 'parts' out."
        )
        raise ValueError(message)


def check_part_column(method: Any, parts: str | None) -> None:
    """Raise unless a column of parts is named exactly where one is needed."""
    refuse_parts(method, parts)
    if method.uses_parts and method.validation != "expected" and parts is None:
        message = (
            f"validation={method.validation!r} deals the rows of a table in memory at random. For other tables name a "
            "column with the part of each row, parts=…, or choose validation='expected', which needs none."
        )
        raise ValueError(message)


def is_grouped(method: Any, name: str) -> bool:
    """Return whether the categories of a named column are to be grouped."""
    nominal = method.nominal
    return (nominal.get(name) if isinstance(nominal, dict) else nominal) == "group"


def check_unordered(method: Any, table: Any) -> None:
    """Raise if ordered categories are to be grouped from counts, which do not keep their order."""
    refuse_ordered(name for name in ordered_columns(table) if is_grouped(method, name))


def refuse_ordered(names: Iterable[str]) -> None:
    """Raise if there is a column whose categories are ordered, where rows are counted and their order would matter."""
    for name in names:
        message = (
            f"Column {name!r} has ordered categories, and counts do not keep their order. Pass the rows to fit, "
            "which does; or turn the column into text, so that its order does not matter."
        )
        raise CountsError(message)


def with_used_parts(method: Any, counts: TableCounts) -> TableCounts:
    """Return counts with the parts that a method compares, or without any."""
    if not method.uses_parts or method.validation == "expected":
        return counts.without_parts()
    if not counts.parts:
        message = (
            f"validation={method.validation!r} compares parts of the rows, and these counts have none. Name their "
            "column when the rows are counted, parts=…, or choose validation='expected', which needs none."
        )
        raise CountsError(message)
    if method.validation == "crossfit":
        return counts
    _check_holdout(np.array(counts.parts))
    return counts.relabelled(counts.classes, (TRAINING, VALIDATION))


def _row_parts(method: Any, rows: CheckedRows, parts: Any) -> NDArray[np.int64]:
    """Return the part of each row, 0 to n_parts - 1."""
    if parts is None:
        dealt = deal_rows(rows.codes, method.n_splits, check_random_state(method.random_state))
        return dealt if method.validation == "crossfit" else np.where(dealt == 0, VALIDATION, TRAINING)
    given = check_parts(parts, rows.n_given)
    if rows.kept is not None:
        given = given[rows.kept]
    if method.validation == "crossfit":
        return np.unique(given, return_inverse=True)[1]
    _check_holdout(given)
    return given


def _check_holdout(parts: NDArray[np.int64]) -> None:
    others = parts[~np.isin(parts, (TRAINING, VALIDATION))]
    if others.size:
        message = f"With validation='holdout', 'parts' marks validation rows by 1 and others by 0; got {others[0]}."
        raise ValueError(message)
