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

from typing import NamedTuple

import numpy as np

from cutwise.kernels.bins.terms import look_up_count, look_up_expected, look_up_rows, split_term
from cutwise.kernels.compile import kernel
from cutwise.kernels.elementary import exp, log2
from cutwise.kernels.inputs import RowsBeside
from cutwise.kernels.inputs import margin_of as margin
from cutwise.kernels.stopping import check_stop

margin_of = kernel(margin)

WINDOW = 8

# Reasons to stop.
NO_GAIN = 0
LIMIT = 1
ALL_CUT = 2
NO_ROOM = 3

# The fields of a bin: its values, its best gap with gain and loss, whether no gap to the
# left comes near that one, the last step at which it is sure to be the best, and, where the
# order of class shares matters, its rows and those of the rising class. Beside them the
# search keeps, for each bin, its score or a bound on it.
START, STOP, GAP, GAIN, LOSS, ALONE, LAST, ROWS, RISERS = range(9)
N_FIELDS = 9
NEVER = -1
FOREVER = 1 << 62


@kernel
def weight_of(n_cuts, n_d):
    """Return lambda, the weight of the relevance in a scheme of n_cuts cuts."""
    return exp(-n_cuts / n_d)


@kernel
def load_bin(start, stop, table, by_label):
    """Add the counts of the values start to stop to by_label; return their sum."""
    total = 0
    for entry in range(table.starts[start], table.starts[stop]):
        by_label[table.labels[entry]] += table.counts[entry]
        total += table.counts[entry]
    return total


@kernel
def clear_bin(start, stop, table, by_label):
    """Set by_label back to zero for the labels of the values start to stop."""
    if by_label.size <= stop - start:
        by_label[:] = 0
        return
    for entry in range(table.starts[start], table.starts[stop]):
        by_label[table.labels[entry]] = 0


@kernel
def add_parts(start, stop, parts, by_part):
    """Add to by_part how many rows of the values start to stop each judged part has."""
    for entry in range(parts.starts[start], parts.starts[stop]):
        slot = parts.slots[parts.labels[entry]]
        if slot >= 0:
            by_part[slot] += parts.counts[entry]


@kernel
def load_parts(start, stop, parts, left_parts, right_parts):
    """Count the values start to stop by judged part, all of them on the right."""
    left_parts[:] = 0
    right_parts[:] = 0
    add_parts(start, stop, parts, right_parts)


@kernel
def in_order(few, rows, more, more_rows):
    """Return whether the share few / rows is at most more / more_rows; an empty bin always fits."""
    return np.float64(few) * np.float64(more_rows) <= np.float64(more) * np.float64(rows)


@kernel
def keeps_order(left_risers, left_rows, right_risers, right_rows, beside):
    """Return whether two halves of a bin rise, also against the `RowsBeside` it."""
    return (
        in_order(beside.low_risers, beside.low_rows, left_risers, left_rows)
        and in_order(left_risers, left_rows, right_risers, right_rows)
        and in_order(right_risers, right_rows, beside.high_risers, beside.high_rows)
    )


@kernel
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


@kernel
def lead(leader, gap, gain, loss, early, late, apart):
    """Return the leader after one more gap; near is what comes within `apart`."""
    if early > leader.early:
        alone = early - leader.early > apart and late - leader.late > apart
        return Leader(gap, gain, loss, early, max(late, leader.late), late >= leader.late, alone)
    if late > leader.late:
        return Leader(leader.gap, leader.gain, leader.loss, leader.early, late, False, leader.alone)
    return leader


@kernel
def distance_apart(n_classes, n_rows, scale):
    """Return a distance in units beyond which no two scores can be a tie.

    No score is further from zero than the entropy of the classes or one bit.
    """
    return 2.0 * margin_of(max(1.0, log2(n_classes))) * n_rows * scale


