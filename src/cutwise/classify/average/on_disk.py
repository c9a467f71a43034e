"""Learning from more rows than fit in memory: one file of codes serves all members.

The codes on disk are those of a scheme with the cuts of all members; each member's own codes follow from them. The
additive models learn from all rows, the others, whose few bins a sample tells as well, from at most a million.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.classify.additive import on_disk
from cutwise.classify.additive.additive import AdditiveClassifier, counted_rows, ordered_bins
from cutwise.classify.additive.learning import CodedColumns
from cutwise.classify.additive.on_codes import AdditiveOnCodes
from cutwise.classify.average.exported import coarse_codes
from cutwise.classify.average.members import additive_members
from cutwise.classify.base import code_counts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from cutwise.classify.additive.on_disk import RowsOnDisk
    from cutwise.classify.average.shares import Learned
    from cutwise.classify.bayes.sample import CodedRows
    from cutwise.counts import TableCounts
    from cutwise.scheme import Scheme


@dataclass(frozen=True, eq=False)
class RowsOfTable:
    """What the members learn from, where the rows stay on disk.

    Parameters
    ----------
    rows : RowsOnDisk
    scheme : Scheme
        That of the codes on disk.
    grids : sequence of Scheme
        The bins from which those of the additive models are chosen.
    settings : mapping
        The parameters that all discretizers share.
    """

    rows: RowsOnDisk
    scheme: Scheme
    grids: Sequence[Scheme]
    settings: Mapping[str, Any]

    @property
    def options(self) -> dict[str, Any]:
        """What ``fit`` is told beside codes and classes."""
        return {} if self._sample.weights is None else {"sample_weight": self._sample.weights}

    @cached_property
    def _sample(self) -> CodedRows:
        return self.rows.sample(on_disk.MOST_IN_MEMORY)

    @property
    def target(self) -> NDArray[Any]:
        """The class of each row of the sample."""
        return np.asarray(self.rows.classes[self._sample.labels])

    def codes(self, scheme: Scheme) -> NDArray[np.int32]:
        """Return the codes of the rows of the sample."""
        return on_disk.renamed(self._sample.codes, coarse_codes(self.scheme, scheme))

    def additive(self) -> tuple[Learned, Learned]:
        """Return an additive model of all rows, and one with pairs on the same bins."""
        meaning = self.settings["weights"]
        if self.rows.n_rows <= on_disk.MOST_IN_MEMORY:
            candidates = ((grid, *self._coded(grid, 0)) for grid in self.grids)
            in_memory = ((grid, rows.sample(rows.n_rows), columns) for grid, rows, columns in candidates)
            chosen, begun = AdditiveOnCodes(weights=meaning).begin_best(in_memory)
            return additive_members(chosen, lambda pairs: AdditiveOnCodes(weights=meaning).finish(begun, pairs))
        (only,) = self.grids
        return additive_members(
            only, lambda pairs: AdditiveOnCodes(weights=meaning).fit_rows(*self._coded(only, pairs))
        )

    def _coded(self, grid: Scheme, pairs: int) -> tuple[RowsOnDisk, CodedColumns]:
        n_bins, directions = code_counts(grid), [0] * len(grid.names)
        tables = tuple(coarse_codes(self.scheme, grid))
        rows = replace(self.rows, tables=tables, n_bins=np.array(n_bins, dtype=np.int64))
        return rows, CodedColumns(n_bins, ordered_bins(grid, None), directions, pairs)


def additive_grids(counts: TableCounts, settings: Mapping[str, Any]) -> list[Scheme]:
    """Return the bins from which those of the additive models are chosen."""
    n_rows = counted_rows(counts, settings["weights"])
    grids = AdditiveClassifier(**settings)._discretizers(n_rows, len(counts.names), len(counts.classes))  # noqa: SLF001
    return [grid.fit_counts(counts).scheme_ for grid in grids]
