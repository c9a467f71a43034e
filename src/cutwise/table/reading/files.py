"""A file as a frame, whatever its format."""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from pathlib import PurePath
from typing import IO, TYPE_CHECKING, Any

from cutwise.errors import TableError
from cutwise.table.frames import did_you_mean
from cutwise.table.reading import settings
from cutwise.table.reading.arff import read_arff, read_keel
from cutwise.table.reading.binary import read_excel, read_parquet
from cutwise.table.reading.csv_file import read_csv
from cutwise.table.reading.settings import ReadSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


FORMATS: dict[str, Callable[[bytes, ReadSettings, str], Any]] = {
    "csv": read_csv,
    "parquet": read_parquet,
    "excel": read_excel,
    "arff": read_arff,
    "keel": read_keel,
}
_ENDS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".txt": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".xlsx": "excel",
    ".xlsm": "excel",
    ".arff": "arff",
    ".dat": "keel",
}
_BEGINNINGS = {b"PAR1": "parquet", b"PK\x03\x04": "excel"}


def read_table(path: str | Path, settings: ReadSettings | None = None) -> Any:
    r"""Return the table that a file holds.

    Columns in which every value is a number hold doubles, the others strings; a missing value is NaN or null. With
    ``ReadSettings(clean=True)`` more is recognised: see `cutwise.clean_table`.
    A file with a fault is refused as a whole.

    Parameters
    ----------
    path : str or Path
        A CSV, Parquet, Excel (.xlsx), ARFF or KEEL (.dat) file; all but the second and third may be compressed with
        gzip (.gz). "-" is the standard input: CSV, Parquet or Excel, unless the format is named.
    settings : ReadSettings, optional

    Returns
    -------
    table
        A frame of pandas, polars or pyarrow: the first that is installed; of a Parquet file one of pyarrow or polars.

    Raises
    ------
    TableError
        If the file cannot be read; the message names the line or the byte, and says what to do.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> file = Path(tempfile.mkdtemp()) / "people.csv"
    >>> _ = file.write_text("age;city\n37,5;Bonn\n?;Rome\n")
    >>> read_table(file)
        age  city
    0  37.5  Bonn
    1   NaN  Rome
    """
    chosen = ReadSettings() if settings is None else settings
    is_input = str(path) == STANDARD_INPUT
    name = "standard input" if is_input else f"file {str(path)!r}"
    form = chosen.format
    if form is None and not is_input:
        form = _format_of(PurePath(path))
    if form is not None and form not in FORMATS:
        message = f"There is no format {form!r}. Known are {', '.join(FORMATS)}.{did_you_mean(form, list(FORMATS))}"
        raise TableError(message)
    content = read_content(path, name)
    if form is None:
        form = next((known for start, known in _BEGINNINGS.items() if content.startswith(start)), "csv")
    table = FORMATS[form](content, chosen, name)
    if not chosen.clean:
        return table
    from cutwise.table.cleaning import clean_table  # noqa: PLC0415  # which needs the reader of numbers

    return clean_table(table, texts=chosen.texts, decimal=chosen.decimal).table


def _format_of(path: PurePath) -> str:
    ends = [end.lower() for end in path.suffixes]
    if ends and ends[-1] == ".gz":
        ends.pop()
    if ends and ends[-1] == ".xls":
        raise TableError(f"The file {path.name!r} is of an old format of Excel. Save it as .xlsx or CSV.")
    if not ends or ends[-1] not in _ENDS:
        raise TableError(f"Unknown file extension: {path.name!r}. Set format to one of {', '.join(FORMATS)}.")
    return _ENDS[ends[-1]]


STANDARD_INPUT = "-"
_GZIP = b"\x1f\x8b"
_CHUNK = 1 << 20


def read_content(path: str | Path, name: str) -> bytes:
    """Return what a file holds, expanded if it is compressed with gzip.

    Parameters
    ----------
    path : str or Path
        The file, or "-" for the standard input.
    name : str
        What to call it in messages.
    """
    try:
        if str(path) == STANDARD_INPUT:
            content = _bounded(sys.stdin.buffer, name)
        else:
            with open(path, "rb") as file:  # noqa: PTH123  # a path may be a str
                content = _bounded(file, name)
    except FileNotFoundError:
        raise TableError(f"There is no {name}. Check its name and its folder.") from None
    except IsADirectoryError:
        raise TableError(f"The {name} is a folder. Name a file in it.") from None
    except (OSError, ValueError) as error:
        if isinstance(error, TableError):
            raise
        reason = getattr(error, "strerror", None) or error
        raise TableError(f"The {name} cannot be read: {reason}. Check its name and its permissions.") from None
    return expanded(content, name) if content.startswith(_GZIP) else content


def expanded(content: bytes, name: str) -> bytes:
    """Return what compressed bytes expand to; none of it is kept before all of it is known to be little enough."""
    n_bytes = 0
    for chunk in _expanded_chunks(content, name):
        n_bytes += len(chunk)
        if n_bytes > max(settings.FREE_BYTES, settings.MAX_RATIO * len(content)):
            message = f"The {name} expands more than {settings.MAX_RATIO} times. Unpack it first if you trust it."
            raise TableError(message)
        _check_size(n_bytes, name)
    return b"".join(_expanded_chunks(content, name))


def _expanded_chunks(content: bytes, name: str) -> Iterator[bytes]:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as file:
            while chunk := file.read(_CHUNK):
                yield chunk
    except (EOFError, OSError, zlib.error) as error:
        raise TableError(f"The {name} is compressed and damaged: {error}. Make it again.") from None


def _bounded(file: IO[bytes], name: str) -> bytes:
    chunks: list[bytes] = []
    n_bytes = 0
    while chunk := file.read(_CHUNK):
        chunks.append(chunk)
        n_bytes += len(chunk)
        _check_size(n_bytes, name)
    return b"".join(chunks)


def _check_size(n_bytes: int, name: str) -> None:
    if n_bytes > settings.MAX_BYTES:
        raise TableError(
            f"The {name} has more than {settings.MAX_BYTES >> 20:,} MiB. "
            "Take part of its rows or columns, or read it in Python."
        )
