"""The divergence of bins under a split, with each share computed once.

The bins of a column have few different pairs of rows and validation rows, and each share takes
logarithms. What is looked up is what `terms.split_term` computes, to the last bit.
"""

from __future__ import annotations

import numpy as np

from cutwise.kernels.compile import kernel
from cutwise.kernels.terms import share_term, split_term

# The most shares to remember; they take 8 bytes each.
MAX_SHARES = 1 << 24


@kernel
def make_memory(rows_by_part, n_rows):
    """Return the kind of each part, parts of one size being of one kind, and memory for the shares of each kind.

    There is no memory if it would be too large.
    """
    kinds = np.zeros(rows_by_part.size, dtype=np.int64)
    n_kinds = 0
    most = 0
    for part in range(rows_by_part.size):
        most = max(most, rows_by_part[part])
        kinds[part] = n_kinds
        for other in range(part):
            if rows_by_part[other] == rows_by_part[part]:
                kinds[part] = kinds[other]
                break
        n_kinds = max(n_kinds, kinds[part] + 1)
    if (n_rows + 1.0) * (most + 1.0) * n_kinds > MAX_SHARES:
        return kinds, np.zeros((0, 0, 0))
    return kinds, np.zeros((n_kinds, n_rows + 1, most + 1))


@kernel
def recalled_term(rows, valid_by_part, rows_by_part, n_rows, scale, kinds, memory):
    """Return `split_term`; shares that are not zero are remembered."""
    if memory.size == 0:
        return split_term(rows, valid_by_part, rows_by_part, n_rows, scale)
    total = 0.0
    for part in range(rows_by_part.size):
        share = memory[kinds[part], rows, valid_by_part[part]]
        if share == 0.0:
            share = share_term(rows, valid_by_part[part], n_rows, rows_by_part[part])
            memory[kinds[part], rows, valid_by_part[part]] = share
        total += share
    return int(np.rint(total / rows_by_part.size * n_rows * scale))
