"""Naive Bayes: every attribute speaks for itself."""

from __future__ import annotations

import math
from dataclasses import field, replace
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from cutwise import kernels
from cutwise.classify.bayes.base import BaseBayesClassifier
from cutwise.classify.bayes.contributions import AdditivePart
from cutwise.classify.bayes.sample import read_sample
from cutwise.classify.bayes.tables import count_sample, estimate
from cutwise.estimator import estimator
from cutwise.scikit_learn import Interval, fit_context

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.classify.bayes.sample import CodedRows
    from cutwise.classify.bayes.tables import CellCounts, ProbabilityTables
    from cutwise.persist import LearnedField


@estimator
class NaiveBayesClassifier(BaseBayesClassifier):
    """Take the class that makes the row's codes most probable, attribute by attribute.

    Within a class the attributes are taken to be independent, so that counting each of
    them alone is enough:

        P(c | row)  is proportional to  P(c) * product over j of P(code of attribute j | c)

    Sums of logarithms are compared, so many attributes do no harm. A value that is missing
    or was never seen is left out of the product.

    Parameters
    ----------
    {laplace}
    {alpha}
    fit_prior : bool, default=True
        Whether the probabilities of the classes are learned; otherwise all classes are equally probable.
    class_prior : array-like of float of shape (n_classes,), optional
        The probabilities of the classes, in the order of ``classes_``; then none are learned.
    min_categories : int, array-like of int or None, default=None
        The least number of bins of each attribute, where the largest code seen says less.
    {rest}

    Attributes
    ----------
    {attributes}
    class_log_prior_ : ndarray of shape (n_classes,)
        The logarithms of the probabilities of the classes.

    Notes
    -----
    With ``smoothing="laplace"`` the probabilities are those of scikit-learn's
    ``CategoricalNB``, but for bins without rows, which tell nothing here. A class that was
    announced to ``partial_fit`` but has no row yet has the probability 0 then; with "m" it has a
    small one.

    Examples
    --------
    >>> from cutwise import NaiveBayesClassifier
    >>> X = [[0, 1], [0, 0], [1, 1], [1, 0], [2, 0]]
    >>> y = ["no", "no", "yes", "yes", "yes"]
    >>> model = NaiveBayesClassifier().fit(X, y)
    >>> model.predict([[0, 1], [2, 1], [2, -1]])
    array(['no', 'yes', 'yes'], dtype='<U3')
    >>> model.predict_proba([[0, 1]]).round(3)
    array([[0.75, 0.25]])
    """

    _learned: ClassVar[dict[str, LearnedField]] = {}

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "fit_prior": ["boolean"],
        "class_prior": [None, "array-like"],
        "min_categories": [None, Interval(Integral, 1, None, closed="left"), "array-like"],
    }

    smoothing: str = field(default="laplace", kw_only=False)
    alpha: float = field(default=1.0, kw_only=False)
    fit_prior: bool = True
    class_prior: Any = None
    min_categories: Any = None

    @fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from more rows, on top of those seen so far.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            Codes. Without `n_bins` the number of bins grows with the largest code.
        y : array-like of shape (n_samples,)
            The class of each row.
        classes : array-like, optional
            All class labels; required in the first call.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts. The total of all chunks is not known, so these cannot be
            relative weights.

        Returns
        -------
        self
        """
        if sample_weight is not None and self.weights == "relative":
            message = (
                "partial_fit cannot rescale relative weights, because the weights of later chunks are not known. "
                "Set weights='count' and pass weights that are numbers of rows."
            )
            raise ValueError(message)
        first = not hasattr(self, "tables_")
        sample = self._read(X, y, sample_weight, classes=self._all_classes(classes), reset=first)
        if first:
            counts = count_sample(sample)
        else:
            n_bins = np.maximum(self.n_bins_, sample.n_bins)
            counts = self.tables_.counts.with_bins(n_bins) + count_sample(sample, n_bins)
        return self._finish(sample, self._tables(counts), {})

    def _read(self, X: Any, y: Any, sample_weight: Any, **others: Any) -> CodedRows:
        settings = {"n_bins": self.n_bins, "min_bins": self.min_categories}
        return read_sample(self, X, y, sample_weight, **settings, **others)

    def _estimate(self, sample: CodedRows) -> ProbabilityTables:
        return self._tables(count_sample(sample))

    def _tables(self, counts: CellCounts) -> ProbabilityTables:
        tables = estimate(counts, self.smoothing, self.alpha)
        if self.class_prior is None and self.fit_prior:
            return tables
        n_classes = counts.of_class.size
        prior = np.full(n_classes, 1 / n_classes) if self.class_prior is None else self._given_prior(n_classes)
        return replace(tables, log_prior=kernels.elementary.log_of(prior))

    def _given_prior(self, n_classes: int) -> NDArray[np.float64]:
        """Return the probabilities of the classes that were given, checked."""
        given = np.asarray(self.class_prior)
        if given.shape != (n_classes,):
            message = (
                f"'class_prior' has the shape {given.shape} for {n_classes} classes. Give one probability for each "
                "class, in the order of the sorted labels."
            )
            raise ValueError(message)
        is_share = given.dtype.kind in "iuf" and bool((given >= 0).all())
        if not is_share or not math.isclose(math.fsum(given.tolist()), 1.0, rel_tol=1e-6):
            message = f"'class_prior' must be probabilities, not negative and 1 in all; got {given.tolist()}."
            raise ValueError(message)
        return given.astype(np.float64)

    @property
    def class_log_prior_(self) -> NDArray[np.float64]:
        """The logarithms of the probabilities of the classes."""
        return self.tables_.log_prior

    def predict_joint_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the logarithm of the probability of the row's codes together with each class.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            Codes; -1, codes that are no bin and bins without training rows are left out of the row.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            ``predict_log_proba``, before it is divided by the probability of the codes.
        """
        return self._read_and_score(X)

    def _all_classes(self, classes: Any) -> NDArray[Any]:
        """Return the class labels in order, those of the first call."""
        known: NDArray[Any] | None = getattr(self, "classes_", None)
        if classes is None:
            if known is None:
                message = "classes must be passed on the first call to partial_fit: all labels that y may ever hold."
                raise ValueError(message)
            return known
        labels = np.unique(np.asarray(classes))
        if known is not None and not np.array_equal(known, labels):
            message = f"'classes' is {labels.tolist()}, but the first call to partial_fit had {known.tolist()}."
            raise ValueError(message)
        return labels

    def _parts(self) -> tuple[AdditivePart, ...]:
        return (AdditivePart(self.tables_.log_prior, self.tables_.log_likelihood),)
