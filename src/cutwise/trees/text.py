"""A tree as text, in the manner of C4.5."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from cutwise.trees.attributes import Attribute
    from cutwise.trees.tree import Tree

INDENT = "|   "


def tree_text(tree: Tree, attributes: Sequence[Attribute], classes: NDArray[Any], max_depth: int | None = None) -> str:
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


def questions(tree: Tree, attributes: Sequence[Attribute], node: int) -> list[str]:
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
