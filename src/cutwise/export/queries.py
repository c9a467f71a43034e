"""SQL queries for the codes of a table, and for the class and the probabilities of each row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sqlglot import exp

from cutwise.errors import ExportError
from cutwise.export.contents import (
    MANY_CUTS,
    bin_groups,
    code_of_category,
    holds_numbers,
    holds_texts,
    text_codes,
    with_numbers,
)
from cutwise.export.dialects import check_names, find_dialect
from cutwise.export.query import (
    StepQuery,
    as_double,
    as_text,
    cast,
    chain,
    class_label,
    double,
    integer,
    is_double_of,
    label,
    largest,
    nearest_below,
    trimmed,
)
from cutwise.scheme import NominalAttribute, NumericAttribute
from cutwise.table.engines.source import require

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from cutwise.export.contents import AdditiveScore
    from cutwise.export.dialects import SQLDialect
    from cutwise.scheme import Attribute, Scheme


def code_query(scheme: Scheme, dialect: str, table: str | Sequence[str], keep: Sequence[str], encode: str) -> str:
    """Return a query for the codes of a table, or for their numbers."""
    query = start_query(scheme, find_dialect(dialect), table, keep)
    return query.text(dict(zip(scheme.names, _encoded_columns(scheme, query.dialect, encode), strict=True)))


def _encoded_columns(scheme: Scheme, dialect: SQLDialect, encode: str) -> list[exp.Expression]:
    """Return the code of each attribute, or its number, computed from v0, v1 and so on."""
    coded, numbers = with_numbers(scheme, encode)
    codes = code_columns(coded, dialect)
    if numbers is None:
        return codes
    return [_number_of_code(code, of_code, dialect) for code, of_code in zip(codes, numbers, strict=True)]


def _number_of_code(code: exp.Expression, numbers: Sequence[float], dialect: SQLDialect) -> exp.Expression:
    ifs = [exp.If(this=integer(place), true=double(number, dialect)) for place, number in enumerate(numbers[:-1])]
    return exp.Case(this=code, ifs=ifs, default=double(numbers[-1], dialect))


def code_selections(
    scheme: Scheme, dialect: str, keep: Sequence[str], encode: str = "ordinal"
) -> tuple[list[str], list[str]]:
    """Return the codes as two selections, one from the other, for engines that take these instead of a query.

    The first is from a table whose columns are called c0, c1 and so on: those to keep, then those
    of the attributes.
    """
    chosen = find_dialect(dialect)
    names = [*keep, *scheme.names]
    check_names(names, chosen)
    kept = [exp.column(f"c{i}") for i in range(len(keep))]
    values = [
        exp.alias_(read_value(attribute, exp.column(f"c{len(keep) + j}"), chosen), f"v{j}")
        for j, attribute in enumerate(scheme.attributes)
    ]
    results = [*kept, *_encoded_columns(scheme, chosen, encode)]
    named = [exp.alias_(value, name, quoted=True) for value, name in zip(results, names, strict=True)]
    first, second = ([item.sql(dialect=chosen.parser) for item in items] for items in ([*kept, *values], named))
    return first, second


def start_query(scheme: Scheme, dialect: SQLDialect, table: str | Sequence[str], keep: Sequence[str]) -> StepQuery:
    """Return a query that has read the values of all attributes, as v0, v1 and so on."""
    if not scheme.attributes:
        raise ExportError("The scheme has no attribute, so there is nothing to select.")
    check_names(scheme.names, dialect)
    query = StepQuery(dialect, table, keep)
    columns = [query.column(attribute.name) for attribute in scheme.attributes]
    pairs = zip(scheme.attributes, columns, strict=True)
    query.read({f"v{j}": read_value(attribute, column, dialect) for j, (attribute, column) in enumerate(pairs)})
    return query


def read_value(attribute: Attribute, column: exp.Column, dialect: SQLDialect) -> exp.Expression:
    """Return a column as a double, or as a string without blanks around it; numbers that are categories stay."""
    if isinstance(attribute, NumericAttribute):
        return as_double(column, dialect)
    if isinstance(attribute, NominalAttribute) and holds_numbers(attribute):
        return column
    if isinstance(attribute, NominalAttribute) and not holds_texts(attribute) and not dialect.casts_booleans:
        return as_text(cast(column, "int"), dialect)
    return trimmed(as_text(column, dialect), dialect)


def code_columns(scheme: Scheme, dialect: SQLDialect) -> list[exp.Expression]:
    """Return the code of each attribute, computed from v0, v1 and so on."""
    columns = []
    for j, attribute in enumerate(scheme.attributes):
        value = exp.column(f"v{j}")
        missing = attribute.n_bins if scheme.missing == "bin" else -1
        if isinstance(attribute, NumericAttribute):
            columns.append(_interval_code(attribute, value, missing, dialect))
        elif isinstance(attribute, NominalAttribute):
            columns.append(_category_code(attribute, value, scheme.missing, dialect))
    return columns


def _interval_code(attribute: NumericAttribute, value: exp.Column, missing: int, dialect: SQLDialect) -> exp.Expression:
    n_cuts = len(attribute.cuts)
    branches = [(is_missing(value, dialect), missing)]
    for code, number in enumerate(attribute.special_values, start=n_cuts + 1):
        if is_double_of(number, dialect):
            branches.append((exp.EQ(this=value.copy(), expression=double(number, dialect)), code))
    ifs = [exp.If(this=test, true=integer(code)) for test, code in branches]
    if n_cuts > MANY_CUTS:
        return exp.Case(ifs=ifs, default=_code_by_cuts(attribute, range(n_cuts + 1), value, dialect))
    cases = [exp.If(this=_is_up_to(cut, value, dialect), true=integer(code)) for code, cut in enumerate(attribute.cuts)]
    return exp.Case(ifs=ifs + cases, default=integer(n_cuts))


def _code_by_cuts(attribute: NumericAttribute, codes: range, value: exp.Column, dialect: SQLDialect) -> exp.Expression:
    """Return which of some codes a value has: first its group of neighbouring bins, then the bin in there."""
    if len(codes) == 1:
        return integer(codes[0])
    groups = bin_groups(codes)
    ifs = [
        exp.If(
            this=_is_up_to(attribute.cuts[group[-1]], value, dialect),
            true=_code_by_cuts(attribute, group, value, dialect),
        )
        for group in groups[:-1]
    ]
    return exp.Case(ifs=ifs, default=_code_by_cuts(attribute, groups[-1], value, dialect))


def _is_up_to(cut: float, value: exp.Column, dialect: SQLDialect) -> exp.Expression:
    return exp.LTE(this=value.copy(), expression=double(nearest_below(cut, dialect), dialect))


def is_missing(value: exp.Expression, dialect: SQLDialect) -> exp.Expression:
    """Return whether a number is NULL or NaN."""
    is_null = exp.Is(this=value.copy(), expression=exp.Null())
    if dialect.nan == "none":
        return is_null
    if dialect.nan == "function":
        return exp.Or(this=is_null, expression=exp.IsNan(this=value.copy()))
    if dialect.nan == "hidden":
        hidden = exp.Case(ifs=[exp.If(this=is_null.copy(), true=exp.Null())], default=value.copy())
        return exp.Or(this=is_null, expression=exp.IsNan(this=hidden))
    if dialect.nan == "condition":
        return exp.Or(this=is_null, expression=exp.Is(this=value.copy(), expression=exp.Var(this="NAN")))
    not_a_number = as_double(exp.Literal.string("NaN"), dialect)
    return exp.Or(this=is_null, expression=exp.EQ(this=value.copy(), expression=not_a_number))


def _category_code(attribute: NominalAttribute, value: exp.Column, missing: str, dialect: SQLDialect) -> exp.Expression:
    """Return the code of a category; one that was never seen has the code -1, whatever a missing value has."""
    is_number = holds_numbers(attribute)
    codes: Mapping[Any, int] = code_of_category(attribute) if is_number else text_codes(attribute, missing)
    labels = [(label(category, dialect), code) for category, code in codes.items()]
    known = [(item, code) for item, code in labels if item is not None]
    if is_number:
        # ClickHouse compares the bits of doubles where CASE has an operand, so that -0.0 is not 0.0.
        known = [(exp.EQ(this=value.copy(), expression=item), code) for item, code in known]
    ifs = [exp.If(this=item, true=integer(code)) for item, code in known]
    found = exp.Case(this=None if is_number else value, ifs=ifs, default=integer(-1)) if ifs else integer(-1)
    if missing != "bin":
        return found
    no_value = as_double(value.copy(), dialect) if is_number else value
    is_gap = is_missing(no_value, dialect) if is_number else exp.Is(this=value.copy(), expression=exp.Null())
    return exp.Case(ifs=[exp.If(this=is_gap, true=integer(attribute.n_bins))], default=found)


def arrow_codes(scheme: Scheme, table: Any, keep: list[str], encode: str) -> Any:
    """Return a relation with the codes of an Arrow dataset or stream."""
    require("duckdb", "engines")
    from cutwise.table.engines.duckdb_relation import relation_of_arrow  # noqa: PLC0415

    return duckdb_codes(scheme, relation_of_arrow(table), keep, encode)


def duckdb_codes(scheme: Scheme, relation: Any, keep: list[str], encode: str) -> Any:
    """Return a relation with the codes of a relation."""
    from cutwise.table.engines.duckdb_relation import quoted  # noqa: PLC0415

    first, second = code_selections(scheme, "duckdb", keep, encode)
    numbered = [f"{quoted(name)} AS c{i}" for i, name in enumerate([*keep, *scheme.names])]
    for selection in (numbered, first, second):
        relation = relation.project(", ".join(selection))
    return relation


def spark_codes(scheme: Scheme, frame: Any, keep: list[str], encode: str) -> Any:
    """Return a data frame of Spark with the codes of one."""
    from cutwise.table.engines.spark_frame import by_place  # noqa: PLC0415

    first, second = code_selections(scheme, "spark", keep, encode)
    return by_place(frame, frame.columns, [*keep, *scheme.names]).selectExpr(*first).selectExpr(*second)


# The logarithm of the smallest ratio of probabilities. PostgreSQL calls a result that
# is nearly 0 an error.
LOWEST = -300.0


def score_query(
    scheme: Scheme, score: AdditiveScore, dialect: str, table: str | Sequence[str], keep: Sequence[str]
) -> str:
    """Return a query for the class of each row and the probability of each class."""
    query = scored_query(scheme, score, dialect, table, keep)
    probabilities = {f"probability_{i}": exp.column(f"p{i}") for i in range(len(score.labels))}
    return query.text({"prediction": prediction(score, query.dialect), **probabilities})


def scored_query(
    scheme: Scheme, score: AdditiveScore, dialect: str, table: str | Sequence[str], keep: Sequence[str]
) -> StepQuery:
    """Return a query that has computed the probability of each class.

    The steps: values, codes c{attribute}, sums s{part}_{class}, their largest m{part}, powers
    e{part}_{class}, the sums of those t{part}, probabilities p{class}, their largest.
    """
    query = start_query(scheme, find_dialect(dialect), table, keep)
    codes = code_columns(scheme, query.dialect)
    query.add("codes", {f"c{j}": code for j, code in enumerate(codes)})
    _add_cells(query, score)
    _add_sums(query, score)
    _add_probabilities(query, score)
    add_largest(query, {"best": [f"p{i}" for i in range(len(score.labels))]}, "best")
    return query


def _add_cells(query: StepQuery, score: AdditiveScore) -> None:
    """Add the group g{attribute} of each attribute that is in a pair, then the cell q{pair} of each pair."""
    if not score.pairs:
        return
    groups = {j: codes for pair in score.pairs for j, codes in zip(pair.attributes, pair.groups, strict=True)}
    query.add("groups", {f"g{j}": _group(j, of_code) for j, of_code in sorted(groups.items())})
    cells = {}
    for k, pair in enumerate(score.pairs):
        first, second = (exp.column(f"g{j}") for j in pair.attributes)
        width = integer(pair.terms.shape[1] + 1)
        cells[f"q{k}"] = exp.Add(this=exp.Mul(this=first, expression=width), expression=second)
    query.add("cells", cells)


def _group(attribute: int, of_code: NDArray[np.int64]) -> exp.Expression:
    """Return the group of an attribute's code; 0 for a code that has none."""
    ifs = [exp.If(this=integer(code), true=integer(int(group))) for code, group in enumerate(of_code) if group]
    return exp.Case(this=exp.column(f"c{attribute}"), ifs=ifs, default=integer(0))


