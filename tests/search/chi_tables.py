"""Tables for the tests of the chi-square searches."""

from __future__ import annotations

import numpy as np

from cutwise.counts import ColumnCounts, JointTable, RowGroups, count_column

# Small columns with known cuts: values and classes.
COLUMNS = {
    "D1": (range(1, 13), [0, 0, 0, 1, 0, 1, 1, 1, 2, 2, 1, 2]),
    "D2": (range(1, 13), [0] * 4 + [1] * 4 + [2] * 4),
    "D3": ([1, 1, 2, 2, 3, 4, 4, 5, 6, 6], [0, 0, 0, 1, 1, 1, 0, 1, 1, 1]),
    "D4": (range(1, 13), [0, 0, 0, 2, 0, 2, 2, 2, 3, 3, 2, 3]),
    "D5": ([0] * 6 + [1, 2, 3, 4, 5, 6], [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 1]),
    "D6": ([0] * 4 + list(range(1, 9)), [0] * 4 + [1] * 4 + [2] * 4),
}


def column_table(name):
    """Return the counts of one of the columns; there may be four classes."""
    x, y = COLUMNS[name]
    return count_column(np.array(x, dtype=float), RowGroups(np.array(y), 4))


def joint_table(X, y, n_classes, nominal=(), weights=None):
    """Return the joint table of an array of doubles and of codes of nominal columns; NaN is missing.

    Weights are whole numbers and count as that many rows.
    """
    X = np.asarray(X, dtype=float)
    y = np.asarray(y, dtype=np.int64)
    times = np.ones(y.size, dtype=np.int64) if weights is None else np.asarray(weights, dtype=np.int64)
    groups = RowGroups(np.repeat(y, times), n_classes)
    tables = tuple(count_column(np.repeat(column, times), groups) for column in X.T)
    ranks = [np.where(np.isnan(x), -1, np.searchsorted(table.values, x)) for table, x in zip(tables, X.T, strict=True)]
    return JointTable(
        tables,
        np.array(ranks, dtype=np.int32).reshape(len(tables), y.size),
        np.array(nominal, dtype=np.int32).reshape(len(nominal), y.size),
        y,
        n_classes,
        None if weights is None else times,
    )


def dense(counts, unit=1.0):
    """Return a table of counts [value, class] with values 0, 1, 2 and so on."""
    table = ColumnCounts.from_dense(np.arange(len(counts)), counts)
    return ColumnCounts(table.values, table.by_class, None, table.missing_by_class, table.missing_by_part, unit)
