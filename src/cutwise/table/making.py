"""Tables out of lists, for the table library that the user has."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal

import narwhals.stable.v2 as nw

from cutwise.errors import TableError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

Library = Literal["pandas", "polars", "pyarrow"]
LIBRARIES: tuple[Library, ...] = ("pandas", "polars", "pyarrow")


def choose_library(asked: str | None) -> Library:
    """Return the table library to use: the one asked for, else the first that is installed."""
    if asked is not None and asked not in LIBRARIES:
        message = f"There is no table library {asked!r} here; choose one of {', '.join(map(repr, LIBRARIES))}."
        raise TableError(message)
    for library in LIBRARIES:
        if asked in {None, library} and find_spec(library) is not None:
            return library
    missing = "No table library is installed" if asked is None else f"The table library {asked!r} is not installed"
    message = f"{missing}. Install one: pip install 'cutwise[tables]'."
    raise TableError(message)


def make_frame(columns: Mapping[str, Sequence[Any]], texts: Collection[str], library: Library) -> Any:
    """Return a table of the library.

    Parameters
    ----------
    columns : mapping of str to sequence
        The values of each column; None where one is missing.
    texts : collection of str
        The columns of texts; the others hold doubles.
    library : {"pandas", "polars", "pyarrow"}
    """
    kinds = {name: nw.String() if name in texts else nw.Float64() for name in columns}
    return nw.from_dict(columns, schema=kinds, backend=library).to_native()
