"""Weight of evidence: how far a bin speaks for the second of two classes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

SMOOTHING = 0.5


class Evidence(NamedTuple):
    """The weight of evidence of each bin, and the information value of all of them."""

    weights: tuple[float, ...]
    information_value: float


def evidence(counts: Sequence[Sequence[float]]) -> Evidence:
    """Return weights of evidence and information value, with natural logarithms.

    Each count is raised by one half, so that a bin without rows of a class has a finite
    weight. With p and q the shares of a bin among all rows of the second and of the first
    class, its weight is ln(p / q), and the information value is the sum of (p - q) ln(p / q).

    Parameters
    ----------
    counts : sequence of pairs of numbers
        The rows of each bin by class.

    Examples
    --------
    >>> evidence([(3, 1), (1, 3)])
    Evidence(weights=(-0.847..., 0.847...), information_value=0.677...)
    """
    first = [pair[0] + SMOOTHING for pair in counts]
    second = [pair[1] + SMOOTHING for pair in counts]
    totals = sum(second), sum(first)
    shares = [(p / totals[0], q / totals[1]) for p, q in zip(second, first, strict=True)]
    weights = tuple(math.log(p / q) for p, q in shares)
    value = math.fsum((p - q) * weight for (p, q), weight in zip(shares, weights, strict=True))
    return Evidence(weights, value)
