"""Send the rows of a node of C4.5's tree to its branches.

The rows of a node are ``rows[start:stop]`` with their ``weights``. If no value is missing, the
branches share the node's place. Otherwise they get a new place at ``top``, because a row whose
value is missing goes to all branches, with a weight in proportion to theirs.
"""

from __future__ import annotations

import numpy as np

from cutwise.kernels.compile import kernel

# A branch with a smaller share of the known rows gets none of the others.
MIN_SHARE = 1e-6
# What a node holds: see `c45.py`.
ATTRIBUTE, CUT, FIRST, N_CHILDREN, START, STOP = 0, 1, 2, 3, 4, 5
N_FIELDS = 6
LEAF = -1
NOMINAL = -1


@kernel
def branch_of(cell, cut):
    """Return the branch of a value, -1 if it is missing; cut is the last rank of the lower branch, or NOMINAL."""
    if cut == NOMINAL or cell < 0:
        return cell
    return 0 if cell <= cut else 1


@kernel
def sum_by_class(rows, weights, start, stop, classes, out):
    """Write the weight of each class of a node; return their sum and the largest of them."""
    for label in range(out.size):
        out[label] = 0.0
    for i in range(start, stop):
        out[classes[rows[i]]] += weights[i]
    total = 0.0
    largest = 0.0
    for label in range(out.size):
        total += out[label]
        largest = max(largest, out[label])
    return total, largest


@kernel
def find_shares(cells, cut, rows, weights, start, stop, shares, starts):
    """Write each branch's share of the rows with missing values, and how many rows it gets.

    starts[b + 1] is the number of rows of branch b. Returns the number of missing values; if
    there is none, no shares are needed and they are zero.
    """
    n_branches = shares.size
    for branch in range(n_branches):
        shares[branch] = 0.0
        starts[branch + 1] = 0
    n_missing = 0
    known = 0.0
    for i in range(start, stop):
        branch = branch_of(cells[rows[i]], cut)
        if branch < 0:
            n_missing += 1
        else:
            shares[branch] += weights[i]
            known += weights[i]
            starts[branch + 1] += 1
    for branch in range(n_branches):
        if n_missing == 0:
            shares[branch] = 0.0
        elif known > 0.0:
            shares[branch] /= known
        else:
            shares[branch] = 1.0 / n_branches
        if shares[branch] > MIN_SHARE:
            starts[branch + 1] += n_missing
        else:
            shares[branch] = 0.0
    return n_missing


@kernel
def longer(array, size):
    """Return a longer copy of an array."""
    out = np.empty(max(size, 2 * array.size), dtype=array.dtype)
    for i in range(array.size):
        out[i] = array[i]
    return out


@kernel
def send_rows(cells, cut, rows, weights, start, stop, top, unit, shares, starts):
    """Put the rows of each branch together; branch b gets the places starts[b] to starts[b + 1].

    Returns the rows, the weights and the end of the places in use; the arrays are new ones if
    they were too short. Weights are whole multiples of the unit.
    """
    n_missing = find_shares(cells, cut, rows, weights, start, stop, shares, starts)
    starts[0] = start if n_missing == 0 else top
    for branch in range(shares.size):
        starts[branch + 1] += starts[branch]
    end = starts[shares.size]
    if end > rows.size:
        rows = longer(rows, end)
        weights = longer(weights, end)
    size = stop - start
    old_rows = np.empty(size, dtype=np.int32)
    old_weights = np.empty(size, dtype=np.float64)
    for i in range(size):
        old_rows[i] = rows[start + i]
        old_weights[i] = weights[start + i]
    places = np.empty(shares.size, dtype=np.int64)
    for branch in range(shares.size):
        places[branch] = starts[branch]
    for i in range(size):
        row = old_rows[i]
        branch = branch_of(cells[row], cut)
        if branch >= 0:
            rows[places[branch]] = row
            weights[places[branch]] = old_weights[i]
            places[branch] += 1
            continue
        for other in range(shares.size):
            if shares[other] > 0.0:
                rows[places[other]] = row
                weights[places[other]] = max(np.rint(old_weights[i] * shares[other] / unit), 1.0) * unit
                places[other] += 1
    return rows, weights, max(top, end)


@kernel
def send_order(cells, cut, order, first, size, to, shares, starts, buffer):
    """Bring a node's rows in the order of a column into the places of the branches, order kept.

    The node's rows are at order[first : first + size]; the branches begin at order[to].
    """
    places = np.empty(shares.size, dtype=np.int64)
    for branch in range(shares.size):
        places[branch] = starts[branch]
    for i in range(size):
        row = order[first + i]
        branch = branch_of(cells[row], cut)
        if branch >= 0:
            buffer[places[branch] - starts[0]] = row
            places[branch] += 1
            continue
        for other in range(shares.size):
            if shares[other] > 0.0:
                buffer[places[other] - starts[0]] = row
                places[other] += 1
    for i in range(starts[shares.size] - starts[0]):
        order[to + i] = buffer[i]
