"""Steps within a box: the lowest point of a quadratic model between bounds.

Matrices are symmetric and given by their upper halves. Everything is added up in one order, so
that a step has the same bits on every processor.
"""

from __future__ import annotations

import numpy as np

from cutwise.kernels.compile import kernel
from cutwise.kernels.inputs import LOG, SQUARED


@kernel
def dot(a, b):
    """Return the sum of products in order."""
    total = 0.0
    for i in range(a.size):
        total += a[i] * b[i]
    return total


@kernel
def inverse_times(moved, turned, order, slopes, free):
    """Multiply the free slopes by the inverse curvature that steps and changes of slopes tell (L-BFGS).

    Parameters
    ----------
    moved, turned : arrays of shape (n_steps, n_weights)
    order : array of int
        The steps from the oldest to the newest.
    free : array of int
        The weights that may move; of steps that curve downwards among them nothing is learned.
    """
    n = free.size
    found = np.empty(n)
    for i in range(n):
        found[i] = slopes[free[i]]
    ways, turns = np.empty((order.size, n)), np.empty((order.size, n))
    products, shares = np.empty(order.size), np.empty(order.size)
    n_used = 0
    for step in order:
        total = 0.0
        for i in range(n):
            ways[n_used, i], turns[n_used, i] = moved[step, free[i]], turned[step, free[i]]
            total += ways[n_used, i] * turns[n_used, i]
        if total > 0.0:
            products[n_used] = total
            n_used += 1
    if n_used == 0:
        largest = 0.0
        for i in range(n):
            largest = max(largest, abs(found[i]))
        for i in range(n):
            found[i] /= largest
        return found
    for k in range(n_used - 1, -1, -1):
        shares[k] = dot(ways[k], found) / products[k]
        for i in range(n):
            found[i] -= shares[k] * turns[k, i]
    scale = products[n_used - 1] / dot(turns[n_used - 1], turns[n_used - 1])
    for i in range(n):
        found[i] *= scale
    for k in range(n_used):
        more = shares[k] - dot(turns[k], found) / products[k]
        for i in range(n):
            found[i] += more * ways[k, i]
    return found


@kernel
def factor(matrix):
    """Turn the upper half into U with U' U = matrix; return whether the matrix is positive definite."""
    n = matrix.shape[0]
    for k in range(n):
        row = matrix[k, k:]
        whole = k // 4 * 4
        for i in range(0, whole, 4):
            a, b, c, d = matrix[i, k], matrix[i + 1, k], matrix[i + 2, k], matrix[i + 3, k]
            of_a, of_b, of_c, of_d = matrix[i, k:], matrix[i + 1, k:], matrix[i + 2, k:], matrix[i + 3, k:]
            for j in range(row.size):
                row[j] = (((row[j] - a * of_a[j]) - b * of_b[j]) - c * of_c[j]) - d * of_d[j]
        for i in range(whole, k):
            share, of_share = matrix[i, k], matrix[i, k:]
            for j in range(row.size):
                row[j] -= share * of_share[j]
        if not row[0] > 0.0:
            return False
        root = np.sqrt(row[0])
        for j in range(row.size):
            row[j] /= root
    return True


@kernel
def solve(upper, right):
    """Turn the right side of U' U x = right into x."""
    n = right.size
    for k in range(n):
        right[k] /= upper[k, k]
        for j in range(k + 1, n):
            right[j] -= right[k] * upper[k, j]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            right[k] -= upper[k, j] * right[j]
        right[k] /= upper[k, k]


@kernel
def multiply(matrix, vector):
    """Return matrix times vector."""
    n = vector.size
    out = np.zeros(n)
    for i in range(n):
        out[i] += matrix[i, i] * vector[i]
        for j in range(i + 1, n):
            out[i] += matrix[i, j] * vector[j]
            out[j] += matrix[i, j] * vector[i]
    return out


