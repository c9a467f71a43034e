"""The gaps that the genetic search chooses from: those at which the class changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.counts import CountTable


def class_changes(table: CountTable) -> NDArray[np.int64]:
    """Return the gaps of a walk from the smallest value to the largest.

    The walk remembers the class of its last border, at first that of the smallest value. A
    value with another class is the next border, and the gap before it is a candidate. Of
    several classes at one value the walk takes the first that differs from the last border.

    Which class is first must not depend on names: it is the one with more rows at the
    smallest value at which two classes differ in rows.

    Examples
    --------
    >>> from cutwise.counts import CountTable
    >>> from cutwise.search.candidates import class_changes
    >>> class_changes(CountTable.from_dense([1, 2, 3, 4], [[3, 0], [2, 0], [0, 1], [1, 0]]))
    array([1, 2])
    """
    place_of_class = np.empty(table.n_classes, dtype=np.int64)
    place_of_class[_order_of_classes(table)] = np.arange(table.n_classes)
    gaps = np.empty(max(table.n_values - 1, 0), dtype=np.int64)
    by_class = table.by_class
    n_gaps = kernels.genetic.find_changes(by_class.starts, by_class.labels, place_of_class, gaps)
    return gaps[:n_gaps]


def _order_of_classes(table: CountTable) -> list[int]:
    """Return the classes, those with more rows at smaller values first."""
    # As bytes, whole numbers compare from the first one on.
    fewer_first = (np.iinfo(np.int64).max - table.class_counts).astype(">i8")
    return sorted(range(table.n_classes), key=lambda label: fewer_first[:, label].tobytes())
