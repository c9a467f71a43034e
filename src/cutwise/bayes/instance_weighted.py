"""AIWNB: naive Bayes with weights of attributes and of training rows."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from cutwise import kernels
from cutwise.bayes.attribute_weights import information_of_sample, weights_of_attributes
from cutwise.bayes.base import BaseBayesClassifier
from cutwise.bayes.pair_counts import count_pairs
from cutwise.bayes.saved_pairs import PairModel
from cutwise.bayes.smoothing import added_rows, log_shares
from cutwise.bayes.tables import count_sample, sum_scores
from cutwise.fitting import Choices
from cutwise.models import Field, saved_model

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from cutwise.bayes.pair_counts import PairCounts
    from cutwise.bayes.sample import Sample
    from cutwise.bayes.tables import Tables

# Rows are predicted in blocks whose counts take about this many bytes.
BLOCK_BYTES = 2**20


@saved_model
@dataclass(eq=False, repr=False, kw_only=True)
class AIWNBClassifier(PairModel, BaseBayesClassifier):
    """Naive Bayes in which attributes and training rows have weights.

    An attribute weighs more if it tells much about the class and little about the other
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
        The weight of each attribute, between 0 and 1; 0.5 for all of them if none tells anything.
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
    The second attribute tells nothing about the class:

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

    _learned: ClassVar[dict[str, Field]] = {
        "attribute_weights_": Field(("attributes",), low=0.0, high=1.0),
    }
    _needs_pairs: ClassVar[bool] = False

    mode: str = field(default="eager", kw_only=False)
    offset: float = 1.0
    max_memory: int = 2**28
    smoothing: str = "m"

    def _read(self, X: Any, y: Any, sample_weight: Any) -> Sample:
        return super()._read(X, y, sample_weight).distinct()

    def _estimate(self, sample: Sample) -> Tables:
        if self.mode == "eager":
            sample = replace(sample, weights=sample.row_weights * weights_by_frequency(sample), rests=None)
        tables = super()._estimate(sample)
        return replace(tables, log_prior=log_shares(tables.counts.of_class, self.smoothing, self.alpha))

    def _learn(self, sample: Sample, tables: Tables) -> dict[str, Any]:
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
        blocks = self._blocks(queries)
        return np.concatenate([self._score_block(counted, block) for block in blocks])

    def _blocks(self, queries: NDArray[np.int32]) -> Iterator[NDArray[np.int32]]:
        size = max(BLOCK_BYTES // (16 * queries.shape[1] * self.classes_.size), 1)
        return (np.ascontiguousarray(queries[start : start + size]) for start in range(0, len(queries), size))

    def _score_block(self, counted: PairCounts, queries: NDArray[np.int32]) -> NDArray[np.float64]:
        """Estimate the probabilities of each row by itself: arrays are [row, attribute, class]."""
        cells, by_class = counted.cells, self.tables_.counts.of_class
        everyone = np.zeros((len(queries), by_class.size))
        known = np.zeros((*queries.shape, by_class.size))
        alike = np.zeros_like(known)
        if counted.pairs is not None:
            kernels.agreement.agree_by_pairs(queries, cells, counted.pairs, everyone, known, alike)
        else:
            kernels.agreement.agree_by_rows(queries, cells, counted.rows, everyone, known, alike)
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


def weights_by_frequency(sample: Sample) -> NDArray[np.float64]:
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
