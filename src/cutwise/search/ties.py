"""When two scores are equal, and which of them then wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

TIE_RELATIVE = 1e-9
TIE_ABSOLUTE = 1e-12


def margin(value: float) -> float:
    """Return how far another score must be from this one to differ from it."""
    return TIE_RELATIVE * abs(value) + TIE_ABSOLUTE


def is_better(value: float, other: float) -> bool:
    """Return whether a score is higher than another by more than rounding."""
    return value - other > margin(value)


def first_of_best(values: NDArray[np.float64]) -> int:
    """Return the place of the first score that is as good as the best."""
    best = float(values.max())
    return int(np.argmax(values >= best - margin(best)))
