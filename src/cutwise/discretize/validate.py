"""Checks of the parameters and the parts that only discretizers have."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils import column_or_1d

from cutwise.errors import ColumnWarning
from cutwise.scheme import NominalAttribute
from cutwise.table import plain_vector

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.scheme import Attribute


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


def check_nominal(estimator: Any, attributes: Sequence[Attribute]) -> None:
    """Tell where a nominal column is not what the parameters ask for: each of its categories is a bin.

    Raises
    ------
    ValueError
        If 'special_values' names the column.
    """
    nominal = [attribute for attribute in attributes if isinstance(attribute, NominalAttribute)]
    special = estimator.special_values
    for attribute in nominal:
        if isinstance(special, dict) and len(np.ravel(special.get(attribute.name, ()))):
            message = (
                f"'special_values' names the column {attribute.name!r}, which holds categories, such as "
                f"{', '.join(map(repr, attribute.labels[:2]))}: each of them has a bin of its own already. Take it out."
            )
            raise ValueError(message)
    most = getattr(estimator, "max_bins", None)
    beyond = [] if most is None else [a for a in nominal if a.n_bins > most]
    if beyond:
        first = f"{beyond[0].name!r} with {beyond[0].n_bins:,} categories"
        _warn_of_limit(f"max_bins={most}", first, len(beyond))
    size = getattr(estimator, "min_bin_size", None)
    small = [] if size is None else [a for a in nominal if _smallest(a) < _least(size, a)]
    if small:
        first = f"{small[0].name!r} with a category of {_smallest(small[0]):g} rows"
        _warn_of_limit(f"min_bin_size={size}", first, len(small))


def _smallest(attribute: NominalAttribute) -> float:
    return min(attribute.rows, default=np.inf)


def _least(size: float, attribute: NominalAttribute) -> float:
    """Return the least rows of a bin."""
    total = sum(attribute.rows) + sum(attribute.missing_by_class)
    return size * total if isinstance(size, float) else size


def _warn_of_limit(limit: str, first: str, n_columns: int) -> None:
    more = f" and {n_columns - 1} more" if n_columns > 1 else ""
    message = (
        f"{limit} holds for numeric columns only; each category of a nominal column is a bin, as in {first}{more}. "
        "Join categories before if these are too many."
    )
    warnings.warn(message, ColumnWarning, stacklevel=2)