def _add_sums(query: StepQuery, score: AdditiveScore) -> None:
    """Add the sum of each part and class that has any probability."""
    sums = {}
    for k, part in enumerate(score.parts):
        for i in _possible(score, k):
            start = double(part.start[i], query.dialect, exact=False)
            terms = [
                _term(f"c{j}", score.terms_of(part, j)[:, i], query.dialect) for j in range(score.offsets.size - 1)
            ]
            terms += [
                _term(f"q{p}", pair.cells[:, i], query.dialect) for p, pair in enumerate(score.pairs) if pair.part == k
            ]
            sums[f"s{k}_{i}"] = chain(exp.Add, [start, *terms])
    query.add("sums", sums)


def _possible(score: AdditiveScore, k: int) -> list[int]:
    """Return the places of the classes that have any probability in a part."""
    return [int(i) for i in np.flatnonzero(score.parts[k].start > -np.inf)]


def _term(column: str, terms: NDArray[np.float64], dialect: SQLDialect) -> exp.Expression:
    """Return what the code or the cell in a column adds; one that is none of the terms' adds nothing."""
    ifs = [
        exp.If(this=integer(code), true=double(term, dialect, exact=False)) for code, term in enumerate(terms.tolist())
    ]
    return exp.Case(this=exp.column(column), ifs=ifs, default=double(0.0, dialect))


