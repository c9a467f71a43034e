"""Applying a scheme to tables, as scikit-learn's transformers do."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from cutwise.discretize.passing import Places, join_columns, stacked
from cutwise.errors import ExportError
from cutwise.scheme import NumericAttribute, decode_codes, encode_columns, labels_of_codes, n_codes, one_hot
from cutwise.scheme.codes import codes_of_labels, label_list, numbers_of_columns, values_of_codes
from cutwise.scheme.figures import NUMBERS
from cutwise.scikit_learn import check_feature_names_in, get_output_config, sparse_result
from cutwise.validation import check_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from sklearn.utils import Tags

    from cutwise.scheme import Attribute, Scheme
    from cutwise.validation import CheckedTable

DECODINGS = ("label", "midpoint")
ENCODINGS = ("ordinal", "onehot", "onehot-dense", "label", *NUMBERS)


class SchemeEncoder(TransformerMixin, BaseEstimator):
    """The base of everything that has a scheme and replaces values by bins.

    A subclass has the parameters ``encode``, one of ENCODINGS, and ``decode``, one of DECODINGS, and once it is fitted
    ``scheme_``.
    """

    encode: str
    decode: str
    scheme_: Scheme

    def transform(self, X: Any) -> Any:
        """Replace each value by its bin.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            The same columns as in ``fit``. Missing values, unseen categories and
            infinities are never an error; see the table in the user guide.

        Returns
        -------
        ndarray, or sparse array with ``encode="onehot"``
            Codes, 0/1 columns, interval labels, weights of evidence or rates, as ``encode`` says; the container
            follows ``set_output``. Columns that are not cut (``columns``) stay at their places: as they are in
            frames, as numbers in arrays if all are numbers.
        """
        check_is_fitted(self)
        table = check_table(self, X, reset=False)
        places = self._places(table.names)
        if places is None:
            return self._encoded(table)
        made = self._encoded(table.only(places.cut))
        names = self.get_feature_names_out().tolist()
        return join_columns(made, table, places, names, get_output_config("transform", self)["dense"])

    def _encoded(self, table: CheckedTable) -> Any:
        """Replace each value of the columns of the scheme by its bin."""
        if self.encode in NUMBERS:
            return numbers_of_columns(self.scheme_, table.data, self.encode, table.names)
        codes = encode_columns(self.scheme_, table.data, table.names)
        if self.encode == "ordinal":
            return codes
        if self.encode == "label":
            return labels_of_codes(codes, self.scheme_)
        columns = one_hot(codes, self.scheme_)
        if self.encode == "onehot-dense":
            return columns.toarray()
        return sparse_result(columns)

    def _places(self, names: Sequence[str]) -> Places | None:
        """Return where columns pass through; None if all of them are cut."""
        if len(self.scheme_.attributes) == len(names):
            return None
        attributes = {attribute.name: attribute for attribute in self.scheme_.attributes}
        cut = [j for j, name in enumerate(names) if name in attributes]
        is_one_hot = self.encode.startswith("onehot")
        missing = self.scheme_.missing
        return Places(names, cut, [n_codes(attributes[names[j]], missing) if is_one_hot else 1 for j in cut])

    def transform_table(self, table: Any, keep: Sequence[str] = ()) -> Any:
        """Return the codes of a table beyond memory, as a table of the same engine; see `Scheme.transform_table`.

        Parameters
        ----------
        table : path or table
            Files, or a table of Arrow, DuckDB, polars, pandas, Spark, Dask or Ibis. Columns are found by name,
            and there may be others.
        keep : sequence of str
            Columns of the table to put before the codes.

        Returns
        -------
        table
            Not computed yet, unless the table is in memory. Codes, weights of evidence and rates can be had.
        """
        check_is_fitted(self)
        if self.encode not in ("ordinal", *NUMBERS):
            message = (
                f"Tables beyond memory get codes, weights of evidence or rates, but 'encode' is {self.encode!r}. "
                "Set encode='ordinal', 'woe' or 'rate'."
            )
            raise ExportError(message)
        return self.scheme_.transform_table(table, keep, self.encode)

    def inverse_transform(self, X: Any) -> NDArray[Any]:
        """Return the interval or the category behind each code, as ``decode`` says.

        Parameters
        ----------
        X : array-like or sparse array
            What ``transform`` returned.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
            Text, and None for the code -1; with ``decode="midpoint"`` values.
        """
        check_is_fitted(self)
        if self.encode in NUMBERS:
            message = f"Different bins may have the same {self.encode}, so it cannot be turned back into bins."
            raise ValueError(message)
        array = X.toarray() if sparse.issparse(X) else np.asarray(X)
        width = len(self.get_feature_names_out())
        if array.ndim != 2 or array.shape[1] != width:
            message = f"Expected what transform returns, an array of {width} columns, got the shape {array.shape}."
            raise ValueError(message)
        places = self._places(self._input_names())
        if places is None:
            return self._decoded(array)
        made, passing = places.divided(array)
        return stacked(places.of_table(list(self._decoded(made).T), passing))

    def _decoded(self, array: NDArray[Any]) -> NDArray[Any]:
        """Return the text or the value behind what the columns of the scheme became."""
        if self.encode == "label" and self.decode == "label":
            return np.asarray(array, dtype=object)
        codes = self._codes_of(array)
        made = values_of_codes if self.decode == "midpoint" else labels_of_codes
        return made(codes, self.scheme_)

    def _codes_of(self, array: NDArray[Any]) -> NDArray[np.int32]:
        """Return the codes behind what the columns of the scheme became."""
        if self.encode == "label":
            return codes_of_labels(array, self.scheme_)
        if self.encode != "ordinal":
            return decode_codes(array, self.scheme_)
        codes = array.astype(np.int32)
        if not np.array_equal(codes, array):
            message = f"Codes are whole numbers; one of them is {array[codes != array][0]!r}."
            raise ValueError(message)
        for j, attribute in enumerate(self.scheme_.attributes):
            top = n_codes(attribute, self.scheme_.missing)
            wrong = codes[:, j][(codes[:, j] < -1) | (codes[:, j] >= top)]
            if wrong.size:
                message = (
                    f"Column {attribute.name!r} has no bin with the code {wrong[0]}; codes go from -1 to {top - 1}."
                )
                raise ValueError(message)
        return codes

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the names of the output columns.

        Parameters
        ----------
        input_features : array-like of str, optional
            Names of the input columns; only those seen in ``fit`` are accepted.

        Returns
        -------
        ndarray of str
            The input names, or with one-hot codes the name and the interval or category of each bin, such as
            "age_(37.5, 42]".
        """
        check_is_fitted(self)
        names = check_feature_names_in(self, input_features)
        if not self.encode.startswith("onehot"):
            return np.asarray(names, dtype=object)
        places = self._places(self._input_names())
        if places is None:
            return np.asarray(_one_hot_names(names, self.scheme_), dtype=object)
        passing = [names[j] for j in places.passing]
        made = _one_hot_names([names[j] for j in places.cut], self.scheme_, passing)
        return np.asarray(places.in_order(made, passing), dtype=object)

    def _input_names(self) -> list[str]:
        """Return what the columns are called that fit saw."""
        return [str(name) for name in check_feature_names_in(self, None)]

    def plot(self, attribute: str | None = None, ax: Any = None) -> Any:
        """Draw the bins of an attribute with matplotlib, stacked by the shares of the classes.

        Parameters
        ----------
        attribute : str, optional
            The name of a column; without names they are "x0", "x1", … If it is left out, a bar for
            each attribute shows how informative its bins are.
        ax : matplotlib axes, optional
            Where to draw; new ones by default.

        Returns
        -------
        matplotlib axes
        """
        check_is_fitted(self)
        return self.scheme_.plot(attribute, ax)

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.transformer_tags.preserves_dtype = []
        return tags


