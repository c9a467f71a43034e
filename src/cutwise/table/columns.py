"""Columns: doubles for numeric ones, a category map for nominal ones."""

from __future__ import annotations

import numbers
import warnings
from collections import Counter
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.categories import NO_VALUE, category_codes, category_text
from cutwise.errors import ColumnWarning, TableError, UnseenWarning
from cutwise.table.frames import (
    as_frame,
    is_frame,
    kind_of,
    order_of,
    series_items,
    series_list,
    series_numbers,
    whole_numbers,
)
from cutwise.table.reading.text import read_any_number

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

Label = str | bool | int | float
MISSING = -1
UNSEEN = -2


@dataclass(frozen=True, eq=False)
class NumericColumn:
    """A column of numbers; NaN is missing."""

    name: str
    values: NDArray[np.number]


@dataclass(frozen=True, eq=False)
class NominalColumn:
    """A column of categories, as it came."""

    name: str
    items: Sequence[Any]
    categories: tuple[Label, ...]
    # Whether the type of the column puts its categories in this order.
    is_ordered: bool = False

    def codes(self, categories: Sequence[Label]) -> NDArray[np.int32]:
        """Return the place of each item among the categories, MISSING or UNSEEN.

        A string that stands for no value, and is no category, is missing. Warns if most items are
        unseen.
        """
        items = self.items
        try:
            distinct = dict.fromkeys(items)
        except TypeError:
            items = [item if _is_hashable(item) else _NotHashable(item) for item in items]
            distinct = dict.fromkeys(items)
        places = dict.fromkeys(NO_VALUE, MISSING) | category_codes(categories)
        code_of = {item: _code(item, places) for item in distinct}
        codes = np.fromiter((code_of[item] for item in items), dtype=np.int32, count=len(items))
        if UNSEEN in code_of.values():
            unseen = Counter(item for item in items if code_of[item] == UNSEEN)
            warn_of_unseen(self.name, int(np.count_nonzero(codes != MISSING)), unseen, categories)
        return codes


class _NotHashable:
    """An item that cannot be looked up, such as a list."""

    def __init__(self, item: Any) -> None:
        self.item = item

    def __repr__(self) -> str:
        return repr(self.item)


def _code(item: Any, places: dict[str, int]) -> int:
    if is_missing(item):
        return MISSING
    return UNSEEN if isinstance(item, _NotHashable) else places.get(category_text(item), UNSEEN)


Column = NumericColumn | NominalColumn


def read_columns(data: Any, names: Sequence[str], kinds: Sequence[str] | None = None) -> list[Callable[[], Column]]:
    """Return, for each column of a table or a 2-d array, a function that reads it.

    Columns are read one at a time, so that only those in flight take memory.

    Parameters
    ----------
    data : table or ndarray
    names : sequence of str
        The names for messages and results.
    kinds : sequence of {"numeric", "nominal"}, optional
        What each column must be; by default its type, or else its values, decide.
    """
    if is_frame(data):
        sources: list[Any] = series_list(data)
    else:
        sources = [data[:, j] for j in range(data.shape[1])]
    expected: Iterable[str | None] = kinds if kinds is not None else [None] * len(sources)
    return [
        lambda source=source, name=name, kind=kind: read_column(source, name, kind)  # type: ignore[misc]
        for source, name, kind in zip(sources, names, expected, strict=True)
    ]


def read_column(source: Any, name: str, kind: str | None = None) -> Column:
    """Read one column of a table, or a 1-d array."""
    order = None
    if isinstance(source, np.ndarray):
        found = {"b": "nominal", "i": "numeric", "u": "numeric", "f": "numeric", "U": "nominal", "S": "nominal"}.get(
            source.dtype.kind, "unknown"
        )
        if source.dtype.kind in "mM":
            message = (
                f"Column {name!r} holds dates or durations ({source.dtype}). Turn them into numbers first, such as "
                "days since a day of your choice."
            )
            raise TableError(message)
        if found == "numeric" and kind != "nominal":
            tell_rounding(name, source)
            return NumericColumn(name, source)
        items: list[Any] = source.tolist()
    else:
        found = kind_of(source, name)
        if found == "numeric" and kind != "nominal":
            tell_rounding(name, whole_numbers(source))
            return NumericColumn(name, series_numbers(source))
        items, order = series_items(source), order_of(source)
    if kind == "nominal":
        return NominalColumn(name, items, ())
    if kind == "numeric":
        return NumericColumn(name, numbers_of(items, name))
    return _read_items(items, name, order, nominal=found == "nominal")


