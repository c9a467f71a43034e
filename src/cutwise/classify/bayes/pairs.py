"""What the classifiers that look at pairs of attributes keep of the training rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from cutwise import kernels
from cutwise.classify.bayes.sample import CodedRows
from cutwise.classify.bayes.tables import BayesModel
from cutwise.kernels.inputs import BinCounts, BinnedRows, PairCellCounts
from cutwise.persist import LearnedField
from cutwise.persist.fields import POSITIVE
from cutwise.persist.strict import require
from cutwise.threads import interruptible

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from cutwise.classify.bayes.tables import CellCounts


BYTES_A_COUNT = 8


@dataclass(frozen=True, eq=False)
class PairCounts:
    """Rows by class for each two bins or, where that would take too much memory, the rows themselves.

    Parameters
    ----------
    cells : BinCounts
        Rows by bin and class.
    pairs : PairCellCounts or None
        Rows by two bins and class; None if the rows are kept.
    rows : BinnedRows or None
        None if the pairs are kept.
    """

    cells: BinCounts
    pairs: PairCellCounts | None
    rows: BinnedRows | None

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


def count_pairs(sample: CodedRows, counts: CellCounts, max_bytes: float) -> PairCounts:
    """Count a sample by any two bins if the table takes at most max_bytes; keep its rows if not."""
    cells = cells_of(counts, (sample.codes < 0).any(axis=0))
    if bytes_of_pairs(cells.widths, sample.classes.size) > max_bytes:
        return PairCounts(cells, None, keep_rows(sample, cells))
    return PairCounts(cells, _fill_table(sample, cells), None)


def cells_of(counts: CellCounts, has_missing: NDArray[np.bool_] | np.bool_) -> BinCounts:
    """Return the counts of cells, with a bin more for each attribute that some row lacks."""
    n_bins = counts.n_bins
    return BinCounts(n_bins, n_bins + has_missing, counts.offsets, counts.of_cell)


def keep_rows(sample: CodedRows, cells: BinCounts) -> BinnedRows:
    """Return the rows of a sample and, for each bin, where they are."""
    bins, widths = _bins(sample, cells), cells.widths
    order = np.empty(bins.shape[::-1], dtype=np.int32)
    stops = []
    for j, width in enumerate(widths.tolist()):
        # Numbers of 16 bits are sorted by counting.
        column = bins[:, j].astype(np.uint16 if width <= 1 << 16 else np.int32)
        order[j] = np.argsort(column, kind="stable")
        stops.append(np.cumsum(np.bincount(column, minlength=width)))
    return BinnedRows(bins, sample.labels, sample.row_weights, order, np.cumsum(widths) - widths, np.concatenate(stops))


def places_of_pairs(widths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where the cells of each two attributes u < k begin in a table of pairs: [u, k]."""
    first, second = np.triu_indices(widths.size, k=1)
    sizes = widths[first] * widths[second]
    starts = np.zeros((widths.size, widths.size), dtype=np.int64)
    starts[first, second] = np.cumsum(sizes) - sizes
    return starts


def _fill_table(sample: CodedRows, cells: BinCounts) -> PairCellCounts:
    n_classes = sample.classes.size
    n_pairs = bytes_of_pairs(cells.widths, n_classes=1) // BYTES_A_COUNT
    starts, table = places_of_pairs(cells.widths), np.zeros((n_pairs, n_classes))
    columns = np.ascontiguousarray(_bins(sample, cells).T)
    interruptible(
        kernels.bayes.pairs.count_pairs, columns, sample.labels, sample.row_weights, cells.widths, starts, table
    )
    return PairCellCounts(starts, table)


def _bins(sample: CodedRows, cells: BinCounts) -> NDArray[np.int32]:
    """Return the codes of a sample, missing ones in the bin after the last."""
    return np.where(sample.codes < 0, cells.n_bins, sample.codes).astype(np.int32)


# Either the first or all of the others; a missing code is null.
PAIRS = {
    "pair_counts": LearnedField(("pairs", "classes"), low=0.0, kind="weight", optional=True),
    "row_codes": LearnedField(("rows", "attributes"), kind="count", null=-1, optional=True),
    "row_classes": LearnedField(("rows",), kind="count", optional=True),
    "row_weights": LearnedField(("rows",), low=POSITIVE, kind="weight", optional=True),
}


