"""What every engine offers: names, kinds, and one scan that is summed up in pieces."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Protocol

from cutwise.errors import TableError
from cutwise.table.choosing import suggestion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import pyarrow as pa

    Summarise = Callable[[Iterator[pa.RecordBatch]], Any]


class Source(Protocol):
    """A table, whatever engine holds it."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns in order."""
        ...

    @property
    def kinds(self) -> Mapping[str, str]:
        """What each column is to ``fit``: "numeric", "nominal" or "other".

        Whole numbers, floats and decimals are numeric; texts, categories and booleans are
        nominal. Anything else, such as a date, is refused by ``fit``.
        """
        ...

    @property
    def schema(self) -> pa.Schema:
        """The columns as Arrow sees them."""
        ...

    @property
    def types(self) -> Mapping[str, str]:
        """The type of each column, for messages."""
        ...

    def fold(self, columns: Sequence[str], summarise: Summarise) -> Iterator[Any]:
        """Sum up the table in one scan.

        Parameters
        ----------
        columns : sequence of str
            The columns to read.
        summarise : callable
            Takes an iterator over record batches with just these columns and returns what it
            makes of them. It is called several times, in threads here or on the workers of the
            engine, so that it must be picklable; some iterators may be empty. Columns come as
            whole numbers, float64, bool or string (decimals as float64, categories as what they
            stand for, columns without any value as float64), with null where a value is missing.

        Yields
        ------
        object
            What each call returned, in any order.
        """
        ...


def check_columns(names: Sequence[str], columns: Sequence[str]) -> None:
    """Raise TableError unless a table has these columns and each is asked for once."""
    known = set(names)
    for column in columns:
        if column not in known:
            message = f"The table has no column {column!r}{suggestion(str(column), list(names))}"
            raise TableError(message)
    check_distinct(columns)


def check_distinct(names: Sequence[str]) -> None:
    """Raise TableError if two columns have the same name."""
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        shown = ", ".join(map(repr, repeated[:4]))
        message = f"Column names must differ; {shown} appears more than once. Rename it."
        raise TableError(message)
