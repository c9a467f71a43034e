"""The parts of the rows that some methods compare: given, or dealt at random.

A discretizer says by its class attribute ``uses_parts`` whether it compares parts. Those that do have the parameters
``validation``, ``n_splits`` and ``random_state``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils import check_random_state, column_or_1d

from cutwise.criteria import Divergence, ExpectedDivergence, SplitDivergence
from cutwise.errors import CountsError
from cutwise.table import plain_vector
from cutwise.validation import deal_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.counts import RowGroups, TableCounts
    from cutwise.validation import CheckedRows

TRAINING, VALIDATION = 0, 1


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
