"""Missing values replaced by what other rows say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.table.columns import NumericColumn, read_columns
from cutwise.table.frames import as_frame

if TYPE_CHECKING:
    from cutwise.table.columns import Column


def typical_values(data: object) -> dict[str, Any]:
    """Return the mean of each numeric column of a frame and the commonest category of the others.

    Of equally common categories the first in order is taken. A column without any value is
    left out.

    Examples
    --------
    >>> import pandas as pd
    >>> typical_values(pd.DataFrame({"a": [1.0, None, 4.0], "b": ["y", "x", None], "c": [None, None, None]}))
    {'a': 2.5, 'b': 'x'}
    """
    names = as_frame(data).columns
    found = {name: _typical(read()) for name, read in zip(names, read_columns(data, names), strict=True)}
    return {name: value for name, value in found.items() if value is not None}


def _typical(column: Column) -> Any:
    if isinstance(column, NumericColumn):
        known = column.values[~np.isnan(column.values)]
        return float(known.mean()) if known.size else None
    codes = column.codes(column.categories)
    known = codes[codes >= 0]
    return column.categories[int(np.bincount(known).argmax())] if known.size else None
