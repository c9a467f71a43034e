"""Results made up from the published figures, for the tests of tables."""

from __future__ import annotations

import numpy as np

from cutwise.paper.evaluate import CellResult, ResultCell
from cutwise.paper.published import TITLES, published_tables

N_ROWS = 10_000


def published_results(names=tuple(TITLES), leave_out=()):
    """Return results whose means, rounded to two decimals, are the published ones."""
    cells = {}
    for table in map(published_tables, names):
        for row, dataset in enumerate(table.datasets):
            for column, method in enumerate(table.methods):
                if (dataset, method) not in leave_out:
                    cells[dataset, method] = _folds(table, row, column)
    return [result for results in cells.values() for result in results]


def _folds(table, row, column):
    """Ten folds around the published mean; they add up to it."""
    draw = np.random.default_rng([row, column])
    correct = round(100 * table.accuracy[row, column])
    noise = draw.permutation([-90, -40, -30, -10, 0, 0, 10, 30, 40, 90]) * min(1.0, (N_ROWS - correct) / 100)
    cuts = 0 if table.cuts is None else table.cuts[row, column]
    return [
        CellResult(
            ResultCell(table.datasets[row], *table.methods[column], 0, fold),
            N_ROWS,
            correct + int(noise[fold]),
            log_loss=0.5,
            n_cuts=int(cuts),
        )
        for fold in range(10)
    ]
