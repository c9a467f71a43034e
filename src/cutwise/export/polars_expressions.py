"""A scheme as polars expressions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import polars as pl

from cutwise.categories import BLANKS
from cutwise.errors import ExportError
from cutwise.export.contents import has_half_character, holds_numbers, number_codes, text_codes, with_numbers
from cutwise.scheme import NominalAttribute, NumericAttribute

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cutwise.scheme import Scheme


def code_expressions(scheme: Scheme, encode: str) -> list[pl.Expr]:
    """Return the code of each attribute, or its number, under the attribute's name."""
    coded, numbers = with_numbers(scheme, encode)
    codes = _codes(coded)
    if numbers is None:
        return codes
    return [_number_of_code(code, of_code) for code, of_code in zip(codes, numbers, strict=True)]


def _number_of_code(code: pl.Expr, numbers: Sequence[float]) -> pl.Expr:
    old = pl.Series(range(len(numbers) - 1), dtype=pl.Int32)
    return code.replace_strict(old, pl.Series(numbers[:-1]), default=numbers[-1], return_dtype=pl.Float64)


def _codes(scheme: Scheme) -> list[pl.Expr]:
    expressions = []
    for attribute in scheme.attributes:
        column = _column(attribute.name)
        missing = pl.lit(attribute.n_bins if scheme.missing == "bin" else -1, dtype=pl.Int32)
        if isinstance(attribute, NumericAttribute):
            expressions.append(_interval_code(attribute, column, missing).alias(attribute.name))
        elif isinstance(attribute, NominalAttribute):
            expressions.append(_category_code(attribute, column, missing, scheme.missing).alias(attribute.name))
    return expressions


def _column(name: str) -> pl.Expr:
    """Return the column of that name; polars takes some names for patterns."""
    if has_half_character(name):
        message = f"Polars cannot use the name {name!r}: it holds half a character. Rename the column before fitting."
        raise ExportError(message)
    is_pattern = name == "*" or (name.startswith("^") and name.endswith("$"))
    return pl.col(f"^{re.escape(name)}$" if is_pattern else name)


def _interval_code(attribute: NumericAttribute, column: pl.Expr, missing: pl.Expr) -> pl.Expr:
    value = column.cast(pl.Float64)
    n_cuts = len(attribute.cuts)
    zero = pl.when(value.is_null()).then(0).otherwise(0)
    code = pl.sum_horizontal([zero, *((value > cut).cast(pl.Int32) for cut in attribute.cuts)]).cast(pl.Int32)
    for place, number in enumerate(attribute.special_values, start=n_cuts + 1):
        code = pl.when(value == number).then(pl.lit(place, dtype=pl.Int32)).otherwise(code)
    return pl.when(value.is_null() | value.is_nan()).then(missing).otherwise(code)


def _category_code(attribute: NominalAttribute, column: pl.Expr, missing: pl.Expr, policy: str) -> pl.Expr:
    """Return the code of a category; one that was never seen has the code -1, whatever a missing value has."""
    if holds_numbers(attribute):
        value = column.cast(pl.Float64)
        found = _replaced(value, number_codes(attribute), pl.Float64())
        return pl.when(value.is_null() | value.is_nan()).then(missing).otherwise(found)
    value = column.cast(pl.String).str.strip_chars(BLANKS)
    found = _replaced(value, text_codes(attribute, policy), pl.String())
    return pl.when(value.is_null()).then(missing).otherwise(found)


def _replaced(value: pl.Expr, codes: Mapping[Any, int], dtype: pl.DataType) -> pl.Expr:
    unseen = pl.lit(-1, dtype=pl.Int32)
    if not codes:
        return unseen
    old, new = pl.Series(list(codes), dtype=dtype), pl.Series(list(codes.values()), dtype=pl.Int32)
    return value.replace_strict(old, new, default=unseen, return_dtype=pl.Int32)
