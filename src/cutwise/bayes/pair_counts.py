"""What the classifiers that look at pairs of attributes keep of the training rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels
from cutwise.kernels.pair_inputs import Cells, Pairs, Rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.bayes.sample import Sample
    from cutwise.bayes.tables import Counts

BYTES_A_COUNT = 8


@dataclass(frozen=True, eq=False)
class PairCounts:
    """Rows by class for each two bins or, where that would take too much memory, the rows themselves.

    Parameters
    ----------
    cells : Cells
        Rows by bin and class.
    pairs : Pairs or None
        Rows by two bins and class; None if the rows are kept.
    rows : Rows or None
        None if the pairs are kept.
    """

    cells: Cells
    pairs: Pairs | None
    rows: Rows | None

    @property
    def known_by_class(self) -> NDArray[np.float64]:
        """How many rows of each class have each attribute: [attribute, class]."""
        return np.add.reduceat(self.cells.counts, self.cells.offsets[:-1], axis=0)

    def known_codes(self, codes: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return codes to predict with -1 for those that are no bin."""
        return np.where(codes < self.cells.n_bins, codes, np.int32(-1))


def bytes_of_pairs(widths: NDArray[np.int64], n_classes: int) -> int:
    """Return how many bytes a table of pairs takes: 8 for each class and two bins of two attributes.

    Examples
    --------
    >>> import numpy as np
    >>> bytes_of_pairs(np.array([3, 2, 2]), n_classes=3)
    384
    """
    sizes = [int(width) for width in widths]
    n_cells = (sum(sizes) ** 2 - sum(size**2 for size in sizes)) // 2
    return BYTES_A_COUNT * n_classes * n_cells


def count_pairs(sample: Sample, counts: Counts, max_bytes: float) -> PairCounts:
    """Count a sample by any two bins if the table takes at most max_bytes; keep its rows if not."""
    n_bins = counts.n_bins
    bins = np.where(sample.codes < 0, n_bins, sample.codes).astype(np.int32)
    widths = n_bins + (bins == n_bins).any(axis=0)
    cells = Cells(n_bins, widths, counts.offsets, counts.of_cell)
    if bytes_of_pairs(widths, sample.classes.size) > max_bytes:
        return PairCounts(cells, None, _index(bins, sample, widths))
    return PairCounts(cells, _fill_table(bins, sample, widths), None)


def _index(bins: NDArray[np.int32], sample: Sample, widths: NDArray[np.int64]) -> Rows:
    places = np.cumsum(widths) - widths
    columns = np.ascontiguousarray(bins.T)
    order = np.empty_like(columns)
    stops = np.zeros(int(widths.sum()), dtype=np.int64)
    kernels.pairs.index_rows(columns, widths, places, order, stops)
    return Rows(bins, sample.labels, sample.row_weights, order, places, stops)


def _fill_table(bins: NDArray[np.int32], sample: Sample, widths: NDArray[np.int64]) -> Pairs:
    first, second = np.triu_indices(widths.size, k=1)
    sizes = widths[first] * widths[second]
    starts = np.zeros((widths.size, widths.size), dtype=np.int64)
    starts[first, second] = np.cumsum(sizes) - sizes
    table = np.zeros((int(sizes.sum()), sample.classes.size))
    columns = np.ascontiguousarray(bins.T)
    kernels.pairs.count_pairs(columns, sample.labels, sample.row_weights, widths, starts, table)
    return Pairs(starts, table)
