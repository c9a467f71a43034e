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
from cutwise.classify.base import code_counts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from cutwise.classify.additive.on_disk import RowsOnDisk
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
    grid : Scheme
        The bins of the additive models.
    settings : mapping
        The parameters that all discretizers share.
    """

    rows: RowsOnDisk
    scheme: Scheme
    grid: Scheme
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

    def additive(self, pairs: int) -> tuple[Scheme, AdditiveOnCodes]:
        """Return the bins and the scores of an additive model of all rows."""
        n_bins, directions = code_counts(self.grid), [0] * len(self.grid.names)
        columns = CodedColumns(n_bins, ordered_bins(self.grid, None), directions, pairs)
        tables = tuple(coarse_codes(self.scheme, self.grid))
        rows = replace(self.rows, tables=tables, n_bins=np.array(n_bins, dtype=np.int64))
        return self.grid, AdditiveOnCodes(weights=self.settings["weights"]).fit_rows(rows, columns)


def additive_grid(counts: TableCounts, settings: Mapping[str, Any]) -> Scheme:
    """Return the bins of the additive models."""
    grid, _ = AdditiveClassifier(**settings)._steps(counted_rows(counts, settings["weights"]))  # noqa: SLF001
    found: Scheme = grid.fit_counts(counts).scheme_
    return found
