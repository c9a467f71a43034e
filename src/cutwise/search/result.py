"""What a search gives back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.counts import CountTable
    from cutwise.criteria import Score


class Step(NamedTuple):
    """One cut that the search tried, and the score of the scheme with it."""

    gap: int
    score: Score


@dataclass(frozen=True)
class Found:
    """The gaps that get a cut, from left to right, and how they were found.

    Parameters
    ----------
    gaps : ndarray of int
        Gap u lies between the distinct values u and u + 1.
    stop : str
        Why the search ended; a key of ``cutwise.scheme.STOP_REASONS``.
    score : Score or None
        The score of the scheme, if the search knows it.
    steps : tuple of Step
        The accepted cuts in the order of their acceptance.
    refused : Step or None
        The best cut that was not good enough.
    n_candidates : int or None
        The number of gaps that were looked at, if not all of them were.
    cuts : ndarray or None
        The cuts themselves, for methods that do not put them by the values beside them.
    """

    gaps: NDArray[np.int64]
    stop: str
    score: Score | None = None
    steps: tuple[Step, ...] = ()
    refused: Step | None = None
    n_candidates: int | None = None
    cuts: NDArray[np.float64] | None = None


def no_gap(table: CountTable) -> Found | None:
    """Return the answer for a table without a gap, else None."""
    if table.n_values > 1:
        return None
    return Found(np.empty(0, dtype=np.int64), "one_value" if table.n_values else "no_values")


def nothing_to_cut(table: CountTable) -> Found | None:
    """Return the answer for a table without a gap or with a single class, else None."""
    found = no_gap(table)
    if found is None and (table.by_class.labels == table.by_class.labels[0]).all():
        return Found(np.empty(0, dtype=np.int64), "one_class")
    return found
