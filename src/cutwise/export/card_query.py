"""A scorecard as an SQL query: score, probability, reasons, points."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from sqlglot import exp

from cutwise.export.queries import add_largest, prediction, scored_query
from cutwise.export.query import chain, class_label, double, integer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.export.contents import AdditiveScore, CardContents
    from cutwise.export.dialects import SQLDialect
    from cutwise.export.query import StepQuery
    from cutwise.scheme import Scheme


def card_query(
    parts: tuple[Scheme, AdditiveScore],
    card: CardContents,
    dialect: str,
    table: str | Sequence[str],
    keep: Sequence[str],
) -> str:
    """Return a query for score, probability of the event, class, reasons and points.

    The steps behind those of the probabilities: points w{column}, costs d0_{column}; for each reason the largest cost
    x{reason}, the place r{reason} of the first column with it, and the costs d{reason + 1}_{column} without it.
    """
    scheme, score = parts
    query = scored_query(scheme, score, dialect, table, keep)
    columns = range(len(card.names))
    query.add("points", {f"w{j}": _looked_up(f"c{j}", card.points[j], query.dialect) for j in columns})
    _add_reasons(query, card)
    total = chain(exp.Add, [exp.column(f"w{j}") for j in columns])
    reasons = [_name(card, place, query.dialect) for place in range(card.reasons)]
    points = [exp.column(f"w{j}") for j in columns]
    results = [total, exp.column(f"p{card.event}"), prediction(score, query.dialect), *reasons, *points]
    return query.text(dict(zip(card.result_names, results, strict=True)))


def _add_reasons(query: StepQuery, card: CardContents) -> None:
    """Add the place of the column that costs most, then of the next one, and so on; -1 where none costs anything."""
    columns = range(len(card.names))
    if card.n_tried:
        query.add("costs_0", {f"d0_{j}": _looked_up(f"c{j}", card.costs[j], query.dialect) for j in columns})
    for place in range(card.n_tried):
        add_largest(query, {f"x{place}": [f"d{place}_{j}" for j in columns]}, f"most_{place}")
        most = exp.column(f"x{place}")
        ifs = [exp.If(this=exp.LTE(this=most, expression=integer(0)), true=integer(-1))]
        ifs += [
            exp.If(this=exp.EQ(this=exp.column(f"d{place}_{j}"), expression=most.copy()), true=integer(j))
            for j in columns
        ]
        query.add(f"reason_{place}", {f"r{place}": exp.Case(ifs=ifs, default=integer(-1))})
        if place + 1 < card.n_tried:
            query.add(f"costs_{place + 1}", {f"d{place + 1}_{j}": _without(place, j) for j in columns})


def _without(place: int, column: int) -> exp.Expression:
    """Return the cost of a column, 0 if it is a reason already."""
    is_taken = exp.EQ(this=exp.column(f"r{place}"), expression=integer(column))
    return exp.Case(ifs=[exp.If(this=is_taken, true=integer(0))], default=exp.column(f"d{place}_{column}"))


def _name(card: CardContents, place: int, dialect: SQLDialect) -> exp.Expression:
    """Return the name of the column that is a reason; null if there is none."""
    if place >= card.n_tried:
        return exp.Null()
    ifs = [exp.If(this=integer(j), true=class_label(name, dialect)) for j, name in enumerate(card.names)]
    return exp.Case(this=exp.column(f"r{place}"), ifs=ifs, default=exp.Null())


def _looked_up(column: str, numbers: NDArray[np.float64], dialect: SQLDialect) -> exp.Expression:
    """Return the number of the code in a column; whole numbers where all of them are."""
    is_whole = bool((numbers == np.rint(numbers)).all() and (np.abs(numbers) < 2**53).all())
    items = [integer(int(number)) if is_whole else double(number, dialect) for number in numbers.tolist()]
    ifs = [exp.If(this=integer(code), true=item) for code, item in enumerate(items[:-1])]
    return exp.Case(this=exp.column(column), ifs=ifs, default=items[-1])
