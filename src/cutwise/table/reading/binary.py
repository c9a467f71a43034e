"""Binary files: Parquet through pyarrow or polars; Excel's .xlsx through openpyxl, which computes no formula."""

from __future__ import annotations

import contextlib
import importlib
import io
import re
import warnings
import zipfile
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from cutwise.errors import TableError
from cutwise.table.reading import settings
from cutwise.table.reading.columns import TextTable, check_names, make_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cutwise.table.reading.settings import ReadSettings

# pandas writes its row labels as such a column.
_ROW_LABELS = re.compile(r"__index_level_\d+__")
# A file of so many bytes is read as fast without threads, which would take memory.
_SMALL = 1 << 22
# Rows that are looked at together.
_AT_ONCE = 1 << 16


def read_parquet(content: bytes, settings: ReadSettings, name: str) -> Any:  # noqa: ARG001  # as every reader
    """Return the frame that a Parquet file holds, of pyarrow or else of polars."""
    if not content.startswith(b"PAR1"):
        raise TableError(f"The {name} is no Parquet file. Set format if it is another one.")
    for library, read in (("pyarrow", with_pyarrow), ("polars", with_polars)):
        if find_spec(library) is not None:
            return read(content, name)
    raise TableError("Parquet files need pyarrow or polars. Install one: pip install 'cutwise[tables]'.")


