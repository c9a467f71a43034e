"""How much each group of members counts, and how sure their mean may be: chosen by rows that were left out.

Rows are dealt to folds. The members learn once more without the rows of a fold, with the bins, strengths and numbers of
pairs that all rows gave, and predict these rows. Members on bins that were cut by the classes of all rows take no part:
they would know something of the rows that are left out. The shares are those under which the rows' classes are most
probable, as if more rows had been seen for which all groups are as good; so a table of few rows hardly moves them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from sklearn.base import clone

from cutwise import kernels
from cutwise.classify.additive.strength import deal_in_order, folds_for
from cutwise.classify.base import code_counts
from cutwise.classify.bayes.sample import CodedRows
from cutwise.classify.trees.forest import ForestOnCodes
from cutwise.scheme import NumericAttribute
from cutwise.validation import meant_weights

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from cutwise.scheme import Scheme

    Learned = tuple[str, Scheme, Any]

# At most so many folds; of more different rows so many are drawn, fewer with many classes.
MOST_FOLDS, MOST_ROWS, MOST_NUMBERS = 5, 10_000, 1 << 22
# Of more different rows than these one fold is left out: the others would hardly move the shares.
MANY_ROWS = 20_000
# For so many rows beside those seen, all groups are as good.
LEVEL_ROWS = 20.0
# A mean of members that differ as much as trees and sums do is less sure than it might be: a power of it is not. The
# power that is expected, how many rows speak for it, and the steps in which others are tried.
SHARPNESS, SHARPNESS_ROWS, STEP = 1.25, 10.0, 0.05
LOWEST_POWER, HIGHEST_POWER = 0.25, 4.0
# Shares are whole hundredths: the last digits would be chance.
N_SHARES = 100
# The search for shares ends when none moves by more, or after so many steps.
TOL, MOST_STEPS = 1e-6, 1_000
# No member gives the class of a row: it is none that was learned.
IMPOSSIBLE = 1e-12
BLOCK = 1 << 16


class Chosen(NamedTuple):
    """The share of each group, and the power of the mean."""

    shares: list[float]
    sharpness: float


class HeldOutProba(NamedTuple):
    """What the groups say of rows that they have not seen.

    Parameters
    ----------
    proba : ndarray of shape (n_rows, n_groups, n_classes)
    labels : ndarray of shape (n_rows,)
        The places of the rows' classes.
    weights : ndarray of shape (n_rows,)
        How often each row counts.
    """

    proba: NDArray[np.float64]
    labels: NDArray[np.int64]
    weights: NDArray[np.float64]


def choose_shares(
    rows: Any, groups: Sequence[Sequence[Learned]], knowing: Sequence[Scheme], *, sharpen: bool
) -> Chosen:
    """Return the shares of groups of members, and the power of their mean, 1 unless it is to be sharpened.

    Parameters
    ----------
    rows : LearningRows or RowsOfTable
    groups : sequence of sequence of Learned
        The first two are the additive models.
    knowing : sequence of Scheme
        Bins whose members take no part; each group has others.
    sharpen : bool
    """
    equal = np.full(len(groups), 1.0 / len(groups))
    found = leave_out(rows, groups, knowing)
    if found is None:
        return Chosen(equal.tolist(), SHARPNESS if sharpen else 1.0)
    own = found.proba[np.arange(found.labels.size), :, found.labels]
    is_known = own.max(axis=1) > IMPOSSIBLE
    shares = best_shares(own[is_known], found.weights[is_known], equal)
    if not sharpen:
        return Chosen(shares, 1.0)
    mean = np.einsum("g,ngc->nc", shares, found.proba[is_known])
    return Chosen(shares, best_power(mean, found.labels[is_known], found.weights[is_known]))


def best_shares(own: NDArray[np.float64], weights: NDArray[np.float64], equal: NDArray[np.float64]) -> list[float]:
    """Return the shares, whole hundredths, under which classes are most probable, for rows that groups give so much.

    Examples
    --------
    >>> best_shares(np.array([[0.9, 0.2]] * 100), np.ones(100), np.full(2, 0.5))
    [0.9, 0.1]
    >>> best_shares(np.array([[0.9, 0.2]]), np.ones(1), np.full(2, 0.5))
    [0.52, 0.48]
    """
    shares, total = equal, LEVEL_ROWS + float(weights.sum())
    for _ in range(MOST_STEPS):
        # How much of each row is each group's, given the shares; the shares that this says.
        parts = own * shares
        moved = (LEVEL_ROWS * equal + weights @ (parts / parts.sum(axis=1, keepdims=True))) / total
        change = float(np.abs(moved - shares).max())
        shares = moved
        if change < TOL:
            break
    return _hundredths(shares)


def _hundredths(shares: NDArray[np.float64]) -> list[float]:
    """Return shares in whole hundredths, each at least one of them; what rounding leaves goes to the largest rests."""
    places = np.maximum(np.floor(shares * N_SHARES), 1.0)
    rests = np.round(shares * N_SHARES - places, 6)
    while (missing := int(N_SHARES - places.sum())) != 0:
        taken = int(np.argmax(rests)) if missing > 0 else int(np.argmax(places))
        places[taken] += np.sign(missing)
        rests[taken] = -1.0
    return [float(place) / N_SHARES for place in places]


def best_power(mean: NDArray[np.float64], labels: NDArray[np.int64], weights: NDArray[np.float64]) -> float:
    """Return the power of probabilities under which the classes of rows are most probable, near the expected one."""
    logs = kernels.elementary.log_of(np.maximum(mean, np.finfo(float).tiny))
    logs = logs - logs.max(axis=1, keepdims=True)
    own = logs[np.arange(labels.size), labels]

    def loss(step: int) -> float:
        power = SHARPNESS + step * STEP
        sums = kernels.elementary.exp_of(power * logs).sum(axis=1)
        moved = float(np.log(power / SHARPNESS))
        return float(weights @ (kernels.elementary.log_of(sums) - power * own)) + SHARPNESS_ROWS * moved**2

    best = _lowest(loss, round((LOWEST_POWER - SHARPNESS) / STEP), round((HIGHEST_POWER - SHARPNESS) / STEP))
    return round(SHARPNESS + best * STEP, 6)


def _lowest(loss: Callable[[int], float], first: int, last: int) -> int:
    """Return the whole number of the least loss on the way down from 0."""
    best, least = 0, loss(0)
    for side in (1, -1):
        while first <= best + side <= last and (found := loss(best + side)) < least:
            best, least = best + side, found
        if best:
            break
    return best


def leave_out(rows: Any, groups: Sequence[Sequence[Learned]], knowing: Sequence[Scheme] = ()) -> HeldOutProba | None:
    """Return what the groups say of rows that they have not seen; None if there are too few rows to leave some out."""
    judged = DealtRows(rows, groups)
    left_out = {id(scheme) for scheme in knowing}
    trees_and_bins = [[member for member in group if id(member[1]) not in left_out] for group in groups[2:]]
    classes = judged.classes
    dealt = deal_in_order(judged.labels, judged.weights, min(folds_for(judged.labels.size), MOST_FOLDS))
    dealt = dealt[:1] if judged.n_different > MANY_ROWS else dealt
    # Who has seen one class only cannot be judged.
    dealt = [held for held in dealt if held.any() and np.unique(judged.labels[judged.weights > held]).size > 1]
    if classes.size < 2 or not dealt:
        return None
    (_, first_scheme, _), (_, _, paired) = groups[0][0], groups[1][0]
    additive = paired.proba_left_out(judged.coded(first_scheme), dealt)
    found = []
    for held, two in zip(dealt, additive, strict=True):
        is_held, kept = held > 0.0, judged.weights - held
        others = [
            np.mean([judged.proba(member, kept, is_held) for member in group], axis=0, dtype=np.float64)
            for group in trees_and_bins
        ]
        seen = np.bincount(judged.labels, kept, minlength=classes.size) > 0.0
        known = seen[judged.labels[is_held]]
        proba = np.stack([*two, *others], axis=1)
        found.append(HeldOutProba(proba[known], judged.labels[is_held][known], held[is_held][known]))
    return HeldOutProba(*(np.concatenate(parts) for parts in zip(*found, strict=True)))


class DealtRows:
    """Different rows by the codes of all members, in an order that is theirs alone; some of them, if there are many."""

    def __init__(self, rows: Any, groups: Sequence[Sequence[Learned]]) -> None:
        schemes = {id(scheme): scheme for group in groups for _, scheme, _ in group}
        self.classes: NDArray[Any] = groups[0][0][2].classes_
        target = np.asarray(rows.target)
        weights = np.ones(target.size)
        if (given := rows.options.get("sample_weight")) is not None:
            weights = np.asarray(given, dtype=np.float64)
            weights = meant_weights(weights, "relative") if rows.settings["weights"] == "relative" else weights
        found, places = np.unique(target, return_inverse=True)
        labels = np.searchsorted(self.classes, found)[places]
        keys = np.zeros(target.size, dtype=np.uint64)
        for number, scheme in enumerate(schemes.values()):
            keys += row_keys(rows.codes(scheme), number)
        order = np.lexsort((labels, mixed(keys)))
        order = order[weights[order] > 0.0]
        keys, labels = keys[order], labels[order]
        firsts = np.flatnonzero(np.append(True, (keys[1:] != keys[:-1]) | (labels[1:] != labels[:-1])))
        self.n_different = firsts.size
        most = min(MOST_ROWS, max(MOST_NUMBERS // self.classes.size, 1))
        self.weights = np.add.reduceat(weights[order], firsts)[:most]
        firsts = firsts[:most]
        self.labels = labels[firsts]
        self._target = target[order[firsts]]
        # Made once more, so that those of all rows need not be kept for all schemes at once.
        self._codes = {place: rows.codes(scheme)[order[firsts]] for place, scheme in schemes.items()}

    def coded(self, scheme: Scheme) -> CodedRows:
        """Return the rows in the bins of a scheme."""
        n_bins = np.array(code_counts(scheme), dtype=np.int64)
        return CodedRows(self._codes[id(scheme)], self.labels, self.weights, self.classes, n_bins)

    def proba(self, member: Learned, kept: NDArray[np.float64], is_asked: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return what a member says of some rows if it learns from rows with these weights."""
        _, scheme, classifier = member
        codes, rows = self._codes[id(scheme)], kept > 0.0
        weights = None if (kept[rows] == 1.0).all() else kept[rows]
        # These weights are numbers of rows already, whatever they were.
        unfitted = clone(classifier).set_params(weights="count")
        learned = fit_codes(unfitted, scheme, codes[rows], self._target[rows], weights)
        proba = np.zeros((int(is_asked.sum()), self.classes.size))
        proba[:, np.searchsorted(self.classes, learned.classes_)] = learned.predict_proba(codes[is_asked])
        return proba


