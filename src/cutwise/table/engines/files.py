"""Files by path, pattern, folder or list."""

from __future__ import annotations

import glob
import os
import threading
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from cutwise.errors import TableError
from cutwise.table.engines.arrow import common_type, is_text, one_line
from cutwise.table.engines.source import BATCH_ROWS, StreamSource, check_columns, check_distinct

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cutwise.table.engines.source import Source


PARQUET, CSV = "Parquet", "CSV"
_ENDS = {".parquet": PARQUET, ".pq": PARQUET, ".csv": CSV, ".tsv": CSV, ".txt": CSV}


def is_path(table: Any) -> bool:
    """Tell whether files are named instead of a table."""
    return isinstance(table, str | os.PathLike | list | tuple)


def open_files(paths: Any) -> Source:
    """Open files of one format, together one table."""
    files = find_files(paths)
    if format_of_files(files) == PARQUET:
        return open_parquet(files)
    from cutwise.table.engines.csv_files import open_csv  # noqa: PLC0415

    return open_csv(files)


def find_files(paths: Any) -> list[str]:
    """Return the files that a path, a pattern, a folder or a list of them stands for."""
    items = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    if not items:
        message = "The list of files is empty. Name at least one."
        raise TableError(message)
    files = [file for item in items for file in _files_of(item)]
    seen: set[str] = set()
    for file in files:
        if file in seen:
            message = f"The file {file!r} is named twice; its rows would count double. Name it once."
            raise TableError(message)
        seen.add(file)
    return files


def _files_of(item: Any) -> list[str]:
    if not isinstance(item, str | os.PathLike):
        message = f"Expected paths, found {item!r} of type {type(item).__name__} in the list."
        raise TableError(message)
    path = os.fsdecode(item)
    if Path(path).is_file():
        return [path]
    if Path(path).is_dir():
        return _files_below(path)
    if "://" in path:
        message = f"{path!r} is no file of this machine. Open it with DuckDB or as an Arrow dataset, and pass that."
        raise TableError(message)
    found = sorted(file for file in glob.iglob(path, recursive=True) if Path(file).is_file())  # noqa: PTH207
    if not found:
        what = "No file matches the pattern" if glob.has_magic(path) else "There is no file"
        message = f"{what} {path!r}."
        raise TableError(message)
    return found


def _files_below(folder: str) -> list[str]:
    """Return the files of a folder and its folders, without those that engines hide."""
    found = sorted(path for path in Path(folder).rglob("*") if path.is_file())
    shown = [path for path in found if not any(part[0] in "._" for part in path.relative_to(folder).parts)]
    if not shown:
        message = f"The folder {folder!r} holds no files."
        raise TableError(message)
    for path in shown:
        if any("=" in part for part in path.relative_to(folder).parts[:-1]):
            message = (
                f"The folder {folder!r} has columns in the names of its folders, such as {path.parent.name!r}. Pass "
                "pyarrow.dataset.dataset(folder, partitioning='hive') instead."
            )
            raise TableError(message)
    return list(map(str, shown))


def format_of_files(files: Sequence[str]) -> str:
    """Return the format that all files have, told from the ends of their names."""
    formats = {_format_of(file): file for file in reversed(files)}
    if len(formats) > 1:
        shown = " and ".join(f"{file!r} ({form})" for form, file in sorted(formats.items()))
        message = f"Files of one table must have one format, but there are {shown}. Pass one kind of them."
        raise TableError(message)
    return next(iter(formats))


def _format_of(file: str) -> str:
    ends = [end.lower() for end in PurePath(file).suffixes]
    if ends and ends[-1] == ".gz":
        ends.pop()
    form = _ENDS.get(ends[-1]) if ends else None
    if form is None:
        message = f"The format of the file {file!r} cannot be told from its name; it must end in {', '.join(_ENDS)}."
        raise TableError(message)
    return form


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


# What pyarrow raises when a file is not what it should be.
_FAULTS = (pa.ArrowException, OSError, ValueError, LookupError)


def open_parquet(files: Sequence[str]) -> StreamSource:
    """Open Parquet files; their row groups are read side by side."""
    n_groups: dict[str, int] = {}

    def schemas() -> Iterator[tuple[str, pa.Schema]]:
        for path in files:
            with _opened(path) as file:
                n_groups[path] = file.num_row_groups
                yield path, file.schema_arrow.remove_metadata()

    schema = join_schemas(schemas())

    def pieces(columns: Sequence[str]) -> Iterable[Iterator[pa.RecordBatch]]:
        readers = threading.local()
        return (_group_batches(path, group, columns, readers) for path in files for group in range(n_groups[path]))

    return StreamSource(title_of(files), schema, pieces)


def _opened(path: str, words: Sequence[str] = ()) -> pq.ParquetFile:
    try:
        return pq.ParquetFile(path, page_checksum_verification=True, read_dictionary=list(words))
    except FileNotFoundError:
        message = f"The file {path!r} is gone."
        raise TableError(message) from None
    except _FAULTS as error:
        message = f"The file {path!r} is no Parquet file that can be read: {one_line(error)}"
        raise TableError(message) from error


def _group_batches(path: str, group: int, columns: Sequence[str], readers: threading.local) -> Iterator[pa.RecordBatch]:
    """Yield the batches of one row group; each thread keeps the file that it read last open."""
    if getattr(readers, "path", None) != path:
        with _opened(path) as file:
            check_columns(file.schema_arrow.names, columns)
            # The words of a column are read once, however many rows have them; see plain_batches for the rest.
            words = [field.name for field in file.schema_arrow if is_text(field.type)]
        readers.file, readers.path = _opened(path, words), path
    try:
        yield from readers.file.iter_batches(BATCH_ROWS, row_groups=[group], columns=list(columns), use_threads=False)
    except _FAULTS as error:
        message = (
            f"The file {path!r}, row group {group}{_bad_column(path, group, columns)} cannot be read: {one_line(error)}"
        )
        raise TableError(message) from error


def read_through(path: str, columns: Sequence[str]) -> None:
    """Read a file for nothing but the TableError if it cannot be read; it may lack some of the columns."""
    with _opened(path) as file:
        n_groups = file.num_row_groups
        known = set(file.schema_arrow.names)
    readers = threading.local()
    for group in range(n_groups):
        for _ in _group_batches(path, group, [name for name in columns if name in known], readers):
            pass


def _bad_column(path: str, group: int, columns: Sequence[str]) -> str:
    """Return which column of a row group cannot be read, as part of a message."""
    for column in columns:
        try:
            with _opened(path) as file:
                file.read_row_group(group, columns=[column], use_threads=False)
        except (TableError, *_FAULTS):
            return f", column {column!r}"
    return ""
