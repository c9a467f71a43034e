"""Codes of data frames: expressions for polars, the library's own functions for the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cutwise.encode import encode_columns

if TYPE_CHECKING:
    from cutwise.scheme import Scheme


def polars_codes(scheme: Scheme, frame: Any, keep: list[str]) -> Any:
    """Return a frame of polars, lazy if it was."""
    from polars import selectors  # noqa: PLC0415

    return frame.select(selectors.by_name(*keep), *scheme.to_polars())


def pandas_codes(scheme: Scheme, frame: Any, keep: list[str]) -> Any:
    """Return a frame of pandas with the same row labels."""
    import pandas as pd  # noqa: PLC0415

    names = list(scheme.names)
    codes = pd.DataFrame(encode_columns(scheme, frame[names]), columns=names, index=frame.index)
    return pd.concat([frame[keep], codes], axis=1)


def dask_codes(scheme: Scheme, frame: Any, keep: list[str]) -> Any:
    """Return a frame of Dask, each partition of which is encoded when it is computed."""
    meta = {**{name: frame.dtypes[name] for name in keep}, **dict.fromkeys(scheme.names, "int32")}
    return frame.map_partitions(_codes_of_part, scheme, keep, meta=meta)


def _codes_of_part(part: Any, scheme: Scheme, keep: list[str]) -> Any:
    return pandas_codes(scheme, part, keep)


def arrow_codes(scheme: Scheme, table: Any, keep: list[str]) -> Any:
    """Return a table of Arrow."""
    import pyarrow as pa  # noqa: PLC0415

    if isinstance(table, pa.RecordBatch):
        table = pa.Table.from_batches([table])
    names = list(scheme.names)
    codes = encode_columns(scheme, table.select(names))
    fields = [*(table.schema.field(name) for name in keep), *(pa.field(name, pa.int32()) for name in names)]
    arrays = [*(table.column(name) for name in keep), *(pa.array(codes[:, j]) for j in range(len(names)))]
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields))
