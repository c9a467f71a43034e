"""Excel's .xlsx files, through openpyxl: values only, no formula is ever computed."""

from __future__ import annotations

import contextlib
import importlib
import io
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


def read_excel(content: bytes, settings: ReadSettings, name: str) -> Any:
    """Return the frame that a sheet of an Excel file holds; its first row has the names."""
    if find_spec("openpyxl") is None:
        message = "Excel files need openpyxl. Install it: pip install 'cutwise[excel]'."
        raise TableError(message)
    _check_expansion(content, name)
    with _opened(content, name) as book:
        sheet = _sheet(book, settings.sheet, name)
        rows = list(_rows(sheet, len(content), name))
    while rows and not rows[-1]:
        rows.pop()
    header = tuple((text or "").strip() for text in rows[0]) if rows else ()
    check_names(header, name)
    table = TextTable(header, lambda: _cut_to(rows[1:], len(header), name))
    return make_table(table, name, texts=settings.texts, missing=frozenset(settings.missing))


def _check_expansion(content: bytes, name: str) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            n_bytes = sum(item.file_size for item in archive.infolist())
    except Exception:  # noqa: BLE001  # zipfile has no common error for the many kinds of damage
        message = f"The {name} is no .xlsx file. Save it as one, or name its format with --format."
        raise TableError(message) from None
    if n_bytes > settings.MAX_BYTES or n_bytes > max(settings.FREE_BYTES, settings.MAX_RATIO * len(content)):
        message = f"The {name} expands to {n_bytes >> 20:,} MiB, which is too much. Save the sheet as CSV."
        raise TableError(message)


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
            message = f"The {name} is damaged: {' '.join(str(error).split())[:200]}. Save it again."
            raise TableError(message) from None


def _sheet(book: Any, asked: str | None, name: str) -> Any:
    names = [sheet.title for sheet in book.worksheets]
    if not names or (asked is not None and asked not in names):
        message = f"The {name} has no sheet {asked!r}; it has {', '.join(map(repr, names))}."
        raise TableError(message)
    return book.worksheets[0 if asked is None else names.index(asked)]


def _rows(sheet: Any, n_bytes: int, name: str) -> Iterator[Sequence[str | None]]:
    """Yield the texts of each row up to its last one; a far cell does not fill the memory with empty ones."""
    sheet.reset_dimensions()  # what the file says of them need not be true
    most = min(settings.MAX_CELLS, max(settings.FREE_CELLS, settings.MAX_RATIO * n_bytes))
    n_cells = 0
    for row in sheet.iter_rows(values_only=True):
        n_cells += len(row) + 1
        if n_cells > most:
            message = f"The {name} has more than {most:,} cells, most of them empty or alike. Save part of it as CSV."
            raise TableError(message)
        yield tuple(_text(value) for value in _without_end(row))


def _text(value: object) -> str | None:
    """Return a cell as a CSV file would hold it."""
    if value is None or isinstance(value, str):
        return value
    return repr(value) if isinstance(value, int | float) else str(value)


def _without_end(row: Sequence[Any]) -> Sequence[Any]:
    """Return a row without the empty cells at its end."""
    width = len(row)
    while width and row[width - 1] in (None, ""):
        width -= 1
    return row[:width]


def _cut_to(rows: Sequence[Sequence[str | None]], width: int, name: str) -> Iterator[list[str | None]]:
    for number, row in enumerate(rows, start=2):
        if len(row) > width:
            message = f"The {name}, row {number}, has a value beside the {width} columns with names. Name its column."
            raise TableError(message)
        yield [*row[:width], *[None] * (width - len(row))]
