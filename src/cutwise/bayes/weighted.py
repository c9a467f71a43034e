"""WANBIA and CAWNB: naive Bayes whose attributes have learned weights."""

from __future__ import annotations

from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from cutwise.bayes.base import BaseBayesClassifier
from cutwise.bayes.blocks import Bends, RowBlocks
from cutwise.bayes.contributions import AdditivePart
from cutwise.bayes.losses import KINDS, LOSSES
from cutwise.bayes.minimize import SEARCH_FIELDS, Curvature, minimize
from cutwise.bayes.tables import sum_scores
from cutwise.fitting import Choices
from cutwise.models import Field, saved_model

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.bayes.losses import Loss
    from cutwise.bayes.sample import Sample
    from cutwise.bayes.tables import Tables

ITERATION_CONSTRAINTS: dict[str, list[Any]] = {
    "max_iter": [Interval(Integral, 1, None, closed="left")],
    "tol": [Interval(Real, 0, None, closed="left")],
}


class WeightObjective:
    """The loss and its slopes as a function of weights: what its subclasses share."""

    def __init__(self, sample: Sample, tables: Tables, loss: Loss) -> None:
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

    def curvature(self, flat: NDArray[np.float64], free: NDArray[np.bool_]) -> Curvature:
        """Return the second derivatives by the free weights."""
        tables = self.tables
        n_attributes = tables.offsets.size - 1
        places = np.flatnonzero(free)
        begins = self._begins()
        first, last = np.searchsorted(places, begins), np.searchsorted(places, begins + n_attributes)
        bends = Bends(tables.log_likelihood, places % n_attributes, first, last, KINDS[self.loss])
        return Curvature(self.rows.curvature(self._table(flat), tables.log_prior, bends), places)