class PairModel(BayesModel):
    """The base of the classifiers on pairs of attributes that are written to JSON."""

    pair_counts_: Any

    _needs_pairs: ClassVar[bool] = True

    @classmethod
    def _fields(cls) -> Mapping[str, LearnedField]:
        return {**super()._fields(), **PAIRS}

    def _get_learned(self) -> dict[str, Any]:
        return {**super()._get_learned(), **dict(zip(PAIRS, _plain(self.pair_counts_), strict=True))}

    def _set_learned(self, learned: dict[str, Any]) -> None:
        super()._set_learned({name: value for name, value in learned.items() if name not in PAIRS})
        table, *rows = (learned[name] for name in PAIRS)
        given = [part is not None for part in (table, *rows)]
        allowed = [[True, False, False, False], [False, True, True, True]]
        if not self._needs_pairs:
            allowed.append([False] * len(PAIRS))
        rest = "all of 'row_codes', 'row_classes' and 'row_weights'"
        require(given in allowed, f"{type(self).__name__} must have either 'pair_counts' or {rest}.")
        self.pair_counts_ = self._read_pairs(table, rows) if any(given) else None

    def _read_pairs(self, table: NDArray[np.float64] | None, rows: list[Any]) -> PairCounts:
        """Return what was kept of the training rows; what contradicts the counts of cells is refused."""
        counts = self.tables_.counts
        if table is None:
            sample = self._read_rows(*rows)
            _check_rows(sample, counts)
            cells = cells_of(counts, (sample.codes < 0).any(axis=0))
            return PairCounts(cells, None, keep_rows(sample, cells))
        unknown = counts.of_class - np.add.reduceat(counts.of_cell, counts.offsets[:-1], axis=0)
        require(bool((unknown >= 0.0).all()), "'cell_counts' has more rows of a class than 'class_counts'.")
        cells = cells_of(counts, unknown.any(axis=1))
        n_pairs = bytes_of_pairs(cells.widths, n_classes=1) // BYTES_A_COUNT
        require(len(table) == n_pairs, f"'pair_counts' has {len(table)} entries where there must be {n_pairs}.")
        pairs = PairCellCounts(places_of_pairs(cells.widths), table)
        _check_sums(cells, pairs, unknown)
        return PairCounts(cells, pairs, None)

    def _read_rows(
        self, codes: NDArray[np.int64], labels: NDArray[np.int64], weights: NDArray[np.float64]
    ) -> CodedRows:
        require(bool((codes < self.n_bins_).all()), "'row_codes' has a code that is no bin.")
        require(bool((labels < self.classes_.size).all()), "'row_classes' has a number that is no class.")
        return CodedRows(codes.astype(np.int32), labels, weights, self.classes_, self.n_bins_)


def _plain(counted: PairCounts | None) -> tuple[NDArray[Any] | None, ...]:
    """Return the values of the fields."""
    if counted is None:
        return (None,) * len(PAIRS)
    if counted.rows is None:
        return (None if counted.pairs is None else counted.pairs.counts, None, None, None)
    rows = counted.rows
    codes = np.where(rows.bins < counted.cells.n_bins, rows.bins, -1)
    return (None, codes, rows.labels, rows.weights)


def _check_rows(sample: CodedRows, counts: CellCounts) -> None:
    """Check that rows were counted as the tables say; sums of their weights are exact."""
    n_classes, n_cells = counts.of_class.size, int(counts.offsets[-1])
    rows, attributes = np.nonzero(sample.codes >= 0)
    cells = counts.offsets[attributes] + sample.codes[rows, attributes]
    labels, weights = sample.labels, sample.row_weights
    of_class = np.bincount(labels, weights, minlength=n_classes)
    of_cell = np.bincount(cells * n_classes + labels[rows], weights[rows], minlength=n_cells * n_classes)
    same = np.array_equal(of_class, counts.of_class) and np.array_equal(of_cell, counts.of_cell.ravel())
    require(same, "'row_codes' contradicts 'class_counts' or 'cell_counts'.")


def _check_sums(cells: BinCounts, pairs: PairCellCounts, unknown: NDArray[np.float64]) -> None:
    """Check that the rows of any two attributes add up to those of each; such sums are exact."""
    offsets, widths = cells.offsets, cells.widths
    alone = [
        np.vstack([cells.counts[offsets[j] : offsets[j + 1]], unknown[j]])[: widths[j]] for j in range(widths.size)
    ]
    for u in range(widths.size):
        for k in range(u + 1, widths.size):
            start, size = pairs.starts[u, k], widths[u] * widths[k]
            both = pairs.counts[start : start + size].reshape(widths[u], widths[k], -1)
            same = np.array_equal(both.sum(axis=1), alone[u]) and np.array_equal(both.sum(axis=0), alone[k])
            require(same, f"'pair_counts' contradicts 'cell_counts' for the attributes {u} and {k}.")
