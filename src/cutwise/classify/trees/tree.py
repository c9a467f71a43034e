"""A learned tree as plain arrays."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from cutwise import kernels
from cutwise.persist import ClassifierModel, LearnedField
from cutwise.persist.fields import as_categories
from cutwise.persist.strict import as_variant, require
from cutwise.table import NominalColumn, NumericColumn, read_columns
from cutwise.table.columns import MISSING, UNSEEN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from cutwise.table.columns import Column


@dataclass(frozen=True)
class TreeColumn:
    """What fit learned about a column.

    Parameters
    ----------
    name : str
    categories : tuple or None
        The categories in order; None for a column of numbers.
    is_coded : bool
        Whether the categories are numbers that stand for bins, negative ones for missing.
    """

    name: str
    categories: tuple[Any, ...] | None = None
    is_coded: bool = False

    @property
    def kind(self) -> str:
        """What the column must hold."""
        return "numeric" if self.categories is None or self.is_coded else "nominal"

    def read(self, column: Column) -> NDArray[np.float64]:
        """Return a column as doubles: numbers or codes, NaN where missing, a code too many where unseen."""
        if isinstance(column, NumericColumn):
            values = np.asarray(column.values, dtype=np.float64)
            return values if self.categories is None else _codes_of_numbers(values, self.categories)
        categories = self.categories or ()
        codes = column.codes(categories).astype(np.float64)
        codes[codes == MISSING] = np.nan
        codes[codes == UNSEEN] = len(categories)
        return codes


@dataclass(frozen=True, eq=False)
class TrainingColumn:
    """A training column: the attribute, each row's cell and, of numbers, the values and the rows in order."""

    attribute: TreeColumn
    cells: NDArray[np.int32]
    values: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    order: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, dtype=np.int32))


def learn_columns(data: Any, names: Sequence[str], is_nominal: Sequence[bool]) -> list[TrainingColumn]:
    """Read the training columns; those declared nominal hold codes even if they are numbers."""
    columns = (read() for read in read_columns(data, names))
    return [_learn(column, declared) for column, declared in zip(columns, is_nominal, strict=True)]


def read_table(data: Any, attributes: Sequence[TreeColumn]) -> NDArray[np.float64]:
    """Return the columns of a table [column, row] as doubles, NaN where a value is missing."""
    names, kinds = [one.name for one in attributes], [one.kind for one in attributes]
    readers = read_columns(data, names, kinds)
    return np.stack([attribute.read(read()) for attribute, read in zip(attributes, readers, strict=True)])


def _learn(column: Column, declared: bool) -> TrainingColumn:  # noqa: FBT001
    if isinstance(column, NominalColumn):
        return TrainingColumn(TreeColumn(column.name, column.categories), column.codes(column.categories))
    values = np.asarray(column.values, dtype=np.float64)
    if declared:
        categories = tuple(np.unique(values[values >= 0]).tolist())
        codes = _codes_of_numbers(values, categories)
        cells = np.where(np.isnan(codes), MISSING, codes).astype(np.int32)
        return TrainingColumn(TreeColumn(column.name, categories, is_coded=True), cells)
    return _rank(column.name, values)


def _rank(name: str, values: NDArray[np.float64]) -> TrainingColumn:
    """Bring a column of numbers into order."""
    order = np.argsort(values, kind="stable")  # NaN goes last
    in_order = values[order]
    n_known = values.size - int(np.isnan(values).sum())
    is_new = np.ones(n_known, dtype=bool)
    is_new[1:] = in_order[1:n_known] > in_order[: max(n_known - 1, 0)]
    cells = np.full(values.size, MISSING, dtype=np.int32)
    cells[order[:n_known]] = np.cumsum(is_new) - 1
    return TrainingColumn(TreeColumn(name), cells, in_order[:n_known][is_new], order.astype(np.int32))


def _codes_of_numbers(values: NDArray[np.float64], categories: tuple[float, ...]) -> NDArray[np.float64]:
    """Return each number's place among the categories: NaN for negative ones, a code too many for new ones."""
    known = np.asarray(categories, dtype=np.float64)
    codes = values
    if np.array_equal(known, np.arange(known.size)):  # the codes of a discretizer, all of them seen
        found = (values < known.size) & (values == np.floor(values))
    else:
        codes = np.searchsorted(known, values).astype(np.float64)
        found = np.append(known, np.nan)[codes.astype(np.int64)] == values
    return np.where(values >= 0, np.where(found, codes, known.size), np.nan)


