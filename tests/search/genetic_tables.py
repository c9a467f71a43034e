"""Joint tables for the tests of the genetic search."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from cutwise.counts import JointTable, RowGroups, count_column
from tests.strategies import tables

# The vectors of the specification.
D1 = (range(1, 13), [0, 0, 0, 1, 0, 1, 1, 1, 2, 2, 1, 2])
D3 = ([1, 1, 2, 2, 3, 4, 4, 5, 6, 6], [0, 0, 0, 1, 1, 1, 0, 1, 1, 1])
D5 = ([0] * 6 + [1, 2, 3, 4, 5, 6], [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 1])


class Clock:
    """A clock on which each look takes a second."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        self.now += 1.0
        return self.now


def joint_of(X, y, *, nominal=None, weights=None, n_classes=None, specials=()):
    """Return a joint table; NaN is missing, and special values stay out of the cutting."""
    X = np.array(X, dtype=float).reshape(len(y), -1) + 0.0
    y = np.array(y, dtype=np.int64)
    n_classes = int(y.max()) + 1 if n_classes is None else n_classes
    groups = RowGroups(y, n_classes)
    is_special = np.isin(X, specials)
    columns = [count_column(column, groups) for column in np.where(is_special, np.nan, X).T]
    ranks = np.full(X.T.shape, -1, dtype=np.int32)
    for j, table in enumerate(columns):
        valid = ~np.isnan(X[:, j]) & ~is_special[:, j]
        ranks[j, valid] = np.searchsorted(table.values, X[valid, j])
        for number, special in enumerate(specials):
            ranks[j, X[:, j] == special] = -2 - number
    codes = np.empty((0, y.size), dtype=np.int32) if nominal is None else np.array(nominal, dtype=np.int32)
    return JointTable(tuple(columns), ranks, codes, y, n_classes, weights)


def noisy(n_rows=300, n_columns=3, n_classes=3, seed=0, decimals=1):
    """Return a joint table with some signal in the first columns."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_columns)).round(decimals)
    score = X[:, 0] + 0.5 * X[:, 1 % n_columns] + 0.5 * rng.normal(size=n_rows)
    return joint_of(X, np.searchsorted(np.linspace(-1, 1, n_classes + 1)[1:-1], score))


@st.composite
def joint_arguments(draw, *, weighted=False, **options):
    """The arguments of `joint_of`: missing and special values, a nominal column, absent classes."""
    X, y = draw(tables(values=st.integers(-3, 6).map(float), missing=True, **options))
    nominal = np.empty((0, len(y)), dtype=np.int32)
    if draw(st.booleans()):
        codes = draw(st.lists(st.integers(-1, 2), min_size=len(y), max_size=len(y)))
        nominal = np.unique([-1, *codes], return_inverse=True)[1][None, 1:] - 1
    weights = None
    if weighted:
        weights = np.array(draw(st.lists(st.integers(0, 3), min_size=len(y), max_size=len(y)).filter(any)))
    specials = draw(st.sampled_from([(), (0.0,), (0.0, 3.0)]))
    return {"X": X, "y": y, "nominal": nominal, "weights": weights, "n_classes": 5, "specials": specials}


def joint_tables(**options):
    """A small joint table."""
    return joint_arguments(**options).map(lambda arguments: joint_of(**arguments))
