"""Columns: doubles for numeric ones, a category map for nominal ones."""

from __future__ import annotations

import numbers
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.errors import TableError
from cutwise.table.frames import is_frame, kind_of, order_of, series_items, series_list, series_numbers, whole_numbers
from cutwise.table.rounding import tell_rounding, tell_rounding_of_items

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

Label = str | bool | int | float


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
        """Return the place of each item among the categories; -1 for anything else."""
        place: dict[Any, int] = {category: code for code, category in enumerate(categories)}
        items = self.items
        try:
            distinct = dict.fromkeys(items)
        except TypeError:
            items = [item if _is_hashable(item) else None for item in items]
            distinct = dict.fromkeys(items)
        code_of = {item: place.get(_label_or_none(item), -1) for item in distinct}
        return np.fromiter((code_of[item] for item in items), dtype=np.int32, count=len(items))


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
        distinct = [item for item in dict.fromkeys(items) if not is_missing(item)]
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
        if is_missing(item):
            doubles[row] = np.nan
            continue
        doubles[row] = _number(item, name, row)
    tell_rounding_of_items(name, items, doubles)
    return doubles


def _number(item: Any, name: str, row: int) -> float:
    try:
        if not isinstance(item, str | bytes):
            return float(item)
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


def _label(item: Any, name: str) -> Label:
    """Return an item as a text, boolean or number that JSON can hold."""
    if isinstance(item, bytes):
        return item.decode("utf-8", "backslashreplace")
    if isinstance(item, str):
        return str(item)
    if isinstance(item, bool | np.bool_):
        return bool(item)
    if isinstance(item, numbers.Integral):
        return int(item)
    if isinstance(item, numbers.Real) or type(item).__name__ == "Decimal":
        return float(item)
    raise TableError(_cannot_use(name, item))


def _label_or_none(item: Any) -> Label | None:
    """Return an item's label, or None if it stands for no value or cannot be a category."""
    try:
        return None if is_missing(item) else _label(item, "")
    except TableError:
        return None


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
