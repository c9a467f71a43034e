"""Small joint tables for the tests of the joint method."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from cutwise.counts import ColumnCounts, JointTable


def make_joint(x, y, *, nominal=None, parts=None, weights=None, unit=1.0):
    """Return the joint table of some columns of whole numbers; -1 is missing, lower numbers are special.

    The ranks are places among the distinct values that are not negative.
    """
    x, y = np.atleast_2d(np.asarray(x)), np.asarray(y, dtype=np.int64)
    n_classes = int(y.max(initial=0)) + 1
    counts = np.ones(y.size, dtype=np.int64) if weights is None else np.asarray(weights, dtype=np.int64)
    n_parts = 0 if parts is None else int(np.max(parts)) + 1
    tables, ranks = [], np.empty(x.shape, dtype=np.int32)
    for j, column in enumerate(x):
        seen = (column >= 0) & (counts > 0)
        values = np.unique(column[seen])
        ranks[j] = np.where(seen, np.searchsorted(values, column), np.minimum(column, -1))
        by_class = np.zeros((values.size, n_classes), dtype=np.int64)
        np.add.at(by_class, (ranks[j][seen], y[seen]), counts[seen])
        by_part = None
        if parts is not None:
            by_part = np.zeros((values.size, n_parts), dtype=np.int64)
            np.add.at(by_part, (ranks[j][seen], np.asarray(parts)[seen]), counts[seen])
        made = ColumnCounts.from_dense(values, by_class, by_part)
        entries = (made.values, made.by_class, made.by_part, made.missing_by_class, made.missing_by_part)
        tables.append(ColumnCounts(*entries, unit=unit))
    codes = np.empty((0, y.size), dtype=np.int32) if nominal is None else np.asarray(nominal, dtype=np.int32)
    return JointTable(tuple(tables), ranks, codes, y, n_classes, None if weights is None else counts)


def from_numbers(X, y, *, parts=None):
    """Return the joint table of a matrix of numbers, rows down."""
    ranks = [np.unique(column, return_inverse=True)[1] for column in np.asarray(X).T]
    return make_joint(ranks, y, parts=parts)


def exclusive_or(n_rows, n_noise, *, seed, second=0.5, flipped=0.0):
    """Return y = (x0 > 0.5) xor (x1 > second), with columns of noise and some classes turned."""
    rng = np.random.default_rng(seed)
    X = rng.random((n_rows, 2 + n_noise))
    y = (X[:, 0] > 0.5) ^ (X[:, 1] > second) ^ (rng.random(n_rows) < flipped)
    return X, y.astype(np.int64)


@st.composite
def joint_tables(draw, *, max_rows=14, max_columns=3, symbols=True, nominal=True, weights=True, n_parts=3):
    """A joint table and the part of each row."""
    n_rows = draw(st.integers(1, max_rows))

    def rows(low, high):
        return np.array(draw(st.lists(st.integers(low, high), min_size=n_rows, max_size=n_rows)))

    lowest = draw(st.sampled_from([0, -1, -3])) if symbols else 0
    x = [rows(lowest, draw(st.integers(1, 5))) for _ in range(draw(st.integers(1, max_columns)))]
    codes = [rows(-1, 2) for _ in range(draw(st.integers(0, 2) if nominal else st.just(0)))]
    parts = rows(0, n_parts - 1)
    parts[0] = n_parts - 1
    weight = rows(0, 3) if weights and draw(st.booleans()) else None
    if weight is not None:
        weight[0] = 1
    unit = draw(st.sampled_from([1.0, 0.5, 0.3])) if weight is not None else 1.0
    y = rows(0, 2)
    nominal_codes = np.array(codes).reshape(len(codes), n_rows)
    return make_joint(np.array(x), y, nominal=nominal_codes, parts=parts, weights=weight, unit=unit), parts
