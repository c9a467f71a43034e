"""A scheme and a classifier as a query: the class of each row and the probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from sqlglot import exp

from cutwise.export.code_query import code_columns, start_query
from cutwise.export.dialects import find_dialect
from cutwise.export.query import chain, class_label, double, integer, joined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.export.contents import AdditiveScore
    from cutwise.export.dialects import SQLDialect
    from cutwise.export.query import StepQuery
    from cutwise.scheme import Scheme

# The logarithm of the smallest ratio of probabilities. PostgreSQL calls a result that
# is nearly 0 an error.
LOWEST = -300.0


def score_query(
    scheme: Scheme, score: AdditiveScore, dialect: str, table: str | Sequence[str], keep: Sequence[str]
) -> str:
    """Return a query for the class of each row and the probability of each class.

    The steps: values, codes, sums s{part}_{class}, their largest m{part}, powers
    e{part}_{class}, the sums of those t{part}, probabilities p{class}, their largest.
    """
    query = start_query(scheme, find_dialect(dialect), table, keep)
    codes = code_columns(scheme, query.dialect)
    query.add("codes", {f"c{j}": code for j, code in enumerate(codes)})
    _add_sums(query, score)
    _add_probabilities(query, score)
    _add_largest(query, {"best": [f"p{i}" for i in range(len(score.labels))]}, "best")
    return query.text(_results(score, query.dialect))


def _add_sums(query: StepQuery, score: AdditiveScore) -> None:
    """Add the sum of each part and class that has any probability."""
    sums = {}
    for k, part in enumerate(score.parts):
        for i in _possible(score, k):
            start = double(part.start[i], query.dialect, exact=False)
            terms = [_term(j, score.terms_of(part, j)[:, i], query.dialect) for j in range(score.offsets.size - 1)]
            sums[f"s{k}_{i}"] = chain(exp.Add, [start, *terms])
    query.add("sums", sums)


def _possible(score: AdditiveScore, k: int) -> list[int]:
    """Return the places of the classes that have any probability in a part."""
    return [int(i) for i in np.flatnonzero(score.parts[k].start > -np.inf)]


def _term(attribute: int, terms: NDArray[np.float64], dialect: SQLDialect) -> exp.Expression:
    """Return what an attribute adds; a code that is no bin adds nothing."""
    ifs = [
        exp.If(this=integer(code), true=double(term, dialect, exact=False)) for code, term in enumerate(terms.tolist())
    ]
    return exp.Case(this=exp.column(f"c{attribute}"), ifs=ifs, default=double(0.0, dialect))


def _add_probabilities(query: StepQuery, score: AdditiveScore) -> None:
    """Add the mixture of the parts' softmaxes."""
    parts = range(len(score.parts))
    places = {k: _possible(score, k) for k in parts}
    _add_largest(query, {f"m{k}": [f"s{k}_{i}" for i in places[k]] for k in parts}, "peaks")
    query.add("powers", {f"e{k}_{i}": _power(f"s{k}_{i}", f"m{k}", query.dialect) for k in parts for i in places[k]})
    totals = {f"t{k}": chain(exp.Add, [exp.column(f"e{k}_{i}") for i in places[k]]) for k in parts}
    query.add("totals", totals)
    probabilities = {}
    for i in range(len(score.labels)):
        shares = [_share(score, k, i, query.dialect) for k in parts if i in places[k]]
        probabilities[f"p{i}"] = chain(exp.Add, shares) if shares else double(0.0, query.dialect)
    query.add("probabilities", probabilities)


def _add_largest(query: StepQuery, names: dict[str, list[str]], step: str) -> None:
    """Add the largest of some columns, for each new name."""
    function = query.dialect.largest_of
    query.add(
        step,
        {
            name: joined(
                [exp.column(column) for column in columns],
                lambda group: exp.Anonymous(this=function, expressions=group),
            )
            for name, columns in names.items()
        },
    )


def _power(column: str, peak: str, dialect: SQLDialect) -> exp.Expression:
    below = exp.Sub(this=exp.column(column), expression=exp.column(peak))
    return exp.Exp(this=exp.Anonymous(this=dialect.largest_of, expressions=[below, double(LOWEST, dialect)]))


def _share(score: AdditiveScore, part: int, place: int, dialect: SQLDialect) -> exp.Expression:
    power, total = exp.column(f"e{part}_{place}"), exp.column(f"t{part}")
    softmax = exp.Div(this=power, expression=total, typed=True, safe=False)
    if len(score.parts) == 1:
        return softmax
    return exp.Mul(this=double(score.parts[part].share, dialect, exact=False), expression=exp.Paren(this=softmax))


def _results(score: AdditiveScore, dialect: SQLDialect) -> dict[str, exp.Expression]:
    labels = [class_label(value, dialect) for value in score.labels]
    places = range(len(labels))
    best = exp.column("best")
    ifs = [exp.If(this=exp.EQ(this=exp.column(f"p{i}"), expression=best), true=labels[i]) for i in places[:-1]]
    prediction = exp.Case(ifs=ifs, default=labels[-1]) if ifs else labels[0]
    return {"prediction": prediction, **{f"probability_{i}": exp.column(f"p{i}") for i in places}}
