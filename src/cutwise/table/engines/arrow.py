"""Arrow: what its types are to the library, schemas of several files, and record batches, shared among threads."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from joblib import cpu_count

from cutwise.errors import TableError
from cutwise.table.engines.source import check_columns, check_distinct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    Summarise = Callable[[Iterator[pa.RecordBatch]], Any]
    Pieces = Callable[[Sequence[str]], Iterable[Iterable[pa.RecordBatch]]]

# Bytes of text in one batch of a column.
MOST_TEXT = 1 << 28


def kind_of_type(kind: pa.DataType) -> str:
    """Tell whether a column of this type is numeric, nominal or neither, as in memory.

    Examples
    --------
    >>> kind_of_type(pa.int8()), kind_of_type(pa.bool_()), kind_of_type(pa.date32())
    ('numeric', 'nominal', 'other')
    """
    if pa.types.is_dictionary(kind):
        return "other" if kind_of_type(kind.value_type) == "other" else "nominal"
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind) or pa.types.is_null(kind):
        return "numeric"
    return "nominal" if pa.types.is_boolean(kind) or is_text(kind) else "other"


def content_of_type(kind: pa.DataType) -> str:
    """Tell what the values of a column are: "number", "text", "boolean", "nothing" or "other".

    Examples
    --------
    >>> content_of_type(pa.int8()), content_of_type(pa.dictionary(pa.int8(), pa.string()))
    ('number', 'text')
    """
    if pa.types.is_dictionary(kind):
        return content_of_type(kind.value_type)
    if pa.types.is_null(kind):
        return "nothing"
    if pa.types.is_boolean(kind):
        return "boolean"
    return {"numeric": "number", "nominal": "text"}.get(kind_of_type(kind), "other")


def plain_type(kind: pa.DataType) -> pa.DataType:
    """Return the type in which a column is handed to summaries.

    Examples
    --------
    >>> plain_type(pa.decimal128(10, 2)), plain_type(pa.dictionary(pa.int8(), pa.large_string()))
    (DataType(double), DataType(string))
    """
    if pa.types.is_dictionary(kind):
        return plain_type(kind.value_type)
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind) or pa.types.is_null(kind):
        return pa.float64()
    return pa.string() if is_text(kind) else kind


def common_type(first: pa.DataType, second: pa.DataType) -> pa.DataType | None:
    """Return the type that holds the values of both; None if they are of different kinds.

    Examples
    --------
    >>> common_type(pa.int32(), pa.int64()), common_type(pa.int64(), pa.float32()), common_type(pa.int64(), pa.string())
    (DataType(int64), DataType(double), None)
    """
    if first == second or pa.types.is_null(second):
        return first
    if pa.types.is_null(first):
        return second
    if kind_of_type(first) != kind_of_type(second):
        return None
    plain = plain_type(first), plain_type(second)
    if plain[0] == plain[1]:
        is_category = pa.types.is_dictionary(first) or pa.types.is_dictionary(second)
        return pa.dictionary(pa.int32(), plain[0]) if is_category else plain[0]
    if all(map(pa.types.is_signed_integer, (first, second))):
        return pa.int64()
    return pa.float64() if kind_of_type(first) == "numeric" else None


def plain_batches(batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Yield batches with the columns and types of a schema."""
    for batch in batches:
        arrays = [_plain(batch.column(field.name), field) for field in schema]
        yield pa.RecordBatch.from_arrays(arrays, schema=schema)


def _plain(column: pa.Array, field: pa.Field) -> pa.Array:
    if column.type == field.type:
        return column
    try:
        if pa.types.is_dictionary(column.type):
            _check_texts(column, field.name)
            column = column.dictionary_decode()
        return column.cast(field.type, safe=not pa.types.is_floating(field.type))
    except (pa.ArrowException, ValueError) as error:
        raise TableError(f"Column {field.name!r} cannot be read as {field.type}: {one_line(error)}") from error


def _check_texts(column: pa.DictionaryArray, name: str) -> None:
    """Raise TableError if the strings of a batch, which many rows may share, are too large for the memory."""
    if not is_text(column.type.value_type) or column.dictionary.nbytes * len(column) <= MOST_TEXT:
        return
    lengths = pc.binary_length(column.dictionary).cast(pa.int64())
    n_bytes = pc.sum(lengths.take(column.indices)).as_py() or 0
    if n_bytes > MOST_TEXT:
        raise TableError(
            f"Column {name!r} has {n_bytes >> 20:,} MiB of text in {len(column):,} rows, which is more than is read. "
            "Shorten its strings, or leave it out."
        )


def plain_schema(schema: pa.Schema, columns: Sequence[str]) -> pa.Schema:
    """Return the schema of the batches that summaries get."""
    return pa.schema([pa.field(name, plain_type(schema.field(name).type)) for name in columns])


def one_line(error: Any) -> str:
    """Return what an engine says of an error, shortened."""
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= 300 else text[:300] + " …"


def is_text(kind: pa.DataType) -> bool:
    """Tell whether a column holds strings."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


class ArrowColumns:
    """What a source knows of its columns once it has a schema."""

    schema: pa.Schema

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns in order."""
        return tuple(self.schema.names)

    @property
    def kinds(self) -> dict[str, str]:
        """What each column is: "numeric", "nominal" or "other"."""
        return {field.name: kind_of_type(field.type) for field in self.schema}


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
        raise TableError("The list of files is empty. Name at least one.")
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
            raise TableError(
                f"Column {field.name!r} has the type {field.type} in the file {first!r} and {other} in the file "
                f"{file!r}. {_WHAT_TO_DO}"
            )
        fields.append(pa.field(field.name, kind))
    return pa.schema(fields)


