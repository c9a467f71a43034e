"""What all classifiers share: the class and the probabilities follow from the logarithms of these."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import ClassifierMixin

if TYPE_CHECKING:
    from numpy.typing import NDArray


class PredictsProbabilities(ClassifierMixin):
    """The base of the classifiers; a subclass gives ``predict_log_proba`` and may have shorter ways to the others."""

    classes_: NDArray[Any]

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
        return np.asarray(self.classes_[self.predict_log_proba(X).argmax(axis=1)])
