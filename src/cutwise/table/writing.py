"""Tables to files: CSV that spreadsheets cannot take for formulas, and Parquet."""

from __future__ import annotations

import importlib
import io
from importlib.util import find_spec
from types import NoneType
from typing import TYPE_CHECKING, Any

from cutwise.errors import TableError
from cutwise.table.columns import is_missing
from cutwise.table.reading.text import NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

MOST_KEPT = 100_000
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_text(columns: Mapping[str, Sequence[Any]], *, delimiter: str = ",", raw: bool = False) -> str:
    r"""Return columns as CSV: a header, LF line ends, nothing where a value is missing.

    Parameters
    ----------
    columns : mapping of str to sequence
    delimiter : str, default=","
    raw : bool, default=False
        Whether strings are written as they are. By default a string that a spreadsheet would take for a
        formula gets an apostrophe in front: one that begins with = + - @, a tab or a carriage
        return and is no number.

    Examples
    --------
    >>> csv_text({"a": [1.0, None], "b": ["=1+1", "x"]})
    "a,b\n1,'=1+1\n,x\n"
    """
    cells = _Cells(delimiter, raw=raw)
    texts = [[cells[name], *cells.of_column(values)] for name, values in columns.items()]
    if len(texts) == 1:
        # An empty line would be no row.
        texts = [[text or '""' for text in texts[0]]]
    return "".join(f"{delimiter.join(row)}\n" for row in zip(*texts, strict=True))


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
        raise TableError("Parquet files need pyarrow or polars. Install one: pip install 'cutwise[tables]'.")
    return out.getvalue()


class _Cells(dict[Any, str]):
    """Values as they stand in a file, each made once; those in quotes that need them.

    Parameters
    ----------
    delimiter : str
    raw : bool
        Whether a string that looks like a formula stays as it is.
    """

    def __init__(self, delimiter: str, *, raw: bool) -> None:
        super().__init__()
        self._special = (delimiter, '"', "\r", "\n")
        self._raw = raw

    def of_column(self, values: Sequence[Any]) -> Iterable[str]:
        """Return the values of a column; those of other kinds may be equal and look different, as 1 and True."""
        known = set(map(type, values)) <= {int, str, NoneType}
        return map(self.__getitem__ if known else self.__missing__, values)

    def __missing__(self, value: Any) -> str:
        text = _cell(value, raw=self._raw)
        if any(char in text for char in self._special):
            text = '"' + text.replace('"', '""') + '"'
        if type(value) in {int, str} and len(self) < MOST_KEPT:
            self[value] = text
        return text


def _cell(value: Any, *, raw: bool) -> str:
    if is_missing(value):
        return ""
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    text = str(value)
    if raw or not isinstance(value, str) or not text.startswith(_FORMULA) or NUMBER.fullmatch(text):
        return text
    return f"'{text}"
