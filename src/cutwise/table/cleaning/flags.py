"""Columns that are not worth learning from: names of rows, constants, texts that hardly repeat."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.categories import category_text
from cutwise.table.cleaning.dates import DATE_FORMATS
from cutwise.table.columns import NumericColumn, is_no_value, read_column
from cutwise.table.frames import as_frame

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

FEWEST = 50
"""With fewer values chance alone may make them all different."""
NEARLY_ALL = 0.99
MANY = 0.5
# So many repeats would be likely among numbers drawn at random from the same range, and hardly any are there.
_EXPECTED, _TIMES = 10.0, 5.0
_DIGITS = 6
_NAME = re.compile(r"(?:^|[_\W])(?:id|ids|uuid|guid|key|rownum|index)$|[a-z]I[dD]$", re.ASCII)


def flag_columns(table: Any, formats: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return why columns are not worth learning from, by name; most columns are not named.

    Parameters
    ----------
    table : table
        A frame of pandas, polars or pyarrow; its columns are numbers and categories, as `clean_table` makes them.
    formats : mapping of str to str, optional
        How columns are written; dates are no identifiers, even if all of them differ.

    Returns
    -------
    dict of str to str
        One value in all rows, an identifier (nearly all values differ and none is a measurement), or text that hardly
        repeats.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = range(100)
    >>> flag_columns(pd.DataFrame({"no": rows, "land": ["de"] * 100, "x": [k * k % 101 / 7 for k in rows]}))
    {'no': 'all of its 100 whole numbers differ: it names the rows', 'land': "it has a single value, 'de'"}
    """
    frame = as_frame(table)
    found = {name: _flag(frame[name], name, (formats or {}).get(name, "")) for name in frame.columns}
    return {name: reason for name, reason in found.items() if reason}


def _flag(series: Any, name: str, form: str) -> str:
    column = read_column(series, name)
    if isinstance(column, NumericColumn):
        values = np.asarray(column.values, dtype=np.float64)
        known = values[~np.isnan(values)]
        distinct = np.unique(known)
        if distinct.size == 1 and known.size == values.size:
            return f"it has a single value, {category_text(float(distinct[0]))}"
        is_name = form not in DATE_FORMATS and _names_rows(known, distinct, name)
        return _all_differ(distinct.size, known.size, "whole numbers") if is_name else ""
    texts = [category_text(item) for item in column.items if not is_no_value(item)]
    return _flag_texts(texts, has_gaps=len(texts) < len(column.items))


def _flag_texts(texts: Sequence[str], *, has_gaps: bool) -> str:
    n_texts, n_distinct = len(texts), len(set(texts))
    # One value or none may be a box that is ticked or not.
    if n_distinct == 1 and not has_gaps:
        return f"it has a single value, {texts[0][:40]!r}"
    if n_texts < FEWEST or n_distinct < MANY * n_texts:
        return ""
    if n_distinct >= NEARLY_ALL * n_texts:
        return _all_differ(n_distinct, n_texts, "texts")
    return f"its texts hardly repeat: {n_distinct:,} of {n_texts:,} differ"


def _all_differ(n_distinct: int, n_values: int, what: str) -> str:
    share = "all" if n_distinct == n_values else "nearly all"
    return f"{share} of its {n_values:,} {what} differ: it names the rows"


def _names_rows(known: NDArray[np.float64], distinct: NDArray[np.float64], name: str) -> bool:
    """Tell whether numbers are names: whole, nearly all different, and in a way in which measurements are not."""
    n = known.size
    if n < FEWEST or distinct.size < NEARLY_ALL * n or not np.isfinite(distinct).all():
        return False
    if not (distinct == np.floor(distinct)).all():
        return False
    if _NAME.search(name) or (np.diff(known) > 0).all():
        return True
    low, high = float(distinct[0]), float(distinct[-1])
    expected = n * (n - 1) / 2 / (high - low + 1)
    if expected >= _EXPECTED and (n - distinct.size) * _TIMES < expected:
        return True
    return low >= 10 ** (_DIGITS - 1) and len(str(int(low))) == len(str(int(high)))
