"""Cuts and schemes that are given, not learned."""

from __future__ import annotations

from dataclasses import field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from cutwise.criteria import Relevance
from cutwise.discretize.attributes import Plan
from cutwise.discretize.encoder import DECODINGS, ENCODINGS, SchemeEncoder
from cutwise.discretize.unsupervised import UnsupervisedDiscretizer
from cutwise.errors import SchemeError
from cutwise.estimator import Choices, estimator
from cutwise.scheme import NominalAttribute, NumericAttribute, Scheme, encode_columns
from cutwise.scheme.attribute import checked_cuts
from cutwise.scikit_learn import fit_context
from cutwise.search import FixedCutsSearch
from cutwise.validation import check_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from sklearn.utils import Tags

    from cutwise.discretize.seen import SeenTable
    from cutwise.scheme import Attribute


@estimator
class FixedCutsDiscretizer(UnsupervisedDiscretizer):
    """Cut numeric columns where you say.

    ``fit`` learns the categories of the nominal columns and counts the rows of each bin; it never
    moves a cut. The cuts are where they are given, whatever ``place`` says, and bins may be empty.

    Parameters
    ----------
    cuts : list or dict, default=()
        Finite and strictly ascending numbers. A list holds for all numeric columns; a dict
        gives lists by column.
    others : {"error", "one_bin"}, default="error"
        What to do with numeric columns that a dict does not name: refuse them, or put all their
        values into one bin. To leave columns as they are, name the others in `columns`.
    {common}

    {attributes}

    See Also
    --------
    Scheme.with_cuts : Change some cuts of a scheme that was learned.
    FixedSchemeDiscretizer : Apply a whole scheme as it is.

    Examples
    --------
    >>> import pandas as pd
    >>> from cutwise import FixedCutsDiscretizer
    >>> table = pd.DataFrame({"age": [19, 25, 37, 70], "city": ["Bonn", "Rome", "Bonn", "Oslo"]})
    >>> FixedCutsDiscretizer({"age": [25, 65]}).fit_transform(table)
    array([[0, 0],
           [0, 2],
           [1, 0],
           [2, 1]], dtype=int32)
    """

    method_name: ClassVar[str] = "FixedCuts"
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "cuts": ["array-like", dict],
        "others": [Choices("error", "one_bin")],
    }

    cuts: Any = field(default=(), kw_only=False)
    others: str = "error"

    def _plan(self, seen: SeenTable) -> list[Plan]:
        if not isinstance(self.cuts, dict):
            search = FixedCutsSearch(checked_cuts(self.cuts, "all columns"))
            return [Plan(Relevance(), search)] * len(seen.names)
        unknown = [name for name in self.cuts if name not in set(seen.names)]
        if unknown:
            listed = ", ".join(map(repr, seen.names))
            message = f"'cuts' names the column {unknown[0]!r}, but the table has {listed}."
            raise ValueError(message)
        cuts = [checked_cuts(self.cuts.get(name, ()), f"column {name!r}") for name in seen.names]
        return [Plan(Relevance(), FixedCutsSearch(own), check=self._check_kinds) for own in cuts]

    def _check_kinds(self, attributes: Sequence[Attribute]) -> None:
        """Raise ValueError if the cuts of a numeric column are not given, or those of a nominal one are."""
        numeric = [attribute.name for attribute in attributes if isinstance(attribute, NumericAttribute)]
        without = [name for name in numeric if name not in self.cuts]
        if without and self.others == "error":
            more = f" and {len(without) - 1} more" if len(without) > 1 else ""
            message = (
                f"'cuts' does not name the numeric column {without[0]!r}{more}. Give its cuts; set others='one_bin' to "
                "put all its values into one bin; or, to leave it as it is, name the other columns in 'columns'."
            )
            raise ValueError(message)
        for attribute in attributes:
            if isinstance(attribute, NominalAttribute) and len(self.cuts.get(attribute.name, ())):
                message = (
                    f"Column {attribute.name!r} holds categories, such as {attribute.labels[:2]}, and cannot be "
                    "cut. Take it out of 'cuts', or turn the column into numbers."
                )
                raise ValueError(message)


@estimator
class FixedSchemeDiscretizer(SchemeEncoder):
    """Apply a scheme as it is.

    ``fit`` learns nothing; it checks that the table has the columns of the scheme. Tables can be
    transformed without it.

    Parameters
    ----------
    scheme : Scheme or str
        A scheme, or what its ``to_json`` wrote.
    encode : {"ordinal", "onehot", "onehot-dense", "label", "woe", "rate"}, default="ordinal"
        What ``transform`` returns: codes from 0 on, 0/1 columns (sparse or not), the interval as text, the weight of
        evidence of the bin (a positive one speaks against the event) or the rate of the event in it.
    decode : {"label", "midpoint"}, default="label"
        What ``inverse_transform`` returns: the interval or the category as text; or values: the middle of the interval
        between the training values, the special value, the category.

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
        "decode": [Choices(*DECODINGS)],
    }

    scheme: Any = field(kw_only=False)
    encode: str = "ordinal"
    decode: str = "label"

    @fit_context(prefer_skip_nested_validation=True)
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
