"""Groups of categories: a nominal column is put in an order and then searched like a numeric one.

With two classes, the order is that of the rate of the second: for a criterion that is a sum of concave terms over bins,
the best grouping has no other groups than runs of that order (Breiman and others 1984). With more classes there is no
such order. The categories are then put along the direction in which their class rates differ most, the first axis of
a correspondence analysis, which for two classes is the rate; single categories then move to the group whose rates fit
theirs best, as long as the criterion rises. Merging of pairs would take the square of the number of categories.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cutwise import kernels
from cutwise.discretize.limits import Judged
from cutwise.search.result import is_better

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.counts import ColumnCounts
    from cutwise.criteria import Criterion, Score
    from cutwise.discretize.attributes import Plan
    from cutwise.discretize.limits import Trials
    from cutwise.search import SearchResult


class FoundGroups(NamedTuple):
    """The groups of a column.

    Parameters
    ----------
    codes : ndarray of int
        The group of each category.
    order : ndarray of int
        The categories in the order in which a group names them.
    score : Score
    stop : str
        Why the search ended.
    p_values : tuple of float
        How sure the parting of each group from the one before is; empty if that was not tested.
    """

    codes: NDArray[np.int64]
    order: NDArray[np.int64]
    score: Score
    stop: str
    p_values: tuple[float, ...]


def find_groups(
    table: ColumnCounts, plan: Plan, trials: Trials, *, is_ordered: bool, max_categories: int | None
) -> FoundGroups:
    """Search the groups of a nominal column, whose value u is category u.

    Parameters
    ----------
    table : ColumnCounts
    plan : Plan
        How numeric columns are searched.
    trials : tuple of BinLimits
        The limits of the column; of several trends the best is taken for ordered categories, and none for others.
    is_ordered : bool
        Whether the categories have an order of their own; groups are then runs of it.
    max_categories : int or None
        The rarest categories beyond these are taken as one. None for those of too few rows, if groups are to be
        confirmed.
    """
    if is_ordered:
        return _in_own_order(table, plan, trials)
    units = units_of(table, max_categories, is_confirmed=trials[0].confirm is not None)
    joined = _regrouped(table, units)
    positions = positions_of(joined)
    values, places = np.unique(positions, return_inverse=True)
    ranked = replace(_regrouped(joined, places), values=values)
    in_order = joined.by_class.picked(np.argsort(places, kind="stable")).to_dense()
    limits = replace(trials[0], direction=0, either=False, trend=None, categories=in_order)
    found, score = _search(ranked, plan, (limits,))
    codes = _codes(ranked, found)[places]
    if np.count_nonzero(joined.by_class.totals()) > 2 and found.gaps.size and limits.are_plain:
        codes, score = refined(joined, codes, plan.criterion, score, limits.min_count(joined))
    order = np.argsort(-np.diff(np.append(0, table.rows_up_to)), kind="stable") if table.n_values else units
    return FoundGroups(codes[units], order, score, found.stop, _p_values(found))


def _in_own_order(table: ColumnCounts, plan: Plan, trials: Trials) -> FoundGroups:
    found, score = _search(table, plan, trials)
    return FoundGroups(_codes(table, found), np.arange(table.n_values), score, found.stop, _p_values(found))


def _search(table: ColumnCounts, plan: Plan, trials: Trials) -> tuple[SearchResult, Score]:
    """Search under the limits, and return what is found with the trend that is worth it."""
    found = Judged(plan.search, plan.criterion, table, trials).best
    return found, found.score or plan.criterion.score(table, found.gaps)


def _codes(table: ColumnCounts, found: SearchResult) -> NDArray[np.int64]:
    """Return the bin of each value."""
    return np.searchsorted(np.sort(found.gaps), np.arange(table.n_values))


def _p_values(found: SearchResult) -> tuple[float, ...]:
    return tuple(found.tests[gap].p_value for gap in found.gaps.tolist() if gap in found.tests)


# Cochran's rule: a rate of fewer expected rows than these, of either kind, is mostly chance.
FEWEST_EXPECTED = 5.0


def _frequent(table: ColumnCounts, most: int | None, *, is_confirmed: bool) -> NDArray[np.int64]:
    """Return the categories that are looked at one by one."""
    rows = np.diff(table.rows_up_to, prepend=0)
    if most is not None:
        return np.sort(np.argsort(-rows, kind="stable")[:most])
    if not is_confirmed or not table.n_values:
        return np.arange(table.n_values)
    totals = table.by_class.totals()
    # Outside the most frequent class, and in it if it is the smaller part.
    outside = 1.0 - totals.max() / totals.sum()
    return np.flatnonzero(rows * table.unit * min(outside, 1.0 - outside) >= FEWEST_EXPECTED)


def units_of(table: ColumnCounts, most: int | None, *, is_confirmed: bool) -> NDArray[np.int64]:
    """Return the unit of each category: its own, or for all but the frequent ones a common one, the last."""
    frequent = _frequent(table, most, is_confirmed=is_confirmed)
    units = np.full(table.n_values, frequent.size)
    units[frequent] = np.arange(frequent.size)
    return units


def _regrouped(table: ColumnCounts, places: NDArray[np.int64]) -> ColumnCounts:
    """Return the table with the values of each place joined."""
    size = int(places.max(initial=-1)) + 1
    return replace(
        table,
        values=np.arange(size, dtype=np.float64),
        by_class=table.by_class.regroup(places, size),
        by_part=None if table.by_part is None else table.by_part.regroup(places, size),
    )


# The digits of a position beyond these come from rounding.
N_DIGITS = 9


def positions_of(table: ColumnCounts) -> NDArray[np.float64]:
    """Return where each category lies: the rate of the last class or, with three classes or more, on the first axis."""
    entries = table.by_class.without_absent_labels()
    if entries.n_labels > 2:
        places: NDArray[np.float64] = kernels.bins.direction.first_axis(*entries.labelled)
        return np.round(places, N_DIGITS)
    rows = np.add.reduceat(entries.counts, entries.starts[:-1]) if table.n_values else entries.counts
    of_last = entries.to_dense()[:, -1] if entries.n_labels else rows
    return of_last / rows


# Rates as whole numbers of this part of a bit, so that sums do not depend on their order.
LOG_UNIT = 2.0**-20
MOST_ROUNDS = 20


def refined(
    table: ColumnCounts, codes: NDArray[np.int64], criterion: Criterion, score: Score, min_count: int
) -> tuple[NDArray[np.int64], Score]:
    """Move each category to the group whose class rates fit its rows best, as long as the criterion rises."""
    n_groups = int(codes.max()) + 1
    rows = np.diff(table.rows_up_to, prepend=0)
    for _ in range(MOST_ROUNDS):
        moved = _best_fit(table, codes, n_groups)
        sizes = np.bincount(moved, weights=rows, minlength=n_groups)
        if (sizes < max(min_count, 1)).any() or np.array_equal(moved, codes):
            break
        new = criterion.score(_regrouped(table, moved), np.arange(n_groups - 1))
        if not is_better(new.value, score.value):
            break
        codes, score = moved, new
    return codes, score


def _best_fit(table: ColumnCounts, codes: NDArray[np.int64], n_groups: int) -> NDArray[np.int64]:
    """Return for each category the group that makes its rows most likely; its own if no other does better."""
    entries = table.by_class
    counts = entries.regroup(codes, n_groups).to_dense() + 0.5
    rates = kernels.elementary.log2_of((counts / counts.sum(axis=1, keepdims=True)).ravel()).reshape(counts.shape)
    units = np.rint(rates / LOG_UNIT).astype(np.int64)
    fits = np.stack([np.add.reduceat(entries.counts * own[entries.labels], entries.starts[:-1]) for own in units])
    own_fit = fits[codes, np.arange(codes.size)]
    best = fits.argmax(axis=0)
    return np.where(fits.max(axis=0) > own_fit, best, codes)
