"""Columns: doubles for numeric ones, a category map for nominal ones."""

from __future__ import annotations

import numbers
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.categories import NO_VALUE, category_codes, category_text
from cutwise.errors import TableError
from cutwise.table.frames import is_frame, kind_of, order_of, series_items, series_list, series_numbers, whole_numbers
from cutwise.table.reading.number import read_any_number
from cutwise.table.warnings import tell_rounding, tell_rounding_of_items, warn_of_unseen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

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

    def codes(self, categories: Sequence[Label]) -> NDArray[np.int32]:
        """Return the place of each item among the categories, MISSING or UNSEEN.

        A text that stands for no value, and is no category, is missing. Warns if most items are
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
            message = f"Column {name!r} holds dates or durations ({source.dtype}). Turn them into numbers first."
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
    """Decide by the values: all numbers make a numeric column, texts or booleans a nominal one.

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
        message = (
            f"Column {name!r} mixes kinds of values, such as {' and '.join(map(repr, examples))}. "
            "Turn them all into numbers, or all into text."
        )
        raise TableError(message)
    if order is not None:
        seen = set(labels)
        return NominalColumn(
            name, items, tuple(label for label in (_label(item, name) for item in order) if label in seen)
        )
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
    message = (
        f"Column {name!r}: expected a number, found {item!r} in row {row}. "
        "The column held numbers in fit; turn it into numbers here too."
    )
    raise TableError(message)


def is_missing(item: object) -> bool:
    """Tell whether an item stands for no value: None, NaN, NaT or pandas' NA."""
    if item is None or type(item).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(item, float | np.floating) and item != item  # noqa: PLR0124


def is_no_value(item: Any) -> bool:
    """Tell whether an item is missing, or a text that stands for no value."""
    return is_missing(item) or (isinstance(item, str | bytes) and category_text(item) in NO_VALUE)


def _label(item: Any, name: str) -> Label:
    """Return an item as a text, boolean or number that JSON can hold."""
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
