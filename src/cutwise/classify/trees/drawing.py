"""A tree as text, in the manner of C4.5."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.classify.trees.tree import TreeColumn, TreeNodes


INDENT = "|   "


def tree_text(
    tree: TreeNodes, attributes: Sequence[TreeColumn], classes: NDArray[Any], max_depth: int | None = None
) -> str:
    """Return a line for each question, indented by its level."""
    lines: list[str] = []
    waiting = [(0, "", 0)]
    while waiting:
        node, question, level = waiting.pop()
        is_shown = max_depth is None or level < max_depth
        indent = INDENT * (level - 1)
        if tree.n_children[node] == 0:
            lines.append(f"{indent}{question}: {leaf_text(tree.weights, node, classes)}")
            continue
        if question:
            lines.append(indent + question + ("" if is_shown else ": …"))
        if is_shown:
            pairs = zip(tree.children(node), questions(tree, attributes, node), strict=True)
            waiting += reversed([(child, text, level + 1) for child, text in pairs])
    return "\n".join(lines).removeprefix(": ")


def questions(tree: TreeNodes, attributes: Sequence[TreeColumn], node: int) -> list[str]:
    """Return what leads to each child of a node."""
    attribute = attributes[tree.attribute[node]]
    if attribute.categories is None:
        threshold = f"{tree.threshold[node]:.10g}"
        return [f"{attribute.name} <= {threshold}", f"{attribute.name} > {threshold}"]
    return [f"{attribute.name} = {_plain(category)}" for category in attribute.categories]


def leaf_text(weights: NDArray[np.float64], node: int, classes: NDArray[Any]) -> str:
    """Return the class of a leaf, the weight of its rows and of those of other classes."""
    total = float(weights[node].sum())
    if total == 0.0:
        return "no rows"
    wrong = total - float(weights[node].max())
    errors = f"/{_short(wrong)}" if round(wrong, 2) else ""
    return f"{classes[weights[node].argmax()]} ({_short(total)}{errors})"


def _short(weight: float) -> str:
    return f"{weight:.2f}".rstrip("0").rstrip(".")


def _plain(category: Any) -> str:
    """Write whole numbers without a point."""
    return f"{category:.10g}" if isinstance(category, float) else str(category)


def draw_tree(
    tree: TreeNodes,
    attributes: Sequence[TreeColumn],
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


def _places(tree: TreeNodes, levels: NDArray[np.int64], shown: int) -> NDArray[np.float64]:
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
