"""Tables to files: CSV that spreadsheets cannot take for formulas, and Parquet."""

from __future__ import annotations

import importlib
import io
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from cutwise.errors import TableError
from cutwise.table.columns import is_missing
from cutwise.table.reading.number import NUMBER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_text(columns: Mapping[str, Sequence[Any]], *, delimiter: str = ",", raw: bool = False) -> str:
    r"""Return columns as CSV: a header, LF line ends, nothing where a value is missing.

    Parameters
    ----------
    columns : mapping of str to sequence
    delimiter : str, default=","
    raw : bool, default=False
        Whether texts are written as they are. By default a text that a spreadsheet would take for a
        formula gets an apostrophe in front: one that begins with = + - @, a tab or a carriage
        return and is no number.

    Examples
    --------
    >>> csv_text({"a": [1.0, None], "b": ["=1+1", "x"]})
    "a,b\n1,'=1+1\n,x\n"
    """
    rows = zip(*columns.values(), strict=True)
    lines = ([_cell(value, raw=raw) for value in row] for row in (tuple(columns), *rows))
    return "".join(f"{delimiter.join(_quoted(cells, delimiter))}\n" for cells in lines)


def parquet_bytes(columns: Mapping[str, Sequence[Any]]) -> bytes:
    """Return columns as a Parquet file."""
    out = io.BytesIO()
    data = {name: [None if is_missing(value) else value for value in values] for name, values in columns.items()}
    if find_spec("pyarrow") is not None:
        arrow: Any = importlib.import_module("pyarrow")
        parquet: Any = importlib.import_module("pyarrow.parquet")
        parquet.write_table(arrow.table(data), out)
    elif find_spec("polars") is not None:
        polars: Any = importlib.import_module("polars")
        polars.DataFrame(data).write_parquet(out)
    else:
        message = "Parquet files need pyarrow or polars. Install one: pip install 'cutwise[tables]'."
        raise TableError(message)
    return out.getvalue()


def _quoted(cells: Sequence[str], delimiter: str) -> Sequence[str]:
    """Return the cells of a row, those in quotes that need them."""
    if cells == [""]:
        # An empty line would be no row.
        return ['""']
    special = (delimiter, '"', "\r", "\n")
    return ['"' + cell.replace('"', '""') + '"' if any(char in cell for char in special) else cell for cell in cells]


def _cell(value: Any, *, raw: bool) -> str:
    if is_missing(value):
        return ""
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    text = str(value)
    if raw or not isinstance(value, str) or not text.startswith(_FORMULA) or NUMBER.fullmatch(text):
        return text
    return f"'{text}"
