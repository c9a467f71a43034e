"""Many trees of questions about codes, whose leaves' shares are averaged."""

from __future__ import annotations

import numpy as np

from cutwise.kernels.compile import plain_kernel
from cutwise.kernels.stopping import check_stop

# A tree is in the processor's cache while so many rows go through it, and so many of them go side by side: none waits
# for the memory alone.
ROWS_A_BLOCK, ROWS_ABREAST = 1 << 14, 16


@plain_kernel
def average_leaves(codes, roots, nodes, leaves, shares, places, found):
    """Fill found[row, class] with the mean share of each class over the leaves that a row comes to.

    A node has an attribute, the lowest code that it looks for, how many codes above this one it looks for, too, and the
    node to go to with any other code; with one of these codes a row goes to the node behind that one. A leaf looks for
    no code and goes to itself; leaves[node] is its place among `shares`.

    A missing code, -1, is taken for the largest number: it is none of the codes above another one. `found` is zeros
    before, and `places` has room for as many rows as go side by side.
    """
    n_rows, n_classes = found.shape
    for start in range(0, n_rows, ROWS_A_BLOCK):
        stop = min(start + ROWS_A_BLOCK, n_rows)
        for tree in range(roots.size):
            check_stop()
            for first in range(start, stop, ROWS_ABREAST):
                n_abreast = np.uint64(min(ROWS_ABREAST, stop - first))
                for k in range(n_abreast):
                    places[k] = roots[tree]
                moved = np.uint64(1)
                while moved:
                    moved = np.uint64(0)
                    for k in range(n_abreast):
                        node = places[k]
                        code = np.uint32(codes[np.uint64(first) + k, nodes[node, 0]])
                        is_sought = np.uint64(code) - np.uint64(nodes[node, 1]) <= np.uint64(nodes[node, 2])
                        place = np.uint64(nodes[node, 3]) + np.uint64(is_sought)
                        moved |= place ^ node
                        places[k] = place
                for k in range(n_abreast):
                    row, leaf = np.uint64(first) + k, leaves[places[k]]
                    for c in range(n_classes):
                        found[row, c] += shares[leaf, c]
    for row in range(n_rows):
        for c in range(n_classes):
            found[row, c] /= roots.size
