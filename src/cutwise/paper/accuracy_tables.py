"""The paper's tables of accuracies and of Wilcoxon rank sums, ours beside them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.paper.evaluate.statistics import average_ranks, best_counts
from cutwise.paper.evaluate.wilcoxon import critical_rank_sum, rank_sum_p_values, rank_sums
from cutwise.paper.published import N_FOLDS, TITLES, PublishedTable, published_tables
from cutwise.paper.table import MeanAndDeviation, MeasuredResults, ResultColumn, ResultTable, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from cutwise.paper.evaluate.cells import CellResult
    from cutwise.paper.published import PublishedTable
    from cutwise.paper.table import CompleteResults

_WHAT = (
    "Accuracy in percent, mean and standard deviation over the folds; difference: ours less published. "
    "The highest accuracies of a row are bold, among ours and among the published ones."
)
_CUTS = "Cuts of all attributes together. The published counts include cuts of nominal attributes, coded as numbers."


def accuracy_table(published: PublishedTable, measured: MeasuredResults) -> ResultTable:
    """Return one of the paper's tables with our figures."""
    rows = tuple(_row(published, measured, place) for place in range(len(published.datasets)))
    block = measured.block(published.datasets, published.methods)
    columns = _columns(published)
    notes = [_WHAT, *([_CUTS] if published.cuts is not None else []), _block_note(block)]
    return ResultTable(
        published.name,
        published.title,
        columns,
        rows,
        _foot(published, measured, block),
        (*notes, *measured.missing_note(published.datasets, published.methods)),
        _best(rows, columns),
    )


def _columns(published: PublishedTable) -> tuple[ResultColumn, ...]:
    columns = [ResultColumn("data set", style="text")]
    for name in published.names:
        columns += [ResultColumn("ours", name, has_std=True), ResultColumn("published", name, has_std=True)]
        columns.append(ResultColumn("difference", name, style="signed"))
        if published.cuts is not None:
            columns += [
                ResultColumn("our cuts", name, has_std=True),
                ResultColumn("published cuts", name, has_std=True),
            ]
            columns.append(ResultColumn("difference of cuts", name, style="signed"))
    return tuple(columns)


def _row(published: PublishedTable, measured: MeasuredResults, place: int) -> tuple[Value, ...]:
    dataset = published.datasets[place]
    cells: list[Value] = [dataset]
    for k, method in enumerate(published.methods):
        printed = MeanAndDeviation(float(published.accuracy[place, k]), float(published.accuracy_std[place, k]))
        cells += _beside(measured.accuracy(dataset, method), printed)
        if published.cuts is not None and published.cuts_std is not None:
            printed = MeanAndDeviation(float(published.cuts[place, k]), float(published.cuts_std[place, k]))
            cells += _beside(measured.cuts(dataset, method), printed)
    return tuple(cells)


def _beside(ours: MeanAndDeviation | None, printed: MeanAndDeviation) -> list[Value]:
    return [ours, printed, None if ours is None else ours.mean - printed.mean]


def _foot(
    published: PublishedTable, measured: MeasuredResults, block: CompleteResults
) -> tuple[tuple[Value, ...], ...]:
    """Return means, ranks and wins of the same data sets and methods, and the printed means of all."""
    theirs = published.accuracy[np.ix_(block.rows, block.columns)]
    has_cuts = published.cuts is not None
    means = _figures(block, theirs, lambda table: table.mean(axis=0))
    ranks = _figures(block, theirs, average_ranks)
    wins = _figures(block, theirs, best_counts)
    cuts = _cut_means(published, measured, block) if has_cuts else [()] * len(means)
    printed = published.average.tolist()
    printed_cuts = [] if published.cuts_average is None else published.cuts_average.tolist()
    blank = ("", "", "") if has_cuts else ()
    return (
        _line("mean", [(*pair, *rest) for pair, rest in zip(_with_difference(means), cuts, strict=True)]),
        _line("average rank", [(*pair, *blank) for pair in _with_difference(ranks)]),
        _line("wins", [(*map(_whole, pair), "", *blank) for pair in wins]),
        _line(
            "mean as printed",
            [("", mean, "", *(("", printed_cuts[k], "") if has_cuts else ())) for k, mean in enumerate(printed)],
        ),
    )


