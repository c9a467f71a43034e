"""What the naive Bayes classifiers share: reading codes, estimating tables, predicting from scores."""

from __future__ import annotations

import sys
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from cutwise import kernels
from cutwise.classify.bayes.contributions import AdditiveModel
from cutwise.classify.bayes.sample import read_codes, read_sample
from cutwise.classify.bayes.tables import SMOOTHINGS, BayesModel, count_sample, estimate, sum_scores
from cutwise.classify.predicting import PredictsProbabilities
from cutwise.estimator import Choices, estimator
from cutwise.scheme.figures import as_shares
from cutwise.scikit_learn import Interval, fit_context
from cutwise.validation import WEIGHTS, set_fitted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray
    from sklearn.utils import Tags

    from cutwise.classify.bayes.sample import CodedRows
    from cutwise.classify.bayes.tables import ProbabilityTables


_ALPHA = """
    alpha : float, default=1.0
        The strength of the smoothing. "laplace": `alpha` is added to the count of every
        bin, and the classes have their shares in the training rows. "m": `alpha` rows are
        added to each class, spread evenly over the bins, and to the table, spread evenly
        over the classes.
    """
_REST = """n_bins : int, array-like of int or None, default=None
        The number of bins of each attribute; None for the largest code seen and one.
    weights : {"count", "relative"}, default="count"
        What sample weights mean: how often each row counts, or only their ratios. See "Sample
        weights" in the user guide.
    """
_SEARCH = """
    n_iter_ : int
        The number of steps.
    converged_ : bool
        Whether the slopes became as small as `tol` says."""
# The parts of the documentation that classifiers share.
TEXTS = {
    "downhill": """
    The search begins with all weights at 1, which is naive Bayes, and goes down to a minimum. The
    "cll" loss has only one; "mse" may have several, and the one reached is taken. The weights are
    the same on every processor.
    """,
    "search": """
    loss : {"mse", "cll"}, default="mse"
        What is made small: half the squared errors of the probabilities, or the negative
        log-probability of the right classes.
    max_iter : int, default=2000
        The largest number of steps.
    tol : float, default=1e-10
        The search ends when no slope of the loss, divided by the weight of all rows, exceeds this.
    """,
    "ended": _SEARCH,
    "many": _SEARCH + " With a thousand weights `max_iter`\n        may come first.",
    "laplace": """
    smoothing : {"laplace", "m"}, default="laplace"
        How probabilities are estimated, see `alpha`.
    """,
    "m": """
    smoothing : {"m", "laplace"}, default="m"
        How probabilities are estimated, see `alpha`.
    """,
    "alpha": _ALPHA,
    "rest": _REST,
    "common": _ALPHA + _REST,
    "smooth_classes": """
    alpha : float, default=1.0
        The strength of the smoothing. "laplace": `alpha` is added to the count of every bin and
        of every class. "m": `alpha` rows are added to each class, spread evenly over the
        bins, and to the table, spread evenly over the classes.
    """
    + _REST,
    "attributes": """
    classes_ : ndarray
        The class labels.
    n_bins_ : ndarray of int
        The number of bins of each attribute.
    tables_ : ProbabilityTables
        Counts and log-probabilities, by cell (a bin of an attribute) and class.
    feature_importances_ : ndarray of float
        How much each attribute moves the scores of the training rows, as shares of 1.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        Their names, if all of them are strings.
    """,
}


@estimator
class BaseBayesClassifier(BayesModel, AdditiveModel, PredictsProbabilities, BaseEstimator):
    """The base of the classifiers on codes.

    A classifier is a dataclass: its fields are the parameters, to which a subclass adds
    its own. It adds its own checks to ``_parameter_constraints``, returns what it learns
    beyond the tables from ``_learn``, and scores rows in ``_scores``.
    """

    _texts: ClassVar[Mapping[str, str]] = TEXTS
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "smoothing": [Choices(*SMOOTHINGS)],
        "alpha": [Interval(Real, 0, sys.float_info.max, closed="right")],
        "n_bins": [None, Interval(Integral, 1, None, closed="left"), "array-like"],
        "weights": [Choices(*WEIGHTS)],
    }

    smoothing: str = "laplace"
    alpha: float = 1.0
    n_bins: Any = None
    weights: str = "count"

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from codes and classes.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            Codes, as a discretizer's ``transform`` returns them: 0, 1, … are bins; -1 (any
            number below 0, NaN) is missing. A missing value is left out of the row.
        y : array-like of shape (n_samples,)
            The class of each row.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts. A weight of 2 is the same as the row twice, a weight
            of 0 the same as no row.

        Returns
        -------
        self
        """
        sample = self._read(X, y, sample_weight)
        tables = self._estimate(sample)
        return self._finish(sample, tables, self._learn(sample, tables))

    def _read(self, X: Any, y: Any, sample_weight: Any) -> CodedRows:
        """Check what is passed to fit."""
        return read_sample(self, X, y, sample_weight, n_bins=self.n_bins)

    def _estimate(self, sample: CodedRows) -> ProbabilityTables:
        """Count the sample and estimate the probabilities."""
        return estimate(count_sample(sample), self.smoothing, self.alpha)

    def _learn(self, sample: CodedRows, tables: ProbabilityTables) -> dict[str, Any]:  # noqa: ARG002 - for subclasses
        """Return the learned attributes that come on top of the tables, by name."""
        return {}

    def _finish(self, sample: CodedRows, tables: ProbabilityTables, learned: dict[str, Any]) -> Self:
        """Set the fitted attributes, all of them at once."""
        learned = {"classes_": sample.classes, "n_bins_": tables.counts.n_bins, "tables_": tables, **learned}
        set_fitted(self, sample.codes.shape[1], sample.feature_names, learned)
        return self

    def _scores(self, codes: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return each row's score for each class: a log-probability up to a number for each row."""
        return sum_scores(codes, self.tables_.offsets, self.tables_.log_likelihood, self.tables_.log_prior)

    def _read_and_score(self, X: Any) -> NDArray[np.float64]:
        check_is_fitted(self)
        return self._scores(read_codes(self, X))

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the logarithm of each class's probability.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            Codes; -1 and codes that are no bin are left out of the row.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        scores = self._read_and_score(X)
        kernels.bayes.losses.shift_rows(scores)
        kernels.bayes.losses.to_log_shares(scores)
        return scores

    def predict_proba(self, X: Any) -> NDArray[np.float64]:  # noqa: D102
        return np.asarray(kernels.elementary.exp_of(self.predict_log_proba(X)))

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: D102
        places = self._read_and_score(X).argmax(axis=1)
        return np.asarray(self.classes_[places])

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """How much each attribute moves the scores of the training rows, as shares of 1.

        It is the mean distance of what it adds to a class from the mean over the classes; there is none where the score
        is no sum over attributes.
        """
        try:
            parts = self._parts()
        except TypeError as error:
            raise AttributeError(str(error)) from None
        moved = sum(part.share * np.abs(part.terms - part.terms.mean(axis=1, keepdims=True)) for part in parts)
        counts = self.tables_.counts
        by_cell = np.asarray(moved).mean(axis=1) * counts.of_cell.sum(axis=1)
        return as_shares(np.add.reduceat(by_cell, counts.offsets[:-1]))

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = True
        return tags
