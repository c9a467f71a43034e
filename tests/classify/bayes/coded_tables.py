"""Random tables of codes with missing values, classes and weights."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from cutwise.classify.bayes.sample import CodedRows


class Coded(NamedTuple):
    """Codes [row, attribute] with -1 for missing ones, classes, weights, numbers of bins and of classes."""

    codes: np.ndarray
    labels: np.ndarray
    weights: np.ndarray
    n_bins: np.ndarray
    n_classes: int

    @property
    def sample(self):
        return CodedRows(self.codes, self.labels, self.weights, np.arange(self.n_classes), self.n_bins)

    @property
    def plain(self):
        """The codes with None for missing ones, the labels and the weights, as lists."""
        return plain_rows(self.codes), self.labels.tolist(), self.weights.tolist()


def plain_rows(codes):
    return [[None if code < 0 else code for code in row] for row in codes.tolist()]


@st.composite
def coded_tables(draw, max_rows=12, max_attributes=4, max_bins=3, missing=True):
    """A table in which every class has a row; all weights are whole."""
    n_classes = draw(st.integers(1, 3))
    n_rows = draw(st.integers(n_classes, max_rows))
    n_bins = draw(st.lists(st.integers(1, max_bins), min_size=1, max_size=max_attributes))
    columns = [
        draw(st.lists(st.integers(-1 if missing else 0, size - 1), min_size=n_rows, max_size=n_rows)) for size in n_bins
    ]
    others = draw(st.lists(st.integers(0, n_classes - 1), min_size=n_rows - n_classes, max_size=n_rows - n_classes))
    weights = draw(st.lists(st.integers(1, 4), min_size=n_rows, max_size=n_rows))
    return Coded(
        np.array(columns, dtype=np.int32).T.copy(),
        np.array([*range(n_classes), *others], dtype=np.int64),
        np.array(weights, dtype=np.float64),
        np.array(n_bins, dtype=np.int64),
        n_classes,
    )


def queries_for(draw, n_bins, n_queries=4):
    """Rows of codes, among them missing ones and ones beyond the bins."""
    rows = [[draw(st.integers(-1, int(size))) for size in n_bins] for _ in range(n_queries)]
    return np.array(rows, dtype=np.int32)
