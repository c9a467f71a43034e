"""A table as data: what its cells hold, not yet how they look; and our figures, ready to stand in it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from cutwise.paper.evaluate.summary import MethodPair, MethodSummary, accuracy_matrix, complete_block, summarize
from cutwise.scheme.text import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from cutwise.paper.evaluate.cells import CellResult

MISSING = "\u2013"


class MeanAndDeviation(NamedTuple):
    """A mean and the standard deviation around it."""

    mean: float
    std: float


Value = str | int | float | MeanAndDeviation | None
"""A cell: a string, a count, a figure, a figure with its spread, or None for what is missing."""


@dataclass(frozen=True)
class ResultColumn:
    """One column of a table.

    Parameters
    ----------
    name : str
    group : str, default=""
        What it shares with its neighbours of the same group.
    digits : int, default=2
        Decimals of its figures.
    style : {"text", "plain", "signed", "chance"}, default="plain"
        "signed" figures have a sign unless they are 0; a "chance" too small for the decimals is shown
        as less than the least of them.
    has_std : bool, default=False
        Whether its figures have a spread.
    """

    name: str
    group: str = ""
    digits: int = 2
    style: Literal["text", "plain", "signed", "chance"] = "plain"
    has_std: bool = False

    @property
    def full_name(self) -> str:
        """The name with that of the group before it."""
        return f"{self.group} {self.name}".strip()


@dataclass(frozen=True)
class ResultTable:
    """A table that can be written in several formats.

    Parameters
    ----------
    name : str
        A short name for files, of letters, digits and hyphens.
    title : str
    columns : tuple of ResultColumn
        The first is the head of the rows.
    rows, foot : tuple of tuple of Value
        The rows, and those that sum them up.
    notes : tuple of str, default=()
        What a reader has to know.
    bold : frozenset of (int, int), default=frozenset()
        Places of cells that stand out: row, counted on into the foot, and column.
    """

    name: str
    title: str
    columns: tuple[ResultColumn, ...]
    rows: tuple[tuple[Value, ...], ...]
    foot: tuple[tuple[Value, ...], ...] = ()
    notes: tuple[str, ...] = ()
    bold: frozenset[tuple[int, int]] = frozenset()

    def __post_init__(self) -> None:
        """Check that every row has all columns."""
        for row in (*self.rows, *self.foot):
            if len(row) != len(self.columns):
                raise ValueError(
                    f"The table {self.name!r} has {len(self.columns)} columns, but the row {row!r} has {len(row)}."
                )

    def texts(self) -> list[list[str]]:
        """Return the cells of the rows and of the foot as plain strings."""
        return [
            [cell_text(value, column) for value, column in zip(row, self.columns, strict=True)]
            for row in (*self.rows, *self.foot)
        ]

    def groups(self) -> list[tuple[str, int]]:
        """Return the groups of columns from left to right, with their widths."""
        found: list[tuple[str, int]] = []
        for column in self.columns:
            if found and column.group and found[-1][0] == column.group:
                found[-1] = (column.group, found[-1][1] + 1)
            else:
                found.append((column.group, 1))
        return found


def cell_text(value: Value, column: ResultColumn) -> str:
    """Return a cell as it is shown.

    Examples
    --------
    >>> cell_text(MeanAndDeviation(93.333, 4.44), ResultColumn("ours"))
    '93.33±4.44'
    >>> cell_text(-0.001, ResultColumn("difference", style="signed"))
    '0.00'
    >>> cell_text(0.00001, ResultColumn("p", digits=4, style="chance")), cell_text(None, ResultColumn("p")) == MISSING
    ('<0.0001', True)
    """
    if value is None:
        return MISSING
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, MeanAndDeviation):
        if math.isnan(value.mean):
            return MISSING
        return f"{_number(value.mean, column)}±{_number(value.std, ResultColumn(column.name, digits=column.digits))}"
    return str(value) if isinstance(value, int) else _number(value, column)


def _number(value: float, column: ResultColumn) -> str:
    if math.isnan(value):
        return MISSING
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if column.style == "chance" and 0 <= value < 0.5 * 10**-column.digits:
        return f"<{10**-column.digits:.{column.digits}f}"
    rounded = round(value, column.digits) + 0.0
    sign = "+" if column.style == "signed" and rounded > 0 else ""
    return f"{sign}{rounded:.{column.digits}f}"


GIVEN: Mapping[int, str] = MappingProxyType({n_d: f"mrmd-nd-{n_d}" for n_d in (2, 5, 10, 20, 50, 100, 200)})
"""Discretizers with an N_D for all data sets."""

CHOSEN: Mapping[str, str] = MappingProxyType({"nb": "mrmd-tuned", "c45": "mrmd-tuned-c45", "rnb": "mrmd-tuned"})
"""Discretizers whose N_D is chosen inside the training rows, by the classifier that they are measured with."""

AUTO: Mapping[str, str] = MappingProxyType({"nb": "mrmd-auto", "c45": "mrmd-auto-c45", "rnb": "mrmd-auto"})
"""Discretizers that choose their N_D themselves, by the held-out log loss of their bins; for C4.5 it may be smaller."""

NAMES = frozenset({*GIVEN.values(), *CHOSEN.values(), *AUTO.values()})


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
    results : iterable of CellResult
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