# Rows of a batch. A thread holds one batch of the columns asked for at a time.
BATCH_ROWS = 1 << 17


@dataclass(frozen=True, eq=False)
class StreamSource(ArrowColumns):
    """A source whose batches come to this process.

    Parameters
    ----------
    title : str
        What to call the table in messages.
    schema : pyarrow.Schema
    pieces : callable
        Takes the names of columns and returns pieces of the table with at least these columns, each an
        iterable of batches.
    """

    title: str
    schema: pa.Schema
    pieces: Pieces

    def __post_init__(self) -> None:
        check_distinct(self.schema.names)

    @property
    def types(self) -> dict[str, str]:
        """The type of each column, for messages."""
        return {field.name: str(field.type) for field in self.schema}

    def fold(self, columns: Sequence[str], summarise: Summarise) -> Iterator[Any]:
        """Sum up the table in threads, see `Source.fold`."""
        check_columns(self.names, columns)
        schema = plain_schema(self.schema, columns)
        with self._guard():
            pieces = self.pieces(columns)
        guarded = (plain_batches(self._guarded(piece), schema) for piece in self._guarded(pieces))
        return fold_pieces(guarded, summarise)

    def _guarded(self, items: Iterable[Any]) -> Iterator[Any]:
        with self._guard():
            iterator = iter(items)
            while (item := next(iterator, None)) is not None:
                yield item

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """Turn whatever an engine raises into a TableError."""
        try:
            yield
        except (TableError, MemoryError):
            raise
        except Exception as error:
            raise TableError(f"{self.title} cannot be read: {one_line(error)}") from error


def columns_of(batch: pa.RecordBatch, names: Sequence[str]) -> pa.Table:
    """Return some columns of a batch as a table, which other functions of columns take."""
    return pa.Table.from_batches([batch]).select(list(names))


def places_of(column: pa.Array, labels: Sequence[Any]) -> NDArray[np.int64]:
    """Return the place of each value among labels, -1 for none.

    Examples
    --------
    >>> places_of(pa.array(["b", None, "a"]), ["a", "b"])
    array([ 1, -1,  0])
    """
    places = pc.index_in(column, value_set=pa.array(labels, type=column.type))
    return np.asarray(places.fill_null(-1).to_numpy(zero_copy_only=False), dtype=np.int64)


def single_pieces(batches: Iterable[pa.RecordBatch]) -> Iterator[list[pa.RecordBatch]]:
    """Yield each batch as a piece of its own."""
    for batch in batches:
        yield [batch]


class _StopReading(Exception):  # noqa: N818
    """Another thread has failed, or nobody wants the rest."""


class _SharedPieces:
    """Pieces of a table that threads take one after the other."""

    def __init__(self, pieces: Iterable[Iterable[pa.RecordBatch]]) -> None:
        self._source = iter(pieces)
        self._pieces = enumerate(self._source)
        self._lock = threading.Lock()
        self._stopped = False
        self.error: BaseException | None = None

    def summed_up(self, summarise: Summarise) -> Any:
        """Return what is made of the pieces that one thread takes; remember the first error."""
        try:
            return summarise(TakenBatches(self))
        except BaseException as error:
            if not isinstance(error, _StopReading):
                with self._lock:
                    self.error = self.error or error
            self.stop()
            raise

    def stop(self) -> None:
        """Let no thread read on."""
        self._stopped = True

    def close(self) -> None:
        """Let go of what the pieces come from."""
        close = getattr(self._source, "close", None)
        if close is not None:
            close()

    def next_piece(self) -> tuple[int, Iterable[pa.RecordBatch]] | None:
        """Return the next piece and its place among them; None behind the last."""
        with self._lock:
            self.check()
            return next(self._pieces, None)

    def check(self) -> None:
        """End a thread that is not to read on."""
        if self._stopped:
            raise _StopReading


class TakenBatches:
    """The batches of the pieces that one thread takes; `place` is that of the present piece in the table."""

    def __init__(self, shared: _SharedPieces) -> None:
        self.place, self._batches = 0, self._taken(shared)

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        return self

    def __next__(self) -> pa.RecordBatch:
        return next(self._batches)

    def _taken(self, shared: _SharedPieces) -> Iterator[pa.RecordBatch]:
        while (taken := shared.next_piece()) is not None:
            self.place, piece = taken
            for batch in piece:
                shared.check()
                yield batch


def fold_pieces(
    pieces: Iterable[Iterable[pa.RecordBatch]], summarise: Summarise, n_threads: int | None = None
) -> Iterator[Any]:
    """Yield what each thread makes of the pieces that it took.

    Parameters
    ----------
    pieces : iterable of iterables of RecordBatch
        Advanced by one thread at a time; the batches of different pieces are read side by side.
    summarise : callable
        Called once in each thread, with the batches for it.
    n_threads : int, optional
        By default as many as there are processors.

    Raises
    ------
    Exception
        The first that reading or summing up raises; then no thread reads on.
    """
    shared = _SharedPieces(pieces)
    n_threads = cpu_count() if n_threads is None else n_threads
    try:
        with ThreadPoolExecutor(n_threads, thread_name_prefix="cutwise") as pool:
            futures = [pool.submit(shared.summed_up, summarise) for _ in range(n_threads)]
            try:
                wait(futures)
            finally:
                shared.stop()
    finally:
        shared.close()
    if shared.error is not None:
        raise shared.error
    for future in futures:
        yield future.result()
