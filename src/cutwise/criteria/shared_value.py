"""A value that all columns of a table share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cutwise.criteria.relevance import mutual_information
from cutwise.criteria.score import Score

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.counts import CountTable


@dataclass(frozen=True)
class SharedValue:
    """The value of a partition of all columns together, beside the relevance of each.

    Parameters
    ----------
    name : str
        What the value measures.
    value : float
    """

    name: str
    value: float

    def score(self, table: CountTable, gaps: NDArray[np.int64]) -> Score:
        """Return the shared value and the relevance of one column with a cut in each of these gaps."""
        ends = table.bin_ends(np.asarray(gaps, dtype=np.int64))
        return Score(self.value, mutual_information(table.by_class.by_bin(ends)), 0.0)
