"""What is written about a tree: of each node the column it asks for, a threshold and the training rows.

Nodes come level by level, so the children of a node follow from the numbers of branches before
it. There are no pointers that could go astray.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from cutwise.models import ClassifierModel, Field
from cutwise.models.plain import as_categories, as_variant, require
from cutwise.trees.attributes import Attribute
from cutwise.trees.tree import LEAF, Tree

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

COLUMN_KEYS = {"numeric": (), "codes": ("categories",), "nominal": ("categories",)}
CODES = Field(("categories",), low=0.0)


class TreeModel(ClassifierModel):
    """The base of the trees that are written to JSON."""

    # A leaf asks for no column: null. Only splits of numbers have a threshold; minus infinity is null.
    _learned: ClassVar[Mapping[str, Field] | None] = {
        "split_columns": Field(("nodes",), kind="count", null=LEAF),
        "thresholds": Field(("thresholds",), null=-math.inf),
        "node_weights": Field(("nodes", "classes"), low=0.0, kind="weight"),
    }

    tree_: Tree
    attributes_: tuple[Attribute, ...]

    def _write_columns(self) -> list[Any]:
        return [_write_attribute(attribute, f"columns[{j}]") for j, attribute in enumerate(self.attributes_)]

    @classmethod
    def _read_columns(cls, data: list[Any], where: str) -> list[Attribute]:
        return [_read_attribute(item, f"columns[{j}]", where) for j, item in enumerate(data)]

    def _set_columns(self, columns: list[Attribute]) -> None:
        names = getattr(self, "feature_names_in_", [f"x{j}" for j in range(len(columns))])
        self.attributes_ = tuple(
            Attribute(name, column.categories, column.is_coded) for name, column in zip(names, columns, strict=True)
        )

    def _fits_codes(self, n_bins: Sequence[int]) -> bool:
        fits = (
            attribute.kind == "numeric" and all(code in range(size) for code in attribute.categories or ())
            for attribute, size in zip(self.attributes_, n_bins, strict=False)
        )
        return len(self.attributes_) == len(n_bins) and all(fits)

    def _get_learned(self) -> dict[str, Any]:
        tree = self.tree_
        return {
            "split_columns": tree.attribute,
            "thresholds": tree.threshold[~np.isnan(tree.threshold)],
            "node_weights": tree.weights,
        }

    def _set_learned(self, learned: dict[str, Any]) -> None:
        tree = _read_tree(learned["split_columns"], learned["thresholds"], learned["node_weights"], self.attributes_)
        self.tree_ = tree
        self.n_leaves_ = tree.n_leaves
        self.depth_ = tree.depth


def _write_attribute(attribute: Attribute, where: str) -> dict[str, Any]:
    if attribute.categories is None:
        return {"kind": "numeric"}
    if attribute.is_coded:
        return {"kind": "codes", "categories": CODES.write(attribute.categories, f"{where}.categories", {})}
    return {"kind": "nominal", "categories": list(attribute.categories)}


def _read_attribute(data: object, name: str, where: str) -> Attribute:
    """Return a column, as yet without its name."""
    column = as_variant(data, COLUMN_KEYS, f"{where}: {name!r}")
    if column["kind"] == "numeric":
        return Attribute("")
    within = f"{name}.categories"
    categories = as_categories(column["categories"], f"{where}: {within!r}")
    if column["kind"] == "nominal":
        return Attribute("", categories)
    return Attribute("", tuple(CODES.read(column["categories"], within, {}).tolist()), is_coded=True)


def _read_tree(
    columns: NDArray[np.int64],
    thresholds: NDArray[np.float64],
    weights: NDArray[np.float64],
    attributes: Sequence[Attribute],
) -> Tree:
    """Return the tree that these nodes make, or refuse them."""
    require(columns.size > 0, "'split_columns' must name at least the root.")
    require(int(columns.max()) < len(attributes), f"'split_columns' names column {columns.max()} of {len(attributes)}.")
    n_branches = [2 if one.categories is None else len(one.categories) for one in attributes]
    n_children = np.array([*n_branches, 0], dtype=np.int64)[columns]  # a leaf, -1, takes the last
    is_split = columns != LEAF
    require(bool((n_children[is_split] > 0).all()), "'split_columns' names a column without categories.")
    first_child = np.where(is_split, np.cumsum(n_children) - n_children + 1, 0)
    comes_after = first_child[is_split] > np.flatnonzero(is_split)
    is_whole = int(n_children.sum()) + 1 == columns.size and bool(comes_after.all())
    require(is_whole, "'split_columns' is no tree: the branches of the nodes do not lead to each node once.")
    is_number = np.array([*(one.categories is None for one in attributes), False])[columns]
    n_numbers = int(is_number.sum())
    require(
        thresholds.size == n_numbers, f"'thresholds' has {thresholds.size} entries for {n_numbers} splits of numbers."
    )
    require(bool(weights[0].sum() > 0.0), "'node_weights' gives the root no rows.")
    threshold = np.full(columns.size, np.nan)
    threshold[is_number] = thresholds
    return Tree(columns, threshold, first_child, n_children, weights)
