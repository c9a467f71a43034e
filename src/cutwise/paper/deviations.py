"""Every figure of ours that has a published one, and how far apart they are."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from cutwise.paper.measured import Measured
from cutwise.paper.published import N_FOLDS, TITLES, PublishedTable, published
from cutwise.paper.table import Column, Spread, Table, Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cutwise.evaluate import Result

_COLUMNS = (
    Column("table", style="text"),
    Column("data set", style="text"),
    Column("method", style="text"),
    Column("ours", has_std=True),
    Column("published", has_std=True),
    Column("difference", style="signed"),
    Column("standard errors", digits=1, style="signed"),
)


def deviations(results: Iterable[Result], n_folds: int = N_FOLDS) -> Table:
    """Return all accuracies that have a published one, the largest difference first.

    Differences are in points and in standard errors, sqrt(s1² / n1 + s2² / n2) for standard
    deviations s and numbers of folds n of ours and theirs.

    Parameters
    ----------
    results : iterable of Result
        In any order.
    n_folds : int, default=10
        Folds of a cross-validation.
    """
    return deviation_table(Measured(results, n_folds))


def deviation_table(measured: Measured) -> Table:
    """Return the table of `deviations`."""
    rows = [row for name in TITLES for row in _rows(published(name), measured)]
    rows.sort(key=lambda row: -abs(round(_difference(row), 9)))
    return Table("deviations", "Differences from the published accuracies", _COLUMNS, tuple(rows), notes=_notes(rows))


def _rows(table: PublishedTable, measured: Measured) -> Iterator[tuple[Value, ...]]:
    for place, dataset in enumerate(table.datasets):
        for k, method in enumerate(table.methods):
            summary = measured.complete(dataset, method)
            if summary is None:
                continue
            ours = Spread(summary.accuracy, summary.accuracy_std)
            theirs = Spread(float(table.accuracy[place, k]), float(table.accuracy_std[place, k]))
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
