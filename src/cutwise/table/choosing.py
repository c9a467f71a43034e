"""Columns of a frame by name."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from cutwise.errors import TableError
from cutwise.table.frames import as_frame

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_NAMES = 10
# Other words for the same thing.
_SYNONYMS = {
    "ascending": "increasing",
    "descending": "decreasing",
    "falling": "decreasing",
    "one-hot": "onehot",
    "pg": "postgresql",
    "postgres": "postgresql",
    "rising": "increasing",
    "up": "increasing",
    "down": "decreasing",
}


def names_of(data: object) -> list[str]:
    """Return the names of the columns of a frame."""
    return list(as_frame(data).columns)


def n_rows_of(data: object) -> int:
    """Return the number of rows of a frame."""
    return len(as_frame(data))


def items_of(data: object, name: str) -> list[Any]:
    """Return the values of a column as Python objects."""
    check_column(data, name)
    items: list[Any] = as_frame(data)[name].to_list()
    return items


def select_columns(data: object, names: Sequence[str]) -> Any:
    """Return a frame with some columns, in this order."""
    for name in names:
        check_column(data, name)
    return as_frame(data).select(list(names)).to_native()


def check_column(data: object, name: str) -> None:
    """Raise TableError unless a frame has a column of this name."""
    names = names_of(data)
    if name not in names:
        message = f"The table has no column {name!r}{suggestion(name, names)}"
        raise TableError(message)


def suggestion(name: str, names: Sequence[str]) -> str:
    """Return the end of a message about an unknown name.

    Examples
    --------
    >>> suggestion("agee", ["age", "city"])
    ". Did you mean 'age'?"
    >>> suggestion("x", ["age", "city"])
    "; there are 'age', 'city'."
    """
    hint = did_you_mean(name, names)
    if hint:
        return f".{hint}"
    listed = ", ".join(map(repr, names[:MOST_NAMES])) + (", …" if len(names) > MOST_NAMES else "")
    return f"; there are {listed}."


def did_you_mean(name: object, names: Sequence[str]) -> str:
    """Return a question that hints at the right name; nothing if none is near.

    Examples
    --------
    >>> did_you_mean("postgres", ["duckdb", "postgresql"])
    " Did you mean 'postgresql'?"
    >>> did_you_mean("DuckDB", ["duckdb", "postgresql"])
    " Did you mean 'duckdb'?"
    >>> did_you_mean("oracle", ["duckdb", "postgresql"])
    ''
    """
    if not isinstance(name, str):
        return ""
    synonym = _SYNONYMS.get(name.lower(), "")
    close = [synonym] if synonym in names else get_close_matches(name, names, n=1)
    if not close:
        lower = {other.lower(): other for other in names}
        close = [lower[near] for near in get_close_matches(name.lower(), lower, n=1)]
    return f" Did you mean {close[0]!r}?" if close else ""
