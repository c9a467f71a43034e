"""Checks of the parameters and the parts that only discretizers have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils import column_or_1d

from cutwise.table import plain_vector

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def check_parts(parts: Any, n_rows: int, name: str = "parts") -> NDArray[np.int64]:
    """Return each row's part as a whole number."""
    vector = column_or_1d(np.asarray(plain_vector(parts)))
    if vector.size != n_rows:
        message = f"'{name}' has {vector.size} entries for {n_rows} rows; give one for each row."
        raise ValueError(message)
    whole = vector.astype(np.int64) if vector.dtype.kind in "biuf" else None
    if whole is None or not np.array_equal(whole, vector):
        message = f"'{name}' must be whole numbers, one for each row; got {vector[:3].tolist()} …"
        raise ValueError(message)
    return np.asarray(whole, dtype=np.int64)


def check_special_values(special: Any, names: Sequence[str]) -> list[NDArray[np.float64]]:
    """Return the special values of each column in ascending order."""
    if not isinstance(special, dict):
        values = _special_values([] if special is None else special, "all columns")
        return [values] * len(names)
    unknown = [name for name in special if name not in set(names)]
    if unknown:
        message = f"'special_values' names the column {unknown[0]!r}, but the table has {', '.join(map(repr, names))}."
        raise ValueError(message)
    return [_special_values(special.get(name, []), f"column {name!r}") for name in names]


def _special_values(values: Any, where: str) -> NDArray[np.float64]:
    listed = np.asarray(values).ravel()
    if listed.size and listed.dtype.kind not in "iuf":
        message = f"'special_values' of {where} must be numbers; got {listed.tolist()[0]!r}."
        raise ValueError(message)
    doubles = np.unique(listed.astype(np.float64) + 0.0)
    if not np.isfinite(doubles).all():
        message = (
            f"'special_values' of {where} must be finite; got {doubles[~np.isfinite(doubles)][0]}. "
            "NaN is missing already, see 'missing'."
        )
        raise ValueError(message)
    return doubles
