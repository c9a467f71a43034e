"""What a method says of its search: the criterion, the way to search and the limits."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from sklearn.utils._param_validation import Interval, RealNotInt

from cutwise.estimator import Choices
from cutwise.search import NO_LIMITS, BinLimits

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cutwise.counts import ColumnCounts, JointTable
    from cutwise.criteria import Criterion
    from cutwise.discretize.seen import SeenTable
    from cutwise.scheme import Attribute
    from cutwise.search import SearchResult

DIRECTIONS = {None: (0,), "increasing": (1,), "decreasing": (-1,), "auto": (1, -1)}
SIZE_CONSTRAINTS: dict[str, list[Any]] = {
    "min_bin_size": [None, Interval(Integral, 1, None, closed="left"), Interval(RealNotInt, 0, 0.5, closed="right")],
    "max_bins": [None, Interval(Integral, 1, None, closed="left")],
}
MONOTONIC_CONSTRAINTS: dict[str, list[Any]] = {
    "monotonic": [None, Choices("auto", "increasing", "decreasing")],
}


class ColumnSearch(Protocol):
    """What finds the gaps of one column that get a cut."""

    def run(self, criterion: Any, table: ColumnCounts, limits: BinLimits) -> SearchResult:
        """Search the gaps of one column."""


@dataclass(frozen=True)
class Plan:
    """How the columns are searched, one at a time.

    Parameters
    ----------
    criterion : Criterion
        How a partition is judged.
    search : ColumnSearch
        How the best one is sought.
    limits : tuple of BinLimits
        Of several, the one whose result scores highest is taken.
    settings : mapping, optional
        The parameters that the scheme records; by default those that decide the result.
    check : callable, optional
        Called with the attributes that were learned; raises if they are not what the parameters ask for.
    """

    criterion: Criterion
    search: ColumnSearch
    limits: tuple[BinLimits, ...] = (NO_LIMITS,)
    settings: Mapping[str, Any] | None = None
    check: Callable[[Sequence[Attribute]], None] | None = None


class JointOutcome(NamedTuple):
    """What a search of all columns found.

    Parameters
    ----------
    columns : sequence of SearchResult
        One for each numeric column.
    criterion : Criterion
        What judges the nominal columns.
    finish : callable or None
        Called with the attributes; returns them as they should be, and what is learned beyond them by the names of
        the fitted attributes.
    """

    columns: Sequence[SearchResult]
    criterion: Criterion
    finish: Callable[[list[Attribute]], tuple[list[Attribute], dict[str, Any]]] | None = None


@dataclass(frozen=True)
class JointPlan:
    """How all columns are searched at once.

    Parameters
    ----------
    criterion : Criterion
        What the scores of the scheme measure.
    search : callable
        Takes the rows and the limits, and finds the cuts.
    limits : BinLimits
    settings, check
        As in `Plan`.
    """

    criterion: Criterion
    search: Callable[[JointTable, BinLimits], JointOutcome]
    limits: BinLimits = NO_LIMITS
    settings: Mapping[str, Any] | None = None
    check: Callable[[Sequence[Attribute]], None] | None = None


def limits_of(
    seen: SeenTable, min_bin_size: float | None, max_bins: int | None, monotonic: str | None = None
) -> tuple[BinLimits, ...]:
    """Return the limits to search under, one for each direction to try."""
    n_classes = len(seen.classes)
    if monotonic is not None and n_classes > 2:
        message = (
            f"monotonic={monotonic!r} is about the rate of one of two classes, but the target y has "
            f"{n_classes} classes. Join classes, or leave 'monotonic' out."
        )
        raise ValueError(message)
    least = 0.0 if min_bin_size is None else float(min_bin_size)
    if isinstance(min_bin_size, float):
        least *= seen.total_weight
    directions = DIRECTIONS[monotonic] if n_classes == 2 else (0,)
    return tuple(BinLimits(max_bins, least, direction) for direction in directions)
