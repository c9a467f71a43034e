"""Which columns of a source are counted, and where their cells must end."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.counting.grid import joined_edges, own_cells
from cutwise.errors import TableError
from cutwise.table.choosing import suggestion

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.sources import Source


def choose_columns(
    source: Source,
    target: str | None,
    columns: Sequence[str] | None,
    parts: str | None,
    weight: str | None = None,
) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the columns to count and those of them that hold categories."""
    apart = [name for name in (target, parts, weight) if name is not None]
    if isinstance(columns, str):
        message = f"'columns' must be a list of names; got the text {columns!r}."
        raise TableError(message)
    names = tuple(name for name in source.names if name not in apart) if columns is None else tuple(columns)
    for name in (*apart, *names):
        if name not in source.names:
            message = f"The table has no column {name!r}{suggestion(str(name), list(source.names))}"
            raise TableError(message)
    every = [*apart, *names]
    repeated = next((name for name in every if every.count(name) > 1), None)
    if repeated is not None:
        message = (
            f"The column {repeated!r} is named twice among 'target', 'parts', 'weight' and 'columns'. Name it once."
        )
        raise TableError(message)
    if not names:
        message = f"The table has 0 columns beside {' and '.join(map(repr, apart))}; at least 1 column is required."
        raise TableError(message)
    for name in every:
        _check_kind(source, name)
    if weight is not None and source.kinds[weight] != "numeric":
        message = f"The column of weights {weight!r} holds no numbers. Name one that tells how often each row counts."
        raise TableError(message)
    return names, frozenset(name for name in names if source.kinds[name] == "nominal")


def _check_kind(source: Source, name: str) -> None:
    if source.kinds[name] == "other":
        kind = getattr(source, "types", {}).get(name, "an unknown one")
        message = (
            f"Column {name!r} has the type {kind}, which is neither number nor category. "
            "Turn it into a number (for a date: days since a day of your choice) or into text, "
            "or leave it out with 'columns'."
        )
        raise TableError(message)


def check_limits(**limits: Any) -> None:
    """Raise unless all limits are whole numbers from 1 on."""
    for name, limit in limits.items():
        if isinstance(limit, bool) or not isinstance(limit, Integral) or limit < 1:
            message = f"{name!r} must be a whole number from 1 on; got {limit!r}."
            raise ValueError(message)


def wanted_edges(numeric: Sequence[str], special_values: Any, edges: Any) -> dict[str, NDArray[np.float64]]:
    """Return the edges that each numeric column must have."""
    own = {name: own_cells(_numbers_for(name, special_values, "special_values")) for name in numeric}
    return {name: joined_edges(own[name], _numbers_for(name, edges, "edges")) for name in numeric}


def _numbers_for(name: str, numbers: Any, what: str) -> NDArray[np.float64]:
    """Return the numbers for a column: from a list for all columns, or from a dict of lists."""
    listed = numbers.get(name, ()) if isinstance(numbers, dict) else numbers
    try:
        return np.asarray(() if listed is None else listed, dtype=np.float64).ravel()
    except (TypeError, ValueError):
        message = f"{what!r} of column {name!r} must be numbers; got {listed!r}."
        raise ValueError(message) from None
