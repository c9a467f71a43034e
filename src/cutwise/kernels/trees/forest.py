"""Many trees of questions about codes, whose leaves' shares are averaged."""

from __future__ import annotations

import numpy as np

from cutwise.kernels.compile import kernel
from cutwise.kernels.stopping import check_stop

ROWS_BETWEEN_LOOKS = 256


@kernel
def average_leaves(codes, roots, attributes, limits, is_equal, firsts, shares):
    """Return the mean share of each class over the leaves that a row comes to: [row, class].

    A node asks whether the code of its attribute is at most its limit or, where `is_equal`, whether it is not
    the limit. A yes goes to the node `firsts`, a no to the one behind it. A leaf has the attribute -1, and
    `firsts` is its place among `shares`.
    """
    n_rows, n_classes = codes.shape[0], shares.shape[1]
    found = np.zeros((n_rows, n_classes))
    for row in range(n_rows):
        if row % ROWS_BETWEEN_LOOKS == 0:
            check_stop()
        for tree in range(roots.size):
            node = roots[tree]
            while attributes[node] >= 0:
                code = codes[row, attributes[node]]
                is_yes = code != limits[node] if is_equal[node] else code <= limits[node]
                node = firsts[node] + (0 if is_yes else 1)
            leaf = firsts[node]
            for c in range(n_classes):
                found[row, c] += shares[leaf, c]
        for c in range(n_classes):
            found[row, c] /= roots.size
    return found
