"""Loops over the rows of an additive model of bins, whose jumps between neighbouring bins are penalised.

A cell is a bin of a column; cells are numbered through all columns, in each column the ordered bins first and then
those without neighbours: categories, special values, missing ones. A jump is a change of the score: at a cut it adds to
all ordered cells beyond it and takes its mean over the column's ordered cells away, so that rows without a value
are not concerned; for a cell without neighbours it adds to this cell alone.

Of two classes there is one score, that of the second against the first; of more, one for each class.
"""

from __future__ import annotations

import numpy as np

from cutwise.kernels.compile import kernel, plain_kernel
from cutwise.kernels.elementary import exp, log
from cutwise.kernels.stopping import check_stop

# It keeps a jump without any rows from being divided by zero.
SMALL = 1e-12
MOST_STEPS = 50
FEW_SCORES = 16


@plain_kernel
def add_scores(cells, columns, tables, scores):
    """Add what the cells of some columns say to the scores of the rows."""
    n_scores = scores.shape[1]
    for j in columns:
        for row in range(scores.shape[0]):
            cell = cells[j, row]
            for c in range(n_scores):
                scores[row, c] += tables[cell, c]


@plain_kernel
def loss_of(scores, weights, counts):
    """Return the log loss of all rows: the sum of weight * log(sum of exp) less that of count * score."""
    n_scores = scores.shape[1]
    loss = 0.0
    for row in range(scores.shape[0]):
        weight = weights[row]
        if weight <= 0.0:
            continue
        top, total = highest(scores, row)
        loss += weight * (top + log(total))
        for c in range(n_scores):
            loss -= counts[row, c] * scores[row, c]
    return loss


@plain_kernel
def highest(scores, row):
    """Return the highest score of a row, and the sum of exp(score - highest); the first of two classes has score 0."""
    n_scores = scores.shape[1]
    top = scores[row, 0]
    if n_scores == 1:
        top = max(top, 0.0)
        return top, exp(-top) + exp(scores[row, 0] - top)
    for c in range(1, n_scores):
        top = max(top, scores[row, c])
    total = 0.0
    for c in range(n_scores):
        total += exp(scores[row, c] - top)
    return top, total


@plain_kernel
def slopes_of(scores, weights, counts, slopes, bends, totals):
    """Fill the first derivatives of the loss by the scores of each row, and the second ones; return the loss.

    Of more than two classes the second derivatives are replaced by a diagonal that is nowhere much too small:
    p, or 2 p (1 - p) where p is above one half. `totals` gets the sums of the first derivatives.
    """
    n_scores = scores.shape[1]
    loss = 0.0
    totals[:] = 0.0
    for row in range(scores.shape[0]):
        weight = weights[row]
        if weight <= 0.0:
            for c in range(n_scores):
                slopes[row, c] = bends[row, c] = 0.0
            continue
        top, total = highest(scores, row)
        loss += weight * (top + log(total))
        for c in range(n_scores):
            score = scores[row, c]
            loss -= counts[row, c] * score
            share = exp(score - top) / total
            rest = exp(-top) / total if n_scores == 1 else min(1.0, 2.0 * (1.0 - share))
            slopes[row, c] = weight * share - counts[row, c]
            bends[row, c] = weight * share * rest
            totals[c] += slopes[row, c]
    return loss


@plain_kernel
def sum_by_cell(cells, values, sums):
    """Fill the sums of the rows' values by cell."""
    n_columns, n_rows = cells.shape
    n_scores = values.shape[1]
    sums[:] = 0.0
    for j in range(n_columns):
        for row in range(n_rows):
            cell = cells[j, row]
            for c in range(n_scores):
                sums[cell, c] += values[row, c]