@kernel
def step_in_box(matrix, slopes, low, high, damping):
    """Return a step, what the model promises of it, and whether the damped matrix is positive definite.

    The model is slopes' s + s' (matrix + diag(damping)) s / 2. Its lowest point is sought; coordinates
    that would leave the box stay at its wall, and the others are sought again. What is promised
    is the fall of the model without damping.
    """
    n = slopes.size
    step = np.zeros(n)
    inside = np.arange(n)
    while inside.size > 0:
        bent = multiply(matrix, step)
        part = np.empty((inside.size, inside.size))
        right = np.empty(inside.size)
        for i in range(inside.size):
            right[i] = -slopes[inside[i]] - bent[inside[i]]
            for j in range(i, inside.size):
                part[i, j] = matrix[inside[i], inside[j]]
            part[i, i] += damping[inside[i]]
        if not factor(part):
            return step, 0.0, False
        solve(part, right)
        stays = np.ones(inside.size, dtype=np.bool_)
        for i in range(inside.size):
            k = inside[i]
            if right[i] <= low[k] or right[i] >= high[k]:
                stays[i] = False
                step[k] = min(max(right[i], low[k]), high[k])
        if stays.all():
            for i in range(inside.size):
                step[inside[i]] = right[i]
            break
        inside = inside[stays]
    return step, -(dot(slopes, step) + 0.5 * dot(step, multiply(matrix, step))), True


@kernel
def to_shares(powers):
    """Divide numbers by their sum."""
    total = 0.0
    for c in range(powers.size):
        total += powers[c]
    for c in range(powers.size):
        powers[c] /= total


@kernel
def log_row(p, weight, out):
    """Write the second derivatives of a row's log-loss by its scores."""
    for c in range(p.size):
        for k in range(p.size):
            out[c, k] = -weight * p[c] * p[k]
        out[c, c] += weight * p[c]


@kernel
def add_product(p, s, factor, out, top, left):
    """Add a multiple of J(p) J(s), from a row and a column of `out` on."""
    both = 0.0
    for c in range(p.size):
        both += p[c] * s[c]
    for c in range(p.size):
        of_score = out[top + c, left : left + p.size]
        of_c, less = factor * p[c], both - s[c]
        for k in range(p.size):
            of_score[k] += of_c * s[k] * (less - p[k])
        of_score[c] += of_c * s[c]


@kernel
def add_bend(p, errors, factor, out, begin):
    """Add a multiple of diag(e) - e p' - p e', from a row and column of `out` on."""
    mean = 0.0
    for c in range(p.size):
        mean += errors[c] * p[c]
    for c in range(p.size):
        of_score = out[begin + c, begin : begin + p.size]
        of_c, more = factor * p[c], (errors[c] - mean) - mean
        for k in range(p.size):
            of_score[k] -= of_c * p[k] * (more + errors[k])
        of_score[c] += of_c * (errors[c] - mean)


@kernel
def squared_row(p, label, weight, errors, out):
    """Write the second derivatives of half a row's squared errors by its scores."""
    for c in range(p.size):
        errors[c] = p[c] - (1.0 if c == label else 0.0)
    out[:] = 0.0
    add_product(p, p, weight, out, 0, 0)
    add_bend(p, errors, weight, out, 0)


@kernel
def add_slope(p, direction, factor, out):
    """Add a multiple of J(p) times a direction."""
    mean = 0.0
    for c in range(p.size):
        mean += p[c] * direction[c]
    for c in range(p.size):
        out[c] += factor * (p[c] * (direction[c] - mean))


@kernel
def mixed_row(powers, label, weight, mixing, errors, apart, out, with_mixing):
    """Write the second derivatives of half the squared errors of a mixture, and return that by the mixing.

    `out` gets those by two scores, except by one of the first half and then one of the second, which
    no weight needs; `with_mixing` gets those by a score and the mixing.
    """
    n_classes = errors.size
    p, s = powers[:n_classes], powers[n_classes:]
    squares = 0.0
    for c in range(n_classes):
        apart[c] = s[c] - p[c]
        errors[c] = p[c] + mixing * apart[c] - (1.0 if c == label else 0.0)
        squares += apart[c] * apart[c]
    rest = 1.0 - mixing
    out[:] = 0.0
    add_product(p, p, weight * rest * rest, out, 0, 0)
    add_bend(p, errors, weight * rest, out, 0)
    add_product(s, p, weight * rest * mixing, out, n_classes, 0)
    add_product(s, s, weight * mixing * mixing, out, n_classes, n_classes)
    add_bend(s, errors, weight * mixing, out, n_classes)
    with_mixing[:] = 0.0
    add_slope(p, apart, weight * rest, with_mixing[:n_classes])
    add_slope(p, errors, -weight, with_mixing[:n_classes])
    add_slope(s, apart, weight * mixing, with_mixing[n_classes:])
    add_slope(s, errors, weight, with_mixing[n_classes:])
    return weight * squares


