"""Forests of codes: scikit-learn grows the trees, plain arrays keep them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

from cutwise import kernels
from cutwise.classify.bayes.sample import read_codes, read_sample
from cutwise.estimator import estimator
from cutwise.persist import CodeModel, LearnedField
from cutwise.persist.strict import require
from cutwise.threads import check_stop, interruptible
from cutwise.validation import set_fitted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from cutwise.classify.bayes.sample import CodedRows

GROWERS = {"extra": ExtraTreesClassifier, "forest": RandomForestClassifier}
# A leaf has at least so many rows, and at least this share of all, so that large tables give trees of bounded size.
LEAST_ROWS, LEAST_SHARE = 1, 1 / 5_000
# A forest learns from at most so many different rows, drawn at random; and of more than so many others each tree draws
# its own, with replacement.
MOST_ROWS, MOST_A_TREE = 1 << 18, 1 << 15
# So many trees are grown at a time, more of few rows, so that a fit can be stopped.
AT_A_TIME, ROWS_AT_A_TIME = 2, 50_000
NODE = ("nodes",)
# Behind all codes.
LAST = 2**31 - 1


class CodeTrees(NamedTuple):
    """Trees as arrays; ``kernels.trees.forest`` says how they are read.

    Parameters
    ----------
    roots : ndarray of int64, of shape (n_trees,)
    nodes : ndarray of uint32, of shape (n_nodes, 4)
    leaves : ndarray of int32, of shape (n_nodes,)
        -1 for a node that is no leaf.
    shares : ndarray of shape (n_leaves, n_classes)
    """

    roots: NDArray[np.int64]
    nodes: NDArray[np.uint32]
    leaves: NDArray[np.int32]
    shares: NDArray[np.float64]


class Questions(NamedTuple):
    """Trees as they are written.

    A node asks whether the code of its attribute is at most its limit or, where `is_equal`, whether it is not
    the limit. A yes goes to the node `firsts`, a no to the one behind it. A leaf has the attribute -1, and
    `firsts` is its place among `shares`.
    """

    roots: NDArray[np.int64]
    attributes: NDArray[np.int64]
    limits: NDArray[np.int64]
    is_equal: NDArray[np.bool_]
    firsts: NDArray[np.int64]
    shares: NDArray[np.float64]

    def packed(self) -> CodeTrees:
        """Return the trees as they are read."""
        is_leaf = self.attributes < 0
        lowest = np.where(is_leaf, LAST, self.limits + ~self.is_equal)
        above = np.where(is_leaf | self.is_equal, 0, LAST - lowest)
        after = np.where(is_leaf, np.arange(is_leaf.size), self.firsts)
        columns = [np.maximum(self.attributes, 0), lowest, above, after]
        # A limit of -1 is taken for the largest number, as a missing code is.
        nodes = np.ascontiguousarray(np.stack(columns, axis=1).astype(np.int32)).view(np.uint32)
        leaves = np.where(is_leaf, self.firsts, -1).astype(np.int32)
        return CodeTrees(self.roots.astype(np.int64), nodes, leaves, self.shares)

    @classmethod
    def of(cls, trees: CodeTrees) -> Questions:
        """Return trees as they are written."""
        attributes, lowest, above, after = trees.nodes.view(np.int32).astype(np.int64).T
        is_leaf = trees.leaves >= 0
        is_equal = ~is_leaf & (above == 0)
        limits = np.where(is_leaf, 0, lowest - ~is_equal)
        firsts = np.where(is_leaf, trees.leaves, after)
        return cls(trees.roots, np.where(is_leaf, -1, attributes), limits, is_equal, firsts, trees.shares)


class ForestModel(CodeModel):
    """The base of forests that are written to JSON."""

    _learned: ClassVar[Mapping[str, LearnedField]] = {
        "roots": LearnedField(("trees",), kind="count"),
        "attributes": LearnedField(NODE, low=-1.0),
        "limits": LearnedField(NODE, low=-1.0),
        "is_equal": LearnedField(NODE, kind="boolean"),
        "firsts": LearnedField(NODE, kind="count"),
        "shares": LearnedField(("leaves", "classes"), low=0.0, high=1.0),
    }

    trees_: CodeTrees

    def _get_learned(self) -> dict[str, Any]:
        return Questions.of(self.trees_)._asdict()

    def _set_learned(self, learned: dict[str, Any]) -> None:
        questions = Questions(**{name: _whole(name, array) for name, array in learned.items()})
        _check_trees(questions, self.n_bins_.size)
        self.trees_ = questions.packed()


@estimator
class ForestOnCodes(ForestModel, ClassifierMixin, BaseEstimator):
    """A forest on the codes of a scheme: bins in their order, categories one against the others.

    Parameters
    ----------
    kind : {"extra", "forest"}
        Extremely randomised trees, or a random forest.
    n_trees : int
        The number of trees.
    random_state : int
        Random seed.
    weights : {"count", "relative"}
        What sample weights mean.
    """

    kind: Literal["extra", "forest"] = "extra"
    n_trees: int = 100
    random_state: int = 0
    weights: str = "count"

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, *, n_bins: Sequence[int], n_ordered: Sequence[int]
    ) -> Self:
        """Learn from codes and classes; of the bins of each attribute the first `n_ordered` are neighbours."""
        sample = read_sample(self, X, y, sample_weight, n_bins=n_bins)
        # Distinct rows in order: how the rows came does not matter.
        rows = _some_of(sample.distinct(), self.random_state)
        trees = interruptible(self._grow, rows, np.asarray(n_ordered))
        learned = {"classes_": sample.classes, "n_bins_": sample.n_bins, "trees_": trees}
        set_fitted(self, sample.codes.shape[1], sample.feature_names, learned)
        return self

    def _grow(self, sample: CodedRows, n_ordered: NDArray[np.int64]) -> CodeTrees:
        asked, matrix = _questions(sample, n_ordered)
        many = sample.labels.size > MOST_A_TREE
        n_rows = MOST_A_TREE if many else float(sample.row_weights.sum())
        grower = GROWERS[self.kind](
            min_samples_leaf=max(LEAST_ROWS, int(LEAST_SHARE * n_rows)),
            random_state=self.random_state,
            warm_start=True,
            bootstrap=many or self.kind == "forest",
            max_samples=MOST_A_TREE if many else None,
        )
        # The trees are the same as if grown at once.
        step = max(AT_A_TIME, ROWS_AT_A_TIME // sample.labels.size)
        for n_trees in [*range(step, self.n_trees, step), self.n_trees]:
            check_stop()
            grower.set_params(n_estimators=n_trees).fit(matrix, sample.labels, sample.weights)
        return _as_arrays([one.tree_ for one in grower.estimators_], asked)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each class."""
        codes = np.ascontiguousarray(read_codes(self, X), dtype=np.int32)
        found = np.zeros((len(codes), self.classes_.size))
        places = np.empty(kernels.trees.forest.ROWS_ABREAST, dtype=np.uint64)
        interruptible(kernels.trees.forest.average_leaves, codes, *self.trees_, places, found)
        return found

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each row."""
        return np.asarray(self.classes_[self.predict_proba(X).argmax(axis=1)])


def _some_of(sample: CodedRows, seed: int) -> CodedRows:
    """Return the rows or, of many, some of them, with at least one of each class."""
    n_rows = sample.labels.size
    if n_rows <= MOST_ROWS:
        return sample
    drawn = np.random.default_rng(seed).choice(n_rows, MOST_ROWS, replace=False)
    kept = np.union1d(drawn, np.unique(sample.labels, return_index=True)[1])
    weights = None if sample.weights is None else sample.weights[kept]
    return replace(sample, codes=sample.codes[kept], labels=sample.labels[kept], weights=weights)


def _whole(name: str, array: NDArray[Any]) -> NDArray[Any]:
    if name not in ("attributes", "limits"):
        return array
    require(bool((array == np.rint(array)).all()), f"{name!r} must hold whole numbers.")
    return array.astype(np.int64)


def _questions(sample: CodedRows, n_ordered: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return what each column of a matrix asks of codes [attribute, code or -1 for their order], and the matrix."""
    asked: list[tuple[int, int]] = []
    columns: list[NDArray[Any]] = []
    for j, (n_bins, ordered) in enumerate(zip(sample.n_bins.tolist(), n_ordered.tolist(), strict=True)):
        codes = sample.codes[:, j]
        if ordered > 1:
            asked.append((j, -1))
            columns.append(codes)
        alone = range(ordered, n_bins) if ordered or n_bins != 2 else (1,)
        seen = np.bincount(codes[codes >= 0], minlength=n_bins) > 0
        kept = [code for code in alone if seen[code]]
        asked += [(j, code) for code in kept]
        columns += [codes == code for code in kept]
    if not columns:
        asked, columns = [(0, -1)], [np.zeros(sample.labels.size)]
    return np.array(asked), np.stack(columns, axis=1).astype(np.float32)


