"""RNB: a mixture of attribute weights and of weights by class, learned together."""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from cutwise import kernels
from cutwise.classify.bayes.base import BaseBayesClassifier
from cutwise.classify.bayes.blocks import Bends, Loss, RowBlocks
from cutwise.classify.bayes.contributions import AdditivePart
from cutwise.classify.bayes.minimize import SEARCH_FIELDS, Curvature, Minimum, follow_published_slopes, minimize
from cutwise.classify.bayes.tables import sum_scores
from cutwise.classify.bayes.weighted import ITERATION_CONSTRAINTS
from cutwise.estimator import Choices, estimator
from cutwise.kernels.inputs import MIXED
from cutwise.persist import LearnedField

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.classify.bayes.sample import CodedRows
    from cutwise.classify.bayes.tables import ProbabilityTables

GRADIENTS = ("exact", "published")
# Where the published program ends its search.
PUBLISHED_STEPS, PUBLISHED_TOL = 100, 1e-7


class MixtureWeights(NamedTuple):
    """The parameters of the mixture."""

    of_attributes: NDArray[np.float64]
    of_classes: NDArray[np.float64]
    mixing: float

    @classmethod
    def from_flat(cls, flat: NDArray[np.float64], n_attributes: int) -> MixtureWeights:
        """Read the weights of attributes, then those of classes class by class, then the mixing."""
        return cls(flat[:n_attributes], flat[n_attributes:-1].reshape(-1, n_attributes), float(flat[-1]))


def score_table(tables: ProbabilityTables, weights: MixtureWeights) -> NDArray[np.float64]:
    """Return the weighted log-likelihoods: those by attribute, beside them those by class."""
    of_cell = tables.attribute_of_cell
    by_attribute = tables.log_likelihood * weights.of_attributes[of_cell, None]
    return np.hstack([by_attribute, tables.log_likelihood * weights.of_classes.T[of_cell]])