def with_pyarrow(content: bytes, name: str) -> Any:
    """Return a table of pyarrow."""
    arrow: Any = importlib.import_module("pyarrow")
    parquet: Any = importlib.import_module("pyarrow.parquet")
    try:
        about = parquet.read_metadata(io.BytesIO(content))
        groups = [about.row_group(i) for i in range(about.num_row_groups)]
        n_bytes = sum(group.total_byte_size for group in groups)
        n_entries = sum(group.column(j).num_values for group in groups for j in range(group.num_columns))
        _check_size(max(about.num_rows, n_entries // max(about.num_columns, 1)), about.num_columns, n_bytes, name)
        schema = parquet.read_schema(io.BytesIO(content)).remove_metadata()
        texts = [field.name for field in schema if _may_repeat(field.type, arrow.types)]
        # The words of such a column are read once, however many rows have them.
        file = parquet.ParquetFile(io.BytesIO(content), read_dictionary=texts)
        names = [column for column in schema.names if not _ROW_LABELS.fullmatch(column)]
        read = file.read(columns=names, use_threads=len(content) > _SMALL)
        n_bytes = sum(_decoded_bytes(read.column(column), arrow) for column in texts if column in names)
        _check_size(about.num_rows, about.num_columns, n_bytes, name)
        return read.cast(arrow.schema([schema.field(column) for column in names]))
    except (arrow.ArrowException, OSError, ValueError) as error:
        raise TableError(_problem(error, name)) from None


def _may_repeat(kind: Any, types: Any) -> bool:
    """Return whether a column is of strings or bytes, of which a file may hold one for many rows."""
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_binary(kind))


def _decoded_bytes(column: Any, arrow: Any) -> int:
    """Return how much memory a column takes once every row has its own text."""
    compute: Any = importlib.import_module("pyarrow.compute")
    n_bytes = 0
    for chunk in column.chunks:
        if not arrow.types.is_dictionary(chunk.type):
            return int(column.nbytes)
        lengths = compute.binary_length(chunk.dictionary).cast(arrow.int64())
        for first in range(0, len(chunk), _AT_ONCE):
            n_bytes += compute.sum(lengths.take(chunk.indices.slice(first, _AT_ONCE))).as_py() or 0
    return n_bytes


def with_polars(content: bytes, name: str) -> Any:
    """Return a table of polars."""
    polars: Any = importlib.import_module("polars")
    try:
        schema = polars.read_parquet_schema(io.BytesIO(content))
        n_rows = polars.scan_parquet(io.BytesIO(content)).select(polars.len()).collect().item()
        _check_size(n_rows, len(schema), 0, name)
        names = [column for column in schema if not _ROW_LABELS.fullmatch(column)]
        # Polars holds a string that many rows have only once; whoever reads it will not.
        read = polars.read_parquet(io.BytesIO(content), columns=names)
        lengths = read.select(polars.col(polars.String).str.len_bytes().cast(polars.Int64).sum())
        _check_size(n_rows, len(schema), sum(lengths.row(0)) if lengths.width else 0, name)
    except (polars.exceptions.PolarsError, OSError, ValueError) as error:
        raise TableError(_problem(error, name)) from None
    return read


def _check_size(n_rows: int, n_columns: int, n_bytes: int, name: str) -> None:
    if n_columns > settings.MAX_COLUMNS or n_rows * n_columns > settings.MAX_CELLS or n_bytes > 4 * settings.MAX_BYTES:
        size = f" of {n_bytes >> 20:,} MiB" if n_bytes > 4 * settings.MAX_BYTES else ""
        raise TableError(
            f"The {name} has {n_rows:,} rows and {n_columns:,} columns{size}, which is more than is read. "
            "Take part of them, or read it in Python."
        )


def _problem(error: Exception, name: str) -> str:
    if isinstance(error, TableError):
        return str(error)
    return f"The {name} is no Parquet file that can be read: {' '.join(str(error).split())[:200]}"


def read_excel(content: bytes, settings: ReadSettings, name: str) -> Any:
    """Return the frame that a sheet of an Excel file holds; its first row has the names."""
    if find_spec("openpyxl") is None:
        raise TableError("Excel files need openpyxl. Install it: pip install 'cutwise[excel]'.")
    _check_expansion(content, name)
    with _opened(content, name) as book:
        sheet = _sheet(book, settings.sheet, name)
        rows = list(_rows(sheet, len(content), name))
    while rows and not rows[-1]:
        rows.pop()
    header = tuple((text or "").strip() for text in rows[0]) if rows else ()
    check_names(header, name)
    written = [place for place, column in enumerate(header) if column in settings.written]
    table = TextTable(header, lambda: _cut_to(rows[1:], len(header), name, written))
    return make_table(table, name, texts=settings.texts | settings.written, missing=frozenset(settings.missing))


def _check_expansion(content: bytes, name: str) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            n_bytes = sum(item.file_size for item in archive.infolist())
    except Exception:  # noqa: BLE001  # zipfile has no common error for the many kinds of damage
        raise TableError(f"The {name} is no .xlsx file. Save it as one, or set format if it is another one.") from None
    if n_bytes > settings.MAX_BYTES or n_bytes > max(settings.FREE_BYTES, settings.MAX_RATIO * len(content)):
        raise TableError(f"The {name} expands to {n_bytes >> 20:,} MiB, which is too much. Save the sheet as CSV.")


@contextlib.contextmanager
def _opened(content: bytes, name: str) -> Iterator[Any]:
    """Open a workbook for reading; whatever is wrong with it is a TableError."""
    openpyxl: Any = importlib.import_module("openpyxl")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
            with contextlib.closing(book):
                yield book
        except TableError:
            raise
        except Exception as error:  # noqa: BLE001  # openpyxl has no common error for the many kinds of damage
            raise TableError(f"The {name} is damaged: {' '.join(str(error).split())[:200]}. Save it again.") from None


def _sheet(book: Any, asked: str | None, name: str) -> Any:
    names = [sheet.title for sheet in book.worksheets]
    if not names or (asked is not None and asked not in names):
        raise TableError(f"The {name} has no sheet {asked!r}; it has {', '.join(map(repr, names))}.")
    return book.worksheets[0 if asked is None else names.index(asked)]


def _rows(sheet: Any, n_bytes: int, name: str) -> Iterator[Sequence[str | None]]:
    """Yield the strings of each row up to its last one; a far cell does not fill the memory with empty ones."""
    sheet.reset_dimensions()  # what the file says of them need not be true
    most = min(settings.MAX_CELLS, max(settings.FREE_CELLS, settings.MAX_RATIO * n_bytes))
    n_cells = 0
    for row in sheet.iter_rows(values_only=True):
        n_cells += len(row) + 1
        if n_cells > most:
            message = f"The {name} has more than {most:,} cells, most of them empty or alike. Save part of it as CSV."
            raise TableError(message)
        yield tuple(_text(value) for value in _without_end(row))


class _NumberCell(str):
    """The text of a cell that holds a number."""

    __slots__ = ()


def _text(value: object) -> str | None:
    """Return a cell as a CSV file would hold it."""
    if value is None or isinstance(value, str):
        return value
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return _NumberCell(repr(value)) if is_number else str(value)


def _with_power(cell: str | None) -> str | None:
    """Return a number with a power of ten, whose point is a decimal one whatever those of its column are."""
    return f"{cell}e0" if isinstance(cell, _NumberCell) and "e" not in cell else cell


def _without_end(row: Sequence[Any]) -> Sequence[Any]:
    """Return a row without the empty cells at its end."""
    width = len(row)
    while width and row[width - 1] in (None, ""):
        width -= 1
    return row[:width]


def _cut_to(
    rows: Sequence[Sequence[str | None]], width: int, name: str, written: Sequence[int]
) -> Iterator[list[str | None]]:
    for number, row in enumerate(rows, start=2):
        if len(row) > width:
            message = f"The {name}, row {number}, has a value beside the {width} columns with names. Name its column."
            raise TableError(message)
        cells = [*row[:width], *[None] * (width - len(row))]
        for place in written:
            cells[place] = _with_power(cells[place])
        yield cells
