"""Logistic regression that starts from naive Bayes."""

from __future__ import annotations

import sys
from dataclasses import field
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from cutwise import kernels
from cutwise.classify.bayes.base import BaseBayesClassifier
from cutwise.classify.bayes.blocks import RowBlocks
from cutwise.classify.bayes.contributions import AdditivePart
from cutwise.classify.bayes.losses import log_loss
from cutwise.classify.bayes.minimize import SEARCH_FIELDS, minimize
from cutwise.classify.bayes.tables import sum_scores
from cutwise.classify.bayes.weighted import ITERATION_CONSTRAINTS
from cutwise.estimator import estimator
from cutwise.persist import LearnedField

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.classify.bayes.sample import CodedRows
    from cutwise.classify.bayes.tables import ProbabilityTables


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
        found = self.rows.evaluate(table[1:], table[0], log_loss)
        slopes = np.vstack([found.of_start, found.of_cells]) * self.logs
        apart = weights - 1.0
        loss = float(found.totals[0] + 0.5 * self.l2 * kernels.bayes.boxed.dot(apart.ravel(), apart.ravel()))
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
    n_iter_ : int
        The number of steps.
    converged_ : bool
        Whether the slopes became as small as `tol` says.
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
