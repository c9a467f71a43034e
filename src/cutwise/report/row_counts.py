"""The counts behind a scheme, taken again from the rows that it was learned from."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.counts import count_column
from cutwise.discretize.base import plain_labels
from cutwise.discretize.split import split_rows
from cutwise.errors import TableError
from cutwise.fitting import read_rows
from cutwise.scheme import NumericAttribute
from cutwise.table import NumericColumn, read_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cutwise.counts import CountTable, RowGroups
    from cutwise.fitting import Rows
    from cutwise.scheme import Scheme


def count_rows(
    discretizer: Any, X: Any, y: Any, sample_weight: Any = None, parts: Any = None
) -> list[CountTable | None]:
    """Count every column by class, and by part where the fit had parts that can be told.

    Parameters
    ----------
    discretizer : fitted discretizer
    X, y, sample_weight, parts
        What was passed to its ``fit``.

    Returns
    -------
    list of CountTable or None
        One for each attribute of the scheme, without its special values; None for a nominal one.

    Examples
    --------
    >>> from cutwise import MRmDDiscretizer
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]] * 5, ["no", "no", "yes", "yes"] * 5
    >>> [table] = count_rows(MRmDDiscretizer().fit(X, y), X, y)
    >>> table.class_counts.tolist()
    [[5, 0], [5, 0], [0, 5], [0, 5]]
    """
    scheme: Scheme = discretizer.scheme_
    rows = read_rows(discretizer, X, y, sample_weight)
    _check_same(len(scheme.attributes), rows.table.n_features, "columns")
    _check_same(scheme.classes, plain_labels(rows.classes), "classes")
    groups = _groups(discretizer, rows, parts)
    readers = read_columns(rows.table.data, rows.table.names)
    tables: list[CountTable | None] = []
    for read, attribute in zip(readers, scheme.attributes, strict=True):
        column = read() if isinstance(attribute, NumericAttribute) else None
        if not isinstance(attribute, NumericAttribute) or not isinstance(column, NumericColumn):
            tables.append(None)
            continue
        table, _ = count_column(column.values, groups).set_apart(np.array(attribute.special_values))
        _check_counts(attribute, table)
        tables.append(table)
    return tables


def _groups(discretizer: Any, rows: Rows, parts: Any) -> RowGroups:
    """Return the rows by class, and by part where the parts are given or can be dealt again."""
    validation = discretizer.scheme_.parameters.get("validation", "expected")
    random_state = getattr(discretizer, "random_state", None)
    if validation == "expected" or (parts is None and not isinstance(random_state, Integral)):
        return rows.groups()
    return split_rows(rows, parts, validation, discretizer.n_splits, random_state)[0]


def _check_same(learned: object, given: object, what: str) -> None:
    if learned != given:
        message = (
            f"The scheme was learned from other rows: its {what} are {learned!r}, those given are {given!r}. "
            "Pass the table and the classes that were passed to fit."
        )
        raise TableError(message)


def _check_counts(attribute: NumericAttribute, table: CountTable) -> None:
    """Raise TableError if the bins of an attribute hold other rows than these."""
    ends = np.append(np.searchsorted(table.values, attribute.cuts, side="right"), table.n_values)
    counts = table.by_class.by_bin(ends) * table.unit
    learned: Sequence[Sequence[float]] = attribute.class_counts[: len(ends)]
    expected = np.array(learned, dtype=np.float64).reshape(counts.shape)
    if not np.allclose(counts, np.where(np.isnan(expected), counts, expected), rtol=1e-8, atol=0.0):
        message = (
            f"Attribute {attribute.name!r} was learned from other rows: the rows given do not fall into its bins "
            "as the scheme says. Pass the table, classes and weights that were passed to fit."
        )
        raise TableError(message)