def _figures(
    block: CompleteResults, theirs: NDArray[np.float64], statistic: Callable[[NDArray[np.float64]], NDArray[Any]]
) -> list[tuple[float | None, float | None]]:
    """Return a statistic of each method, ours and theirs."""
    if not block.can_compare:
        return [(None, None)] * block.columns.size
    pairs = zip(block.spread_out(statistic(block.accuracy)), block.spread_out(statistic(theirs)), strict=True)
    return list(pairs)


def _cut_means(published: PublishedTable, measured: MeasuredResults, block: CompleteResults) -> list[tuple[Value, ...]]:
    if published.cuts is None or not block.can_compare:
        return [(None, None, None)] * block.columns.size
    names = [name for name, kept in zip(published.datasets, block.rows, strict=True) if kept]
    cells: list[tuple[Value, ...]] = []
    for k, method in enumerate(published.methods):
        cuts = [spread.mean for name in names if (spread := measured.cuts(name, method)) is not None]
        if not block.columns[k]:
            cells.append((None, None, None))
            continue
        ours, theirs = float(np.mean(cuts)), float(published.cuts[block.rows, k].mean())
        cells.append((ours, theirs, ours - theirs))
    return cells


def _with_difference(pairs: Iterable[tuple[float | None, float | None]]) -> list[tuple[Value, ...]]:
    return [(ours, theirs, None if ours is None or theirs is None else ours - theirs) for ours, theirs in pairs]


def _whole(value: float | None) -> int | None:
    return None if value is None else int(value)


def _line(name: str, groups: Iterable[Sequence[Value]]) -> tuple[Value, ...]:
    return (name, *(value for group in groups for value in group))


def _block_note(block: CompleteResults) -> str:
    n, k = block.accuracy.shape
    if not block.can_compare:
        return "There are no two methods with figures on the same data set: no means, ranks and wins."
    return (
        f"Means, average ranks and wins, ours and published, are over the {n} data sets and {k} methods for which no "
        "figure is missing. Equal methods share the mean of their ranks, and each of them wins."
    )


def _best(rows: Sequence[tuple[Value, ...]], columns: Sequence[ResultColumn]) -> frozenset[tuple[int, int]]:
    """Return the places of the highest accuracies of each row, of ours and of theirs."""
    places = set()
    for kind in ("ours", "published"):
        chosen = [k for k, column in enumerate(columns) if column.name == kind]
        for row, cells in enumerate(rows):
            means = {k: round(cell.mean, 9) for k in chosen if isinstance(cell := cells[k], MeanAndDeviation)}
            places |= {(row, k) for k, mean in means.items() if mean == max(means.values())}
    return frozenset(places)


_COLUMNS = (
    ResultColumn("table", style="text"),
    ResultColumn("data set", style="text"),
    ResultColumn("method", style="text"),
    ResultColumn("ours", has_std=True),
    ResultColumn("published", has_std=True),
    ResultColumn("difference", style="signed"),
    ResultColumn("standard errors", digits=1, style="signed"),
)


def deviations(results: Iterable[CellResult], n_folds: int = N_FOLDS) -> ResultTable:
    """Return all accuracies that have a published one, the largest difference first.

    Differences are in points and in standard errors, sqrt(s1² / n1 + s2² / n2) for standard
    deviations s and numbers of folds n of ours and theirs.

    Parameters
    ----------
    results : iterable of CellResult
        In any order.
    n_folds : int, default=10
        Folds of a cross-validation.
    """
    return deviation_table(MeasuredResults(results, n_folds))


def deviation_table(measured: MeasuredResults) -> ResultTable:
    """Return the table of `deviations`."""
    rows = [row for name in TITLES for row in _rows(published_tables(name), measured)]
    rows.sort(key=lambda row: -abs(round(_difference(row), 9)))
    return ResultTable(
        "deviations", "Differences from the published accuracies", _COLUMNS, tuple(rows), notes=_notes(rows)
    )


