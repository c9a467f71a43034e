"""A learned tree as plain arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAF = -1


@dataclass(frozen=True, eq=False)
class Tree:
    """The nodes of a tree, level by level; node 0 is the root.

    The children of a node are ``first_child, first_child + 1, …``. Of a split by a number the
    first child gets the rows that are not above the threshold; a split by categories has one
    child for each category.

    Parameters
    ----------
    attribute : ndarray of int64
        The column that a node asks for; -1 for a leaf.
    threshold : ndarray of float64
        NaN for a leaf and for a split by categories.
    first_child : ndarray of int64
        0 for a leaf.
    n_children : ndarray of int64
    weights : ndarray of float64, of shape (n_nodes, n_classes)
        The weight of the training rows of each class; fractions come from missing values. A
        node without rows stands for a category that no row of its parent has.
    """

    attribute: NDArray[np.int64]
    threshold: NDArray[np.float64]
    first_child: NDArray[np.int64]
    n_children: NDArray[np.int64]
    weights: NDArray[np.float64]

    @property
    def n_nodes(self) -> int:
        """The number of nodes, leaves among them."""
        return self.attribute.size

    @property
    def n_leaves(self) -> int:
        """The number of leaves, those without rows among them."""
        return int((self.n_children == 0).sum())

    @property
    def levels(self) -> NDArray[np.int64]:
        """How far each node is from the root."""
        parents = np.repeat(np.arange(self.n_nodes), self.n_children)
        levels = np.zeros(self.n_nodes, dtype=np.int64)
        # Nodes come level by level, and so do their parents.
        begin, end = 0, 1
        while end < self.n_nodes:
            begin, end = end, end + int(self.n_children[begin:end].sum())
            levels[begin:end] = levels[parents[begin - 1 : end - 1]] + 1
        return levels

    @property
    def depth(self) -> int:
        """The number of questions on the longest way."""
        return int(self.levels[-1])

    def children(self, node: int) -> range:
        """Return the children of a node."""
        first = int(self.first_child[node])
        return range(first, first + int(self.n_children[node]))

    def class_shares(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the share of each class [row, class] where the rows of a table [column, row] end."""
        shares = np.zeros((table.shape[1], self.weights.shape[1]))
        kernels.c45_predict.spread_classes(table, *self._arrays(), self.weights, shares)
        return shares

    def winners(self, table: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the place of the class with the largest share for each row of a table [column, row]."""
        places = np.empty(table.shape[1], dtype=np.int64)
        kernels.c45_predict.pick_classes(table, *self._arrays(), self.weights, places)
        return places

    def paths(self, table: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
        """Return where each row's path starts, the nodes on all paths, and with what share of the row."""
        starts = np.empty(table.shape[1] + 1, dtype=np.int64)
        nodes, shares = np.empty(0, dtype=np.int64), np.empty(0)
        totals = self.weights.sum(axis=1)
        find = kernels.c45_predict.find_paths
        length = int(find(table, *self._arrays(), totals, starts, nodes, shares))
        nodes, shares = np.empty(length, dtype=np.int64), np.empty(length)
        find(table, *self._arrays(), totals, starts, nodes, shares)
        return starts, nodes, shares

    def _arrays(
        self,
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
        return self.attribute, self.threshold, self.first_child, self.n_children