def _as_arrays(trees: Sequence[Any], asked: NDArray[np.int64]) -> CodeTrees:
    """Return scikit-learn's trees with questions about codes, and both children of a node beside each other."""
    parts: dict[str, list[NDArray[Any]]] = {name: [] for name in Questions._fields}
    n_nodes = n_leaves = 0
    for tree in trees:
        order = _children_together(tree.children_left, tree.children_right)
        place = np.empty(order.size, dtype=np.int64)
        place[order] = np.arange(order.size)
        left, is_leaf = tree.children_left[order], tree.children_left[order] < 0
        about = asked[np.where(is_leaf, 0, tree.feature[order])]
        is_equal = ~is_leaf & (about[:, 1] >= 0)
        leaves = n_leaves + np.cumsum(is_leaf) - 1
        parts["roots"].append(np.array([n_nodes]))
        parts["attributes"].append(np.where(is_leaf, -1, about[:, 0]))
        parts["limits"].append(np.where(is_leaf, 0, np.where(is_equal, about[:, 1], np.floor(tree.threshold[order]))))
        parts["is_equal"].append(is_equal)
        parts["firsts"].append(np.where(is_leaf, leaves, n_nodes + place[left]))
        values = tree.value[order[is_leaf], 0]
        parts["shares"].append(values / values.sum(axis=1, keepdims=True))
        n_nodes, n_leaves = n_nodes + order.size, n_leaves + int(is_leaf.sum())
    return Questions(**{name: np.concatenate(arrays) for name, arrays in parts.items()}).packed()


