"""Our figures, ready to stand beside the published ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.evaluate import Method, Summary, accuracy_matrix, complete_block, summarize
from cutwise.paper import n_d
from cutwise.paper.table import Spread

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from cutwise.evaluate import Result


@dataclass(frozen=True, eq=False)
class Block:
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


class Measured:
    """The summaries of all results, by data set and method.

    Parameters
    ----------
    results : iterable of Result
        In any order.
    n_folds : int
        Folds of a cross-validation.
    """

    def __init__(self, results: Iterable[Result], n_folds: int) -> None:
        self.summaries = summarize(results, n_folds)
        self._found = {(summary.dataset, summary.method): summary for summary in self.summaries}

    @property
    def datasets(self) -> list[str]:
        """All data sets, sorted."""
        return sorted({summary.dataset for summary in self.summaries})

    @property
    def methods(self) -> list[Method]:
        """All methods, sorted."""
        return sorted({summary.method for summary in self.summaries})

    @property
    def compared(self) -> list[Method]:
        """The methods without those that only show what N_D does to MRmD, sorted."""
        return [method for method in self.methods if method.discretizer not in n_d.NAMES]

    def complete(self, dataset: str, method: Method) -> Summary | None:
        """Return a summary of all folds, or None."""
        summary = self._found.get((dataset, method))
        return summary if summary is not None and summary.is_complete else None

    def has_failed(self, dataset: str, method: Method) -> bool:
        """Return whether a fold gave an error instead of figures."""
        summary = self._found.get((dataset, method))
        return summary is not None and bool(summary.errors)

    def accuracy(self, dataset: str, method: Method) -> Spread | None:
        """Return mean and standard deviation of the accuracy, or None."""
        summary = self.complete(dataset, method)
        return None if summary is None else Spread(summary.accuracy, summary.accuracy_std)

    def cuts(self, dataset: str, method: Method) -> Spread | None:
        """Return mean and standard deviation of the number of cuts, or None."""
        summary = self.complete(dataset, method)
        return None if summary is None else Spread(summary.cuts, summary.cuts_std)

    def block(self, datasets: Sequence[str], methods: Sequence[Method]) -> Block:
        """Return the part of a table without missing figures."""
        accuracy = accuracy_matrix(self.summaries, datasets, methods)
        rows, columns = complete_block(accuracy)
        return Block(rows, columns, accuracy[np.ix_(rows, columns)])

    def missing_note(self, datasets: Sequence[str], methods: Sequence[Method]) -> tuple[str, ...]:
        """Return a sentence on the cells of a table that have no figures; none if all have."""
        cells = [(dataset, method) for dataset in datasets for method in methods]
        missing = [cell for cell in cells if self.complete(*cell) is None]
        if not missing:
            return ()
        failed = sum(self.has_failed(*cell) for cell in missing)
        return (f"{len(missing)} of {len(cells)} cells are missing, {failed} of them because folds failed.",)
