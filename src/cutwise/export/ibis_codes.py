"""Codes as expressions of Ibis, for whatever backend runs them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ibis
from ibis.expr.operations import IsNan

from cutwise.export.contents import (
    MANY_CUTS,
    bin_groups,
    code_of_category,
    holds_numbers,
    text_codes,
    with_numbers,
)
from cutwise.scheme import NominalAttribute, NumericAttribute

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cutwise.scheme import Attribute, Scheme


def ibis_codes(scheme: Scheme, table: Any, keep: list[str], encode: str) -> Any:
    """Return a table of Ibis with the codes of one, or their numbers."""
    has_nan = table.get_backend().has_operation(IsNan)
    coded, numbers = with_numbers(scheme, encode)
    codes = [_code(attribute, table[attribute.name], coded.missing, has_nan) for attribute in scheme.attributes]
    codes = [code.cast("int32") for code in codes]
    if numbers is not None:
        codes = [_number_of_code(code, of_code) for code, of_code in zip(codes, numbers, strict=True)]
    named = [code.name(name) for code, name in zip(codes, scheme.names, strict=True)]
    return table.select(*(table[name] for name in keep), *named)


def _number_of_code(code: Any, numbers: Sequence[float]) -> Any:
    return code.cases(*enumerate(map(_double, numbers[:-1])), else_=_double(numbers[-1]))


def _code(attribute: Attribute, column: Any, missing: str, has_nan: bool) -> Any:  # noqa: FBT001
    missing_code = attribute.n_bins if missing == "bin" else -1
    if isinstance(attribute, NumericAttribute):
        value = column.cast("float64")
        # DuckDB finds no NaN in a column of a Parquet file; see the dialects of SQL.
        hidden = ibis.cases((value.isnull(), ibis.null("float64")), else_=value)
        is_missing = value.isnull() | hidden.isnan() if has_nan else value.isnull()
        return _interval_code(attribute, value, [(is_missing, missing_code)])
    if not isinstance(attribute, NominalAttribute):
        raise TypeError(attribute)
    if holds_numbers(attribute):
        value = column
        codes: Mapping[Any, int] = code_of_category(attribute)
    else:
        value, codes = column.cast("string").strip(), text_codes(attribute, missing)
    found = value.cases(*codes.items(), else_=-1) if codes else ibis.literal(-1)
    return ibis.cases((value.isnull(), missing_code), else_=found)


def _interval_code(attribute: NumericAttribute, value: Any, branches: list[tuple[Any, int]]) -> Any:
    n_cuts = len(attribute.cuts)
    for code, number in enumerate(attribute.special_values, start=n_cuts + 1):
        branches.append((value == _double(number), code))
    if n_cuts > MANY_CUTS:
        return ibis.cases(*branches, else_=_code_by_cuts(attribute, range(n_cuts + 1), value))
    for code, cut in enumerate(attribute.cuts):
        branches.append((value <= _double(cut), code))
    return ibis.cases(*branches, else_=n_cuts)


def _code_by_cuts(attribute: NumericAttribute, codes: range, value: Any) -> Any:
    """Return which of some codes a value has: first its group of neighbouring bins, then the bin in there."""
    if len(codes) == 1:
        return ibis.literal(codes[0])
    groups = bin_groups(codes)
    branches = [
        (value <= _double(attribute.cuts[group[-1]]), _code_by_cuts(attribute, group, value)) for group in groups[:-1]
    ]
    return ibis.cases(*branches, else_=_code_by_cuts(attribute, groups[-1], value))


def _double(number: float) -> Any:
    """Return a number from its text, because some backends read digits as decimals of less precision."""
    return ibis.literal(repr(float(number))).cast("float64")
