"""One row of a table, in whatever form it comes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.errors import TableError
from cutwise.table import as_frame, is_frame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def read_row(row: Any, names: Sequence[str], *, named: bool) -> NDArray[np.object_]:
    """Return the values of a row in the order of the columns, as an array of one row.

    Parameters
    ----------
    row : mapping, series, table of one row or sequence
        With the names of columns, values may come in any order, and those that are not there
        are missing. Without, there is one for each column, in their order.
    names : sequence of str
        The names of the columns.
    named : bool
        Whether the classifier was fitted with these names, or made them up.
    """
    if is_frame(row):
        frame = as_frame(row)
        _check_single(len(frame))
        pairs = list(zip(frame.columns, frame.row(0), strict=True))
        if not named:
            return _by_place([value for _, value in pairs], names)
    elif hasattr(row, "keys") and hasattr(row, "items"):
        pairs = list(row.items())
    else:
        return _by_place(row, names)
    if not named and not any(isinstance(name, str) for name, _ in pairs):
        return _by_place([value for _, value in pairs], names)
    return _by_name(pairs, names)


def _by_name(pairs: list[tuple[Any, Any]], names: Sequence[str]) -> NDArray[np.object_]:
    values = dict(pairs)
    if len(values) < len(pairs):
        message = "The row has a column name twice. Rename one of them."
        raise TableError(message)
    known = set(names)
    unknown = [name for name in values if name not in known]
    if unknown:
        message = f"The row has a value for {unknown[0]!r}, but the columns are {', '.join(map(repr, names))}."
        raise TableError(message)
    return _array([values.get(name) for name in names])


def _by_place(row: Any, names: Sequence[str]) -> NDArray[np.object_]:
    if isinstance(row, str | bytes) or not hasattr(row, "__len__"):
        message = f"A row is a mapping, a series, a table of one row or a sequence, not {type(row).__name__}."
        raise TypeError(message)
    values = list(row)
    if getattr(row, "ndim", 1) == 2 or (len(values) == 1 and isinstance(values[0], list | tuple | np.ndarray)):
        _check_single(len(values))
        values = list(values[0])
    if len(values) != len(names):
        message = f"The row has {len(values)} values, but there are {len(names)} columns."
        raise ValueError(message)
    return _array(values)


def _check_single(n_rows: int) -> None:
    if n_rows != 1:
        message = f"Only one row can be explained at a time; the table has {n_rows}."
        raise ValueError(message)


def _array(values: list[Any]) -> NDArray[np.object_]:
    array = np.empty((1, len(values)), dtype=object)
    for j, value in enumerate(values):
        array[0, j] = value
    return array
