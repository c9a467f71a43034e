"""Missing values replaced by what other rows say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.table.columns import NumericColumn, read_columns
from cutwise.table.frames import as_frame

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.table.columns import Column


def typical_values(data: object, weights: NDArray[np.float64] | None = None) -> dict[str, Any]:
    """Return the mean of each numeric column of a frame and the commonest category of the others.

    Of equally common categories the first in order is taken. A column without any value is
    left out.

    Parameters
    ----------
    data : table
    weights : ndarray, optional
        How often each row counts, above 0.

    Examples
    --------
    >>> import pandas as pd
    >>> typical_values(pd.DataFrame({"a": [1.0, None, 4.0], "b": ["y", "x", None], "c": [None, None, None]}))
    {'a': 2.5, 'b': 'x'}
    """
    names = as_frame(data).columns
    found = {name: _typical(read(), weights) for name, read in zip(names, read_columns(data, names), strict=True)}
    return {name: value for name, value in found.items() if value is not None}


def _typical(column: Column, weights: NDArray[np.float64] | None) -> Any:
    if isinstance(column, NumericColumn):
        known = ~np.isnan(column.values)
        values = column.values[known]
        return float(np.average(values, weights=_of(weights, known))) if values.size else None
    codes = column.codes(column.categories)
    known = codes >= 0
    counts = np.bincount(codes[known], weights=_of(weights, known))
    return column.categories[int(counts.argmax())] if counts.size else None


def _of(weights: NDArray[np.float64] | None, rows: NDArray[np.bool_]) -> NDArray[np.float64] | None:
    return None if weights is None else weights[rows]
