"""Our figures, ready to stand beside the published ones."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.paper.evaluate.summary import MethodPair, MethodSummary, accuracy_matrix, complete_block, summarize
from cutwise.paper.table import MeanAndDeviation

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from cutwise.paper.evaluate.cells import CellResult


GIVEN: Mapping[int, str] = MappingProxyType({n_d: f"mrmd-nd-{n_d}" for n_d in (2, 5, 10, 20, 50, 100, 200)})
"""Discretizers with an N_D for all data sets."""

CHOSEN: Mapping[str, str] = MappingProxyType({"nb": "mrmd-tuned", "c45": "mrmd-tuned-c45", "rnb": "mrmd-tuned"})
"""Discretizers whose N_D is chosen inside the training rows, by the classifier that they are measured with."""

NAMES = frozenset({*GIVEN.values(), *CHOSEN.values()})


@dataclass(frozen=True, eq=False)
class CompleteResults:
    """Data sets and methods without missing figures, and their accuracies."""

    rows: NDArray[np.bool_]
    columns: NDArray[np.bool_]
    accuracy: NDArray[np.float64]

    @property
    def can_compare(self) -> bool:
        """Whether there are two methods and a data set."""
        n_datasets, n_methods = self.accuracy.shape
        return bool(n_datasets >= 1 and n_methods >= 2)

    def spread_out(self, values: NDArray[Any]) -> list[float | None]:
        """Return one figure for each method of the whole table; None for those outside the block."""
        inside = iter(values.tolist())
        return [next(inside) if kept else None for kept in self.columns]


class MeasuredResults:
    """The summaries of all results, by data set and method.

    Parameters
    ----------
    results : iterable of Result
        In any order.
    n_folds : int
        Folds of a cross-validation.
    """

    def __init__(self, results: Iterable[CellResult], n_folds: int) -> None:
        self.summaries = summarize(results, n_folds)
        self._found = {(summary.dataset, summary.method): summary for summary in self.summaries}

    @property
    def datasets(self) -> list[str]:
        """All data sets, sorted."""
        return sorted({summary.dataset for summary in self.summaries})

    @property
    def methods(self) -> list[MethodPair]:
        """All methods, sorted."""
        return sorted({summary.method for summary in self.summaries})

    @property
    def compared(self) -> list[MethodPair]:
        """The methods without those that only show what N_D does to MRmD, sorted."""
        return [method for method in self.methods if method.discretizer not in NAMES]

    def complete(self, dataset: str, method: MethodPair) -> MethodSummary | None:
        """Return a summary of all folds, or None."""
        summary = self._found.get((dataset, method))
        return summary if summary is not None and summary.is_complete else None

    def has_failed(self, dataset: str, method: MethodPair) -> bool:
        """Return whether a fold gave an error instead of figures."""
        summary = self._found.get((dataset, method))
        return summary is not None and bool(summary.errors)

    def accuracy(self, dataset: str, method: MethodPair) -> MeanAndDeviation | None:
        """Return mean and standard deviation of the accuracy, or None."""
        summary = self.complete(dataset, method)
        return None if summary is None else MeanAndDeviation(summary.accuracy, summary.accuracy_std)

    def cuts(self, dataset: str, method: MethodPair) -> MeanAndDeviation | None:
        """Return mean and standard deviation of the number of cuts, or None."""
        summary = self.complete(dataset, method)
        return None if summary is None else MeanAndDeviation(summary.cuts, summary.cuts_std)

    def block(self, datasets: Sequence[str], methods: Sequence[MethodPair]) -> CompleteResults:
        """Return the part of a table without missing figures."""
        accuracy = accuracy_matrix(self.summaries, datasets, methods)
        rows, columns = complete_block(accuracy)
        return CompleteResults(rows, columns, accuracy[np.ix_(rows, columns)])

    def missing_note(self, datasets: Sequence[str], methods: Sequence[MethodPair]) -> tuple[str, ...]:
        """Return a sentence on the cells of a table that have no figures; none if all have."""
        cells = [(dataset, method) for dataset in datasets for method in methods]
        missing = [cell for cell in cells if self.complete(*cell) is None]
        if not missing:
            return ()
        failed = sum(self.has_failed(*cell) for cell in missing)
        return (f"{len(missing)} of {len(cells)} cells are missing, {failed} of them because folds failed.",)
