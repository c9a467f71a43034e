"""The tuples of arrays that the searches take."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Labelled(NamedTuple):
    """Rows by value and class: the entries of value u are starts[u] to starts[u + 1]."""

    starts: NDArray[np.int64]
    labels: NDArray[np.int32]
    counts: NDArray[np.int64]
    n_labels: int


class Parts(NamedTuple):
    """Rows by value and part. Searches take None where no split is given.

    A part whose slot is not negative is judged as a validation part; rows_by_part[slot]
    is its number of rows.
    """

    starts: NDArray[np.int64]
    labels: NDArray[np.int32]
    counts: NDArray[np.int64]
    slots: NDArray[np.int64]
    rows_by_part: NDArray[np.int64]


class Terms(NamedTuple):
    """Tables of terms (see terms.py) and what is needed to compute one that they lack."""

    counts: NDArray[np.int64]
    expected: NDArray[np.int64]
    scale: float
    n_rows: int
    n_valid: int


class FactorialTerms(NamedTuple):
    """Rounded log-factorials (see modl.py) of a column whose rows weigh `weight` in all.

    A count of one weighs `unit`; n_classes is the number of classes that are present.
    """

    counts: NDArray[np.int64]
    unit: float
    scale: float
    n_classes: int
    weight: float
