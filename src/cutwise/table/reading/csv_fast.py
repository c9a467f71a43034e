"""Large CSV files, divided by pyarrow: the same texts as the careful reader's, or None.

Only files are taken on whose division every reader agrees. Whatever is unusual, faults above all, is
left to the careful reader, which names the line.
"""

from __future__ import annotations

import codecs
import importlib
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.table.reading import limits
from cutwise.table.reading.columns_of_arrow import offsets

if TYPE_CHECKING:
    from numpy.typing import NDArray

LARGE = 1 << 18
"""Smaller files are read carefully: pyarrow takes longer to load."""
DELIMITERS = frozenset(",;\t|")
# A line that is longer than two blocks is left to the careful reader, and its limit is higher.
BLOCK = 1 << 22
# The longest value that Python's csv module takes.
LONGEST = 131_072
_QUOTE, _LINE = ord('"'), ord("\n")


def divided(content: bytes, delimiter: str, n_columns: int) -> list[Any] | None:
    """Return the values of each column without the header, as texts of pyarrow.

    Parameters
    ----------
    content : bytes
        A file in UTF-8.
    delimiter : str
    n_columns : int

    Returns
    -------
    list of pyarrow.ChunkedArray, or None
        None if the file is small or in any way unusual, or pyarrow is not installed.
    """
    if len(content) < LARGE or n_columns < 2 or delimiter not in DELIMITERS or find_spec("pyarrow") is None:
        return None
    plain = content.removeprefix(codecs.BOM_UTF8)
    if not _is_usual(plain, delimiter, n_columns):
        return None
    table = _parsed(plain, delimiter, n_columns)
    if table is None or table.num_columns != n_columns:
        return None
    longest = max((_longest(chunk) for column in table.columns for chunk in column.chunks), default=0)
    return None if longest > LONGEST else [column[1:] for column in table.columns]


def _is_usual(content: bytes, delimiter: str, n_columns: int) -> bool:
    """Return whether lines end in one way and are not too many, and quotes stand where they should."""
    if b"\0" in content or (b"\r" in content and content.count(b"\r") != content.count(b"\r\n")):
        return False
    if (content.count(b"\n") + 1) * n_columns > limits.MAX_CELLS:
        return False
    return b'"' not in content or _has_usual_quotes(np.frombuffer(content, dtype=np.uint8), delimiter)


def _has_usual_quotes(data: NDArray[np.uint8], delimiter: str) -> bool:
    """Return whether quotes open at the beginning of a value, close at its end, and are doubled in between.

    Every other quote opens. One that opens follows a delimiter, a line end or the quote that closed just
    before it, which both stand for one quote in the value.
    """
    places = np.flatnonzero(data == _QUOTE)
    if places.size % 2:
        return False
    around = np.zeros(256, dtype=bool)
    around[[ord(delimiter), _LINE, _QUOTE]] = True
    opening, closing = places[::2], places[1::2]
    before = data[opening[opening > 0] - 1]
    # A carriage return is before a line end only, as was looked at before.
    around_end = around.copy()
    around_end[ord("\r")] = True
    after = data[closing[closing < data.size - 1] + 1]
    return bool(around[before].all() and around_end[after].all())


def _parsed(content: bytes, delimiter: str, n_columns: int) -> Any:
    """Return a table of texts, None where pyarrow finds a fault."""
    arrow: Any = importlib.import_module("pyarrow")
    csv: Any = importlib.import_module("pyarrow.csv")
    try:
        return csv.read_csv(
            arrow.BufferReader(content),
            read_options=csv.ReadOptions(use_threads=False, block_size=BLOCK, autogenerate_column_names=True),
            parse_options=csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
            convert_options=csv.ConvertOptions(
                column_types={f"f{place}": arrow.string() for place in range(n_columns)}, strings_can_be_null=False
            ),
        )
    except arrow.ArrowException:
        return None


def _longest(texts: Any) -> int:
    return int(np.diff(offsets(texts)).max(initial=0))
