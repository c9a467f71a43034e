"""What all neural classifiers share: tables in, and classes from log-probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import ClassifierMixin

from cutwise.fitting import TakesTables

if TYPE_CHECKING:
    from numpy.typing import NDArray


class NeuralClassifier(TakesTables, ClassifierMixin):
    """The base of the neural classifiers: a subclass says in ``predict_log_proba`` what it thinks."""

    classes_: NDArray[Any]

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the logarithm of the probability of each class.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            The same columns as in ``fit``.

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
            The same columns as in ``fit``.

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
            The same columns as in ``fit``.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        places = self.predict_log_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[places])
