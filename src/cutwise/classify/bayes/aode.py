"""AODE: every attribute in turn is the one on which all others depend."""

from __future__ import annotations

from dataclasses import field, replace
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from cutwise import kernels
from cutwise.classify.bayes.base import BaseBayesClassifier
from cutwise.classify.bayes.pairs import PairModel, count_pairs
from cutwise.classify.bayes.tables import added_rows, log_shares
from cutwise.estimator import estimator
from cutwise.kernels.inputs import SmoothingTerms
from cutwise.scikit_learn import Interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.classify.bayes.sample import CodedRows
    from cutwise.classify.bayes.tables import ProbabilityTables
    from cutwise.persist import LearnedField

# Rows are predicted in blocks of which this many bytes are kept in the cache.
BLOCK_BYTES = 2**22
# Sums of fractional weights may miss min_count by rounding.
_NEARLY = 1.0 - 1e-9


@estimator
class AODEClassifier(PairModel, BaseBayesClassifier):
    """Average naive Bayes models in each of which all attributes depend on one of them.

    Naive Bayes takes the attributes of a class to be independent. Here one attribute u, the
    parent, is given together with the class, and only the others are taken to be
    independent; every attribute is the parent once, and the models are averaged:

        P(c, row) = mean over u of P(c, code of u) * product over k != u of P(code of k | c, code of u)

    The method is also known as A1DE. Logarithms are added up, so many attributes do no harm.

    Parameters
    ----------
    min_count : float, default=1
        An attribute is a parent of a row if at least this many training rows share the row's
        code. Where no attribute is, the row is judged by naive Bayes.
    max_memory : int, default=268435456
        The bytes that the table of pairs may take: 8 for each class and each two bins of two
        attributes. If it would take more, the training rows are kept in place of it and counted
        for each row to predict. The result is the same, but takes much longer.
    {m}
    {smooth_classes}

    Attributes
    ----------
    {attributes}
    pair_counts_ : PairCounts
        Rows by any two bins and class, or the training rows.

    Notes
    -----
    Counting takes O(n m**2) time for n rows and m attributes. A prediction takes O(C m**2) for C
    classes with the table of pairs, and O(n m**2) at worst without it. A missing value is neither a
    parent nor a child: a probability is estimated from the rows that have the values.
    With "m" P(c, code of u) is (count + alpha / (C * n_bins)) / (rows + alpha); with "laplace"
    `alpha` is added to each of the C * n_bins counts.

    References
    ----------
    Webb, Boughton and Wang, "Not so naive Bayes: aggregating one-dependence estimators",
    Machine Learning 58, 2005.

    Examples
    --------
    The class is 1 where the two codes differ, which naive Bayes cannot see:

    >>> from cutwise import AODEClassifier
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1]] * 3
    >>> y = [0, 1, 1, 0] * 3
    >>> AODEClassifier().fit(X, y).predict([[0, 0], [0, 1], [1, 0], [1, 1]])
    array([0, 1, 1, 0])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "min_count": [Interval(Real, 0, None, closed="left")],
        "max_memory": [Interval(Integral, 0, None, closed="left")],
    }

    _learned: ClassVar[dict[str, LearnedField]] = {}

    min_count: float = field(default=1, kw_only=False)
    max_memory: int = 2**28
    smoothing: str = "m"

    def _read(self, X: Any, y: Any, sample_weight: Any) -> CodedRows:
        return super()._read(X, y, sample_weight).distinct()

    def _estimate(self, sample: CodedRows) -> ProbabilityTables:
        tables = super()._estimate(sample)
        return replace(tables, log_prior=log_shares(tables.counts.of_class, self.smoothing, self.alpha))

    def _learn(self, sample: CodedRows, tables: ProbabilityTables) -> dict[str, Any]:
        return {"pair_counts_": count_pairs(sample, tables.counts, self.max_memory)}

    def _scores(self, codes: NDArray[np.int32]) -> NDArray[np.float64]:
        counted = self.pair_counts_
        queries = counted.known_codes(codes)
        scores = np.zeros((len(queries), self.classes_.size))
        n_parents = np.zeros(len(queries), dtype=np.int64)
        known_rows = counted.known_by_class.sum(axis=1)
        rest = (known_rows, self._smoothing(), self.min_count * _NEARLY)
        if counted.pairs is not None:
            n_in_block = max(min(BLOCK_BYTES // (12 * queries.shape[1] * self.classes_.size), len(queries)), 1)
            columns = np.ascontiguousarray(queries.T)
            kernels.bayes.pairs.score_by_pairs(
                columns, counted.cells, counted.pairs, *rest, n_in_block, scores, n_parents
            )
        else:
            kernels.bayes.pairs.score_by_rows(queries, counted.cells, counted.rows, *rest, scores, n_parents)
        alone = n_parents == 0
        if alone.any():
            scores[alone] = super()._scores(codes[alone])
        return scores

    def _smoothing(self) -> SmoothingTerms:
        """Return what is added to the counts."""
        of_bins = added_rows(self.smoothing, self.alpha, self.n_bins_)
        return SmoothingTerms(*of_bins, *added_rows(self.smoothing, self.alpha, self.n_bins_ * self.classes_.size))
