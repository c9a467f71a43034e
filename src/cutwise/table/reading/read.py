"""A file as a frame, whatever its format."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from cutwise.errors import TableError
from cutwise.table.choosing import did_you_mean
from cutwise.table.reading.arff import read_arff
from cutwise.table.reading.content import STANDARD_INPUT, read_content
from cutwise.table.reading.csv_file import read_csv
from cutwise.table.reading.excel import read_excel
from cutwise.table.reading.keel import read_keel
from cutwise.table.reading.parquet import read_parquet
from cutwise.table.reading.settings import ReadSettings

if TYPE_CHECKING:
    from collections.abc import Callable
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

    Columns in which every value is a number hold doubles, the others texts; a missing value is NaN or null.
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
        form = _format_of(PurePath(path), name)
    if form is not None and form not in FORMATS:
        message = f"There is no format {form!r}. Known are {', '.join(FORMATS)}.{did_you_mean(form, list(FORMATS))}"
        raise TableError(message)
    content = read_content(path, name)
    if form is None:
        form = next((known for start, known in _BEGINNINGS.items() if content.startswith(start)), "csv")
    return FORMATS[form](content, chosen, name)


def _format_of(path: PurePath, name: str) -> str:
    ends = [end.lower() for end in path.suffixes]
    if ends and ends[-1] == ".gz":
        ends.pop()
    if ends and ends[-1] == ".xls":
        message = f"The {name} is of an old format of Excel. Save it as .xlsx or CSV."
        raise TableError(message)
    if not ends or ends[-1] not in _ENDS:
        message = f"The format of the {name} cannot be told from its name. Name it: --format {', '.join(FORMATS)}."
        raise TableError(message)
    return _ENDS[ends[-1]]