@kernel
def scan(start, stop, table, parts, terms, room, early, late, threshold, bounds, beside, fraction):
    """Score every gap of a bin and return the leader.

    Its gain is the rise of the relevance terms, its loss that of the divergence terms: of the mean over all splits if
    `parts` is None, else of those that were given. `early` and `late` are the weights at the two ends of the window.
    With a finite threshold the first gap whose early score reaches it is returned instead. Gaps that `bounds`
    forbids are passed over. What is None takes no time: its branches are not compiled.
    """
    left, right, left_parts, right_parts = room
    starts, labels, counts = table.starts, table.labels, table.counts
    by_count, by_rows, scale, beyond = terms.counts, terms.expected, terms.scale, terms.beyond
    n_rows, n_valid = terms.n_rows, terms.n_valid
    rows = load_bin(start, stop, table, right)
    if parts is None:
        whole_loss = look_up_expected(rows, by_rows, n_rows, n_valid, beyond, fraction)
    else:
        slots, rows_by_part, part_entry = parts.slots, parts.rows_by_part, parts.starts[start]
        load_parts(start, stop, parts, left_parts, right_parts)
        whole_loss = split_term(rows, right_parts, rows_by_part, n_rows, scale)
    apart = distance_apart(left.size, n_rows, scale)
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
            last_entry = parts.starts[np.uint64(value + 1)]
            while part_entry < last_entry:
                slot = slots[np.uint64(parts.labels[np.uint64(part_entry)])]
                if slot >= 0:
                    left_parts[np.uint64(slot)] += parts.counts[np.uint64(part_entry)]
                    right_parts[np.uint64(slot)] -= parts.counts[np.uint64(part_entry)]
                part_entry += 1
        right_rows = rows - left_rows
        if bounds is not None and not is_allowed(left, left_rows, right, right_rows, bounds, beside):
            continue
        halves = look_up_count(left_rows, by_count, beyond) + look_up_count(right_rows, by_count, beyond)
        gain = classes + whole - halves
        if parts is not None:
            # Rounding can turn a loss of nothing into one of minus a unit or two.
            if early * (gain + 4) < leader.early and late * (gain + 4) < leader.late:
                continue
            loss = split_term(left_rows, left_parts, rows_by_part, n_rows, scale) - whole_loss
            loss += split_term(right_rows, right_parts, rows_by_part, n_rows, scale)
        elif fraction is None:
            loss = look_up_rows(left_rows, by_rows, n_rows, n_valid, beyond) - whole_loss
            loss += look_up_rows(right_rows, by_rows, n_rows, n_valid, beyond)
        else:
            loss = look_up_expected(left_rows, by_rows, n_rows, n_valid, beyond, fraction) - whole_loss
            loss += look_up_expected(right_rows, by_rows, n_rows, n_valid, beyond, fraction)
        leader = lead(leader, value, gain, loss, early * gain - loss, late * gain - loss, apart)
        if leader.early >= threshold:
            break
    clear_bin(start, stop, table, left)
    clear_bin(start, stop, table, right)
    return leader


@kernel
def grow(table, size):
    """Return the table, twice as long if `size` rows fill it."""
    if size < table.shape[0]:
        return table
    longer = np.empty((2 * table.shape[0], table.shape[1]), dtype=table.dtype)
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            longer[i, j] = table[i, j]
    return longer


@kernel
def best_of_current(bins, uppers, n_bins, step, weight):
    """Bring the scores of the bins inside their windows up to date; return the best."""
    best = -np.inf
    for i in range(n_bins):
        if bins[i, LAST] >= step and bins[i, GAP] >= 0:
            uppers[i] = weight * bins[i, GAIN] - bins[i, LOSS]
            best = max(best, uppers[i])
    return best


@kernel
def rows_beside(bins, i, n_bins):
    """Return the rows of the bins beside one."""
    low_risers, low, high_risers, high = 0, 0, 0, 0
    if i > 0:
        low_risers, low = bins[i - 1, RISERS], bins[i - 1, ROWS]
    if i + 1 < n_bins:
        high_risers, high = bins[i + 1, RISERS], bins[i + 1, ROWS]
    return RowsBeside(low_risers, low, high_risers, high)


@kernel
def rescan(bins, uppers, i, n_bins, step, table, parts, terms, room, weights, threshold, bounds):
    """Find the best gap of one bin, or the first that reaches a threshold."""
    start, stop = bins[i, START], bins[i, STOP]
    beside = rows_beside(bins, i, n_bins)
    early, late = weights
    leader = scan(start, stop, table, parts, terms, room, early, late, threshold, bounds, beside, terms.fraction)
    bins[i, GAP] = leader.gap
    bins[i, GAIN] = leader.gain
    bins[i, LOSS] = leader.loss
    bins[i, ALONE] = leader.alone
    bins[i, LAST] = step + WINDOW if leader.lasting else step
    if leader.gap < 0:
        bins[i, LAST] = FOREVER
    uppers[i] = leader.early


