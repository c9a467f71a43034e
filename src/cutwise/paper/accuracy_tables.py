"""The paper's tables of accuracies, ours beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.evaluate import average_ranks, best_counts
from cutwise.paper.table import Column, Spread, Table, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from cutwise.paper.measured import Block, Measured
    from cutwise.paper.published import PublishedTable

_WHAT = (
    "Accuracy in percent, mean and standard deviation over the folds; difference: ours less published. "
    "The highest accuracies of a row are bold, among ours and among the published ones."
)
_CUTS = "Cuts of all attributes together. The published counts include cuts of nominal attributes, coded as numbers."


def accuracy_table(published: PublishedTable, measured: Measured) -> Table:
    """Return one of the paper's tables with our figures.

    Parameters
    ----------
    published : PublishedTable
    measured : Measured
    """
    rows = tuple(_row(published, measured, place) for place in range(len(published.datasets)))
    block = measured.block(published.datasets, published.methods)
    columns = _columns(published)
    notes = [_WHAT, *([_CUTS] if published.cuts is not None else []), _block_note(block)]
    return Table(
        published.name,
        published.title,
        columns,
        rows,
        _foot(published, measured, block),
        (*notes, *measured.missing_note(published.datasets, published.methods)),
        _best(rows, columns),
    )


def _columns(published: PublishedTable) -> tuple[Column, ...]:
    columns = [Column("data set", style="text")]
    for name in published.names:
        columns += [Column("ours", name, has_std=True), Column("published", name, has_std=True)]
        columns.append(Column("difference", name, style="signed"))
        if published.cuts is not None:
            columns += [Column("our cuts", name, has_std=True), Column("published cuts", name, has_std=True)]
            columns.append(Column("difference of cuts", name, style="signed"))
    return tuple(columns)


def _row(published: PublishedTable, measured: Measured, place: int) -> tuple[Value, ...]:
    dataset = published.datasets[place]
    cells: list[Value] = [dataset]
    for k, method in enumerate(published.methods):
        printed = Spread(float(published.accuracy[place, k]), float(published.accuracy_std[place, k]))
        cells += _beside(measured.accuracy(dataset, method), printed)
        if published.cuts is not None and published.cuts_std is not None:
            printed = Spread(float(published.cuts[place, k]), float(published.cuts_std[place, k]))
            cells += _beside(measured.cuts(dataset, method), printed)
    return tuple(cells)


def _beside(ours: Spread | None, printed: Spread) -> list[Value]:
    return [ours, printed, None if ours is None else ours.mean - printed.mean]


def _foot(published: PublishedTable, measured: Measured, block: Block) -> tuple[tuple[Value, ...], ...]:
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
    block: Block, theirs: NDArray[np.float64], statistic: Callable[[NDArray[np.float64]], NDArray[Any]]
) -> list[tuple[float | None, float | None]]:
    """Return a statistic of each method, ours and theirs."""
    if not block.can_compare:
        return [(None, None)] * block.columns.size
    pairs = zip(block.spread_out(statistic(block.accuracy)), block.spread_out(statistic(theirs)), strict=True)
    return list(pairs)


def _cut_means(published: PublishedTable, measured: Measured, block: Block) -> list[tuple[Value, ...]]:
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


def _block_note(block: Block) -> str:
    n, k = block.accuracy.shape
    if not block.can_compare:
        return "There are no two methods with figures on the same data set: no means, ranks and wins."
    return (
        f"Means, average ranks and wins, ours and published, are over the {n} data sets and {k} methods for which no "
        "figure is missing. Equal methods share the mean of their ranks, and each of them wins."
    )


def _best(rows: Sequence[tuple[Value, ...]], columns: Sequence[Column]) -> frozenset[tuple[int, int]]:
    """Return the places of the highest accuracies of each row, of ours and of theirs."""
    places = set()
    for kind in ("ours", "published"):
        chosen = [k for k, column in enumerate(columns) if column.name == kind]
        for row, cells in enumerate(rows):
            means = {k: round(cell.mean, 9) for k in chosen if isinstance(cell := cells[k], Spread)}
            places |= {(row, k) for k, mean in means.items() if mean == max(means.values())}
    return frozenset(places)
