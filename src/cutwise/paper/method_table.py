"""All our methods in one table, also those that the paper does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cutwise.evaluate import (
    average_ranks,
    best_counts,
    friedman_test,
    holm_test,
    nemenyi_difference,
)
from cutwise.paper.table import Column, Table, Value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cutwise.evaluate import Method, Summary
    from cutwise.paper.measured import Block, Measured

_COLUMNS = (
    Column("method", style="text"),
    Column("data sets", digits=0),
    Column("accuracy"),
    Column("average rank"),
    Column("wins", digits=0),
    Column("cuts", digits=1),
    Column("log loss", digits=4),
    Column("p", digits=4, style="chance"),
)
_WHAT = (
    "Data sets: how many have all their folds. The other figures are means over the same data sets for all methods; "
    "cuts are those of all attributes together, and 0 for methods that take tables as they come."
)


def method_table(measured: Measured) -> Table:
    """Return all methods, the best average rank first; those with too few data sets come last.

    Parameters
    ----------
    measured : Measured
    """
    datasets, methods = measured.datasets, measured.compared
    block = measured.block(datasets, methods)
    inside = [method for method, kept in zip(methods, block.columns, strict=True) if kept]
    names = [name for name, kept in zip(datasets, block.rows, strict=True) if kept]
    ranked = _ranked_rows(measured, block, names, inside) if block.can_compare else []
    outside = methods if not block.can_compare else [method for method in methods if method not in inside]
    rows = [*ranked, *((str(method), _n_complete(measured, method), *[None] * 6) for method in outside)]
    return Table(
        "methods",
        "All methods",
        _COLUMNS,
        tuple(rows),
        notes=(_WHAT, *_test_notes(block), *measured.missing_note(datasets, methods)),
    )


def _ranked_rows(
    measured: Measured, block: Block, names: Sequence[str], methods: Sequence[Method]
) -> list[tuple[Value, ...]]:
    ranks, wins, chances = average_ranks(block.accuracy), best_counts(block.accuracy), holm_test(block.accuracy)
    means = block.accuracy.mean(axis=0)
    rows: list[tuple[Value, ...]] = []
    for k in sorted(range(len(methods)), key=lambda place: (ranks[place], methods[place])):
        summaries = [summary for name in names if (summary := measured.complete(name, methods[k])) is not None]
        chance: Value = "" if np.isnan(chances[k]) else float(chances[k])
        found = (float(means[k]), float(ranks[k]), int(wins[k]), *_cuts_and_loss(summaries), chance)
        rows.append((str(methods[k]), _n_complete(measured, methods[k]), *found))
    return rows


def _cuts_and_loss(summaries: Sequence[Summary]) -> tuple[float, float]:
    return float(np.mean([each.cuts for each in summaries])), float(np.mean([each.log_loss for each in summaries]))


def _n_complete(measured: Measured, method: Method) -> int:
    return sum(measured.complete(dataset, method) is not None for dataset in measured.datasets)


def _test_notes(block: Block) -> list[str]:
    n, k = block.accuracy.shape
    if not block.can_compare:
        return ["There are no two methods with figures on the same data set: no ranks and no tests."]
    friedman = friedman_test(block.accuracy)
    tests = (
        f"Ranks and tests are over {n} data sets and {k} methods. Friedman: chi-square {friedman.chi_square:.2f} with "
        f"{k - 1} degrees of freedom, p {_chance(friedman.p_value)}; Iman and Davenport: F {friedman.f:.2f}, "
        f"p {_chance(friedman.f_p_value)}."
    )
    pairs = (
        "p: the chance that a method's rank differs so much from that of the first, adjusted by Holm. Average ranks "
        f"that differ by more than {nemenyi_difference(k, n):.2f} are significantly different (Nemenyi, 0.05)."
    )
    return [tests, pairs]


def _chance(value: float) -> str:
    return "< 0.0001" if value < 0.0001 else f"= {value:.4f}"