@plain_kernel
def slopes_of_jumps(grid, sums, slopes):
    """Fill the derivatives by each jump from those by the cells: sums over the cells beyond a cut."""
    n_scores = sums.shape[1]
    for j in range(grid.n_ordered.size):
        start, n_ordered, first = grid.cell_starts[j], grid.n_ordered[j], grid.jump_starts[j]
        n_cuts = max(n_ordered - 1, 0)
        for c in range(n_scores):
            beyond = 0.0
            for k in range(n_cuts - 1, -1, -1):
                beyond += sums[start + k + 1, c]
                slopes[first + k, c] = beyond
            total = beyond + (sums[start, c] if n_ordered else 0.0)
            for k in range(n_cuts):
                slopes[first + k, c] -= grid.means[first + k] * total
        for k in range(first + n_cuts, grid.jump_starts[j + 1]):
            for c in range(n_scores):
                slopes[k, c] = sums[start + n_ordered + k - first - n_cuts, c]


@plain_kernel
def tables_of_jumps(grid, jumps, tables):
    """Fill what each cell adds to the scores."""
    n_scores = tables.shape[1]
    for j in range(grid.n_ordered.size):
        start, n_ordered, first = grid.cell_starts[j], grid.n_ordered[j], grid.jump_starts[j]
        n_cuts = max(n_ordered - 1, 0)
        for c in range(n_scores):
            level = 0.0
            for k in range(n_cuts):
                level -= grid.means[first + k] * jumps[first + k, c]
            for k in range(n_ordered):
                if k:
                    level += jumps[first + k - 1, c]
                tables[start + k, c] = level
            for k in range(first + n_cuts, grid.jump_starts[j + 1]):
                tables[start + n_ordered + k - first - n_cuts, c] = jumps[k, c]


@plain_kernel
def join_cells(grid, j, chosen, group_of_cell, values):
    """Join the cells of a column that the chosen jumps do not tell apart.

    Fill the group of each cell and, for each chosen jump, its value in each group; return the number of groups.
    """
    start, n_ordered, first = grid.cell_starts[j], grid.n_ordered[j], grid.jump_starts[j]
    n_cuts = max(n_ordered - 1, 0)
    n_chosen = chosen.size
    values[:] = 0.0
    group_of_cell[start : grid.cell_starts[j + 1]] = 0
    at = 0
    group = 1
    for k in range(n_ordered):
        if k and at < n_chosen and chosen[at] == first + k - 1:
            at += 1
            group += 1
        group_of_cell[start + k] = group
    n_below = at
    for a in range(n_below):
        for g in range(1, group + 1):
            values[a, g] = (1.0 if g > a + 1 else 0.0) - grid.means[chosen[a]]
    for a in range(n_below, n_chosen):
        group += 1
        group_of_cell[start + n_ordered + chosen[a] - first - n_cuts] = group
        values[a, group] = 1.0
    return group + 1


@plain_kernel
def fill_bends(cells, bends, groups, partial, n_groups, starts, values, hessian):
    """Fill the second derivatives by pairs of chosen jumps; the first of them is the intercept.

    Parameters
    ----------
    cells : the group of each row in each column with a chosen jump, [column, row]
    bends : the second derivatives by the scores, [row, score]
    groups, partial : room for sums by pairs of groups, and by one group
    n_groups : the number of groups of each column
    starts : the first jump of each column, and the number of jumps
    values : the value of each jump in each group, [jump, group]
    hessian : [score, jump, jump]
    """
    n_columns, n_rows = cells.shape
    n_scores = bends.shape[1]
    for c in range(n_scores):
        total = 0.0
        for row in range(n_rows):
            total += bends[row, c]
        hessian[c, 0, 0] = total
    for i in range(n_columns):
        check_stop()
        for j in range(i + 1):
            rows = groups[: n_groups[i], : n_groups[j]]
            for g in range(n_groups[i]):
                for o in range(g if i == j else 0, g + 1 if i == j else n_groups[j]):
                    rows[g, o] = 0.0
            for row in range(n_rows):
                for c in range(n_scores):
                    rows[cells[i, row], cells[j, row], c] += bends[row, c]
            multiply(rows, partial, starts[i], starts[i + 1], starts[j], starts[j + 1], values, hessian)
        for a in range(starts[i], starts[i + 1]):
            for c in range(n_scores):
                total = 0.0
                for g in range(n_groups[i]):
                    total += values[a, g] * groups[g, g, c]
                hessian[c, a, 0] = hessian[c, 0, a] = total


