"""DuckDB relations; and CSV files, parsed by DuckDB and understood as they are in memory.

A column of a CSV file is one of numbers if all of its strings are numbers or stand for no value; to know that, the
files are scanned once when they are opened.
"""

from __future__ import annotations

import glob
import gzip
import zlib
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from cutwise.categories import BLANKS
from cutwise.errors import TableError
from cutwise.table.engines.arrow import BATCH_ROWS, StreamSource, join_schemas, one_line, single_pieces, title_of
from cutwise.table.engines.arrow_table import open_parquet
from cutwise.table.engines.source import CSV, engine_of, find_files, format_of_files, require
from cutwise.table.reading.columns import check_names
from cutwise.table.reading.csv_file import read_header
from cutwise.table.reading.settings import MISSING, ReadSettings
from cutwise.table.reading.text import NUMBER, text_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


def open_relation(relation: Any) -> StreamSource:
    """Open a relation; DuckDB runs it with its own threads and hands over batches."""
    title = "The DuckDB relation"
    try:
        schema = arrow_reader(relation.limit(0)).schema
    except Exception as error:
        raise TableError(f"{title} cannot be run: {one_line(error)}") from error

    def pieces(columns: Sequence[str]) -> Iterable[list[pa.RecordBatch]]:
        return single_pieces(arrow_reader(relation.project(", ".join(map(quoted, columns)))))

    return StreamSource(title, schema, pieces)


def relation_of_arrow(table: Any) -> Any:
    """Return a relation that reads an Arrow dataset or stream, in DuckDB's default connection.

    Another connection would be closed as soon as nobody holds it, and a relation does not.
    """
    import duckdb  # noqa: PLC0415

    known = engine_of(table) is not None
    return duckdb.from_arrow(table if known else pa.RecordBatchReader.from_stream(table))


def relation_of_files(paths: Any) -> Any:
    """Return a relation that reads files, in DuckDB's default connection.

    That their columns agree is checked here, because DuckDB turns one type into another in silence.
    """
    import duckdb  # noqa: PLC0415

    files = find_files(paths)
    if format_of_files(files) == CSV:
        return duckdb.sql(csv_query(files))
    open_parquet(files)
    return duckdb.read_parquet([glob.escape(file) for file in files], union_by_name=True)


def arrow_reader(relation: Any) -> pa.RecordBatchReader:
    """Return the rows of a relation as a stream."""
    read = getattr(relation, "to_arrow_reader", None) or relation.fetch_record_batch
    return read(BATCH_ROWS)


def quoted(name: str) -> str:
    """Return a name as DuckDB reads it, whatever it holds.

    Examples
    --------
    >>> quoted('3" pipe')
    '"3"" pipe"'
    """
    return '"' + name.replace('"', '""') + '"'


_LOOKED_AT = 1 << 20
_INFINITE = "[+-]?([iI][nN][fF]|[iI][nN][fF][iI][nN][iI][tT][yY])"


@dataclass(frozen=True)
class _File:
    """A file and how it is written."""

    path: str
    header: tuple[str, ...]
    delimiter: str
    decimal: str

    def rows(self) -> str:
        """Return the file's rows of strings as a table of SQL."""
        path = _literal(glob.escape(self.path))
        columns = ", ".join(f"{_literal(name)}: 'VARCHAR'" for name in self.header)
        return (
            f"read_csv({path}, columns = {{{columns}}}, delim = {_literal(self.delimiter)}, "
            "quote = '\"', escape = '\"', header = true, auto_detect = false, strict_mode = true)"
        )

    def word(self, name: str) -> str:
        """Return a column without blanks around its strings, NULL where one stands for no value, as SQL."""
        plain = f"trim({quoted(name)}, {_literal(BLANKS)})"
        return f"CASE WHEN {plain} IN ({', '.join(map(_literal, MISSING))}) THEN NULL ELSE {plain} END"

    def digits(self, name: str) -> str:
        """Return a column with the decimal point that numbers have in SQL; an empty string if it has one already."""
        word = self.word(name)
        if self.decimal == ".":
            return word
        return f"CASE WHEN contains({word}, '.') THEN '' ELSE regexp_replace({word}, ',', '.') END"


def open_csv(files: Sequence[str]) -> StreamSource:
    """Open CSV files, each with a first line of names."""
    found, schema = _look_at_all(files)

    def pieces(columns: Sequence[str]) -> Iterator[list[pa.RecordBatch]]:
        for file in found:
            yield from single_pieces(_rows(file, _values(file, schema, columns)))

    return StreamSource(title_of(files), schema, pieces)


def csv_query(files: Sequence[str]) -> str:
    """Return a query of DuckDB for the values of all files."""
    found, schema = _look_at_all(files)
    return " UNION ALL ".join(f"SELECT {_values(file, schema, schema.names)} FROM {file.rows()}" for file in found)  # noqa: S608


def _look_at_all(files: Sequence[str]) -> tuple[list[_File], pa.Schema]:
    require("duckdb", "engines")
    found = [_look_at(path) for path in files]
    return found, join_schemas((file.path, _types_of(file)) for file in found)


def _values(file: _File, schema: pa.Schema, columns: Sequence[str]) -> str:
    """Return columns of a file as numbers and strings, as SQL."""
    values = []
    for name in columns:
        is_text = pa.types.is_string(schema.field(name).type)
        value = file.word(name) if is_text else f"CAST({file.digits(name)} AS DOUBLE)"
        values.append(f"{value} AS {quoted(name)}")
    return ", ".join(values)


def _look_at(path: str) -> _File:
    name = f"file {path!r}"
    try:
        with gzip.open(path) if path.lower().endswith(".gz") else open(path, "rb") as file:  # noqa: PTH123
            start = file.read(_LOOKED_AT)
    except (OSError, EOFError, zlib.error) as error:
        raise TableError(f"The {name} cannot be read: {one_line(error)}") from None
    if len(start) == _LOOKED_AT:
        start = start[: start.rfind(b"\n") + 1]
    lines = partial(text_lines, start, "utf-8", name)
    dialect, header = read_header(lines, ReadSettings(), name)
    if not next(lines()).strip():
        check_names((), name)  # DuckDB takes the names from the first line, even if it is empty
    return _File(path, header, dialect.delimiter, dialect.decimal)


def _types_of(file: _File) -> pa.Schema:
    """Scan a file for which of its columns hold numbers, strings, or nothing."""
    pattern = _literal(f"{NUMBER.pattern}|{_INFINITE}")
    tests = [f"bool_and(regexp_full_match({file.digits(name)}, {pattern})) AS {quoted(name)}" for name in file.header]
    (batch,) = _rows(file, ", ".join(tests))
    kinds = {None: pa.null(), True: pa.float64(), False: pa.string()}
    return pa.schema([pa.field(name, kinds[batch.column(name)[0].as_py()]) for name in file.header])


def _rows(file: _File, selection: str) -> Iterator[pa.RecordBatch]:
    """Yield what a query selects from a file."""
    import duckdb  # noqa: PLC0415

    with duckdb.connect() as connection:
        try:
            yield from arrow_reader(connection.sql(f"SELECT {selection} FROM {file.rows()}"))  # noqa: S608
        except (duckdb.Error, pa.ArrowException, OSError) as error:
            reason = one_line(str(error).partition("Possible fixes")[0])
            raise TableError(f"The file {file.path!r} cannot be read: {reason}") from error


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
