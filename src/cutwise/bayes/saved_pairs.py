"""What is written about a classifier that looks at pairs of attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from cutwise.bayes.pair_counts import (
    BYTES_A_COUNT,
    PairCounts,
    bytes_of_pairs,
    cells_of,
    keep_rows,
    places_of_pairs,
)
from cutwise.bayes.sample import Sample
from cutwise.bayes.saved import BayesModel
from cutwise.kernels.pair_inputs import Pairs
from cutwise.models import Field
from cutwise.models.fields import POSITIVE
from cutwise.models.plain import require

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from cutwise.bayes.tables import Counts
    from cutwise.kernels.pair_inputs import Cells

# Either the first or all of the others; a missing code is null.
PAIRS = {
    "pair_counts": Field(("pairs", "classes"), low=0.0, kind="weight", optional=True),
    "row_codes": Field(("rows", "attributes"), kind="count", null=-1, optional=True),
    "row_classes": Field(("rows",), kind="count", optional=True),
    "row_weights": Field(("rows",), low=POSITIVE, kind="weight", optional=True),
}


class PairModel(BayesModel):
    """The base of the classifiers on pairs of attributes that are written to JSON."""

    pair_counts_: Any

    _needs_pairs: ClassVar[bool] = True

    @classmethod
    def _fields(cls) -> Mapping[str, Field]:
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
        pairs = Pairs(places_of_pairs(cells.widths), table)
        _check_sums(cells, pairs, unknown)
        return PairCounts(cells, pairs, None)

    def _read_rows(self, codes: NDArray[np.int64], labels: NDArray[np.int64], weights: NDArray[np.float64]) -> Sample:
        require(bool((codes < self.n_bins_).all()), "'row_codes' has a code that is no bin.")
        require(bool((labels < self.classes_.size).all()), "'row_classes' has a number that is no class.")
        return Sample(codes.astype(np.int32), labels, weights, self.classes_, self.n_bins_)


def _plain(counted: PairCounts | None) -> tuple[NDArray[Any] | None, ...]:
    """Return the values of the fields."""
    if counted is None:
        return (None,) * len(PAIRS)
    if counted.rows is None:
        return (None if counted.pairs is None else counted.pairs.counts, None, None, None)
    rows = counted.rows
    codes = np.where(rows.bins < counted.cells.n_bins, rows.bins, -1)
    return (None, codes, rows.labels, rows.weights)


def _check_rows(sample: Sample, counts: Counts) -> None:
    """Check that rows were counted as the tables say; sums of their weights are exact."""
    n_classes, n_cells = counts.of_class.size, int(counts.offsets[-1])
    rows, attributes = np.nonzero(sample.codes >= 0)
    cells = counts.offsets[attributes] + sample.codes[rows, attributes]
    labels, weights = sample.labels, sample.row_weights
    of_class = np.bincount(labels, weights, minlength=n_classes)
    of_cell = np.bincount(cells * n_classes + labels[rows], weights[rows], minlength=n_cells * n_classes)
    same = np.array_equal(of_class, counts.of_class) and np.array_equal(of_cell, counts.of_cell.ravel())
    require(same, "'row_codes' contradicts 'class_counts' or 'cell_counts'.")


def _check_sums(cells: Cells, pairs: Pairs, unknown: NDArray[np.float64]) -> None:
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
