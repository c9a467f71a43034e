"""Results of folds made one: what a method gave on a data set."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from cutwise.paper.evaluate.cells import CellResult, ResultCell


class MethodPair(NamedTuple):
    """A discretizer and a classifier, by their names in the registry."""

    discretizer: str
    classifier: str

    def __str__(self) -> str:
        """Return both names."""
        return f"{self.discretizer} + {self.classifier}"


@dataclass(frozen=True)
class MethodSummary:
    """What a method gave on the folds of a data set.

    The figures are over the folds that were measured: look at `is_complete` before they are
    used. Standard deviations divide by the number of folds less one; they are NaN for a
    single fold. Without any fold all figures are NaN.

    Parameters
    ----------
    dataset : str
    method : MethodPair
    n_expected, n_measured : int
        Folds that there should be, and those with figures.
    accuracy, accuracy_std : float
        Mean and standard deviation of the folds' accuracies, in percent.
    log_loss : float
        Mean of the folds' log losses.
    cuts, cuts_std : float
        Mean and standard deviation of the numbers of cuts.
    errors : tuple of str
        The messages of the folds that failed, each once.
    """

    dataset: str
    method: MethodPair
    n_expected: int
    n_measured: int
    accuracy: float
    accuracy_std: float
    log_loss: float
    cuts: float
    cuts_std: float
    errors: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether every fold was measured."""
        return self.n_measured == self.n_expected


def summarize(results: Iterable[CellResult], n_folds: int = 10, n_repeats: int | None = None) -> list[MethodSummary]:
    """Return one summary for each data set and method, sorted by data set and method.

    The accuracy of a data set is the mean of its folds' accuracies, as in the paper, not the
    share of all rows.

    Parameters
    ----------
    results : iterable of CellResult
        In any order. If a cell was measured twice the figures must agree; a failed result
        gives way to a measured one.
    n_folds : int, default=10
        Folds of a cross-validation.
    n_repeats : int or None, default=None
        Cross-validations; None for as many as there are in the results.

    Examples
    --------
    >>> from cutwise.paper.evaluate import ResultCell, CellResult, summarize
    >>> folds = [CellResult(ResultCell("iris", "mrmd", "nb", 0, k), n_rows=15, n_correct=14 + k) for k in range(2)]
    >>> [summary] = summarize(folds, n_folds=2)
    >>> round(summary.accuracy, 2), summary.is_complete
    (96.67, True)
    """
    by_cell = _one_per_cell(results)
    repeats = n_repeats if n_repeats is not None else max((cell.repeat + 1 for cell in by_cell), default=1)
    groups: dict[tuple[str, MethodPair], list[CellResult]] = {}
    for cell in sorted(by_cell):
        if not (0 <= cell.fold < n_folds and 0 <= cell.repeat < repeats):
            raise ValueError(
                f"The result {cell} is of no fold: there are {repeats} repeats of {n_folds} folds. "
                "Pass the right n_folds and n_repeats."
            )
        groups.setdefault((cell.dataset, MethodPair(cell.discretizer, cell.classifier)), []).append(by_cell[cell])
    return [_summary(dataset, method, found, n_folds * repeats) for (dataset, method), found in groups.items()]


def accuracy_matrix(
    summaries: Iterable[MethodSummary], datasets: Sequence[str], methods: Sequence[MethodPair]
) -> NDArray[np.float64]:
    """Return accuracies [data set, method]; NaN where folds are missing."""
    found = {(summary.dataset, summary.method): summary.accuracy for summary in summaries if summary.is_complete}
    return np.array([[found.get((dataset, method), math.nan) for method in methods] for dataset in datasets]).reshape(
        len(datasets), len(methods)
    )


def _one_per_cell(results: Iterable[CellResult]) -> dict[ResultCell, CellResult]:
    kept: dict[ResultCell, CellResult] = {}
    for result in results:
        before = kept.setdefault(result.cell, result)
        if before.error and result.error:
            kept[result.cell] = min(before, result, key=lambda each: each.error)
        elif before.error:
            kept[result.cell] = result
        elif not result.error and _figures(before) != _figures(result):
            raise ValueError(
                f"The cell {result.cell} was measured twice, with {_figures(before)} and {_figures(result)} "
                "(rows, correct, log loss, cuts). Keep one of the two runs."
            )
    return kept


def _figures(result: CellResult) -> tuple[int, float, float, int]:
    return result.n_rows, result.n_correct, result.log_loss, result.n_cuts


def _summary(dataset: str, method: MethodPair, results: Sequence[CellResult], n_expected: int) -> MethodSummary:
    measured = [result for result in results if not result.error]
    empty = [str(result.cell) for result in measured if result.n_rows < 1]
    if empty:
        raise ValueError(f"The result {empty[0]} has no rows and no error. Measure it again.")
    accuracy = _mean_and_std([result.accuracy for result in measured])
    cuts = _mean_and_std([float(result.n_cuts) for result in measured])
    return MethodSummary(
        dataset,
        method,
        n_expected,
        len(measured),
        *accuracy,
        _mean_and_std([result.log_loss for result in measured])[0],
        *cuts,
        tuple(sorted({result.error for result in results if result.error})),
    )


def _mean_and_std(values: Sequence[float]) -> tuple[float, float]:
    """Return mean and standard deviation, the same for any order."""
    if not values:
        return math.nan, math.nan
    mean = math.fsum(values) / len(values)
    if len(values) == 1:
        return mean, math.nan
    return mean, math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))


def checked_accuracies(accuracies: ArrayLike) -> NDArray[np.float64]:
    """Return accuracies [data set, method] as doubles, or say what is wrong with them."""
    table = np.asarray(accuracies, dtype=np.float64)
    if table.ndim != 2 or table.shape[0] < 1 or table.shape[1] < 2:
        raise ValueError(
            f"Accuracies of shape {table.shape} cannot be compared. Pass one row for each data set, "
            "at least one, and one column for each method, at least two."
        )
    missing = np.argwhere(~np.isfinite(table))
    if missing.size:
        row, column = (int(place) for place in missing[0])
        raise ValueError(
            f"The accuracy of method {column} on data set {row} is {table[row, column]}. "
            "Leave out data sets or methods with missing figures, as complete_block does."
        )
    return table


def complete_block(accuracies: ArrayLike) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Choose data sets and methods without missing figures.

    As long as a figure is missing, the data set or the method with the largest share of missing
    figures is left out; of equal ones a data set rather than a method, the first rather than
    a later one.

    Parameters
    ----------
    accuracies : array-like of shape (n_datasets, n_methods)
        With NaN for what is missing.

    Returns
    -------
    tuple of two boolean arrays
        Which data sets and which methods are kept.

    Examples
    --------
    >>> import numpy as np
    >>> from cutwise.paper.evaluate import complete_block
    >>> complete_block([[1.0, 2.0, np.nan], [3.0, 4.0, np.nan], [5.0, np.nan, np.nan]])
    (array([ True,  True, False]), array([ True,  True, False]))
    """
    missing = np.isnan(np.asarray(accuracies, dtype=np.float64))
    rows, columns = np.ones(missing.shape[0], dtype=np.bool_), np.ones(missing.shape[1], dtype=np.bool_)
    while missing[np.ix_(rows, columns)].any():
        by_row = np.where(rows, missing[:, columns].mean(axis=1), -1.0)
        by_column = np.where(columns, missing[rows].mean(axis=0), -1.0)
        if by_row.max() >= by_column.max():
            rows[by_row.argmax()] = False
        else:
            columns[by_column.argmax()] = False
    return rows, columns
