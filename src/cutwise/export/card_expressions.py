"""A scorecard as polars expressions: score, probability, reasons, points."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from cutwise.export.polars_expressions import ScoreSteps, scored_steps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.export.contents import AdditiveScore, CardContents
    from cutwise.scheme import Scheme


def card_steps(scheme: Scheme, score: AdditiveScore, card: CardContents, keep: Sequence[str]) -> ScoreSteps:
    """Return what computes score, probability of the event, class, reasons and points; see `card_query`."""
    columns = range(len(card.names))
    steps = [
        [_looked_up(f"c{j}", card.points[j]).alias(f"w{j}") for j in columns],
        [_looked_up(f"c{j}", card.costs[j]).alias(f"d0_{j}") for j in columns],
    ]
    for place in range(card.n_tried):
        costs = [pl.col(f"d{place}_{j}") for j in columns]
        steps.append([pl.max_horizontal(costs).alias(f"x{place}")])
        most = pl.col(f"x{place}")
        first = pl.coalesce(pl.when((cost == most) & (most > 0.0)).then(pl.lit(j)) for j, cost in enumerate(costs))
        steps.append([first.alias(f"r{place}")])
        rest = [pl.when(pl.col(f"r{place}") == j).then(0.0).otherwise(cost) for j, cost in enumerate(costs)]
        steps.append([cost.alias(f"d{place + 1}_{j}") for j, cost in enumerate(rest)])
    names = pl.Series(card.names, dtype=pl.String)
    places = pl.Series(columns, dtype=pl.Int32)
    reasons = [
        pl.col(f"r{place}").replace_strict(places, names, default=None, return_dtype=pl.String)
        if place < card.n_tried
        else pl.lit(None, dtype=pl.String)
        for place in range(card.reasons)
    ]
    points = [pl.col(f"w{j}") for j in columns]
    results = [pl.sum_horizontal(points), pl.col(f"p{card.event}"), pl.col("class"), *reasons, *points]
    return scored_steps(scheme, score, keep, steps, dict(zip(card.result_names, results, strict=True)))


def _looked_up(column: str, numbers: NDArray[np.float64]) -> pl.Expr:
    """Return the number of the code in a column; the last one for a code that is none."""
    places = pl.Series(np.arange(numbers.size - 1, dtype=np.int32))
    last = pl.lit(float(numbers[-1]))
    return pl.col(column).replace_strict(places, pl.Series(numbers[:-1]), default=last, return_dtype=pl.Float64)