@plain_kernel
def multiply(rows, partial, first, end, other_first, other_end, values, hessian):
    """Fill the second derivatives by the jumps of two columns, from the sums by pairs of groups."""
    n_groups, n_others, n_scores = rows.shape
    is_same = first == other_first
    for a in range(first, end):
        partial[:n_others] = 0.0
        for g in range(n_groups):
            value = values[a, g]
            if value != 0.0:
                # Of two groups of one column no row is in both.
                for o in range(g if is_same else 0, g + 1 if is_same else n_others):
                    for c in range(n_scores):
                        partial[o, c] += value * rows[g, o, c]
        for b in range(other_first, min(other_end, a + 1)):
            for c in range(n_scores):
                total = 0.0
                for o in range(n_others):
                    total += values[b, o] * partial[o, c]
                hessian[c, a, b] = hessian[c, b, a] = total


@plain_kernel
def shrunk(point, bends, penalty, sign, out):
    """Fill the x with the least  sum of bends * x**2 / 2 - point * x,  plus the penalty times the length of x."""
    n_scores = point.size
    length = 0.0
    for c in range(n_scores):
        length += point[c] * point[c]
    length = np.sqrt(length)
    if length <= penalty or (sign != 0.0 and sign * point[0] < 0.0):
        out[:] = 0.0
        return
    if n_scores == 1:
        out[0] = (point[0] - (penalty if point[0] > 0.0 else -penalty)) / bends[0]
        return
    # The length of x is the root of  sum of (point / (bends * length + penalty))**2 = 1.
    radius = 0.0
    for _ in range(MOST_STEPS):
        total = slope = 0.0
        for c in range(n_scores):
            below = bends[c] * radius + penalty
            part = point[c] / below
            total += part * part
            slope += part * part * bends[c] / below
        step = total * (np.sqrt(total) - 1.0) / slope
        radius += step
        if abs(step) <= 1e-12 * radius:
            break
    for c in range(n_scores):
        out[c] = point[c] / (bends[c] + penalty / radius)


@plain_kernel
def move_one(hessian, slopes, jumps, signs, penalty, a, room):
    """Bring one jump to the minimum of the model; return by how much its slope was off."""
    n_scores, n_jumps = jumps.shape
    point, bends, new = room[0], room[1], room[2]
    for c in range(n_scores):
        bends[c] = hessian[c, a, a] + SMALL
        point[c] = bends[c] * jumps[c, a] - slopes[c, a]
    if a == 0:
        for c in range(n_scores):
            new[c] = point[c] / bends[c]
    else:
        shrunk(point, bends, penalty, signs[a], new)
    worst = 0.0
    for c in range(n_scores):
        step = new[c] - jumps[c, a]
        if step != 0.0:
            worst = max(worst, abs(step) * bends[c])
            jumps[c, a] = new[c]
            for b in range(n_jumps):
                slopes[c, b] += hessian[c, a, b] * step
    return worst