def _rows(table: PublishedTable, measured: MeasuredResults) -> Iterator[tuple[Value, ...]]:
    for place, dataset in enumerate(table.datasets):
        for k, method in enumerate(table.methods):
            summary = measured.complete(dataset, method)
            if summary is None:
                continue
            ours = MeanAndDeviation(summary.accuracy, summary.accuracy_std)
            theirs = MeanAndDeviation(float(table.accuracy[place, k]), float(table.accuracy_std[place, k]))
            difference = ours.mean - theirs.mean
            error = math.sqrt(ours.std**2 / summary.n_measured + theirs.std**2 / N_FOLDS)
            yield table.name, dataset, table.names[k], ours, theirs, difference, _in_units(difference, error)


def _in_units(difference: float, error: float) -> float | None:
    if math.isnan(error):
        return None
    if error == 0:
        return math.copysign(math.inf, difference) if difference else 0.0
    return difference / error


def _difference(row: tuple[Value, ...]) -> float:
    value = row[5]
    return value if isinstance(value, float) else 0.0


def _notes(rows: list[tuple[Value, ...]]) -> tuple[str, ...]:
    if not rows:
        return ("No figure of ours has a published one.",)
    differences = [_difference(row) for row in rows]
    units = [row[6] for row in rows if isinstance(row[6], float)]
    near = sum(abs(unit) <= 2 for unit in units)
    mean, size = math.fsum(differences) / len(rows), math.fsum(map(abs, differences)) / len(rows)
    found = (
        f"{len(rows)} figures. The mean difference is {mean:+.2f} points, the mean size of a difference {size:.2f}; "
        f"{near} of {len(units)} are within two standard errors."
    )
    return "Difference: ours less published, in points and in standard errors of the difference.", found


_WHAT_RANKS = (
    "Each figure is the sum of the ranks of the data sets on which the method of the row is better than that of the "
    "column; data sets on which they are equal give half of their ranks to each. p is the two-sided chance of ours."
)


def rank_table(published: PublishedTable, measured: MeasuredResults) -> ResultTable:
    """Return the rank sums that belong to one of the paper's tables of accuracies."""
    block = measured.block(published.datasets, published.methods)
    k = len(published.names)
    ours, chances = np.full((k, k), np.nan), np.full((k, k), np.nan)
    if block.can_compare:
        inside = np.ix_(block.columns, block.columns)
        ours[inside], chances[inside] = rank_sums(block.accuracy), rank_sum_p_values(block.accuracy)
    theirs = _theirs(published, block)
    order = [k - 1, *range(k - 1)]
    rows = tuple(_rank_row(published, [ours, theirs, chances], i, order) for i in order)
    return ResultTable(
        f"wilcoxon-{published.name}",
        f"Wilcoxon rank sums: {published.title[0].lower()}{published.title[1:]}",
        _rank_columns([published.names[j] for j in order]),
        rows,
        notes=(_WHAT_RANKS, *_rank_notes(block, len(published.datasets))),
        bold=_significant(rows, block.accuracy.shape[0]),
    )


def _theirs(published: PublishedTable, block: CompleteResults) -> NDArray[np.float64]:
    """Return the printed sums, or sums of the printed accuracies if ours are of fewer data sets."""
    if published.rank_sums is None or (block.can_compare and not block.rows.all()):
        return rank_sums(published.accuracy[block.rows])
    return published.rank_sums


def _rank_columns(names: list[str]) -> tuple[ResultColumn, ...]:
    columns = [ResultColumn("method", style="text")]
    for name in names:
        columns += [ResultColumn("ours", name, digits=1), ResultColumn("published", name, digits=1)]
        columns += [
            ResultColumn("difference", name, digits=1, style="signed"),
            ResultColumn("p", name, digits=4, style="chance"),
        ]
    return tuple(columns)


def _rank_row(
    published: PublishedTable, matrices: list[NDArray[np.float64]], i: int, order: list[int]
) -> tuple[Value, ...]:
    cells: list[Value] = [published.names[i]]
    for j in order:
        ours, theirs, chance = (_figure(matrix[i, j]) for matrix in matrices)
        difference = None if ours is None or theirs is None else ours - theirs
        cells += ["", "", "", ""] if i == j else [ours, theirs, difference, chance]
    return tuple(cells)


def _figure(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _rank_notes(block: CompleteResults, n_published: int) -> list[str]:
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
