"""Divergence: how far the bins of training and validation rows drift apart.

A divergence says what it needs of the counts and gives the search its tables. It is a
sum over bins, whatever the way in which the validation part is chosen:

* `SplitDivergence`: the parts are given. One of them is held out, or each in turn;
* `ExpectedDivergence`: the mean over every way of drawing a validation part;
* `NoDivergence`: nothing, for criteria that look at relevance alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from cutwise import kernels
from cutwise.kernels.inputs import Parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from cutwise.counts import CountTable


def jensen_shannon(left: ArrayLike, right: ArrayLike) -> float:
    """Return the Jensen-Shannon divergence of two count vectors in bits, 0 to 1.

    Where one of the vectors has no rows there is nothing to compare: 0.

    Examples
    --------
    >>> from cutwise.criteria import jensen_shannon
    >>> jensen_shannon([4, 0], [0, 4])
    1.0
    """
    first, second = np.asarray(left, dtype=np.float64), np.asarray(right, dtype=np.float64)
    if first.sum() == 0 or second.sum() == 0:
        return 0.0
    first, second = first / first.sum(), second / second.sum()

    def plog2p(shares: NDArray[np.float64]) -> float:
        seen = shares[shares > 0]
        return float((seen * kernels.elementary.log2_of(seen)).sum())

    return (plog2p(first) + plog2p(second)) / 2 - plog2p((first + second) / 2)


def expected_share(rows: int, n_rows: int, n_valid: int) -> float:
    """Return h(rows), a bin's share of the divergence averaged over every split.

    The validation part is any n_valid of the n_rows rows, each choice as likely as the
    next; the bin holds `rows` of them.

    Examples
    --------
    >>> from cutwise.criteria import expected_share
    >>> round(expected_share(5, 12, 4), 8)
    0.05183607
    """
    return float(kernels.terms.expected_share(rows, n_rows, n_valid))


class Divergence(Protocol):
    """What a search needs to know of a divergence."""

    def n_valid(self, n_rows: int) -> int:
        """Return the size of the validation part that is averaged over; 0 for none."""

    def parts(self, table: CountTable) -> Parts | None:
        """Return the rows by value and judged part, if parts are given."""

    def of_bins(self, table: CountTable, ends: NDArray[np.int64]) -> float:
        """Return the divergence in bits of a partition of the table's values."""


@dataclass(frozen=True)
class NoDivergence:
    """A divergence of zero."""

    def n_valid(self, n_rows: int) -> int:  # noqa: ARG002
        """Return 0: no validation part."""
        return 0

    def parts(self, table: CountTable) -> None:
        """Return None: there are no parts."""

    def of_bins(self, table: CountTable, ends: NDArray[np.int64]) -> float:  # noqa: ARG002
        """Return 0."""
        return 0.0


@dataclass(frozen=True)
class ExpectedDivergence:
    """The mean divergence over every validation part of one n_splits-th of the rows."""

    n_splits: int = 9

    def n_valid(self, n_rows: int) -> int:
        """Return the size of the validation part."""
        return max(1, round(n_rows / self.n_splits))

    def parts(self, table: CountTable) -> None:
        """Return None: no part is drawn."""

    def of_bins(self, table: CountTable, ends: NDArray[np.int64]) -> float:
        """Return the sum of h over the bins."""
        counts = table.by_class.by_bin(ends).sum(axis=1)
        n_whole = table.n_whole
        n_valid = self.n_valid(n_whole)
        total = 0.0
        for rows in (counts * (n_whole / max(table.n_rows, 1))).tolist():
            # Fractional weights: on the line between two whole numbers of rows.
            below = min(int(rows), n_whole - 1)
            shares = [expected_share(count, n_whole, n_valid) for count in (below, below + 1)]
            total += shares[0] + (rows - below) * (shares[1] - shares[0])
        return total


@dataclass(frozen=True)
class SplitDivergence:
    """The mean, over the judged parts, of the divergence between a part and the rest."""

    judged: Sequence[int]

    def n_valid(self, n_rows: int) -> int:  # noqa: ARG002
        """Return 0: the validation parts are given, not averaged over."""
        return 0

    def parts(self, table: CountTable) -> Parts:
        """Return the rows by value and judged part."""
        if table.by_part is None:
            message = "The divergence between given parts needs a table that counts by part."
            raise ValueError(message)
        by_part = table.by_part
        slots = np.full(by_part.n_labels, -1, dtype=np.int64)
        slots[list(self.judged)] = np.arange(len(self.judged))
        rows_by_part = by_part.totals()[list(self.judged)]
        return Parts(by_part.starts, by_part.labels, by_part.counts, slots, rows_by_part)

    def of_bins(self, table: CountTable, ends: NDArray[np.int64]) -> float:
        """Return the mean over the judged parts."""
        if table.by_part is None:
            return 0.0
        rows = table.by_part.by_bin(ends)
        every = rows.sum(axis=1)
        apart = [jensen_shannon(every - rows[:, part], rows[:, part]) for part in self.judged]
        return float(np.mean(apart))