def _children_together(left: NDArray[np.int64], right: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the nodes level by level, the two children of a node beside each other."""
    levels = [np.zeros(1, dtype=np.int64)]
    while levels[-1].size:
        inner = levels[-1][left[levels[-1]] >= 0]
        levels.append(np.stack([left[inner], right[inner]], axis=1).ravel())
    return np.concatenate(levels)


def _check_trees(trees: Questions, n_attributes: int) -> None:
    """Check that every walk from a root ends at a leaf."""
    n_nodes, n_leaves = trees.attributes.size, trees.shares.shape[0]
    is_leaf = trees.attributes < 0
    nodes = np.arange(n_nodes)
    good = (
        trees.roots.size > 0
        and bool((trees.roots < n_nodes).all())
        and bool((trees.attributes < n_attributes).all())
        and bool((trees.limits < LAST - 1).all())
        and bool((trees.firsts[is_leaf] < n_leaves).all())
        and bool((trees.firsts[~is_leaf] > nodes[~is_leaf]).all())
        and bool((trees.firsts[~is_leaf] + 1 < n_nodes).all())
    )
    require(good, "The nodes of the trees do not fit together.")
    require(
        bool(np.allclose(trees.shares.sum(axis=1), 1.0, rtol=0.0, atol=1e-9)),
        "The shares of the classes in each leaf must add up to 1.",
    )
