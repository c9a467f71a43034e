"""Dask data frames: each partition is summed up where it is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import dask
import pandas as pd
import pyarrow as pa

from cutwise.errors import CutwiseError, TableError
from cutwise.table.engines.arrow import ArrowColumns, one_line, plain_batches, plain_schema
from cutwise.table.engines.pandas_frame import frame_batches, text_names
from cutwise.table.engines.source import check_columns

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cutwise.table.engines.source import Summarise

# Partitions whose summaries are held at a time.
_GROUP = 64


@dataclass(frozen=True, eq=False)
class DaskSource(ArrowColumns):
    """A data frame of Dask, with partitions of pandas.

    Parameters
    ----------
    frame : dask.dataframe.DataFrame
    """

    frame: Any

    @cached_property
    def schema(self) -> pa.Schema:
        """The columns as Arrow sees them; a column of objects is taken for one of texts."""
        names = text_names(self.frame)
        return pa.schema([(name, _arrow_type(self.frame.dtypes[name])) for name in names])

    @property
    def types(self) -> dict[str, str]:
        """The type of each column, for messages."""
        return {name: str(self.frame.dtypes[name]) for name in self.names}

    def fold(self, columns: Sequence[str], summarise: Summarise) -> Iterator[Any]:
        """Sum up the partitions with Dask's scheduler, see `Source.fold`."""
        check_columns(self.names, columns)
        schema = plain_schema(self.schema, columns)
        parts = self.frame[list(columns)].to_delayed()
        return _results([dask.delayed(_summary)(part, schema, summarise) for part in parts])


def _summary(part: pd.DataFrame, schema: pa.Schema, summarise: Summarise) -> Any:
    return summarise(plain_batches(frame_batches(part, schema.names), schema))


def _results(tasks: Sequence[Any]) -> Iterator[Any]:
    for start in range(0, len(tasks), _GROUP):
        try:
            results = dask.compute(*tasks[start : start + _GROUP])
        except (CutwiseError, MemoryError):
            raise
        except Exception as error:
            message = f"The Dask frame cannot be read: {one_line(error)}"
            raise TableError(message) from error
        yield from results


def _arrow_type(dtype: Any) -> pa.DataType:
    if str(dtype) == "object":
        return pa.string()
    return pa.Array.from_pandas(pd.Series([], dtype=dtype)).type
