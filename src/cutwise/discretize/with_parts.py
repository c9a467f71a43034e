"""Fitting with a split into training and validation rows that the user gives."""

from __future__ import annotations

from typing import Any, Self

from sklearn.base import _fit_context
from sklearn.callback import with_callbacks


class WithParts:
    """The ``fit`` of discretizers that compare training and validation rows."""

    @with_callbacks
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, parts: Any = None) -> Self:
        """Find the cuts.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            A numpy array or a pandas, polars or pyarrow table. Numeric columns are cut;
            texts, categories and booleans become one bin for each category.
        y : array-like of shape (n_samples,)
            The class of each row.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts. A weight of 2 is the same as the row twice, a weight
            of 0 the same as no row.
        parts : array-like of int of shape (n_samples,), optional
            The part of each row, instead of a random one. With "holdout" 1 marks the
            validation rows and 0 the others; with "crossfit" each number is a part.

        Returns
        -------
        self
        """
        return self._fit_parts(X, y, sample_weight, parts)

    def _fit_parts(self, X: Any, y: Any, sample_weight: Any, parts: Any) -> Self:
        """Learn from rows and their parts, if any are given; the parameters are checked already."""
        raise NotImplementedError