@kernel
def gather_logs(codes, offsets, logs, attributes, first, last, out):
    """Write, for each score of a row, the log-likelihoods that its weights multiply; 0 for an unknown code."""
    n_classes = logs.shape[1]
    for t in range(first.size):
        c = t % n_classes
        for f in range(first[t], last[t]):
            j = attributes[f]
            cell = offsets[j] + codes[j]
            out[t, f] = logs[cell, c] if codes[j] >= 0 and cell < offsets[j + 1] else 0.0


@kernel
def slopes_of_step(by_scores, values, first, last, t, out):
    """Write what a step of each weight adds to the slope of the score t; weights before those of t are left out."""
    out[first[t] :] = 0.0
    for k in range(first.size):
        begin = max(first[k], first[t])
        factor = by_scores[t, k]
        of_score, added = out[begin : last[k]], values[k, begin : last[k]]
        for g in range(of_score.size):
            of_score[g] += factor * added[g]


@kernel
def add_rows(by_scores, values, first, last, slopes, out):
    """Add the second derivatives of four rows by two weights, of which the second does not come before the first.

    values[row, t, f] is what a step of weight f adds to the score t; `slopes` is room.
    """
    for t in range(first.size):
        if first[t] == last[t]:
            continue
        for row in range(4):
            slopes_of_step(by_scores[row], values[row], first, last, t, slopes[row])
        for f in range(first[t], last[t]):
            a, b, c, d = values[0, t, f], values[1, t, f], values[2, t, f], values[3, t, f]
            of_a, of_b, of_c, of_d = slopes[0, f:], slopes[1, f:], slopes[2, f:], slopes[3, f:]
            of_weight = out[f, f : slopes.shape[1]]
            for g in range(of_weight.size):
                of_weight[g] += (a * of_a[g] + b * of_b[g]) + (c * of_c[g] + d * of_d[g])


@kernel
def add_curvature(codes, offsets, logs, powers, labels, weights, kind, mixing, attributes, first, last, out):
    """Add up the second derivatives of a loss over rows, in the upper half of `out`.

    Parameters
    ----------
    powers : array of shape (n_rows, n_scores)
        The exponentials of the shifted scores; they become probabilities.
    kind : int
        LOG, SQUARED or MIXED; of the latter the mixing comes behind the weights where `out` has
        room for it.
    """
    n_rows, n_scores = powers.shape
    n_classes = logs.shape[1]
    n_weights = attributes.size
    by_scores = np.zeros((4, n_scores, n_scores))
    values = np.zeros((4, n_scores, n_weights))
    slopes = np.empty((4, n_weights))
    with_mixing = np.empty(n_scores)
    errors, apart = np.empty(n_classes), np.empty(n_classes)
    for row in range(n_rows):
        at = row % 4
        weight = 1.0 if weights.size == 0 else weights[row]
        for half in range(0, n_scores, n_classes):
            to_shares(powers[row, half : half + n_classes])
        gather_logs(codes[row], offsets, logs, attributes, first, last, values[at])
        if kind == LOG:
            log_row(powers[row], weight, by_scores[at])
        elif kind == SQUARED:
            squared_row(powers[row], labels[row], weight, errors, by_scores[at])
        else:
            own = mixed_row(powers[row], labels[row], weight, mixing, errors, apart, by_scores[at], with_mixing)
            if out.shape[0] > n_weights:
                out[n_weights, n_weights] += own
                for t in range(n_scores):
                    for f in range(first[t], last[t]):
                        out[f, n_weights] += with_mixing[t] * values[at, t, f]
        if at == 3 or row == n_rows - 1:
            by_scores[at + 1 :] = 0.0
            add_rows(by_scores, values, first, last, slopes, out)