def _read_items(items: list[Any], name: str, order: Sequence[Any] | None, *, nominal: bool) -> Column:
    """Decide by the values: all numbers make a numeric column, strings or booleans a nominal one.

    The categories are in the order of their type, if it has one, else in ascending order.
    """
    try:
        distinct = [item for item in dict.fromkeys(items) if not is_no_value(item)]
    except TypeError:
        bad = next(item for item in items if not _is_hashable(item))
        raise TableError(_cannot_use(name, bad)) from None
    labels = [_label(item, name) for item in distinct]
    kinds = {_kind(label) for label in labels}
    if kinds <= {"number"} and not nominal:
        return NumericColumn(name, numbers_of(items, name))
    if len(kinds) > 1:
        examples = [next(label for label in labels if _kind(label) == kind) for kind in sorted(kinds)]
        raise TableError(
            f"Column {name!r} mixes kinds of values, such as {' and '.join(map(repr, examples))}. "
            "Turn them all into numbers, or all into text."
        )
    if order is not None:
        seen = set(labels)
        in_order = tuple(label for label in (_label(item, name) for item in order) if label in seen)
        return NominalColumn(name, items, in_order, is_ordered=True)
    return NominalColumn(name, items, tuple(sorted(set(labels))))


def numbers_of(items: Sequence[Any], name: str) -> NDArray[np.float64]:
    """Return items as doubles, NaN where missing; raise TableError for anything else."""
    if not any(isinstance(item, str | bytes) for item in items):
        try:
            doubles = np.array([np.nan if item is None else item for item in items], dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            pass
        else:
            tell_rounding_of_items(name, items, doubles)
            return doubles
    doubles = np.empty(len(items), dtype=np.float64)
    for row, item in enumerate(items):
        if is_no_value(item):
            doubles[row] = np.nan
            continue
        doubles[row] = _number(item, name, row)
    tell_rounding_of_items(name, items, doubles)
    return doubles


def _number(item: Any, name: str, row: int) -> float:
    try:
        if not isinstance(item, str | bytes):
            return float(item)
        number = read_any_number(category_text(item))
        if number is not None:
            return number
    except OverflowError:
        return np.inf if item > 0 else -np.inf
    except (TypeError, ValueError):
        pass
    raise TableError(
        f"Column {name!r}: expected a number, found {item!r} in row {row}. "
        "The column held numbers in fit; turn it into numbers here too."
    )


def is_missing(item: object) -> bool:
    """Tell whether an item stands for no value: None, NaN, NaT or pandas' NA."""
    if item is None or type(item).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(item, float | np.floating) and item != item  # noqa: PLR0124


def is_no_value(item: Any) -> bool:
    """Tell whether an item is missing, or a string that stands for no value."""
    return is_missing(item) or (isinstance(item, str | bytes) and category_text(item) in NO_VALUE)


def _label(item: Any, name: str) -> Label:
    """Return an item as a string, boolean or number that JSON can hold."""
    if isinstance(item, str | bytes):
        return category_text(item)
    if isinstance(item, bool | np.bool_):
        return bool(item)
    if isinstance(item, numbers.Integral):
        return int(item)
    if isinstance(item, numbers.Real) or type(item).__name__ == "Decimal":
        return float(item)
    raise TableError(_cannot_use(name, item))


def _is_hashable(item: object) -> bool:
    try:
        hash(item)
    except TypeError:
        return False
    return True


def _kind(label: Label) -> str:
    if isinstance(label, str):
        return "text"
    return "boolean" if isinstance(label, bool) else "number"


def _cannot_use(name: str, item: object) -> str:
    kind = type(item).__name__
    return (
        f"Column {name!r}: cannot use {item!r} of type {kind}; each argument must be a string, a number or a boolean. "
        "Turn it into one of them."
    )


def typical_values(data: object, weights: NDArray[np.float64] | None = None) -> dict[str, Any]:
    """Return the mean of each numeric column of a frame and the commonest category of the others.

    Of equally common categories the first in order is taken. A column without any value is
    left out.

    Parameters
    ----------
    data : table
    weights : ndarray, optional
        How often each row counts, above 0.

    Examples
    --------
    >>> import pandas as pd
    >>> typical_values(pd.DataFrame({"a": [1.0, None, 4.0], "b": ["y", "x", None], "c": [None, None, None]}))
    {'a': 2.5, 'b': 'x'}
    """
    names = as_frame(data).columns
    found = {name: _typical(read(), weights) for name, read in zip(names, read_columns(data, names), strict=True)}
    return {name: value for name, value in found.items() if value is not None}


def _typical(column: Column, weights: NDArray[np.float64] | None) -> Any:
    if isinstance(column, NumericColumn):
        known = ~np.isnan(column.values)
        values = column.values[known]
        return float(np.average(values, weights=_of(weights, known))) if values.size else None
    codes = column.codes(column.categories)
    known = codes >= 0
    counts = np.bincount(codes[known], weights=_of(weights, known))
    return column.categories[int(counts.argmax())] if counts.size else None


def _of(weights: NDArray[np.float64] | None, rows: NDArray[np.bool_]) -> NDArray[np.float64] | None:
    return None if weights is None else weights[rows]


# All whole numbers up to this one are doubles.
LARGEST_EXACT = 1 << 53


def tell_rounding(name: str, numbers: NDArray[np.number]) -> None:
    """Warn if whole numbers change when they become doubles, so that neighbours fall together."""
    if numbers.dtype.kind not in "iu" or numbers.dtype.itemsize < 8 or not numbers.size:
        return
    if max(int(numbers.max()), -int(numbers.min())) <= LARGEST_EXACT:
        return
    sizes = np.where(numbers < 0, -numbers, numbers).astype(np.uint64) if numbers.dtype.kind == "i" else numbers
    n_lost = np.maximum(np.frexp(sizes.astype(np.float64))[1] - 53, 0).astype(np.uint64)
    is_rounded = sizes & ((np.uint64(1) << n_lost) - np.uint64(1)) != 0
    if is_rounded.any():
        _warn_of_rounding(name, int(numbers[int(np.argmax(is_rounded))]))


def tell_rounding_of_items(name: str, items: Sequence[Any], doubles: NDArray[np.float64]) -> None:
    """Warn if Python's whole numbers, or Decimals, change when they become doubles."""
    for row in np.flatnonzero(np.abs(doubles) >= LARGEST_EXACT).tolist():
        item = items[row]
        is_exact_kind = isinstance(item, Integral) or type(item).__name__ == "Decimal"
        if is_exact_kind and np.isfinite(doubles[row]) and int(doubles[row]) != int(item):
            _warn_of_rounding(name, int(item))
            return


def _warn_of_rounding(name: str, number: int) -> None:
    message = (
        f"Column {name!r} holds whole numbers beyond 2**53, such as {number}, which is rounded to "
        f"{int(float(number))}, as its neighbours are. If they are names, turn the column into text; "
        "if they are measurements, subtract a common number first."
    )
    warnings.warn(message, ColumnWarning, stacklevel=2)


# With fewer values chance alone may bring new categories.
FEWEST = 5


def warn_of_unseen(name: str, n_known: int, unseen: Mapping[Any, int], categories: Sequence[Any]) -> None:
    """Warn if more than half of a column's values are unseen, or numbers have lost their leading zeros.

    Where no category was known, there is nothing that the values could have been.

    Parameters
    ----------
    name : str
        The name of the column.
    n_known : int
        How many values there are, missing ones not counted.
    unseen : mapping
        How often each value occurs that is no category.
    categories : sequence
        Those of the training rows.
    """
    if not categories:
        return
    shortened = _without_zeros(unseen, categories)
    n_unseen = sum(unseen.values())
    if shortened is None and (n_known < FEWEST or 2 * n_unseen <= n_known):
        return
    came, known = shortened or (next(iter(unseen)), categories[0])
    message = (
        f"Column {name!r}: {n_unseen:,} of {n_known:,} values are categories that fit did not see, such as "
        f"{came!r}, where {known!r} was known. They carry no information about the class. "
    )
    if shortened is not None:
        message += "Leading zeros may have been lost: read the column as text, as with dtype={...: str} in pandas."
    else:
        message += "Write the values as they were written in fit, or fit again."
    warnings.warn(message, UnseenWarning, stacklevel=2)


def _without_zeros(unseen: Collection[Any], categories: Sequence[Any]) -> tuple[Any, Any] | None:
    """Return a number that came and the category that it would be with zeros in front; None if there is none."""
    padded = {
        category.lstrip("0") or "0": category
        for category in categories
        if isinstance(category, str) and category.isdecimal() and category.startswith("0") and len(category) > 1
    }
    if not padded:
        return None
    numbers = (value for value in unseen if not isinstance(value, str | bytes))
    return next(((value, padded[text]) for value in numbers if (text := category_text(value)) in padded), None)