@kernel
def descend(hessian, slopes, jumps, signs, penalty, tolerance, max_sweeps):
    """Minimise the quadratic model by one jump after the other; the first jump is not penalised.

    Sweeps over all jumps take turns with sweeps over those that are not zero.

    Parameters
    ----------
    hessian : [score, jump, jump]
    slopes : the derivatives of the model at `jumps`, [score, jump]; changed with them
    jumps : where to start; changed
    signs : 1 or -1 for jumps that may not fall or rise, else 0
    penalty : float
    tolerance : the sweeps end when no slope was off by more
    max_sweeps : int

    Returns
    -------
    int
        The number of sweeps.
    """
    n_scores, n_jumps = jumps.shape
    room = np.empty((3, n_scores))
    moving = np.empty(n_jumps, dtype=np.int64)
    sweep = 0
    while sweep < max_sweeps:
        check_stop()
        worst = 0.0
        for a in range(n_jumps):
            worst = max(worst, move_one(hessian, slopes, jumps, signs, penalty, a, room))
        sweep += 1
        if worst <= tolerance:
            break
        n_moving = 0
        for a in range(n_jumps):
            is_moving = a == 0
            for c in range(n_scores):
                is_moving |= abs(jumps[c, a]) > 0.0
            if is_moving:
                moving[n_moving] = a
                n_moving += 1
        if n_moving == n_jumps:
            continue
        some = moving[:n_moving]
        sweep += descend_some(hessian, slopes, jumps, signs, penalty, tolerance, max_sweeps - sweep, some, room)
    return sweep


@kernel
def descend_some(hessian, slopes, jumps, signs, penalty, tolerance, max_sweeps, moving, room):
    """Minimise the quadratic model by some of the jumps, then bring the slopes of all others up to date."""
    n_scores, n_jumps = jumps.shape
    own_hessian = np.empty((n_scores, moving.size, moving.size))
    own_slopes = np.empty((n_scores, moving.size))
    own_jumps = np.empty((n_scores, moving.size))
    for c in range(n_scores):
        for i in range(moving.size):
            own_slopes[c, i] = slopes[c, moving[i]]
            own_jumps[c, i] = jumps[c, moving[i]]
            for k in range(moving.size):
                own_hessian[c, i, k] = hessian[c, moving[i], moving[k]]
    own_signs = np.empty(moving.size)
    for i in range(moving.size):
        own_signs[i] = signs[moving[i]]
    n_sweeps = 0
    worst = np.inf
    while n_sweeps < max_sweeps and worst > 0.5 * tolerance:
        worst = 0.0
        for i in range(moving.size):
            worst = max(worst, move_one(own_hessian, own_slopes, own_jumps, own_signs, penalty, i, room))
        n_sweeps += 1
    for c in range(n_scores):
        for i in range(moving.size):
            step = own_jumps[c, i] - jumps[c, moving[i]]
            jumps[c, moving[i]] = own_jumps[c, i]
            if step != 0.0:
                for b in range(n_jumps):
                    slopes[c, b] += hessian[c, moving[i], b] * step
    return n_sweeps


def lengths_of(vectors):
    """Return the length of each row of an array."""
    # Both ways add from the left to the right: the one is quick for few columns, the other for many.
    if vectors.shape[1] > FEW_SCORES:
        return np.sqrt(np.cumsum(vectors * vectors, axis=1)[:, -1])
    totals = np.zeros(len(vectors))
    for column in vectors.T:
        totals += column * column
    return np.sqrt(totals)


@plain_kernel
def sum_of(numbers):
    """Return the sum of some numbers, in their order."""
    total = 0.0
    for number in numbers:
        total += number
    return total


@plain_kernel
def center(jumps):
    """Take the mean over the scores from each jump: that changes no probability and makes no jump longer."""
    n_scores, n_jumps = jumps.shape
    for a in range(n_jumps):
        mean = 0.0
        for c in range(n_scores):
            mean += jumps[c, a]
        mean /= n_scores
        for c in range(n_scores):
            jumps[c, a] -= mean


def misses(slopes, jumps, signs, penalty):
    """Return by how much each jump misses the conditions of the minimum."""
    lengths = lengths_of(jumps)
    is_free = (signs == 0.0) | (signs * slopes[:, 0] < 0.0)
    at_zero = np.where(is_free, np.maximum(0.0, lengths_of(slopes) - penalty), 0.0)
    gaps = slopes + penalty * jumps / np.where(lengths == 0.0, 1.0, lengths)[:, np.newaxis]
    return np.where(lengths == 0.0, at_zero, lengths_of(gaps))
