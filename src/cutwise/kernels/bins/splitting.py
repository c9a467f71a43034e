"""Greedy top-down search: add the cut that raises Psi most, as long as Psi rises.

A cut is named by its gap: gap u lies between the distinct values u and u + 1. Psi of a
scheme with k cuts is ``weight(k) * I - J`` with I and J sums over bins, so a cut changes
only the terms of the bin that it splits. Three facts keep the search short and exact:

* a bin is scanned once, when it appears; its best gap is judged with the weight of the
  moment and with the weight ``WINDOW`` cuts later. A gap that is best at both ends is
  best everywhere between them, because a score is linear in the weight;
* weights only fall and gains are never negative, so an old score bounds the later ones
  from above: a bin outside its window is scanned again only if that bound could win;
* the divergence of a split is never negative either, so with explicit parts it is worked
  out only where the relevance alone could win.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from cutwise.kernels.bins.terms import least_split_terms, look_up_count, look_up_expected, look_up_rows, split_term
from cutwise.kernels.compile import formula, kernel, plain_kernel
from cutwise.kernels.elementary import exp, exp_of, log2
from cutwise.kernels.inputs import RowsBeside, SplitRoom
from cutwise.kernels.inputs import margin_of as margin
from cutwise.kernels.stopping import check_stop

margin_of = formula(margin)

WINDOW = 8
# There is room for so many bins at first.
FIRST_ROOM = 16
# So many weights are worked out one by one, before a kernel for more is compiled.
FEW = 256

# Reasons to stop.
NO_GAIN = 0
LIMIT = 1
ALL_CUT = 2
NO_ROOM = 3
# The search goes on when there is more room, or when the chosen bin has been judged.
FULL = 4
ASKED = 5

# The fields of a bin: its values, its best gap with gain and loss, whether no gap to the
# left comes near that one, the last step at which it is sure to be the best, and, where the
# order of class shares matters, its rows and those of the rising class. Beside them the
# search keeps, for each bin, its score or a bound on it.
START, STOP, GAP, GAIN, LOSS, ALONE, LAST, ROWS, RISERS = range(9)
N_FIELDS = 9
NEVER = -1
FOREVER = 1 << 62
FIRST_BIN = np.array([0, 0, 0, 0, 0, 0, NEVER, 0, 0])
NO_PARTS = np.zeros((2, 0), dtype=np.int64)


@formula
def weight_of(n_cuts, n_d):
    """Return lambda, the weight of the relevance in a scheme of n_cuts cuts."""
    return exp(-n_cuts / n_d)


# The weights of the last schemes that Python asked for.
kept_weight = lru_cache(maxsize=4096)(weight_of)


@lru_cache(maxsize=64)
def few_weights(n_d):
    """Return the weights of schemes of few cuts."""
    return np.array([weight_of(n_cuts, n_d) for n_cuts in range(FEW)])


def weights_of(size, n_d):
    """Return the weights of schemes of 0, 1, 2, … cuts."""
    return few_weights(n_d)[:size] if size <= FEW else exp_of(-np.arange(size) / n_d)


@plain_kernel
def load_bin(start, stop, table, by_label):
    """Add the counts of the values start to stop to by_label; return their sum."""
    total = 0
    for entry in range(table.starts[start], table.starts[stop]):
        by_label[table.labels[entry]] += table.counts[entry]
        total += table.counts[entry]
    return total


@plain_kernel
def clear_bin(start, stop, table, by_label):
    """Set by_label back to zero for the labels of the values start to stop."""
    if by_label.size <= stop - start:
        by_label[:] = 0
        return
    for entry in range(table.starts[start], table.starts[stop]):
        by_label[table.labels[entry]] = 0


@plain_kernel
def add_parts(start, stop, parts, by_part):
    """Add to by_part how many rows of the values start to stop each judged part has."""
    for entry in range(parts.starts[start], parts.starts[stop]):
        slot = parts.slots[parts.labels[entry]]
        if slot >= 0:
            by_part[slot] += parts.counts[entry]


@plain_kernel
def in_order(few, rows, more, more_rows):
    """Return whether the share few / rows is at most more / more_rows; an empty bin always fits."""
    return np.float64(few) * np.float64(more_rows) <= np.float64(more) * np.float64(rows)


@plain_kernel
def keeps_order(left_risers, left_rows, right_risers, right_rows, beside):
    """Return whether two halves of a bin rise, also against the `RowsBeside` it."""
    return (
        in_order(beside.low_risers, beside.low_rows, left_risers, left_rows)
        and in_order(left_risers, left_rows, right_risers, right_rows)
        and in_order(right_risers, right_rows, beside.high_risers, beside.high_rows)
    )


@plain_kernel
def is_allowed(left, left_rows, right, right_rows, bounds, beside):
    """Return whether the bounds allow a cut between these halves of a bin."""
    if left_rows < bounds.min_count or right_rows < bounds.min_count:
        return False
    riser = bounds.riser
    return riser < 0 or keeps_order(left[riser], left_rows, right[riser], right_rows, beside)


class Leader(NamedTuple):
    """The best gap of a bin so far.

    It scores `early` and `late` at the two ends of the window, or another gap scores so late. It is `lasting` if it is
    best at both ends, and `alone` if no gap to its left comes near it at either end.
    """

    gap: int
    gain: int
    loss: int
    early: float
    late: float
    lasting: bool
    alone: bool


@plain_kernel
def lead(leader, gap, gain, loss, early, late, apart):
    """Return the leader after one more gap; near is what comes within `apart`."""
    if early > leader.early:
        alone = early - leader.early > apart and late - leader.late > apart
        return Leader(gap, gain, loss, early, max(late, leader.late), late >= leader.late, alone)
    if late > leader.late:
        return Leader(leader.gap, leader.gain, leader.loss, leader.early, late, False, leader.alone)
    return leader


@lru_cache(maxsize=64)
def distance_apart(n_classes, n_rows, scale):
    """Return a distance in units beyond which no two scores can be a tie.

    No score is further from zero than the entropy of the classes or one bit.
    """
    return 2.0 * margin_of(max(1.0, log2(n_classes))) * n_rows * scale


@plain_kernel
def move_parts(entry, stop, parts, left, right):
    """Move the entries up to `stop` from the right half of a bin to the left one; return `stop`."""
    while entry < stop:
        slot = parts.slots[np.uint64(parts.labels[np.uint64(entry)])]
        if slot >= 0:
            left[np.uint64(slot)] += parts.counts[np.uint64(entry)]
            right[np.uint64(slot)] -= parts.counts[np.uint64(entry)]
        entry += 1
    return stop


@plain_kernel
def scan(start, stop, table, parts, terms, room, early, late, threshold, bounds, beside, fraction):
    """Score every gap of a bin and return the leader.

    Its gain is the rise of the relevance terms, its loss that of the divergence terms: of the mean over all splits if
    `parts` is None, else of those that were given. `early` and `late` are the weights at the two ends of the window.
    With a finite threshold the first gap whose early score reaches it is returned instead. Gaps that `bounds`
    forbids are passed over. What is None takes no time: its branches are not compiled.
    """
    left, right = room.by_class[0], room.by_class[1]
    left_parts, right_parts = room.by_part[0], room.by_part[1]
    starts, labels, counts = table.starts, table.labels, table.counts
    by_count, by_rows, scale, beyond = terms.counts, terms.expected, terms.scale, terms.beyond
    n_rows, n_valid = terms.n_rows, terms.n_valid
    rows = load_bin(start, stop, table, right)
    if parts is None:
        whole_loss = look_up_expected(rows, by_rows, n_rows, n_valid, beyond, fraction)
    else:
        rows_by_part, part_entry = parts.rows_by_part, parts.starts[start]
        room.by_part[:] = 0
        add_parts(start, stop, parts, right_parts)
        whole_loss = split_term(rows, right_parts, rows_by_part, n_rows, scale)
    # The class terms of both halves, less those of the whole bin.
    classes = np.int64(0)
    left_rows = np.int64(0)
    whole = look_up_count(rows, by_count, beyond)
    leader = Leader(np.int64(-1), np.int64(0), np.int64(0), -np.inf, -np.inf, True, True)
    entry = starts[start]
    for value in range(start, stop - 1):
        last_entry = starts[np.uint64(value + 1)]
        while entry < last_entry:
            label = np.uint64(labels[np.uint64(entry)])
            moved = counts[np.uint64(entry)]
            on_left, on_right = left[label], right[label]
            left[label], right[label] = on_left + moved, on_right - moved
            classes += look_up_count(on_left + moved, by_count, beyond) - look_up_count(on_left, by_count, beyond)
            classes += look_up_count(on_right - moved, by_count, beyond) - look_up_count(on_right, by_count, beyond)
            left_rows += moved
            entry += 1
        if parts is not None:
            part_entry = move_parts(part_entry, parts.starts[np.uint64(value + 1)], parts, left_parts, right_parts)
        right_rows = rows - left_rows
        if bounds is not None and not is_allowed(left, left_rows, right, right_rows, bounds, beside):
            continue
        halves = look_up_count(left_rows, by_count, beyond) + look_up_count(right_rows, by_count, beyond)
        gain = classes + whole - halves
        if parts is not None:
            # Rounding can turn a loss of nothing into one of minus a unit or two.
            if early * (gain + 4) < leader.early and late * (gain + 4) < leader.late:
                continue
            least = least_split_terms(left_rows, left_parts, right_rows, right_parts, rows_by_part, n_rows, scale)
            if early * gain < leader.early + least - whole_loss and late * gain < leader.late + least - whole_loss:
                continue
            loss = split_term(left_rows, left_parts, rows_by_part, n_rows, scale) - whole_loss
            loss += split_term(right_rows, right_parts, rows_by_part, n_rows, scale)
        elif fraction is None:
            loss = look_up_rows(left_rows, by_rows, n_rows, n_valid, beyond) - whole_loss
            loss += look_up_rows(right_rows, by_rows, n_rows, n_valid, beyond)
        else:
            loss = look_up_expected(left_rows, by_rows, n_rows, n_valid, beyond, fraction) - whole_loss
            loss += look_up_expected(right_rows, by_rows, n_rows, n_valid, beyond, fraction)
        leader = lead(leader, value, gain, loss, early * gain - loss, late * gain - loss, room.apart)
        if leader.early >= threshold:
            break
    clear_bin(start, stop, table, left)
    clear_bin(start, stop, table, right)
    return leader


@kernel
def fill_gaps(start, stop, table, parts, terms, gains, losses):
    """Work out gain and loss, as of `scan`, of every gap of a bin."""
    by_label = np.zeros((2, table.n_labels), dtype=np.int64)
    n_parts = 0 if parts is None else parts.rows_by_part.size
    by_part = np.zeros((2, n_parts), dtype=np.int64)
    rows = np.zeros(2, dtype=np.int64)
    rows[1] = load_bin(start, stop, table, by_label[1])
    if parts is not None:
        add_parts(start, stop, parts, by_part[1])
    # The first turn, without a row on the left, is the whole bin.
    whole_gain, whole_loss = np.int64(0), np.int64(0)
    classes = np.int64(0)
    for label in range(table.n_labels):
        classes += look_up_count(by_label[1, label], terms.counts, terms.beyond)
    for value in range(start - 1, stop - 1):
        if value >= start:
            for entry in range(table.starts[value], table.starts[value + 1]):
                label, moved = table.labels[entry], table.counts[entry]
                for side in range(2):
                    classes -= look_up_count(by_label[side, label], terms.counts, terms.beyond)
                    by_label[side, label] += moved if side == 0 else -moved
                    classes += look_up_count(by_label[side, label], terms.counts, terms.beyond)
                rows[0] += moved
                rows[1] -= moved
            if parts is not None:
                by_part[1] += by_part[0]
                add_parts(value, value + 1, parts, by_part[0])
                by_part[1] -= by_part[0]
        gain, loss = classes, np.int64(0)
        for side in range(2):
            gain -= look_up_count(rows[side], terms.counts, terms.beyond)
            if rows[side] == 0:
                continue
            if parts is None:
                loss += look_up_expected(
                    rows[side], terms.expected, terms.n_rows, terms.n_valid, terms.beyond, terms.fraction
                )
            else:
                loss += split_term(rows[side], by_part[side], parts.rows_by_part, terms.n_rows, terms.scale)
        if value < start:
            whole_gain, whole_loss = gain, loss
        else:
            gains[value - start] = gain - whole_gain
            losses[value - start] = loss - whole_loss


@plain_kernel
def best_of_current(bins, uppers, n_bins, step, weight):
    """Bring the scores of the bins inside their windows up to date; return the best."""
    best = -np.inf
    for i in range(n_bins):
        if bins[i, LAST] >= step and bins[i, GAP] >= 0:
            uppers[i] = weight * bins[i, GAIN] - bins[i, LOSS]
            best = max(best, uppers[i])
    return best


@plain_kernel
def rows_beside(bins, i, n_bins):
    """Return the rows of the bins beside one."""
    low_risers, low, high_risers, high = 0, 0, 0, 0
    if i > 0:
        low_risers, low = bins[i - 1, RISERS], bins[i - 1, ROWS]
    if i + 1 < n_bins:
        high_risers, high = bins[i + 1, RISERS], bins[i + 1, ROWS]
    return RowsBeside(low_risers, low, high_risers, high)


@plain_kernel
def rescan(i, n_bins, step, table, parts, terms, room, threshold, bounds):
    """Find the best gap of one bin, or the first that reaches a threshold."""
    bins = room.bins
    start, stop = bins[i, START], bins[i, STOP]
    beside = rows_beside(bins, i, n_bins)
    early, late = room.weights[step], room.weights[step + WINDOW]
    leader = scan(start, stop, table, parts, terms, room, early, late, threshold, bounds, beside, terms.fraction)
    bins[i, GAP] = leader.gap
    bins[i, GAIN] = leader.gain
    bins[i, LOSS] = leader.loss
    bins[i, ALONE] = leader.alone
    bins[i, LAST] = step + WINDOW if leader.lasting else step
    if leader.gap < 0:
        bins[i, LAST] = FOREVER
    room.uppers[i] = leader.early


@plain_kernel
def choose_bin(n_bins, base, table, parts, terms, room, bounds):
    """Return the bin to split, -1 for none; its fields then hold the gap, the gain and the loss."""
    bins, uppers = room.bins, room.uppers
    step = n_bins
    unit = terms.n_rows * terms.scale
    best = best_of_current(bins, uppers, n_bins, step, room.weights[step])
    for i in range(n_bins):
        if bins[i, LAST] < step:
            slack = margin_of((base + best) / unit) * unit if best > -np.inf else 0.0
            if uppers[i] >= best - slack:
                rescan(i, n_bins, step, table, parts, terms, room, np.inf, bounds)
                best = max(best, uppers[i])
    if best == -np.inf:
        return -1
    threshold = best - margin_of((base + best) / unit) * unit
    chosen = 0
    while uppers[chosen] < threshold or bins[chosen, LAST] < step:
        chosen += 1
    if not bins[chosen, ALONE]:
        rescan(chosen, n_bins, step, table, parts, terms, room, threshold, bounds)
    return chosen


@plain_kernel
def count_risers(bins, i, table, riser):
    """Write down how many rows a bin has, and how many of them are of the rising class."""
    rows = 0
    risers = 0
    for entry in range(table.starts[bins[i, START]], table.starts[bins[i, STOP]]):
        rows += table.counts[entry]
        if table.labels[entry] == riser:
            risers += table.counts[entry]
    bins[i, ROWS] = rows
    bins[i, RISERS] = risers


def first_room(table, parts, terms, n_d):
    """Return room for a search that has not begun."""
    bins = np.empty((FIRST_ROOM, N_FIELDS), dtype=np.int64)
    bins[0] = FIRST_BIN
    bins[0, STOP] = table.starts.size - 1
    uppers = np.empty(FIRST_ROOM)
    uppers[0] = np.inf
    return SplitRoom(
        bins,
        uppers,
        np.empty((FIRST_ROOM, 3), dtype=np.int64),
        weights_of(FIRST_ROOM + WINDOW, n_d),
        np.zeros((2, table.n_labels), dtype=np.int64),
        NO_PARTS if parts is None else np.zeros((2, parts.rows_by_part.size), dtype=np.int64),
        np.zeros(3, dtype=np.int64),
        distance_apart(table.n_labels, terms.n_rows, terms.scale),
    )


def more_room(room, n_d):
    """Return the same with room for twice as many bins."""
    size = room.uppers.size
    return room._replace(
        bins=np.concatenate([room.bins, np.empty_like(room.bins)]),
        uppers=np.concatenate([room.uppers, np.empty_like(room.uppers)]),
        steps=np.concatenate([room.steps, np.empty_like(room.steps)]),
        weights=weights_of(2 * size + WINDOW, n_d),
    )


def close_bin(room, chosen):
    """Leave a bin whole from now on."""
    room.bins[chosen, GAP] = -1
    room.bins[chosen, LAST] = FOREVER
    room.uppers[chosen] = -np.inf


@plain_kernel
def split_bin(bins, uppers, n_bins, chosen):
    """Replace a bin by the two halves beside its best gap, which are to be scanned."""
    for i in range(n_bins, chosen, -1):
        for field in range(N_FIELDS):
            bins[i, field] = bins[i - 1, field]
        uppers[i] = uppers[i - 1]
    middle = bins[chosen, GAP] + 1
    bins[chosen, STOP] = middle
    bins[chosen + 1, START] = middle
    for i in range(chosen, chosen + 2):
        bins[i, LAST] = NEVER
        uppers[i] = np.inf


@plain_kernel
def narrow_bounds(bins, n_bins, chosen, table, riser):
    """Count the halves of a bin and have the bins beside them scanned again.

    Where class shares must rise, their bounds are narrower now; what they scored before
    still bounds what they can score.
    """
    count_risers(bins, chosen, table, riser)
    count_risers(bins, chosen + 1, table, riser)
    for i in (chosen - 1, chosen + 2):
        if 0 <= i <= n_bins and bins[i, GAP] >= 0:
            bins[i, LAST] = NEVER


@plain_kernel
def go_on(chosen, table, parts, terms, room, max_cuts, bounds, asks):
    """Split the chosen bin, -1 for none, and go on to add cuts; `parts` and `bounds` may be None.

    Returns the bin whose best cut is the next, and the reason to stop. After NO_GAIN, and after ASKED, one more step
    than there are cuts is written: that of the refused cut, or of the one to be judged.
    """
    n_values = table.starts.size - 1
    unit = terms.n_rows * terms.scale
    bins, sums = room.bins, room.sums
    while True:
        check_stop()
        if chosen >= 0:
            sums[0] += 1
            sums[1] += bins[chosen, GAIN]
            sums[2] += bins[chosen, LOSS]
            split_bin(bins, room.uppers, sums[0], chosen)
            if bounds is not None and bounds.riser >= 0:
                narrow_bounds(bins, sums[0], chosen, table, bounds.riser)
        n_cuts, gain, loss = sums[0], sums[1], sums[2]
        if n_cuts == n_values - 1:
            return -1, ALL_CUT
        if n_cuts >= max_cuts:
            return -1, LIMIT
        if n_cuts + 1 == bins.shape[0]:
            return -1, FULL
        psi = (room.weights[n_cuts] * gain - loss) / unit
        weight = room.weights[n_cuts + 1]
        chosen = choose_bin(n_cuts + 1, weight * gain - loss, table, parts, terms, room, bounds)
        if chosen < 0:
            return -1, NO_ROOM
        gain += bins[chosen, GAIN]
        loss += bins[chosen, LOSS]
        room.steps[n_cuts, 0] = bins[chosen, GAP]
        room.steps[n_cuts, 1] = gain
        room.steps[n_cuts, 2] = loss
        new_psi = (weight * gain - loss) / unit
        if new_psi - psi <= margin_of(new_psi):
            return chosen, NO_GAIN
        if asks:
            return chosen, ASKED


def add_cuts(table, parts, terms, n_d, max_cuts, bounds):
    """Search for the cuts of one column; `parts` and `bounds` may be None.

    Returns the steps as rows (gap, gain, loss), with gain and loss in units against the
    scheme without a cut; the number of accepted steps; and the reason to stop. After
    NO_GAIN, one more row holds the refused cut.
    """
    room = first_room(table, parts, terms, n_d)
    stop = FULL
    while stop == FULL:
        _, stop = go_on(-1, table, parts, terms, room, max_cuts, bounds, False)
        if stop == FULL:
            room = more_room(room, n_d)
    n_cuts = int(room.sums[0])
    return room.steps[: n_cuts + (stop == NO_GAIN)], n_cuts, stop
