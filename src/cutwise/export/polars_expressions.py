"""A scheme, and a classifier of its codes, as polars expressions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from cutwise.categories import BLANKS
from cutwise.errors import ExportError
from cutwise.export.contents import (
    MANY_CUTS,
    has_half_character,
    holds_numbers,
    number_codes,
    text_codes,
    with_numbers,
)
from cutwise.scheme import NominalAttribute, NumericAttribute

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from cutwise.export.contents import AdditiveScore, PairTerms
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
    if n_cuts > MANY_CUTS:
        code = pl.lit(pl.Series(attribute.cuts)).search_sorted(value, side="left").cast(pl.Int32)
    else:
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


@dataclass(frozen=True, eq=False)
class ScoreSteps:
    """A function of polars frames that computes classes and probabilities in steps.

    One expression for all would repeat the codes for every class, and polars takes minutes to plan that.

    Parameters
    ----------
    first : list of Expr
        What is selected from a frame: the columns to keep, as k0, k1, … and the codes of the attributes.
    steps : list of lists of Expr
        What is added to that, one step after the other.
    last : list of Expr
        What is selected in the end.
    """

    first: list[pl.Expr]
    steps: list[list[pl.Expr]]
    last: list[pl.Expr]

    def __call__(self, frame: Any) -> Any:
        """Return a frame with the columns to keep, "prediction" and the probabilities, lazy if the given one is."""
        frame = frame.select(self.first)
        for step in self.steps:
            frame = frame.with_columns(step)
        return frame.select(self.last)


def score_steps(scheme: Scheme, score: AdditiveScore, keep: Sequence[str]) -> ScoreSteps:
    """Return what computes the class of each row and the probability of each class.

    The steps: codes c{attribute}, groups g{attribute} and cells q{pair}, sums s{part}_{class}, their largest m{part},
    powers e{part}_{class}, the sums of those t{part}, probabilities p{class}, their largest, the class.
    """
    classes = range(len(score.labels))
    results = {"prediction": pl.col("class"), **{f"probability_{i}": pl.col(f"p{i}") for i in classes}}
    return scored_steps(scheme, score, keep, [], results)


def scored_steps(
    scheme: Scheme,
    score: AdditiveScore,
    keep: Sequence[str],
    more: list[list[pl.Expr]],
    results: Mapping[str, pl.Expr],
) -> ScoreSteps:
    """Return the steps of `score_steps` and more of them, and the results by name."""
    if not scheme.attributes:
        raise ExportError("The scheme has no attribute, so there is nothing to select.")
    n_classes, parts = len(score.labels), range(len(score.parts))
    classes = range(n_classes)
    _check_kept(keep, list(results))
    return ScoreSteps(
        first=[
            *(_column(name).alias(f"k{place}") for place, name in enumerate(keep)),
            *(code.alias(f"c{j}") for j, code in enumerate(code_expressions(scheme, "ordinal"))),
        ],
        steps=[
            [_looked_up(f"c{j}", groups).alias(f"g{j}") for j, groups in _groups(score).items()],
            [_cell(pair).alias(f"q{place}") for place, pair in enumerate(score.pairs)],
            [_sum(score, k, i).alias(f"s{k}_{i}") for k in parts for i in classes],
            [pl.max_horizontal(_columns(f"s{k}_", n_classes)).alias(f"m{k}") for k in parts],
            [(pl.col(f"s{k}_{i}") - pl.col(f"m{k}")).exp().alias(f"e{k}_{i}") for k in parts for i in classes],
            [pl.sum_horizontal(_columns(f"e{k}_", n_classes)).alias(f"t{k}") for k in parts],
            [_probability(score, i).alias(f"p{i}") for i in classes],
            [pl.max_horizontal(_columns("p", n_classes)).alias("best")],
            [_prediction(score).alias("class")],
            *more,
        ],
        last=[
            *(pl.col(f"k{place}").alias(name) for place, name in enumerate(keep)),
            *(result.alias(name) for name, result in results.items()),
        ],
    )


def _check_kept(keep: Sequence[str], names: Sequence[str]) -> None:
    if isinstance(keep, str):
        raise ExportError(f"'keep' must be a list of names, not the string {keep!r}.")
    taken = [name for place, name in enumerate(keep) if name in names or name in keep[:place]]
    if taken:
        raise ExportError(f"There would be two columns {taken[0]!r} in the result. Rename it, or do not keep it.")


def _columns(start: str, number: int) -> list[pl.Expr]:
    return [pl.col(f"{start}{i}") for i in range(number)]


def _looked_up(name: str, numbers: NDArray[Any]) -> pl.Expr:
    """Return the number at the place that a column holds; 0 for a place that is not there."""
    dtype = pl.Int32 if numbers.dtype.kind == "i" else pl.Float64
    places, values = pl.Series(np.arange(numbers.size, dtype=np.int32)), pl.Series(numbers, dtype=dtype)
    return pl.col(name).replace_strict(places, values, default=pl.lit(0, dtype=dtype), return_dtype=dtype)


def _groups(score: AdditiveScore) -> dict[int, NDArray[np.int64]]:
    """Return the group of each code of the attributes that are in a pair."""
    return {j: codes for pair in score.pairs for j, codes in zip(pair.attributes, pair.groups, strict=True)}


def _cell(pair: PairTerms) -> pl.Expr:
    first, second = (pl.col(f"g{j}") for j in pair.attributes)
    place: pl.Expr = first * (pair.terms.shape[1] + 1) + second
    return place


def _sum(score: AdditiveScore, k: int, i: int) -> pl.Expr:
    """Return the score of a class in a part."""
    part = score.parts[k]
    n_attributes = len(score.offsets) - 1
    terms = [_looked_up(f"c{j}", score.terms_of(part, j)[:, i]) for j in range(n_attributes)]
    terms += [_looked_up(f"q{p}", pair.cells[:, i]) for p, pair in enumerate(score.pairs) if pair.part == k]
    return pl.sum_horizontal(pl.lit(float(part.start[i])), *terms)


def _probability(score: AdditiveScore, i: int) -> pl.Expr:
    shares = [part.share * pl.col(f"e{k}_{i}") / pl.col(f"t{k}") for k, part in enumerate(score.parts)]
    return pl.sum_horizontal(shares)


def _prediction(score: AdditiveScore) -> pl.Expr:
    """Return the first class with the largest probability."""
    labels = score.labels
    if any(isinstance(label, str) and has_half_character(label) for label in labels):
        message = f"The class labels {labels[:4]!r} cannot be values of polars: one holds half a character. Rename it."
        raise ExportError(message)
    try:
        known = pl.Series(labels)
    except (TypeError, OverflowError, pl.exceptions.PolarsError):
        message = f"The class labels {labels[:4]!r} cannot be values of polars. Use strings or whole numbers."
        raise ExportError(message) from None
    return pl.coalesce(
        pl.when(pl.col(f"p{i}") >= pl.col("best")).then(pl.lit(label, dtype=known.dtype))
        for i, label in enumerate(labels)
    )
