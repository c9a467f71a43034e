"""What all classifiers share: how they are called; the class and the probabilities follow from the logarithms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import ClassifierMixin

if TYPE_CHECKING:
    from numpy.typing import NDArray


class PredictsProbabilities(ClassifierMixin):
    """The base of the classifiers; a subclass gives ``fit`` and ``predict_log_proba``, and may have shorter ways."""

    classes_: NDArray[Any]

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from the rows of a table.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            A numpy array or a pandas, polars or pyarrow table of numeric and nominal columns; values may be missing.
        y : array-like of shape (n_samples,)
            The class of each row.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts. A weight of 2 is the same as the row twice, a weight of 0 the same as no row.

        Returns
        -------
        self
        """
        raise NotImplementedError

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the logarithm of the probability of each class.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            The same columns as in ``fit``. Missing values, unseen categories and
            infinities are never an error.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of ``classes_``.
        """
        raise NotImplementedError

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each class.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            The same columns as in ``fit``, as for ``predict_log_proba``.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of ``classes_``.
        """
        return np.asarray(np.exp(self.predict_log_proba(X)))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each row.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            The same columns as in ``fit``, as for ``predict_log_proba``.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        places = self.predict_log_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[places])
