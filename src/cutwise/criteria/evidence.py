"""Weight of evidence: how far a bin speaks for the second of two classes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from cutwise import kernels

if TYPE_CHECKING:
    from collections.abc import Sequence

SMOOTHING = 0.5
# Two equal shares: of a bin without rows.
NEUTRAL = (1.0, 1.0)


class Evidence(NamedTuple):
    """The weight of evidence of each bin, and the information value of all of them."""

    weights: tuple[float, ...]
    information_value: float


def evidence(counts: Sequence[Sequence[float]]) -> Evidence:
    """Return weights of evidence and information value, with natural logarithms.

    Each count is raised by one half, so that a bin without rows of a class has a finite
    weight. With p and q the shares of a bin among all rows of the second and of the first
    class, its weight is ln(p / q), and the information value is the sum of (p - q) ln(p / q).
    A bin without rows says nothing: its weight is 0, and the others are as if it were not there.

    Parameters
    ----------
    counts : sequence of pairs of numbers
        The rows of each bin by class.

    Examples
    --------
    >>> evidence([(3, 1), (1, 3)])
    Evidence(weights=(-0.847..., 0.847...), information_value=0.677...)
    >>> evidence([(9, 1), (0, 0), (0, 0)])
    Evidence(weights=(0.0, 0.0, 0.0), information_value=0.0)
    """
    first, second = (sum(pair[k] + SMOOTHING for pair in counts if any(pair)) for k in (0, 1))
    shares = [
        ((pair[1] + SMOOTHING) / second, (pair[0] + SMOOTHING) / first) if any(pair) else NEUTRAL for pair in counts
    ]
    weights = tuple(kernels.elementary.log(p / q) for p, q in shares)
    value = math.fsum((p - q) * weight for (p, q), weight in zip(shares, weights, strict=True))
    return Evidence(weights, value)
