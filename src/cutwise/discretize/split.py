"""Deal the rows into training and validation parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils import check_random_state

from cutwise.criteria import Divergence, ExpectedDivergence, SplitDivergence
from cutwise.discretize.validate import check_parts
from cutwise.errors import CountsError
from cutwise.validation import deal_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.counts import RowGroups, TableCounts
    from cutwise.validation import CheckedRows

TRAINING, VALIDATION = 0, 1
_NO_PARTS = (
    "validation='expected' averages over every split and takes no 'parts'. "
    "Choose validation='holdout' or 'crossfit', or leave 'parts' out."
)


def split_rows(
    rows: CheckedRows, parts: Any, validation: str, n_splits: int, random_state: Any
) -> tuple[RowGroups, Divergence]:
    """Return the rows in groups of one class and one part, and the divergence between the parts.

    `parts` are those that the user gave to fit, or None.
    """
    row_parts = _row_parts(rows, parts, validation, n_splits, random_state)
    if row_parts is None:
        return rows.groups(), divergence_of_parts((), validation, n_splits)
    n_parts = 2 if validation == "holdout" else int(row_parts.max()) + 1
    return rows.groups(row_parts, n_parts), divergence_of_parts(range(n_parts), validation, n_splits)


def divergence_of_parts(parts: Sequence[int], validation: str, n_splits: int) -> Divergence:
    """Return the divergence between the parts, the first of which is numbered 0; without parts the mean over all."""
    if validation == "expected":
        return ExpectedDivergence(n_splits)
    return SplitDivergence((VALIDATION,) if validation == "holdout" else tuple(range(len(parts))))


def check_part_column(parts: str | None, validation: str) -> None:
    """Raise unless a column of parts is named exactly where one is needed."""
    if validation == "expected" and parts is not None:
        raise ValueError(_NO_PARTS)
    if validation != "expected" and parts is None:
        message = (
            f"validation={validation!r} deals the rows of a table in memory at random. For other tables name a column "
            "with the part of each row, parts=…, or choose validation='expected', which needs none."
        )
        raise ValueError(message)


def with_checked_parts(counts: TableCounts, validation: str) -> TableCounts:
    """Return counts with the parts that a validation compares."""
    if not counts.parts:
        message = (
            f"validation={validation!r} compares parts of the rows, and these counts have none. Name their column when "
            "the rows are counted, parts=…, or choose validation='expected', which needs none."
        )
        raise CountsError(message)
    if validation == "crossfit":
        return counts
    _check_holdout(np.array(counts.parts))
    return counts.relabelled(counts.classes, (TRAINING, VALIDATION))


def _row_parts(
    rows: CheckedRows, parts: Any, validation: str, n_splits: int, random_state: Any
) -> NDArray[np.int64] | None:
    """Return the part of each row, 0 to n_parts - 1; None if no split is needed."""
    if validation == "expected":
        if parts is not None:
            raise ValueError(_NO_PARTS)
        return None
    if parts is None:
        dealt = deal_rows(rows.codes, n_splits, check_random_state(random_state))
        return dealt if validation == "crossfit" else np.where(dealt == 0, VALIDATION, TRAINING)
    given = check_parts(parts, rows.n_given)
    if rows.kept is not None:
        given = given[rows.kept]
    if validation == "crossfit":
        return np.unique(given, return_inverse=True)[1]
    _check_holdout(given)
    return given


def _check_holdout(parts: NDArray[np.int64]) -> None:
    others = parts[~np.isin(parts, (TRAINING, VALIDATION))]
    if others.size:
        message = f"With validation='holdout', 'parts' marks validation rows by 1 and others by 0; got {others[0]}."
        raise ValueError(message)