def fit_codes(classifier: Any, scheme: Scheme, codes: Any, target: Any, weights: Any = None) -> Any:
    """Let a member learn from the codes of a scheme."""
    more: dict[str, Any] = {} if weights is None else {"sample_weight": weights}
    if isinstance(classifier, ForestOnCodes):
        ordered = [len(a.cuts) + 1 if isinstance(a, NumericAttribute) else 0 for a in scheme.attributes]
        more |= {"n_bins": code_counts(scheme), "n_ordered": ordered}
    return classifier.fit(codes, target, **more)


def row_keys(codes: NDArray[np.integer[Any]], number: int) -> NDArray[np.uint64]:
    """Return a number for each row: equal rows have the same, others hardly ever; `number` tells tables apart."""
    factors = mixed(np.arange(1, codes.shape[1] + 1, dtype=np.uint64) + (np.uint64(number) << np.uint64(32)))
    keys = np.empty(len(codes), dtype=np.uint64)
    for first in range(0, len(codes), BLOCK):
        rows = slice(first, first + BLOCK)
        keys[rows] = (codes[rows] + 1).astype(np.uint64) @ factors
    return keys


def mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return other numbers for whole numbers, each for one of them, in no order (Steele, Lea and Flood 2014)."""
    mixed = numbers * np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)))
