"""Deal the rows into training and validation parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils import check_random_state

from cutwise.criteria import Divergence, ExpectedDivergence, SplitDivergence
from cutwise.discretize.validate import check_parts
from cutwise.fitting import deal_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.counts import RowGroups
    from cutwise.fitting import Rows

TRAINING, VALIDATION = 0, 1


def split_rows(
    rows: Rows, parts: Any, validation: str, n_splits: int, random_state: Any
) -> tuple[RowGroups, Divergence]:
    """Return the rows in groups of one class and one part, and the divergence between the parts.

    `parts` are those that the user gave to fit, or None.
    """
    row_parts = _row_parts(rows, parts, validation, n_splits, random_state)
    if row_parts is None:
        return rows.groups(), ExpectedDivergence(n_splits)
    if validation == "holdout":
        return rows.groups(row_parts, 2), SplitDivergence((VALIDATION,))
    n_parts = int(row_parts.max()) + 1
    return rows.groups(row_parts, n_parts), SplitDivergence(tuple(range(n_parts)))


def _row_parts(rows: Rows, parts: Any, validation: str, n_splits: int, random_state: Any) -> NDArray[np.int64] | None:
    """Return the part of each row, 0 to n_parts - 1; None if no split is needed."""
    if validation == "expected":
        if parts is not None:
            message = (
                "validation='expected' averages over every split and takes no 'parts'. "
                "Choose validation='holdout' or 'crossfit', or leave 'parts' out."
            )
            raise ValueError(message)
        return None
    if parts is None:
        dealt = deal_rows(rows.codes, n_splits, check_random_state(random_state))
        return dealt if validation == "crossfit" else np.where(dealt == 0, VALIDATION, TRAINING)
    given = check_parts(parts, rows.n_given)
    if rows.kept is not None:
        given = given[rows.kept]
    if validation == "crossfit":
        return np.unique(given, return_inverse=True)[1]
    if not np.isin(given, (TRAINING, VALIDATION)).all():
        other = given[~np.isin(given, (TRAINING, VALIDATION))][0]
        message = f"With validation='holdout', 'parts' marks validation rows by 1 and others by 0; got {other}."
        raise ValueError(message)
    return given