class AttributeObjective(WeightObjective):
    """The loss and its slopes as a function of one weight for each attribute."""

    def _table(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        return self.tables.log_likelihood * weights[self.attribute_of_cell, None]

    def _begins(self) -> NDArray[np.int64]:
        return np.zeros(self.tables.log_prior.size, dtype=np.int64)

    def __call__(self, weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        """Return the loss and its slopes."""
        likelihood = self.tables.log_likelihood
        found = self.rows.evaluate(self._table(weights), self.tables.log_prior, self.loss)
        by_cell = (found.of_cells * likelihood).sum(axis=1)
        return float(found.totals[0]), np.add.reduceat(by_cell, self.tables.offsets[:-1])


class ClassObjective(WeightObjective):
    """The loss and its slopes as a function of one weight for each class and attribute, class by class."""

    def _table(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        by_class = weights.reshape(self.tables.log_prior.size, -1)
        return np.asarray(self.tables.log_likelihood * by_class.T[self.attribute_of_cell])

    def _begins(self) -> NDArray[np.int64]:
        return np.arange(self.tables.log_prior.size) * (self.tables.offsets.size - 1)

    def __call__(self, weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        """Return the loss and its slopes."""
        found = self.rows.evaluate(self._table(weights), self.tables.log_prior, self.loss)
        slopes = np.add.reduceat(found.of_cells * self.tables.log_likelihood, self.tables.offsets[:-1], axis=0)
        return float(found.totals[0]), slopes.T.ravel()


@saved_model
@dataclass(eq=False, repr=False, kw_only=True)
class WANBIAClassifier(BaseBayesClassifier):
    """Naive Bayes with a weight between 0 and 1 for each attribute.

    Attributes that repeat each other are counted too often by naive Bayes. Here the
    attributes share their say: with fixed probabilities, the weights w are sought that
    make the training classes come out best:

        P(c | row)  is proportional to  P(c) * product over j of P(code of attribute j | c) ** w_j

    The search begins with all weights at 1, which is naive Bayes, and goes down to a minimum. The
    "cll" loss has only one; "mse" may have several, and the one reached is taken. The weights are
    the same on every processor.

    Parameters
    ----------
    loss : {"mse", "cll"}, default="mse"
        What is made small: half the squared errors of the probabilities, or the negative
        log-probability of the right classes.
    max_iter : int, default=2000
        The largest number of steps.
    tol : float, default=1e-10
        The search ends when no slope of the loss, divided by the weight of all rows, exceeds this.
    {m}
    {common}

    Attributes
    ----------
    attribute_weights_ : ndarray of shape (n_features,)
        The weights; 1 for all of them is naive Bayes.
    loss_ : float
        The loss with these weights.
    n_iter_ : int
        The number of steps.
    converged_ : bool
        Whether the slopes became as small as `tol` says.
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

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "loss": [Choices(*LOSSES)],
        **ITERATION_CONSTRAINTS,
    }

    _learned: ClassVar[dict[str, Field]] = {
        "attribute_weights_": Field(("attributes",), low=0.0, high=1.0),
        **SEARCH_FIELDS,
    }

    loss: str = field(default="mse", kw_only=False)
    max_iter: int = 2000
    tol: float = 1e-10
    smoothing: str = "m"

    def _learn(self, sample: Sample, tables: Tables) -> dict[str, Any]:
        objective = AttributeObjective(sample, tables, LOSSES[self.loss])
        start = np.ones(sample.n_bins.size)
        tol = self.tol * float(sample.row_weights.sum())
        found = minimize(objective, start, bounds=(0.0, 1.0), max_iter=self.max_iter, tol=tol)
        return {
            "attribute_weights_": found.at,
            **found.as_attributes(),
        }

    def _scores(self, codes: NDArray[np.int32]) -> NDArray[np.float64]:
        tables = self.tables_
        table = tables.log_likelihood * self.attribute_weights_[tables.attribute_of_cell, None]
        return sum_scores(codes, tables.offsets, table, tables.log_prior)

    def _parts(self) -> tuple[AdditivePart, ...]:
        tables = self.tables_
        weights = np.broadcast_to(self.attribute_weights_[tables.attribute_of_cell, None], tables.log_likelihood.shape)
        return (AdditivePart(tables.log_prior, tables.log_likelihood * weights, weights),)


@saved_model
@dataclass(eq=False, repr=False, kw_only=True)
class CAWNBClassifier(BaseBayesClassifier):
    """Naive Bayes with a weight between 0 and 1 for each class and attribute.

    An attribute may matter for one class and mislead for another. With fixed
    probabilities, the weights v are sought that make the training classes come out best:

        P(c | row)  is proportional to  P(c) * product over j of P(code of attribute j | c) ** v_cj

    The search begins with all weights at 1, which is naive Bayes, and goes down to a minimum. The
    "cll" loss has only one; "mse" may have several, and the one reached is taken. The weights are
    the same on every processor.

    Parameters
    ----------
    loss : {"mse", "cll"}, default="mse"
        What is made small: half the squared errors of the probabilities, or the negative
        log-probability of the right classes.
    max_iter : int, default=2000
        The largest number of steps.
    tol : float, default=1e-10
        The search ends when no slope of the loss, divided by the weight of all rows, exceeds this.
    {m}
    {common}

    Attributes
    ----------
    class_weights_ : ndarray of shape (n_classes, n_features)
        The weights; 1 for all of them is naive Bayes.
    loss_ : float
        The loss with these weights.
    n_iter_ : int
        The number of steps.
    converged_ : bool
        Whether the slopes became as small as `tol` says. With a thousand weights `max_iter`
        may come first.
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

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "loss": [Choices(*LOSSES)],
        **ITERATION_CONSTRAINTS,
    }

    _learned: ClassVar[dict[str, Field]] = {
        "class_weights_": Field(("classes", "attributes"), low=0.0, high=1.0),
        **SEARCH_FIELDS,
    }

    loss: str = field(default="mse", kw_only=False)
    max_iter: int = 2000
    tol: float = 1e-10
    smoothing: str = "m"

    def _learn(self, sample: Sample, tables: Tables) -> dict[str, Any]:
        objective = ClassObjective(sample, tables, LOSSES[self.loss])
        shape = (sample.classes.size, sample.n_bins.size)
        tol = self.tol * float(sample.row_weights.sum())
        found = minimize(objective, np.ones(shape).ravel(), bounds=(0.0, 1.0), max_iter=self.max_iter, tol=tol)
        return {
            "class_weights_": found.at.reshape(shape),
            **found.as_attributes(),
        }

    def _scores(self, codes: NDArray[np.int32]) -> NDArray[np.float64]:
        tables = self.tables_
        table = tables.log_likelihood * self.class_weights_.T[tables.attribute_of_cell]
        return sum_scores(codes, tables.offsets, table, tables.log_prior)

    def _parts(self) -> tuple[AdditivePart, ...]:
        tables = self.tables_
        weights = self.class_weights_.T[tables.attribute_of_cell]
        return (AdditivePart(tables.log_prior, tables.log_likelihood * weights, weights, by_class=True),)