LEAF = -1


@dataclass(frozen=True, eq=False)
class TreeNodes:
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
        kernels.trees.predict.spread_classes(table, *self._arrays(), self.weights, shares)
        return shares

    def winners(self, table: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the place of the class with the largest share for each row of a table [column, row]."""
        places = np.empty(table.shape[1], dtype=np.int64)
        kernels.trees.predict.pick_classes(table, *self._arrays(), self.weights, places)
        return places

    def paths(self, table: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
        """Return where each row's path starts, the nodes on all paths, and with what share of the row."""
        starts = np.empty(table.shape[1] + 1, dtype=np.int64)
        nodes, shares = np.empty(0, dtype=np.int64), np.empty(0)
        totals = self.weights.sum(axis=1)
        find = kernels.trees.predict.find_paths
        length = int(find(table, *self._arrays(), totals, starts, nodes, shares))
        nodes, shares = np.empty(length, dtype=np.int64), np.empty(length)
        find(table, *self._arrays(), totals, starts, nodes, shares)
        return starts, nodes, shares

    def _arrays(
        self,
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
        return self.attribute, self.threshold, self.first_child, self.n_children


COLUMN_KEYS = {"numeric": (), "codes": ("categories",), "nominal": ("categories",)}
CODES = LearnedField(("categories",), low=0.0)


class TreeModel(ClassifierModel):
    """The base of the trees that are written to JSON."""

    # A leaf asks for no column: null. Only splits of numbers have a threshold; minus infinity is null.
    _learned: ClassVar[Mapping[str, LearnedField] | None] = {
        "split_columns": LearnedField(("nodes",), kind="count", null=LEAF),
        "thresholds": LearnedField(("thresholds",), null=-math.inf),
        "node_weights": LearnedField(("nodes", "classes"), low=0.0, kind="weight"),
    }

    tree_: TreeNodes
    attributes_: tuple[TreeColumn, ...]

    def _write_columns(self) -> list[Any]:
        return [_write_attribute(attribute, f"columns[{j}]") for j, attribute in enumerate(self.attributes_)]

    @classmethod
    def _read_columns(cls, data: list[Any], where: str) -> list[TreeColumn]:
        return [_read_attribute(item, f"columns[{j}]", where) for j, item in enumerate(data)]

    def _set_columns(self, columns: list[TreeColumn]) -> None:
        names = getattr(self, "feature_names_in_", [f"x{j}" for j in range(len(columns))])
        self.attributes_ = tuple(
            TreeColumn(name, column.categories, column.is_coded) for name, column in zip(names, columns, strict=True)
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
        self.tree_ = _read_tree(
            learned["split_columns"], learned["thresholds"], learned["node_weights"], self.attributes_
        )


def _write_attribute(attribute: TreeColumn, where: str) -> dict[str, Any]:
    if attribute.categories is None:
        return {"kind": "numeric"}
    if attribute.is_coded:
        return {"kind": "codes", "categories": CODES.write(attribute.categories, f"{where}.categories", {})}
    return {"kind": "nominal", "categories": list(attribute.categories)}


def _read_attribute(data: object, name: str, where: str) -> TreeColumn:
    """Return a column, as yet without its name."""
    column = as_variant(data, COLUMN_KEYS, f"{where}: {name!r}")
    if column["kind"] == "numeric":
        return TreeColumn("")
    within = f"{name}.categories"
    categories = as_categories(column["categories"], f"{where}: {within!r}")
    if column["kind"] == "nominal":
        return TreeColumn("", categories)
    return TreeColumn("", tuple(CODES.read(column["categories"], within, {}).tolist()), is_coded=True)


def _read_tree(
    columns: NDArray[np.int64],
    thresholds: NDArray[np.float64],
    weights: NDArray[np.float64],
    attributes: Sequence[TreeColumn],
) -> TreeNodes:
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
    return TreeNodes(columns, threshold, first_child, n_children, weights)