class MixtureObjective:
    """Half the squared errors and their slopes as a function of the mixture's weights.

    The published program returns all of the squared errors, but the slopes of half of
    them, and leaves out how a class's weight changes the other classes' probabilities.
    """

    def __init__(self, sample: CodedRows, tables: ProbabilityTables, *, published: bool = False) -> None:
        self.rows = RowBlocks(sample, 2 * sample.classes.size)
        self.tables = tables
        self.published = published

    def __call__(self, flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        """Return the loss and its slopes."""
        tables = self.tables
        weights = MixtureWeights.from_flat(flat, tables.offsets.size - 1)
        start = np.tile(tables.log_prior, 2)
        loss = Loss(MIXED, weights.mixing, self.published)
        found = self.rows.evaluate(score_table(tables, weights), start, loss)
        slopes = found.of_cells * np.tile(tables.log_likelihood, 2)
        by_attribute, by_class = np.split(np.add.reduceat(slopes, tables.offsets[:-1], axis=0), 2, axis=1)
        flat_slopes = np.concatenate([by_attribute.sum(axis=1), by_class.T.ravel(), [found.by_mixing]])
        return found.total * (2.0 if self.published else 1.0), flat_slopes

    def curvature(self, flat: NDArray[np.float64], free: NDArray[np.bool_]) -> Curvature:
        """Return the second derivatives by the free weights: those of classes, of attributes, and the mixing."""
        tables = self.tables
        n_classes, n_attributes = tables.log_prior.size, tables.offsets.size - 1
        weights = MixtureWeights.from_flat(flat, n_attributes)
        order = np.roll(np.arange(flat.size - 1), -n_attributes)
        ranks = np.flatnonzero(free[order])
        begins = np.append(np.full(n_classes, n_classes), np.arange(n_classes)) * n_attributes
        first, last = np.searchsorted(ranks, begins), np.searchsorted(ranks, begins + n_attributes)
        spans = (tables.log_likelihood, ranks % n_attributes, first, last)
        bends = Bends(*spans, MIXED, weights.mixing, with_mixing=bool(free[-1]))
        matrix = self.rows.curvature(score_table(tables, weights), np.tile(tables.log_prior, 2), bends)
        return Curvature(matrix, np.append(order[ranks], np.flatnonzero(free[-1:]) + flat.size - 1))


def minimize_mixture(objective: MixtureObjective, n_attributes: int, max_iter: int, tol: float) -> Minimum:
    """Return the minimum from weights of 1 and a mixing of 1/2.

    With a mixing of 0 or 1, one of the two sets of weights does not matter. It goes back to 1, and if
    the mixing then has a way down, the search goes on.
    """
    size = (objective.tables.log_prior.size + 1) * n_attributes + 1
    found = Minimum(np.append(np.ones(size - 1), 0.5), np.inf, 0, converged=False)
    while found.n_iter < max_iter:
        steps = max_iter - found.n_iter
        again = minimize(objective, found.at, bounds=(0.0, 1.0), max_iter=steps, tol=tol)
        found = replace(again, n_iter=found.n_iter + again.n_iter)
        idle = slice(0, n_attributes) if found.at[-1] == 1.0 else slice(n_attributes, -1)
        if 0.0 < found.at[-1] < 1.0 or (found.at[idle] == 1.0).all():
            break
        found.at[idle] = 1.0
    return found


@estimator
class RNBClassifier(BaseBayesClassifier):
    """Regularised naive Bayes: one weight for each attribute, balanced with one for each class and attribute.

    Weights by class fit the training rows better than weights by attribute, but few rows
    can mislead them. RNB learns both, u and v, and how much of each, a, at the same time:

        P(c | row) = (1 - a) * softmax_c(log P(c) + sum over j of u_j  log P(code of j | c))
                         + a * softmax_c(log P(c) + sum over j of v_cj log P(code of j | c))

    such that the squared errors of the probabilities are least. All of u, v and a lie
    between 0 and 1; u and v start at 1, a at 1/2. The loss may have several minima; the one
    reached from there is taken, the same on every processor. Where a ends at 1, the weights u
    do not matter and are 1; likewise v where it ends at 0.

    Parameters
    ----------
    gradient : {"exact", "published"}, default="exact"
        The slopes to follow. "published" repeats the authors' program: its search ends after
        100 steps at the latest, and its slopes lack terms when there are three classes or
        more, so that it may end early. Where it ends may depend on the processor.
    max_iter : int, default=2000
        The largest number of steps.
    tol : float, default=1e-10
        The search ends when no slope of the loss, divided by the weight of all rows, exceeds
        this. The published search ends at slopes of 1e-7, not divided.
    {m}
    {common}

    Attributes
    ----------
    attribute_weights_ : ndarray of shape (n_features,)
        The weights u.
    class_weights_ : ndarray of shape (n_classes, n_features)
        The weights v.
    mixing_ : float
        The share a of the probabilities that come from `class_weights_`.
    loss_ : float
        Half the squared errors.
    {many}
    {attributes}

    References
    ----------
    Wang, Ren and Bai, "A regularized attribute weighting framework for naive Bayes", IEEE
    Access 8, 2020.

    Examples
    --------
    >>> from cutwise import RNBClassifier
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1], [1, 1], [2, 0]]
    >>> y = [0, 0, 1, 1, 2, 2, 2, 1]
    >>> model = RNBClassifier().fit(X, y)
    >>> model.predict(X).tolist()
    [0, 0, 1, 1, 2, 2, 1, 2]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "gradient": [Choices(*GRADIENTS)],
        **ITERATION_CONSTRAINTS,
    }

    _learned: ClassVar[dict[str, LearnedField]] = {
        "attribute_weights_": LearnedField(("attributes",), low=0.0, high=1.0),
        "class_weights_": LearnedField(("classes", "attributes"), low=0.0, high=1.0),
        "mixing_": LearnedField(low=0.0, high=1.0),
        **SEARCH_FIELDS,
    }

    gradient: str = field(default="exact", kw_only=False)
    max_iter: int = 2000
    tol: float = 1e-10
    smoothing: str = "m"

    def _learn(self, sample: CodedRows, tables: ProbabilityTables) -> dict[str, Any]:
        published = self.gradient == "published"
        n_attributes, n_classes = sample.n_bins.size, sample.classes.size
        objective = MixtureObjective(sample, tables, published=published)
        if published:
            start = np.append(np.ones(n_attributes * (1 + n_classes)), 0.5)
            found = follow_published_slopes(objective, start, min(self.max_iter, PUBLISHED_STEPS), PUBLISHED_TOL)
        else:
            tol = self.tol * float(sample.row_weights.sum())
            found = minimize_mixture(objective, n_attributes, self.max_iter, tol)
        weights = MixtureWeights.from_flat(found.at, n_attributes)
        return {
            "attribute_weights_": weights.of_attributes,
            "class_weights_": weights.of_classes,
            "mixing_": weights.mixing,
            **found.as_attributes(),
            "loss_": found.value / 2.0 if published else found.value,
        }

    def _scores(self, codes: NDArray[np.int32]) -> NDArray[np.float64]:
        tables = self.tables_
        table = score_table(tables, MixtureWeights(self.attribute_weights_, self.class_weights_, self.mixing_))
        scores = sum_scores(codes, tables.offsets, table, np.tile(tables.log_prior, 2))
        halves = scores.reshape(-1, tables.log_prior.size)
        kernels.bayes.losses.shift_rows(halves)
        kernels.bayes.losses.to_log_shares(halves)
        return np.asarray(kernels.bayes.losses.mix_log_shares(scores, self.mixing_))

    def _parts(self) -> tuple[AdditivePart, ...]:
        tables = self.tables_
        of_cell, logs = tables.attribute_of_cell, tables.log_likelihood
        by_attribute = np.broadcast_to(self.attribute_weights_[of_cell, None], logs.shape)
        by_class = self.class_weights_.T[of_cell]
        return (
            AdditivePart(tables.log_prior, logs * by_attribute, by_attribute, "u", share=1.0 - self.mixing_),
            AdditivePart(tables.log_prior, logs * by_class, by_class, "v", by_class=True, share=self.mixing_),
        )
