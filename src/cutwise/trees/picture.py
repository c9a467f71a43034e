"""A tree as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.trees.text import leaf_text, questions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.trees.attributes import Attribute
    from cutwise.trees.tree import Tree


def draw_tree(
    tree: Tree,
    attributes: Sequence[Attribute],
    classes: NDArray[Any],
    ax: Any = None,
    max_depth: int | None = None,
) -> Any:
    """Draw the nodes level by level and return the axes; matplotlib is loaded here."""
    from matplotlib import pyplot as plt  # noqa: PLC0415

    levels = tree.levels
    shown = int(levels[-1]) if max_depth is None else min(max_depth, int(levels[-1]))
    across = _places(tree, levels, shown)
    if ax is None:
        n_ends = max(float(across.max(initial=0.0)) + 1.0, 1.0)
        _, ax = plt.subplots(figsize=(max(4.0, 1.6 * n_ends), 1.4 * (shown + 1) + 0.6))
    box = {"boxstyle": "round", "edgecolor": "0.5"}
    for node in np.flatnonzero(levels <= shown).tolist():
        x, y = across[node], -levels[node]
        is_leaf = tree.n_children[node] == 0
        text = leaf_text(tree.weights, node, classes) if is_leaf else attributes[tree.attribute[node]].name
        is_cut_off = not is_leaf and levels[node] == shown
        text += "\n…" if is_cut_off else ""
        face = {"facecolor": "0.92" if is_leaf else "white"}
        ax.text(x, y, text, ha="center", va="center", bbox=box | face)
        if is_leaf or is_cut_off:
            continue
        name = attributes[tree.attribute[node]].name
        for child, question in zip(tree.children(node), questions(tree, attributes, node), strict=True):
            ax.plot([x, across[child]], [y, y - 1], color="0.6", zorder=0)
            label = question.removeprefix(f"{name} ")
            ax.text((x + across[child]) / 2, y - 0.5, label, ha="center", va="center", fontsize="small")
    ax.set_ylim(-shown - 0.5, 0.5)
    ax.margins(x=0.1)
    ax.set_axis_off()
    return ax


def _places(tree: Tree, levels: NDArray[np.int64], shown: int) -> NDArray[np.float64]:
    """Return where each node stands from left to right: ends side by side, others above their children."""
    across = np.zeros(tree.n_nodes)
    waiting, n_ends = [0], 0
    while waiting:
        node = waiting.pop()
        if tree.n_children[node] and levels[node] < shown:
            waiting += reversed(tree.children(node))
        else:
            across[node] = n_ends
            n_ends += 1
    for node in np.flatnonzero((tree.n_children > 0) & (levels < shown))[::-1].tolist():
        children = tree.children(node)
        across[node] = (across[children[0]] + across[children[-1]]) / 2
    return across
