"""What the classifiers that look at pairs of attributes keep of the training rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels
from cutwise.kernels.pair_inputs import Cells, Pairs, Rows
from cutwise.threads import interruptible

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
        """Return codes to predict with -1 for those that are no bin, or one without rows."""
        offsets = self.cells.offsets
        is_bin = (codes >= 0) & (codes < self.cells.n_bins)
        has_rows = np.asarray((self.cells.counts > 0.0).any(axis=1))
        return np.where(is_bin & has_rows[np.where(is_bin, codes + offsets[:-1], 0)], codes, np.int32(-1))


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
    cells = cells_of(counts, (sample.codes < 0).any(axis=0))
    if bytes_of_pairs(cells.widths, sample.classes.size) > max_bytes:
        return PairCounts(cells, None, keep_rows(sample, cells))
    return PairCounts(cells, _fill_table(sample, cells), None)


def cells_of(counts: Counts, has_missing: NDArray[np.bool_] | np.bool_) -> Cells:
    """Return the counts of cells, with a bin more for each attribute that some row lacks."""
    n_bins = counts.n_bins
    return Cells(n_bins, n_bins + has_missing, counts.offsets, counts.of_cell)


def keep_rows(sample: Sample, cells: Cells) -> Rows:
    """Return the rows of a sample and, for each bin, where they are."""
    bins, widths = _bins(sample, cells), cells.widths
    order = np.empty(bins.shape[::-1], dtype=np.int32)
    stops = []
    for j, width in enumerate(widths.tolist()):
        # Numbers of 16 bits are sorted by counting.
        column = bins[:, j].astype(np.uint16 if width <= 1 << 16 else np.int32)
        order[j] = np.argsort(column, kind="stable")
        stops.append(np.cumsum(np.bincount(column, minlength=width)))
    return Rows(bins, sample.labels, sample.row_weights, order, np.cumsum(widths) - widths, np.concatenate(stops))


def places_of_pairs(widths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where the cells of each two attributes u < k begin in a table of pairs: [u, k]."""
    first, second = np.triu_indices(widths.size, k=1)
    sizes = widths[first] * widths[second]
    starts = np.zeros((widths.size, widths.size), dtype=np.int64)
    starts[first, second] = np.cumsum(sizes) - sizes
    return starts


def _fill_table(sample: Sample, cells: Cells) -> Pairs:
    n_classes = sample.classes.size
    n_pairs = bytes_of_pairs(cells.widths, n_classes=1) // BYTES_A_COUNT
    starts, table = places_of_pairs(cells.widths), np.zeros((n_pairs, n_classes))
    columns = np.ascontiguousarray(_bins(sample, cells).T)
    interruptible(kernels.pairs.count_pairs, columns, sample.labels, sample.row_weights, cells.widths, starts, table)
    return Pairs(starts, table)


def _bins(sample: Sample, cells: Cells) -> NDArray[np.int32]:
    """Return the codes of a sample, missing ones in the bin after the last."""
    return np.where(sample.codes < 0, cells.n_bins, sample.codes).astype(np.int32)