def _one_hot_names(names: Sequence[str], scheme: Scheme, taken: Sequence[str] = ()) -> list[str]:
    """Return a name for each bin of each column; names that are taken or would be the same end in their place."""
    labels = [
        label_list(attribute, scheme.missing)[: n_codes(attribute, scheme.missing)] for attribute in scheme.attributes
    ]
    wished = [f"{name}_{label}" for name, own in zip(names, labels, strict=True) for label in own]
    counts = Counter([*wished, *taken])
    return [name if counts[name] == 1 else f"{name} #{place}" for place, name in enumerate(wished)]


def from_scheme(scheme: Scheme) -> dict[str, Any]:
    """Return the scheme and what is derived from it, by the names of the fitted attributes."""
    attributes = scheme.attributes
    edges = np.empty(len(attributes), dtype=object)
    edges[:] = [_bin_edges(attribute) for attribute in attributes]
    return {
        "scheme_": scheme,
        "cuts_": [np.array(getattr(attribute, "cuts", ()), dtype=np.float64) for attribute in attributes],
        "n_bins_": np.array([attribute.n_bins for attribute in attributes], dtype=np.int64),
        "bin_edges_": edges,
    }


def _bin_edges(attribute: Attribute) -> NDArray[np.float64]:
    """Return the ends of the bins, from the smallest to the largest training value."""
    if not isinstance(attribute, NumericAttribute):
        return np.empty(0)
    low = -np.inf if attribute.minimum is None else attribute.minimum
    high = np.inf if attribute.maximum is None else attribute.maximum
    return np.array([low, *attribute.cuts, high])
