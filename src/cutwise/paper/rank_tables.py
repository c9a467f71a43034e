"""The paper's tables of Wilcoxon rank sums, ours beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cutwise.paper.evaluate.wilcoxon import critical_rank_sum, rank_sum_p_values, rank_sums
from cutwise.paper.table import ResultColumn, ResultTable, Value

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.paper.measured import CompleteResults, MeasuredResults
    from cutwise.paper.published import PublishedTable

_WHAT = (
    "Each figure is the sum of the ranks of the data sets on which the method of the row is better than that of the "
    "column; data sets on which they are equal give half of their ranks to each. p is the two-sided chance of ours."
)


def rank_table(published: PublishedTable, measured: MeasuredResults) -> ResultTable:
    """Return the rank sums that belong to one of the paper's tables of accuracies.

    Parameters
    ----------
    published : PublishedTable
    measured : Measured
    """
    block = measured.block(published.datasets, published.methods)
    k = len(published.names)
    ours, chances = np.full((k, k), np.nan), np.full((k, k), np.nan)
    if block.can_compare:
        inside = np.ix_(block.columns, block.columns)
        ours[inside], chances[inside] = rank_sums(block.accuracy), rank_sum_p_values(block.accuracy)
    theirs = _theirs(published, block)
    order = [k - 1, *range(k - 1)]
    rows = tuple(_row(published, [ours, theirs, chances], i, order) for i in order)
    return ResultTable(
        f"wilcoxon-{published.name}",
        f"Wilcoxon rank sums: {published.title[0].lower()}{published.title[1:]}",
        _columns([published.names[j] for j in order]),
        rows,
        notes=(_WHAT, *_notes(block, len(published.datasets))),
        bold=_significant(rows, block.accuracy.shape[0]),
    )


def _theirs(published: PublishedTable, block: CompleteResults) -> NDArray[np.float64]:
    """Return the printed sums, or sums of the printed accuracies if ours are of fewer data sets."""
    if published.rank_sums is None or (block.can_compare and not block.rows.all()):
        return rank_sums(published.accuracy[block.rows])
    return published.rank_sums


def _columns(names: list[str]) -> tuple[ResultColumn, ...]:
    columns = [ResultColumn("method", style="text")]
    for name in names:
        columns += [ResultColumn("ours", name, digits=1), ResultColumn("published", name, digits=1)]
        columns += [
            ResultColumn("difference", name, digits=1, style="signed"),
            ResultColumn("p", name, digits=4, style="chance"),
        ]
    return tuple(columns)


def _row(published: PublishedTable, matrices: list[NDArray[np.float64]], i: int, order: list[int]) -> tuple[Value, ...]:
    cells: list[Value] = [published.names[i]]
    for j in order:
        ours, theirs, chance = (_figure(matrix[i, j]) for matrix in matrices)
        difference = None if ours is None or theirs is None else ours - theirs
        cells += ["", "", "", ""] if i == j else [ours, theirs, difference, chance]
    return tuple(cells)


def _figure(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _notes(block: CompleteResults, n_published: int) -> list[str]:
    n, k = block.accuracy.shape
    if not block.can_compare:
        return ["There are no two methods with figures on the same data set: ours are missing."]
    critical = critical_rank_sum(n)
    level = "no sum is significant" if critical is None else f"sums of {critical} and more are significant and bold"
    notes = [f"Ours are over {n} data sets and {k} methods: at the two-sided level 0.05 {level}."]
    if n < n_published:
        notes.append(f"The published sums are made anew from the published accuracies of these {n} data sets.")
    return notes


def _significant(rows: tuple[tuple[Value, ...], ...], n: int) -> frozenset[tuple[int, int]]:
    critical = critical_rank_sum(n) if n else None
    return frozenset(
        (place, k)
        for place, cells in enumerate(rows)
        for k, value in enumerate(cells)
        if critical is not None and k % 4 in {1, 2} and isinstance(value, float) and value >= critical
    )
