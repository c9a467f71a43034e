"""One table out of several files: the same columns, of the same kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from cutwise.errors import TableError
from cutwise.table.engines.arrow import common_type
from cutwise.table.engines.source import check_distinct

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


_WHAT_TO_DO = "Make them agree, or leave one of the files out."


def title_of(files: Sequence[str]) -> str:
    """Return what to call files in messages."""
    return f"The file {files[0]!r}" if len(files) == 1 else f"The table of {len(files)} files"


def join_schemas(schemas: Iterable[tuple[str, pa.Schema]]) -> pa.Schema:
    """Return the schema of several files together.

    Parameters
    ----------
    schemas : iterable of (str, pyarrow.Schema)
        The path of each file and its columns.

    Raises
    ------
    TableError
        If a column is absent from a file, or of another kind than in the first one.
    """
    joined: pa.Schema | None = None
    first = ""
    for file, schema in schemas:
        check_distinct(schema.names)
        if joined is None:
            joined, first = schema, file
        else:
            joined = _joined(joined, schema, first, file)
    if joined is None:
        message = "The list of files is empty. Name at least one."
        raise TableError(message)
    return joined


def _joined(joined: pa.Schema, schema: pa.Schema, first: str, file: str) -> pa.Schema:
    for names, others, has, lacks in (
        (joined.names, schema.names, first, file),
        (schema.names, joined.names, file, first),
    ):
        absent = [name for name in names if name not in set(others)]
        if absent:
            message = f"The file {lacks!r} has no column {absent[0]!r}, which the file {has!r} has. {_WHAT_TO_DO}"
            raise TableError(message)
    fields = []
    for field in joined:
        other = schema.field(field.name).type
        kind = common_type(field.type, other)
        if kind is None:
            message = (
                f"Column {field.name!r} has the type {field.type} in the file {first!r} and {other} in the file "
                f"{file!r}. {_WHAT_TO_DO}"
            )
            raise TableError(message)
        fields.append(pa.field(field.name, kind))
    return pa.schema(fields)
