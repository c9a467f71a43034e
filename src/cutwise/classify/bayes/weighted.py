"""WANBIA, CAWNB and preconditioned logistic regression: naive Bayes with learned weights."""

from __future__ import annotations

import math
import sys
from dataclasses import field
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from cutwise import kernels
from cutwise.classify.bayes.base import BaseBayesClassifier
from cutwise.classify.bayes.blocks import LOG_LOSS, LOSSES, Bends, RowBlocks
from cutwise.classify.bayes.contributions import AdditivePart
from cutwise.classify.bayes.minimize import SEARCH_FIELDS, Curvature, minimize
from cutwise.classify.bayes.tables import sum_scores
from cutwise.estimator import Choices, estimator
from cutwise.persist import LearnedField
from cutwise.scikit_learn import Interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.classify.bayes.blocks import Loss
    from cutwise.classify.bayes.sample import CodedRows
    from cutwise.classify.bayes.tables import ProbabilityTables

ITERATION_CONSTRAINTS: dict[str, list[Any]] = {
    "max_iter": [Interval(Integral, 1, None, closed="left")],
    "tol": [Interval(Real, 0, None, closed="left")],
}


class WeightObjective:
    """The loss and its slopes as a function of weights: what its subclasses share."""

    def __init__(self, sample: CodedRows, tables: ProbabilityTables, loss: Loss) -> None:
        self.rows = RowBlocks(sample, sample.classes.size)
        self.tables = tables
        self.loss = loss
        self.attribute_of_cell = tables.attribute_of_cell

    def _table(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the weighted log-likelihoods."""
        raise NotImplementedError

    def _begins(self) -> NDArray[np.int64]:
        """Return the first weight of each class's score."""
        raise NotImplementedError

    def _slopes(self, of_cells: NDArray[np.float64], starts: NDArray[np.int64]) -> NDArray[np.float64]:
        """Add up the slopes by cell and class to those by weight; `starts` are the first cells of the attributes."""
        raise NotImplementedError

    def __call__(self, weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        """Return the loss and its slopes."""
        found = self.rows.evaluate(self._table(weights), self.tables.log_prior, self.loss)
        slopes = self._slopes(found.of_cells * self.tables.log_likelihood, self.tables.offsets[:-1])
        return found.total, slopes

    def curvature(self, flat: NDArray[np.float64], free: NDArray[np.bool_]) -> Curvature:
        """Return the second derivatives by the free weights."""
        tables = self.tables
        n_attributes = tables.offsets.size - 1
        places = np.flatnonzero(free)
        begins = self._begins()
        first, last = np.searchsorted(places, begins), np.searchsorted(places, begins + n_attributes)
        bends = Bends(tables.log_likelihood, places % n_attributes, first, last, self.loss.kind)
        return Curvature(self.rows.curvature(self._table(flat), tables.log_prior, bends), places)


class AttributeObjective(WeightObjective):
    """The loss and its slopes as a function of one weight for each attribute."""

    def _table(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        return self.tables.log_likelihood * weights[self.attribute_of_cell, None]

    def _begins(self) -> NDArray[np.int64]:
        return np.zeros(self.tables.log_prior.size, dtype=np.int64)

    def _slopes(self, of_cells: NDArray[np.float64], starts: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.add.reduceat(of_cells.sum(axis=1), starts)


class ClassObjective(WeightObjective):
    """The loss and its slopes as a function of one weight for each class and attribute, class by class."""

    def _table(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        by_class = weights.reshape(self.tables.log_prior.size, -1)
        return np.asarray(self.tables.log_likelihood * by_class.T[self.attribute_of_cell])

    def _begins(self) -> NDArray[np.int64]:
        return np.arange(self.tables.log_prior.size) * (self.tables.offsets.size - 1)

    def _slopes(self, of_cells: NDArray[np.float64], starts: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.add.reduceat(of_cells, starts, axis=0).T.ravel()


@estimator
class WeightedBayesClassifier(BaseBayesClassifier):
    """The base of the classifiers whose probabilities are raised to the power of learned weights.

    A subclass names its objective. It says in ``_shape`` how its weights, the first entry of ``_learned``, are laid
    out, and in ``_cell_weights`` which weight each cell and class has.
    """

    _objective: ClassVar[type[WeightObjective]]
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"loss": [Choices(*LOSSES)], **ITERATION_CONSTRAINTS}

    loss: str = field(default="mse", kw_only=False)
    max_iter: int = 2000
    tol: float = 1e-10
    smoothing: str = "m"

    def _shape(self, sample: CodedRows) -> tuple[int, ...]:
        """Return the shape of the weights."""
        raise NotImplementedError

    def _cell_weights(self) -> NDArray[np.float64]:
        """Return the weight of each cell and class."""
        raise NotImplementedError

    def _learn(self, sample: CodedRows, tables: ProbabilityTables) -> dict[str, Any]:
        objective, shape = self._objective(sample, tables, LOSSES[self.loss]), self._shape(sample)
        tol = self.tol * float(sample.row_weights.sum())
        found = minimize(objective, np.ones(math.prod(shape)), bounds=(0.0, 1.0), max_iter=self.max_iter, tol=tol)
        return {next(iter(self._learned or ())): found.at.reshape(shape), **found.as_attributes()}

    def _scores(self, codes: NDArray[np.int32]) -> NDArray[np.float64]:
        tables = self.tables_
        return sum_scores(codes, tables.offsets, tables.log_likelihood * self._cell_weights(), tables.log_prior)

    def _parts(self) -> tuple[AdditivePart, ...]:
        tables, by_class = self.tables_, self._objective is ClassObjective
        weights = np.broadcast_to(self._cell_weights(), tables.log_likelihood.shape)
        return (AdditivePart(tables.log_prior, tables.log_likelihood * weights, weights, by_class=by_class),)


@estimator
class WANBIAClassifier(WeightedBayesClassifier):
    """Naive Bayes with a weight between 0 and 1 for each attribute.

    Attributes that repeat each other are counted too often by naive Bayes. Here the
    attributes share their say: with fixed probabilities, the weights w are sought that
    make the training classes come out best:

        P(c | row)  is proportional to  P(c) * product over j of P(code of attribute j | c) ** w_j

    {downhill}

    Parameters
    ----------
    {search}
    {m}
    {common}

    Attributes
    ----------
    attribute_weights_ : ndarray of shape (n_features,)
        The weights; 1 for all of them is naive Bayes.
    loss_ : float
        The loss with these weights.
    {ended}
    {attributes}

    References
    ----------
    Zaidi, Cerquides, Carman and Webb, "Alleviating naive Bayes attribute independence
    assumption by attribute weighting", JMLR 14, 2013.

    Examples
    --------
    >>> from cutwise import WANBIAClassifier
    >>> X = [[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1], [0, 0, 1], [1, 1, 0]]
    >>> y = [0, 0, 1, 1, 1, 0]
    >>> model = WANBIAClassifier().fit(X, y)  # the second column repeats the first
    >>> model.attribute_weights_.round(3)
    array([0.785, 0.785, 1.   ])
    """

    _objective: ClassVar[type[WeightObjective]] = AttributeObjective
    _learned: ClassVar[dict[str, LearnedField]] = {
        "attribute_weights_": LearnedField(("attributes",), low=0.0, high=1.0),
        **SEARCH_FIELDS,
    }

    def _shape(self, sample: CodedRows) -> tuple[int, ...]:
        return (sample.n_bins.size,)

    def _cell_weights(self) -> NDArray[np.float64]:
        weights: NDArray[np.float64] = self.attribute_weights_[self.tables_.attribute_of_cell, None]
        return weights


@estimator
class CAWNBClassifier(WeightedBayesClassifier):
    """Naive Bayes with a weight between 0 and 1 for each class and attribute.

    An attribute may matter for one class and mislead for another. With fixed
    probabilities, the weights v are sought that make the training classes come out best:

        P(c | row)  is proportional to  P(c) * product over j of P(code of attribute j | c) ** v_cj

    {downhill}

    Parameters
    ----------
    {search}
    {m}
    {common}

    Attributes
    ----------
    class_weights_ : ndarray of shape (n_classes, n_features)
        The weights; 1 for all of them is naive Bayes.
    loss_ : float
        The loss with these weights.
    {many}
    {attributes}

    References
    ----------
    Jiang, Zhang, Yu and Wang, "Class-specific attribute weighted naive Bayes", Pattern
    Recognition 88, 2019.

    Examples
    --------
    >>> from cutwise import CAWNBClassifier
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1], [1, 1], [2, 0]]
    >>> y = [0, 0, 1, 1, 2, 2, 2, 1]
    >>> model = CAWNBClassifier().fit(X, y)
    >>> model.class_weights_.shape
    (3, 2)
    >>> model.predict(X).tolist()
    [0, 0, 1, 1, 2, 2, 1, 2]
    """

    _objective: ClassVar[type[WeightObjective]] = ClassObjective
    _learned: ClassVar[dict[str, LearnedField]] = {
        "class_weights_": LearnedField(("classes", "attributes"), low=0.0, high=1.0),
        **SEARCH_FIELDS,
    }

    def _shape(self, sample: CodedRows) -> tuple[int, ...]:
        return sample.classes.size, sample.n_bins.size

    def _cell_weights(self) -> NDArray[np.float64]:
        return np.asarray(self.class_weights_.T[self.tables_.attribute_of_cell])


class CellObjective:
    """The loss and its slopes as a function of the weights of classes and cells.

    The weights are laid out as an array [1 + n_cells, n_classes], those of the classes first.
    """

    def __init__(self, sample: CodedRows, tables: ProbabilityTables, l2: float) -> None:
        self.rows = RowBlocks(sample, sample.classes.size)
        self.logs = np.vstack([tables.log_prior, tables.log_likelihood])
        self.l2 = l2

    def __call__(self, flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        """Return the loss and its slopes."""
        weights = flat.reshape(self.logs.shape)
        table = weights * self.logs
        found = self.rows.evaluate(table[1:], table[0], LOG_LOSS)
        slopes = np.vstack([found.of_start, found.of_cells]) * self.logs
        apart = weights - 1.0
        loss = float(found.total + 0.5 * self.l2 * kernels.bayes.boxed.dot(apart.ravel(), apart.ravel()))
        return loss, (slopes + self.l2 * apart).ravel()


@estimator
class PreconditionedLogisticClassifier(BaseBayesClassifier):
    """Logistic regression on codes, with the log-probabilities of naive Bayes as scale and start.

    There is one weight for each class and one for each class, attribute and bin. With all
    weights at 1 it is naive Bayes; they move away from 1 where that makes the training
    classes more probable:

        P(c | row) = softmax_c(b_c log P(c) + sum over j of b_(c, j, code) log P(code of j | c))

    What it can express is what logistic regression on 0/1 columns can, but the search needs
    fewer steps, and the penalty pulls towards naive Bayes instead of towards nothing.

    Parameters
    ----------
    l2 : float, default=1.0
        The penalty: half of `l2` times the squared distances of the weights from 1.
    max_iter : int, default=1000
        The largest number of steps.
    tol : float, default=1e-7
        The search ends when no slope of the loss exceeds this for each row: `tol` times the
        number of rows, or the sum of their weights.
    {m}
    {common}

    Attributes
    ----------
    prior_weights_ : ndarray of shape (n_classes,)
        The weights of the classes.
    cell_weights_ : ndarray of shape (n_cells, n_classes)
        The weights of the bins, attribute by attribute: bin v of attribute j is in the row
        ``tables_.offsets[j] + v``.
    loss_ : float
        The negative log-probability of the training classes plus the penalty.
    {ended}
    {attributes}

    References
    ----------
    Zaidi, Carman, Cerquides and Webb, "Naive-Bayes inspired effective pre-conditioner for
    speeding-up logistic regression", ICDM 2014.

    Examples
    --------
    >>> from cutwise import PreconditionedLogisticClassifier
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1], [1, 1], [2, 0]]
    >>> y = [0, 0, 1, 1, 2, 2, 2, 1]
    >>> model = PreconditionedLogisticClassifier().fit(X, y)
    >>> model.predict(X).tolist()
    [0, 0, 1, 1, 2, 2, 1, 2]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "l2": [Interval(Real, 0, sys.float_info.max, closed="both")],
        **ITERATION_CONSTRAINTS,
    }

    _learned: ClassVar[dict[str, LearnedField]] = {
        "prior_weights_": LearnedField(("classes",)),
        "cell_weights_": LearnedField(("cells", "classes")),
        **SEARCH_FIELDS,
    }

    l2: float = field(default=1.0, kw_only=False)
    max_iter: int = 1000
    tol: float = 1e-7
    smoothing: str = "m"

    def _learn(self, sample: CodedRows, tables: ProbabilityTables) -> dict[str, Any]:
        objective = CellObjective(sample, tables, self.l2)
        start = np.ones(objective.logs.size)
        tol = self.tol * float(sample.row_weights.sum())
        found = minimize(objective, start, bounds=None, max_iter=self.max_iter, tol=tol)
        weights = found.at.reshape(objective.logs.shape)
        return {
            "prior_weights_": weights[0],
            "cell_weights_": weights[1:],
            **found.as_attributes(),
        }

    def _scores(self, codes: NDArray[np.int32]) -> NDArray[np.float64]:
        tables = self.tables_
        table = tables.log_likelihood * self.cell_weights_
        return sum_scores(codes, tables.offsets, table, tables.log_prior * self.prior_weights_)

    def _parts(self) -> tuple[AdditivePart, ...]:
        tables, weights = self.tables_, self.cell_weights_
        prior = tables.log_prior * self.prior_weights_
        return (AdditivePart(prior, tables.log_likelihood * weights, weights, by_class=True),)
