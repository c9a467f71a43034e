"""A scheme as a step of a pipeline."""

from __future__ import annotations

from dataclasses import field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from sklearn.base import _fit_context

from cutwise.discretize.encoder import ENCODINGS, SchemeEncoder
from cutwise.errors import SchemeError
from cutwise.estimator import Choices, estimator
from cutwise.scheme import Scheme, encode_columns
from cutwise.validation import check_table

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from sklearn.utils import Tags


@estimator
class FixedSchemeDiscretizer(SchemeEncoder):
    """Apply a scheme as it is.

    ``fit`` learns nothing; it checks that the table has the columns of the scheme. Tables can be
    transformed without it.

    Parameters
    ----------
    scheme : Scheme or str
        A scheme, or what its ``to_json`` wrote.
    encode : {"ordinal", "onehot", "onehot-dense", "label"}, default="ordinal"
        What ``transform`` returns: codes from 0 on, 0/1 columns (sparse or not), or the
        interval as text.

    Attributes
    ----------
    scheme_ : Scheme
        The scheme.
    classes_ : ndarray
        The class labels of the scheme.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        Their names; not there if the scheme comes from a table without names.

    Examples
    --------
    >>> from cutwise import FixedSchemeDiscretizer, MRmDDiscretizer
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]] * 5, ["no", "no", "yes", "yes"] * 5
    >>> text = MRmDDiscretizer().fit(X, y).scheme_.to_json()
    >>> FixedSchemeDiscretizer(text).transform([[1.5], [7.0]])
    array([[0],
           [1]], dtype=int32)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "scheme": [Scheme, str, bytes],
        "encode": [Choices(*ENCODINGS)],
    }

    scheme: Any = field(kw_only=False)
    encode: str = "ordinal"

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002
        """Check that a table has the columns of the scheme.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            The columns of the scheme, in its order.
        y : object
            Not looked at.

        Returns
        -------
        self
        """
        table = check_table(self, X, reset=False)
        encode_columns(self.scheme_, table.data, table.names)
        return self

    @property
    def scheme_(self) -> Scheme:  # type: ignore[override]
        """The scheme, read from JSON if it was given so."""
        if isinstance(self.scheme, Scheme):
            return self.scheme
        if isinstance(self.scheme, str | bytes):
            return _read(self.scheme)
        message = f"'scheme' must be a Scheme or its JSON text, not {type(self.scheme).__name__}."
        raise SchemeError(message)

    @property
    def classes_(self) -> NDArray[Any]:
        """The class labels of the scheme."""
        return np.array(self.scheme_.classes)

    @property
    def n_features_in_(self) -> int:
        """The number of columns."""
        return len(self.scheme_.attributes)

    @property
    def feature_names_in_(self) -> NDArray[np.object_]:
        """The names of the columns."""
        names = self.scheme_.names
        if names == tuple(f"x{j}" for j in range(len(names))):
            message = "The scheme comes from a table without names."
            raise AttributeError(message)
        return np.array(names, dtype=object)

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        return tags


@lru_cache(maxsize=8)
def _read(text: str | bytes) -> Scheme:
    """Read a scheme once, however often it is used."""
    return Scheme.from_json(text)
