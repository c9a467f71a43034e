"""C4.5: a tree of questions, pruned by the errors it may make on new rows."""

from __future__ import annotations

from dataclasses import field
from numbers import Integral, Real
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from cutwise import kernels
from cutwise.classify.predicting import PredictsProbabilities
from cutwise.classify.trees.drawing import draw_tree, tree_text
from cutwise.classify.trees.tree import LEAF, TreeModel, TreeNodes, learn_columns, read_table
from cutwise.estimator import Choices, TakesTables, estimator
from cutwise.scikit_learn import Interval, fit_context, sparse_result
from cutwise.threads import interruptible
from cutwise.validation import WEIGHTS, check_table, read_rows, set_fitted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.classify.trees.tree import TrainingColumn
    from cutwise.validation import CheckedRows


@estimator
class C45Classifier(TreeModel, TakesTables, PredictsProbabilities, BaseEstimator):
    """Quinlan's C4.5: split by the question with the best gain ratio, then prune.

    A column of categories is split into one branch for each of them, a column of numbers at one
    threshold. Among the questions whose information gain is not below the average, the one with
    the highest

        gain ratio = information gain / information of the split itself

    is asked. Then a subtree becomes a leaf, or gives way to its largest branch, where that does
    not raise the errors expected on new rows: the upper limit of each leaf's error rate at the
    given confidence. The rules are those of Weka's J48 with its default options.

    A row whose value is missing goes to all branches, with a weight in proportion to theirs, in
    training and in prediction. A category that no training row of the node has ends with the
    classes of the node.

    Parameters
    ----------
    confidence : float, default=0.25
        Confidence level for pessimistic pruning; the smaller, the smaller the tree. At most 0.5.
    min_leaf : float, default=2
        A question needs two branches of at least this weight. For numbers, both branches need
        a tenth of the average class too, at most 25.
    nominal : {"auto", "all"} or list of columns, default="auto"
        Which columns of numbers are codes of categories. With "auto" none of them, only strings,
        categories and booleans. **For the codes of a discretizer take "all"**: each bin then gets
        a branch of its own. A list names columns or gives their places. Negative codes are
        missing values.
    collapse : bool, default=True
        Whether a subtree that makes no fewer training errors than a leaf becomes one.
    prune : bool, default=True
        Whether to prune by estimated errors.
    raise_subtrees : bool, default=True
        Whether a node may give way to its largest branch when pruning.
    mdl_correction : bool, default=True
        Whether to take log2(number of thresholds) / rows from the gain of a column of numbers.
    min_gap : float, default=0.0
        No threshold separates values that differ by no more than this. J48 takes 1e-5 whatever
        the unit of a column; 0 makes the tree independent of units.
    weights : {"count", "relative"}, default="count"
        What sample weights mean: how often each row counts, or only their ratios. See "Sample
        weights" in the user guide.

    Attributes
    ----------
    tree_ : TreeNodes
        The nodes as plain arrays.
    classes_ : ndarray
        The class labels.
    attributes_ : tuple of TreeColumn
        What was learned of each column: its name and its categories.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        Their names, if all of them are strings.

    Notes
    -----
    Of equal questions the first column wins, of equal thresholds the lowest, of equal classes the
    first. Gains that differ by less than 1e-6 are equal. Neither the order of rows nor the names of
    the classes change the tree.

    The weight of each class is kept for each node. A tree that would need more than 2**27 of such
    numbers (1 GiB) is refused, and so is a column with as many categories for the classes.

    References
    ----------
    Quinlan, "C4.5: Programs for Machine Learning", Morgan Kaufmann, 1993.

    Quinlan, "Improved use of continuous attributes in C4.5", Journal of Artificial Intelligence
    Research 4, 1996.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from cutwise import C45Classifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> tree = C45Classifier().fit(X, y)
    >>> print(tree.export_text())
    petal width (cm) <= 0.6: 0 (50)
    petal width (cm) > 0.6
    |   petal width (cm) <= 1.7
    |   |   petal length (cm) <= 4.9: 1 (48/1)
    |   |   petal length (cm) > 4.9
    |   |   |   petal width (cm) <= 1.5: 2 (3)
    |   |   |   petal width (cm) > 1.5: 1 (3/1)
    |   petal width (cm) > 1.7: 2 (46/1)

    On the codes of a discretizer:

    >>> from sklearn.pipeline import make_pipeline
    >>> from cutwise import MDLPDiscretizer
    >>> model = make_pipeline(MDLPDiscretizer(), C45Classifier(nominal="all")).fit(X, y)
    >>> print(model[-1].export_text())
    x3 = 0: 0 (50)
    x3 = 1: 1 (54/5)
    x3 = 2: 2 (46/1)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "confidence": [Interval(Real, 0, 0.5, closed="right")],
        "min_leaf": [Interval(Real, 0, None, closed="neither")],
        "nominal": [Choices("auto", "all"), "array-like"],
        "collapse": ["boolean"],
        "prune": ["boolean"],
        "raise_subtrees": ["boolean"],
        "mdl_correction": ["boolean"],
        "min_gap": [Interval(Real, 0, None, closed="left")],
        "weights": [Choices(*WEIGHTS)],
    }

    confidence: float = field(default=0.25, kw_only=False)
    min_leaf: float = 2
    nominal: Any = "auto"
    collapse: bool = True
    prune: bool = True
    raise_subtrees: bool = True
    mdl_correction: bool = True
    min_gap: float = 0.0
    weights: str = "count"

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:  # noqa: D102
        rows = read_rows(self, X, y, sample_weight)
        names = rows.table.names
        columns = learn_columns(rows.table.data, names, declared_columns(self.nominal, names))
        tree = interruptible(self._learn, rows, columns)
        learned = {
            "classes_": rows.classes,
            "attributes_": tuple(column.attribute for column in columns),
            "tree_": tree,
        }
        set_fitted(self, len(names), rows.table.feature_names, learned)
        return self

    def get_n_leaves(self) -> int:
        """Return the number of leaves, those without training rows among them.

        Returns
        -------
        int
        """
        check_is_fitted(self)
        return self.tree_.n_leaves

    def get_depth(self) -> int:
        """Return the number of questions on the longest way.

        Returns
        -------
        int
        """
        check_is_fitted(self)
        return self.tree_.depth

    def _learn(self, rows: CheckedRows, columns: Sequence[TrainingColumn]) -> TreeNodes:
        numeric = [column for column in columns if column.attribute.categories is None]
        places = {column.attribute.name: -number for number, column in enumerate(numeric)}
        sizes = [places.get(c.attribute.name, max(len(c.attribute.categories or ()), 1)) for c in columns]
        values = np.full((len(numeric), max((column.values.size for column in numeric), default=0)), np.nan)
        orders = np.empty((len(numeric), rows.codes.size), dtype=np.int32)
        for number, column in enumerate(numeric):
            values[number, : column.values.size] = column.values
            orders[number] = column.order
        confidence = float(self.confidence)
        quantile = NormalDist().inv_cdf(1.0 - confidence)
        attribute, cut, first_child, n_children, weights = kernels.trees.c45.learn_tree(
            np.stack([column.cells for column in columns]),
            rows.codes.astype(np.int32),
            rows.row_weights,
            rows.classes.size,
            np.array(sizes, dtype=np.int64),
            values,
            orders,
            min_leaf=self.min_leaf,
            min_gap=self.min_gap,
            use_mdl=self.mdl_correction,
            is_collapsed=self.collapse,
            pruning=(confidence, quantile, bool(self.raise_subtrees)) if self.prune else None,
        )
        threshold = np.full(attribute.size, np.nan)
        for node in np.flatnonzero((attribute != LEAF) & (cut >= 0)):
            threshold[node] = columns[attribute[node]].values[cut[node]]
        return TreeNodes(attribute, threshold, first_child, n_children, weights)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the share of each class among the training rows of the leaf that a row comes to.

        The shares are not smoothed: that of a class without a row in the leaf is 0. A row with missing values gets a
        mean over several leaves.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            The same columns as in ``fit``.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        table = self._read(X)
        return self.tree_.class_shares(table)

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:  # noqa: D102
        return np.asarray(kernels.elementary.log_of(self.predict_proba(X)))

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: D102
        table = self._read(X)
        labels: NDArray[Any] = self.classes_[self.tree_.winners(table)]
        return labels

    def decision_path(self, X: Any) -> Any:
        """Return the nodes that each row comes through.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            The same columns as in ``fit``.

        Returns
        -------
        sparse array of shape (n_samples, n_nodes)
            The share of the row that comes through a node: 1 unless values are missing.
        """
        table = self._read(X)
        starts, nodes, shares = self.tree_.paths(table)
        shape = (starts.size - 1, self.tree_.n_nodes)
        return sparse_result(sparse.csr_array((shares, nodes, starts), shape=shape))

    def export_text(self, *, max_depth: int | None = None) -> str:
        """Return the tree as text.

        A leaf shows its class, the weight of its training rows and, after a slash, of those
        that have another class.

        Parameters
        ----------
        max_depth : int, optional
            How many levels of questions to show; all of them by default.

        Returns
        -------
        str
        """
        check_is_fitted(self)
        return tree_text(self.tree_, self.attributes_, self.classes_, max_depth)

    def plot(self, ax: Any = None, *, max_depth: int | None = None) -> Any:
        """Draw the tree with matplotlib.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; a new figure by default.
        max_depth : int, optional
            How many levels of questions to draw; all of them by default.

        Returns
        -------
        matplotlib axes
        """
        check_is_fitted(self)
        return draw_tree(self.tree_, self.attributes_, self.classes_, ax, max_depth)

    def _read(self, X: Any) -> NDArray[np.float64]:
        check_is_fitted(self)
        return read_table(check_table(self, X, reset=False).data, self.attributes_)


def declared_columns(nominal: Any, names: Sequence[str]) -> list[bool]:
    """Return which columns hold categories even if they are numbers."""
    if isinstance(nominal, str):
        return [nominal == "all"] * len(names)
    declared = [False] * len(names)
    for column in np.asarray(nominal, dtype=object).tolist():
        if isinstance(column, Integral) and -len(names) <= int(column) < len(names):
            declared[int(column)] = True
        elif column in names:
            declared[list(names).index(column)] = True
        else:
            message = f"'nominal' names the column {column!r}, but the table has {', '.join(map(repr, names))}."
            raise ValueError(message)
    return declared