@kernel
def choose_bin(bins, uppers, n_bins, base, step, table, parts, terms, room, n_d, bounds):
    """Return the bin to split, -1 for none; its fields then hold the gap, the gain and the loss."""
    weights = (weight_of(step, n_d), weight_of(step + WINDOW, n_d))
    unit = terms.n_rows * terms.scale
    best = best_of_current(bins, uppers, n_bins, step, weights[0])
    for i in range(n_bins):
        if bins[i, LAST] < step:
            slack = margin_of((base + best) / unit) * unit if best > -np.inf else 0.0
            if uppers[i] >= best - slack:
                rescan(bins, uppers, i, n_bins, step, table, parts, terms, room, weights, np.inf, bounds)
                best = max(best, uppers[i])
    if best == -np.inf:
        return -1
    threshold = best - margin_of((base + best) / unit) * unit
    chosen = 0
    while uppers[chosen] < threshold or bins[chosen, LAST] < step:
        chosen += 1
    if not bins[chosen, ALONE]:
        rescan(bins, uppers, chosen, n_bins, step, table, parts, terms, room, weights, threshold, bounds)
    return chosen


@kernel
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


@kernel
def first_bins(n_values):
    """Return the bins of a scheme without a cut, with room for more, and their scores."""
    bins = np.zeros((16, N_FIELDS), dtype=np.int64)
    bins[0, STOP] = n_values
    bins[0, LAST] = NEVER
    return bins, np.full(bins.shape[0], np.inf)


@kernel
def room_for(bins, uppers, n_cuts):
    """Return the bins and their scores with room for those of a scheme with n_cuts cuts."""
    if n_cuts < bins.shape[0]:
        return bins, uppers
    return grow(bins, n_cuts), np.append(uppers, np.full(n_cuts, np.inf))


@kernel
def close_bin(bins, uppers, chosen):
    """Leave a bin whole from now on."""
    bins[chosen, GAP] = -1
    bins[chosen, LAST] = FOREVER
    uppers[chosen] = -np.inf


@kernel
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


@kernel
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


@kernel
def add_cuts(table, parts, terms, n_d, max_cuts, bounds):
    """Search for the cuts of one column; `parts` and `bounds` may be None.

    Returns the steps as rows (gap, gain, loss), with gain and loss in units against the
    scheme without a cut; the number of accepted steps; and the reason to stop. After
    NO_GAIN, one more row holds the refused cut.
    """
    n_values = table.starts.size - 1
    n_parts = 0 if parts is None else parts.rows_by_part.size
    room = (
        np.zeros(table.n_labels, dtype=np.int64),
        np.zeros(table.n_labels, dtype=np.int64),
        np.zeros(n_parts, dtype=np.int64),
        np.zeros(n_parts, dtype=np.int64),
    )
    unit = terms.n_rows * terms.scale
    bins, uppers = first_bins(n_values)
    steps = np.empty((16, 3), dtype=np.int64)
    n_cuts = 0
    gain = 0
    loss = 0
    psi = 0.0
    while True:
        check_stop()
        if n_cuts == n_values - 1:
            return steps[:n_cuts], n_cuts, ALL_CUT
        if n_cuts >= max_cuts:
            return steps[:n_cuts], n_cuts, LIMIT
        weight = weight_of(n_cuts + 1, n_d)
        base = weight * gain - loss
        chosen = choose_bin(bins, uppers, n_cuts + 1, base, n_cuts + 1, table, parts, terms, room, n_d, bounds)
        if chosen < 0:
            return steps[:n_cuts], n_cuts, NO_ROOM
        gain += bins[chosen, GAIN]
        loss += bins[chosen, LOSS]
        steps = grow(steps, n_cuts)
        steps[n_cuts, 0] = bins[chosen, GAP]
        steps[n_cuts, 1] = gain
        steps[n_cuts, 2] = loss
        new_psi = (weight * gain - loss) / unit
        if new_psi - psi <= margin_of(new_psi):
            return steps[: n_cuts + 1], n_cuts, NO_GAIN
        psi = new_psi
        n_cuts += 1
        bins, uppers = room_for(bins, uppers, n_cuts)
        split_bin(bins, uppers, n_cuts, chosen)
        if bounds is not None and bounds.riser >= 0:
            narrow_bounds(bins, n_cuts, chosen, table, bounds.riser)
