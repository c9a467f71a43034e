"""Spark data frames: summed up on the executors, which need the library too."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from cutwise.errors import CutwiseError, TableError
from cutwise.table.engines.arrow import ArrowColumns, one_line, plain_batches, plain_schema
from cutwise.table.engines.source import check_columns, check_distinct

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cutwise.table.engines.source import Summarise

# The last line of what Python tells of an error, such as "ValueError: no number".
_PYTHON_ERROR = re.compile(r"[A-Za-z_][\w.]*(Error|Exception|Interrupt|Exit)\b")
# Spark's types by name. Others are neither numbers nor categories.
_TYPES = {
    "byte": pa.int8(),
    "short": pa.int16(),
    "integer": pa.int32(),
    "long": pa.int64(),
    "float": pa.float32(),
    "double": pa.float64(),
    "decimal": pa.float64(),
    "void": pa.null(),
    "boolean": pa.bool_(),
    "string": pa.string(),
    "char": pa.string(),
    "varchar": pa.string(),
}


@dataclass(frozen=True, eq=False)
class SparkSource(ArrowColumns):
    """A data frame of Spark."""

    frame: Any

    def __post_init__(self) -> None:
        check_distinct(self.names)

    @property
    def types(self) -> dict[str, str]:
        """The type of each column, for messages."""
        return {field.name: field.dataType.simpleString() for field in self._fields}

    @property
    def schema(self) -> pa.Schema:
        """The columns as Arrow sees them; bytes stand for whatever is no number and no category."""
        return pa.schema([(field.name, _TYPES.get(field.dataType.typeName(), pa.binary())) for field in self._fields])

    @cached_property
    def _fields(self) -> Sequence[Any]:
        """The columns as Spark has them. Spark Connect does not look at files before it is asked for these."""
        try:
            fields: Sequence[Any] = self.frame.schema.fields
        except Exception as error:
            raise _unreadable(error) from error
        return fields

    def fold(self, columns: Sequence[str], summarise: Summarise) -> Iterator[Any]:
        """Sum up the partitions on the executors, see `Source.fold`."""
        check_columns(self.names, columns)
        work = _Work(summarise, plain_schema(self.schema, columns))
        return _results(by_place(self.frame, self.names, columns), work)


def by_place(frame: Any, names: Sequence[str], columns: Sequence[str]) -> Any:
    """Return some columns under new names, c0, c1 and so on, whatever they are called.

    Spark does not tell names apart that differ in case only, and takes dots for paths.
    """
    places = [names.index(column) for column in columns]
    numbered = frame.toDF(*(f"c{place}" for place in range(len(names))))
    return numbered.select(*(f"c{place}" for place in places)).toDF(*(f"c{i}" for i in range(len(places))))


@dataclass(frozen=True)
class _Work:
    """What an executor does with a partition."""

    summarise: Summarise
    schema: pa.Schema

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield one row: the summary, or the error that the library raised, in Spark's own wrapping."""
        from pyspark.serializers import CPickleSerializer  # noqa: PLC0415

        names = self.schema.names
        named = (pa.RecordBatch.from_arrays(batch.columns, names=names) for batch in batches)
        summary: tuple[Any, CutwiseError | None]
        try:
            summary = self.summarise(plain_batches(named, self.schema)), None
        except CutwiseError as error:
            summary = None, error
        wrapped = CPickleSerializer().dumps(summary)
        yield pa.RecordBatch.from_pydict({"summary": pa.array([wrapped], pa.binary())})


def _results(frame: Any, work: _Work) -> Iterator[Any]:
    from pyspark.serializers import CPickleSerializer  # noqa: PLC0415

    # As many summaries as the session would have partitions after a shuffle, so that they fit in the driver.
    most = int(frame.sparkSession.conf.get("spark.sql.shuffle.partitions"))
    try:
        rows = frame.coalesce(most).mapInArrow(work, "summary binary").collect()
    except Exception as error:
        raise _unreadable(error) from error
    for row in rows:
        summary, fault = CPickleSerializer().loads(row.summary)
        if fault is not None:
            raise fault
        yield summary


def _unreadable(error: Exception) -> TableError:
    return TableError(f"The Spark data frame cannot be read: {_reason(error)}")


def _reason(error: Exception) -> str:
    """Return what went wrong, without the calls that led there."""
    # What a server of Spark Connect tells of its own calls comes last.
    message = str(error).partition("\n\nJVM stacktrace:")[0]
    lines = message.splitlines()
    found = [line for line in lines if _PYTHON_ERROR.match(line)]
    if found:
        return one_line(found[-1])
    # What Java tells comes after a line about the call.
    told = [line.removeprefix(": ") for line in lines if line.startswith(": ")]
    return one_line(told[0] if told else message or type(error).__name__)