def _add_probabilities(query: StepQuery, score: AdditiveScore) -> None:
    """Add the mixture of the parts' softmaxes."""
    parts = range(len(score.parts))
    places = {k: _possible(score, k) for k in parts}
    add_largest(query, {f"m{k}": [f"s{k}_{i}" for i in places[k]] for k in parts}, "peaks")
    query.add("powers", {f"e{k}_{i}": _power(f"s{k}_{i}", f"m{k}", query.dialect) for k in parts for i in places[k]})
    totals = {f"t{k}": chain(exp.Add, [exp.column(f"e{k}_{i}") for i in places[k]]) for k in parts}
    query.add("totals", totals)
    probabilities = {}
    for i in range(len(score.labels)):
        shares = [_share(score, k, i, query.dialect) for k in parts if i in places[k]]
        probabilities[f"p{i}"] = chain(exp.Add, shares) if shares else double(0.0, query.dialect)
    query.add("probabilities", probabilities)


def add_largest(query: StepQuery, names: dict[str, list[str]], step: str) -> None:
    """Add the largest of some columns, for each new name."""
    found = {name: largest([*map(exp.column, columns)], query.dialect) for name, columns in names.items()}
    query.add(step, found)


def _power(column: str, peak: str, dialect: SQLDialect) -> exp.Expression:
    below = exp.Sub(this=exp.column(column), expression=exp.column(peak))
    return exp.Exp(this=largest([below, double(LOWEST, dialect)], dialect))


def _share(score: AdditiveScore, part: int, place: int, dialect: SQLDialect) -> exp.Expression:
    power, total = exp.column(f"e{part}_{place}"), exp.column(f"t{part}")
    softmax = exp.Div(this=power, expression=total, typed=True, safe=False)
    if len(score.parts) == 1:
        return softmax
    return exp.Mul(this=double(score.parts[part].share, dialect, exact=False), expression=exp.Paren(this=softmax))


def prediction(score: AdditiveScore, dialect: SQLDialect) -> exp.Expression:
    """Return the first class with the largest probability."""
    labels = [class_label(value, dialect) for value in score.labels]
    best = exp.column("best")
    ifs = [
        exp.If(this=exp.EQ(this=exp.column(f"p{i}"), expression=best), true=label)
        for i, label in enumerate(labels[:-1])
    ]
    return exp.Case(ifs=ifs, default=labels[-1]) if ifs else labels[0]
