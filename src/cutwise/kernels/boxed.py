"""Steps within a box: the lowest point of a quadratic model between bounds.

Matrices are symmetric and given by their upper halves. Everything is added up in one order, so
that a step has the same bits on every processor.
"""

from __future__ import annotations

import numpy as np

from cutwise.kernels.compile import kernel


@kernel
def dot(a, b):
    """Return the sum of products in order."""
    total = 0.0
    for i in range(a.size):
        total += a[i] * b[i]
    return total


@kernel
def factor(matrix):
    """Turn the upper half into U with U' U = matrix; return whether the matrix is positive definite."""
    n = matrix.shape[0]
    for k in range(n):
        pivot = matrix[k, k]
        if not pivot > 0.0:
            return False
        root = np.sqrt(pivot)
        for j in range(k, n):
            matrix[k, j] /= root
        for i in range(k + 1, n):
            share = matrix[k, i]
            for j in range(i, n):
                matrix[i, j] -= share * matrix[k, j]
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
