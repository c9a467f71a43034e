"""From the parameters of a discretizer to the limits of a search."""

from __future__ import annotations

from numbers import Integral
from typing import Any, Protocol

from sklearn.utils._param_validation import Interval, RealNotInt

from cutwise.estimator import Choices
from cutwise.search import BinLimits

DIRECTIONS = {None: (0,), "increasing": (1,), "decreasing": (-1,), "auto": (1, -1)}
SIZE_CONSTRAINTS: dict[str, list[Any]] = {
    "min_bin_size": [None, Interval(Integral, 1, None, closed="left"), Interval(RealNotInt, 0, 0.5, closed="right")],
    "max_bins": [None, Interval(Integral, 1, None, closed="left")],
}
MONOTONIC_CONSTRAINTS: dict[str, list[Any]] = {
    "monotonic": [None, Choices("auto", "increasing", "decreasing")],
}


class Seen(Protocol):
    """What limits depend on: rows, or the counts of a table."""

    @property
    def classes(self) -> Any:
        """The class labels."""

    @property
    def total_weight(self) -> float:
        """The weight of all rows; without weights their number."""


def limits_of(
    rows: Seen, min_bin_size: float | None, max_bins: int | None, monotonic: str | None = None
) -> tuple[BinLimits, ...]:
    """Return the limits to search under, one for each direction to try."""
    n_classes = len(rows.classes)
    if monotonic is not None and n_classes > 2:
        message = (
            f"monotonic={monotonic!r} is about the rate of one of two classes, but the target y has "
            f"{n_classes} classes. Join classes, or leave 'monotonic' out."
        )
        raise ValueError(message)
    least = 0.0 if min_bin_size is None else float(min_bin_size)
    if isinstance(min_bin_size, float):
        least *= rows.total_weight
    directions = DIRECTIONS[monotonic] if n_classes == 2 else (0,)
    return tuple(BinLimits(max_bins, least, direction) for direction in directions)
