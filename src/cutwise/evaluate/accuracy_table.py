"""What the statistics take: accuracies by data set and method."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def checked_accuracies(accuracies: ArrayLike) -> NDArray[np.float64]:
    """Return accuracies [data set, method] as doubles, or say what is wrong with them."""
    table = np.asarray(accuracies, dtype=np.float64)
    if table.ndim != 2 or table.shape[0] < 1 or table.shape[1] < 2:
        message = (
            f"Accuracies of shape {table.shape} cannot be compared. Pass one row for each data set, "
            "at least one, and one column for each method, at least two."
        )
        raise ValueError(message)
    missing = np.argwhere(~np.isfinite(table))
    if missing.size:
        row, column = (int(place) for place in missing[0])
        message = (
            f"The accuracy of method {column} on data set {row} is {table[row, column]}. "
            "Leave out data sets or methods with missing figures, as complete_block does."
        )
        raise ValueError(message)
    return table


def complete_block(accuracies: ArrayLike) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Choose data sets and methods without missing figures.

    As long as a figure is missing, the data set or the method with the largest share of missing
    figures is left out; of equal ones a data set rather than a method, the first rather than
    a later one.

    Parameters
    ----------
    accuracies : array-like of shape (n_datasets, n_methods)
        With NaN for what is missing.

    Returns
    -------
    tuple of two boolean arrays
        Which data sets and which methods are kept.

    Examples
    --------
    >>> import numpy as np
    >>> from cutwise.evaluate import complete_block
    >>> complete_block([[1.0, 2.0, np.nan], [3.0, 4.0, np.nan], [5.0, np.nan, np.nan]])
    (array([ True,  True, False]), array([ True,  True, False]))
    """
    missing = np.isnan(np.asarray(accuracies, dtype=np.float64))
    rows, columns = np.ones(missing.shape[0], dtype=np.bool_), np.ones(missing.shape[1], dtype=np.bool_)
    while missing[np.ix_(rows, columns)].any():
        by_row = np.where(rows, missing[:, columns].mean(axis=1), -1.0)
        by_column = np.where(columns, missing[rows].mean(axis=0), -1.0)
        if by_row.max() >= by_column.max():
            rows[by_row.argmax()] = False
        else:
            columns[by_column.argmax()] = False
    return rows, columns
