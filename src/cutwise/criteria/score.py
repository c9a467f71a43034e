"""What a criterion says of a partition."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cutwise.counts import CountTable


class Score(NamedTuple):
    """The value of a partition; beside it the relevance and the divergence of its bins in bits.

    The value is the criterion's own, the higher the better. A criterion that does not look
    at the divergence leaves it at 0.
    """

    value: float
    relevance: float
    divergence: float


class Criterion(Protocol):
    """What a discretizer needs to know of the criterion that its search maximises."""

    @property
    def name(self) -> str:
        """What the value measures, for people."""

    def score(self, table: CountTable, gaps: NDArray[np.int64]) -> Score:
        """Return the value of the partition with a cut in each of these gaps."""
