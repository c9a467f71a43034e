"""What the classifiers that look at pairs of attributes keep of the training rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels
from cutwise.counts.weights import whole_weights
from cutwise.kernels.pair_inputs import Cells, Pairs, Rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

BYTES_A_COUNT = 8


@dataclass(frozen=True)
class CodeCounts:
    """Rows by class for each bin, and for each two bins or, where that takes too much memory, the rows.

    Counts are whole numbers of `unit`. `pairs` is None if the rows are kept, `rows` is None
    if the pairs are.
    """

    cells: Cells
    by_class: NDArray[np.int64]
    unit: float
    pairs: Pairs | None
    rows: Rows | None

    @property
    def n_classes(self) -> int:
        """The number of classes."""
        return self.by_class.size

    @property
    def n_attributes(self) -> int:
        """The number of attributes."""
        return self.cells.n_bins.size

    def known_by_class(self) -> NDArray[np.int64]:
        """Count for each attribute and class the rows that have the attribute."""
        return self.by_class - self._missing_by_class()

    def _missing_by_class(self) -> NDArray[np.int64]:
        cells = self.cells
        has_missing = cells.widths > cells.n_bins
        last = cells.counts[np.where(has_missing, cells.starts + cells.n_bins, 0)]
        return np.where(has_missing[:, np.newaxis], last, 0)


def rows_in_bins(
    codes: NDArray[np.int32], classes: NDArray[np.integer], weights: NDArray[np.float64] | None, n_bins: NDArray[np.int64]
) -> tuple[Rows, float]:
    """Return rows whose missing values have a bin of their own, the last one, and the unit of their weights.

    Rows without weight are left out.
    """
    if weights is None:
        units, unit = np.ones(len(codes), dtype=np.int64), 1.0
    else:
        kept = weights > 0
        codes, classes = codes[kept], classes[kept]
        units, unit = whole_weights(weights[kept])
    bins = np.where(codes < 0, n_bins, codes).astype(np.int32)
    return Rows(np.ascontiguousarray(bins), classes.astype(np.int32), units), unit


def count_cells(rows: Rows, n_bins: NDArray[np.int64], n_classes: int) -> Cells:
    """Count the rows by bin and class."""
    has_missing = (rows.bins == n_bins).any(axis=0)
    widths = n_bins + has_missing
    starts = np.concatenate([[0], np.cumsum(widths)[:-1]]).astype(np.int64)
    counts = np.zeros((int(widths.sum()), n_classes), dtype=np.int64)
    columns = np.ascontiguousarray(rows.bins.T)
    kernels.pairs.count_cells(columns, rows.classes, rows.weights, starts, counts)
    return Cells(n_bins, widths, starts, counts)


def bytes_of_pairs(widths: NDArray[np.int64], n_classes: int) -> int:
    """Return how many bytes the table of pairs takes: 8 for each class and two bins of two attributes.

    Examples
    --------
    >>> import numpy as np
    >>> bytes_of_pairs(np.array([3, 2, 2]), n_classes=3)
    384
    """
    sizes = [int(width) for width in widths]
    n_cells = (sum(sizes) ** 2 - sum(size**2 for size in sizes)) // 2
    return BYTES_A_COUNT * n_classes * n_cells


def count_pairs(rows: Rows, cells: Cells) -> Pairs:
    """Count the rows by any two bins and class."""
    widths, n_classes = cells.widths, cells.counts.shape[1]
    first, second = np.triu_indices(widths.size, k=1)
    sizes = widths[first] * widths[second]
    starts = np.zeros((widths.size, widths.size), dtype=np.int64)
    starts[first, second] = np.cumsum(sizes) - sizes
    counts = np.zeros((int(sizes.sum()), n_classes), dtype=np.int64)
    columns = np.ascontiguousarray(rows.bins.T)
    kernels.pairs.count_pairs(columns, rows.classes, rows.weights, widths, starts, counts)
    return Pairs(starts, counts)


def count_codes(rows: Rows, unit: float, n_bins: NDArray[np.int64], n_classes: int, max_bytes: float) -> CodeCounts:
    """Count the rows by bin, and by two bins if that takes no more than max_bytes; else keep the rows."""
    cells = count_cells(rows, n_bins, n_classes)
    by_class = np.zeros(n_classes, dtype=np.int64)
    np.add.at(by_class, rows.classes, rows.weights)
    fits = bytes_of_pairs(cells.widths, n_classes) <= max_bytes
    pairs = count_pairs(rows, cells) if fits else None
    return CodeCounts(cells, by_class, unit, pairs, None if fits else rows)
