"""Naive Bayes: every attribute speaks for itself."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from cutwise.classify.bayes.base import BaseBayesClassifier
from cutwise.classify.bayes.contributions import AdditivePart
from cutwise.classify.bayes.sample import read_sample
from cutwise.classify.bayes.tables import count_sample, estimate
from cutwise.estimator import estimator
from cutwise.persist import LearnedField
from cutwise.scikit_learn import fit_context

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
    {common}

    Attributes
    ----------
    {attributes}

    Notes
    -----
    With ``smoothing="laplace"`` the probabilities are those of scikit-learn's
    ``CategoricalNB``. A class that was announced to ``partial_fit`` but has no row yet has
    the probability 0 then; with "m" it has a small one.

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

    smoothing: str = field(default="laplace", kw_only=False)
    alpha: float = field(default=1.0, kw_only=False)

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
        sample = read_sample(
            self, X, y, sample_weight, n_bins=self.n_bins, classes=self._all_classes(classes), reset=first
        )
        if first:
            counts = count_sample(sample)
        else:
            n_bins = np.maximum(self.n_bins_, sample.n_bins)
            counts = self.tables_.counts.with_bins(n_bins) + count_sample(sample, n_bins)
        return self._finish(sample, estimate(counts, self.smoothing, self.alpha), {})

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
