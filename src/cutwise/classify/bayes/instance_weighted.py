"""AIWNB: naive Bayes with weights of attributes and of training rows."""

from __future__ import annotations

import math
import sys
from dataclasses import field, replace
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from cutwise import kernels
from cutwise.classify.bayes.base import BaseBayesClassifier
from cutwise.classify.bayes.pairs import PairModel, count_pairs
from cutwise.classify.bayes.tables import added_rows, count_sample, log_shares, sum_scores
from cutwise.estimator import Choices, estimator
from cutwise.persist import LearnedField
from cutwise.scikit_learn import Interval
from cutwise.threads import interruptible

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.classify.bayes.pairs import PairCounts
    from cutwise.classify.bayes.sample import CodedRows
    from cutwise.classify.bayes.tables import ProbabilityTables


# Rows are predicted in blocks whose counts take about this many bytes.
BLOCK_BYTES = 2**20


@estimator
class AIWNBClassifier(PairModel, BaseBayesClassifier):
    """Naive Bayes in which attributes and training rows have weights.

    An attribute weighs more if it shares much information with the class and little with the other
    attributes; its probability is raised to the power of its weight:

        P(c | row)  is proportional to  P(c) * product over j of P(code of attribute j | c) ** w_j

    with w_j = 1 / (1 + exp(-d_j)), where d_j is the mutual information with the class less the
    mean one with the other attributes, each divided by its mean over all attributes. The
    probabilities are estimated from weighted training rows. "eager" gives weight to rows with
    frequent codes, once for all; "lazy" to the rows that are like the one to predict.

    Parameters
    ----------
    mode : {"eager", "lazy"}, default="eager"
        How a training row is weighted. "eager": by the sum over its attributes of the code's share
        of the rows, times the number of bins; a missing value adds 1. "lazy": by `offset` and the
        number of attributes on which it agrees with the row to predict; a missing value agrees with
        nothing.
    offset : float, default=1.0
        The weight of a training row that agrees on nothing, for "lazy".
    max_memory : int, default=268435456
        The bytes that the table of pairs may take, for "lazy": 8 for each class and each two bins of
        two attributes. If it would take more, the training rows are kept in place of it and gone
        through for each row to predict. The result is the same.
    {m}
    {smooth_classes}

    Attributes
    ----------
    {attributes}
    attribute_weights_ : ndarray of float
        The weight of each attribute, between 0 and 1; 0.5 for all of them if none is informative.
    pair_counts_ : PairCounts or None
        Rows by any two bins and class, or the training rows, for "lazy".

    Notes
    -----
    The weights of the attributes take O(n m**2) time for n rows and m attributes. With "lazy" the
    weights of the rows are never written down: the weighted counts are sums of counts of pairs, so
    that a prediction takes O(C m**2) time for C classes, or O(n m) if the table of pairs is too large.
    With "eager" `tables_` holds the weighted counts.

    References
    ----------
    Zhang, Jiang and Yu, "Attribute and instance weighted naive Bayes", Pattern Recognition
    111, 2021.

    Examples
    --------
    The second attribute is independent of the class:

    >>> from cutwise import AIWNBClassifier
    >>> X = [[0, 0], [0, 1], [0, 0], [1, 1], [1, 0], [1, 1]]
    >>> y = ["no", "no", "no", "yes", "yes", "yes"]
    >>> model = AIWNBClassifier().fit(X, y)
    >>> model.attribute_weights_.round(3)
    array([0.7, 0.3])
    >>> AIWNBClassifier("lazy").fit(X, y).predict([[0, 1], [1, 0]])
    array(['no', 'yes'], dtype='<U3')
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "mode": [Choices("eager", "lazy")],
        "offset": [Interval(Real, 0, sys.float_info.max, closed="right")],
        "max_memory": [Interval(Integral, 0, None, closed="left")],
    }

    _learned: ClassVar[dict[str, LearnedField]] = {
        "attribute_weights_": LearnedField(("attributes",), low=0.0, high=1.0),
    }
    _needs_pairs: ClassVar[bool] = False

    mode: str = field(default="eager", kw_only=False)
    offset: float = 1.0
    max_memory: int = 2**28
    smoothing: str = "m"

    def _read(self, X: Any, y: Any, sample_weight: Any) -> CodedRows:
        return super()._read(X, y, sample_weight).distinct()

    def _estimate(self, sample: CodedRows) -> ProbabilityTables:
        if self.mode == "eager":
            sample = replace(sample, weights=sample.row_weights * weights_by_frequency(sample), rests=None)
        tables = super()._estimate(sample)
        return replace(tables, log_prior=log_shares(tables.counts.of_class, self.smoothing, self.alpha))

    def _learn(self, sample: CodedRows, tables: ProbabilityTables) -> dict[str, Any]:
        weights = weights_of_attributes(*information_of_sample(sample))
        counted = count_pairs(sample, tables.counts, self.max_memory) if self.mode == "lazy" else None
        return {"attribute_weights_": weights, "pair_counts_": counted}

    def _scores(self, codes: NDArray[np.int32]) -> NDArray[np.float64]:
        if self.pair_counts_ is not None:
            return self._lazy_scores(self.pair_counts_, codes)
        tables = self.tables_
        weighted = tables.log_likelihood * self.attribute_weights_[tables.attribute_of_cell][:, np.newaxis]
        return sum_scores(codes, tables.offsets, weighted, tables.log_prior)

    def _lazy_scores(self, counted: PairCounts, codes: NDArray[np.int32]) -> NDArray[np.float64]:
        """Score each row by the training rows that are like it."""
        queries = counted.known_codes(codes)
        if counted.pairs is not None:
            return self._score_blocks(counted, queries)
        distinct, places = np.unique(queries, axis=0, return_inverse=True)
        return self._score_blocks(counted, distinct)[places.reshape(-1)]

    def _score_blocks(self, counted: PairCounts, queries: NDArray[np.int32]) -> NDArray[np.float64]:
        """Score rows block by block."""
        size = max(BLOCK_BYTES // (16 * queries.shape[1] * self.classes_.size), 1)
        blocks = (np.ascontiguousarray(queries[start : start + size]) for start in range(0, len(queries), size))
        return np.concatenate([self._score_block(counted, block) for block in blocks])

    def _score_block(self, counted: PairCounts, queries: NDArray[np.int32]) -> NDArray[np.float64]:
        """Estimate the probabilities of each row by itself: arrays are [row, attribute, class]."""
        cells, by_class = counted.cells, self.tables_.counts.of_class
        everyone = np.zeros((len(queries), by_class.size))
        known = np.zeros((*queries.shape, by_class.size))
        alike = np.zeros_like(known)
        if counted.pairs is not None:
            kernels.bayes.pairs.agree_by_pairs(queries, cells, counted.pairs, everyone, known, alike)
        else:
            kernels.bayes.pairs.agree_by_rows(queries, cells, counted.rows, everyone, known, alike)
        everyone += self.offset * by_class
        known += self.offset * counted.known_by_class
        alike += self.offset * cells.counts[cells.offsets[:-1] + np.maximum(queries, 0)]
        add, in_all = added_rows(self.smoothing, self.alpha, self.n_bins_[:, np.newaxis])
        # Rounding of fractional weights must not make a part larger than the whole.
        log = kernels.elementary.log_of
        logs = log(alike + add) - log(np.maximum(known, alike) + in_all)
        weights = np.where(queries >= 0, self.attribute_weights_, 0.0)
        scores = log_shares(everyone, self.smoothing, self.alpha)
        for j in range(self.n_bins_.size):  # in the order of the attributes, on every processor
            scores += weights[:, j, np.newaxis] * logs[:, j]
        return scores


def weights_by_frequency(sample: CodedRows) -> NDArray[np.float64]:
    """Return for each row the sum of its codes' shares of the rows, times the number of bins.

    A missing value adds 1, as a code does whose attribute has equally frequent bins.
    """
    counts = count_sample(sample)
    rows = counts.of_cell.sum(axis=1)
    known = np.add.reduceat(rows, counts.offsets[:-1])
    times = counts.n_bins / np.maximum(known, np.finfo(float).tiny)
    shares = rows * np.repeat(times, counts.n_bins)
    sums = sum_scores(sample.codes, counts.offsets, shares[:, np.newaxis], np.zeros(1))[:, 0]
    return np.asarray(sums + (sample.codes < 0).sum(axis=1))


# A mean of fewer bits than this is rounding: there is no information.
NO_BITS = 1e-12


def information_of_sample(sample: CodedRows) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the mutual information in bits of each attribute with the class, and of any two attributes.

    A pair is judged by the rows that have both. The second result is 0 on the diagonal.
    """
    columns = np.vstack([sample.codes.T, sample.labels.astype(np.int32)])
    n_codes = np.append(sample.n_bins, sample.classes.size)
    bits = interruptible(kernels.bayes.pairs.pair_information, columns, n_codes, sample.row_weights)
    return bits[:-1, -1], bits[:-1, :-1]


def weights_of_attributes(relevance: NDArray[np.float64], redundancy: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a weight between 0 and 1 for each attribute.

    The weight is 1 / (1 + exp(-d)) with d = relevance - mean redundancy, each of the two
    divided by its mean over all attributes. A part whose mean is 0 is left out, so that
    attributes without information have weight 0.5.

    Examples
    --------
    >>> import numpy as np
    >>> weights_of_attributes(np.array([0.2, 0.0]), np.array([[0.0, 0.1], [0.1, 0.0]]))
    array([0.73105858, 0.26894142])
    >>> weights_of_attributes(np.zeros(2), np.zeros((2, 2)))
    array([0.5, 0.5])
    """
    others = max(relevance.size - 1, 1)
    with_others = np.array([math.fsum(row) for row in redundancy.tolist()]) / others
    return np.asarray(1.0 / (1.0 + kernels.elementary.exp_of(_over_mean(with_others) - _over_mean(relevance))))


def _over_mean(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide by the mean; all zeros if that is zero."""
    mean = math.fsum(values.tolist()) / values.size
    return values / mean if mean > NO_BITS else np.zeros_like(values)
