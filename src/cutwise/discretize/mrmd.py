"""MRmD: maximal relevance, minimal divergence."""

from __future__ import annotations

from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from sklearn.base import _fit_context
from sklearn.callback import with_callbacks
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions

from cutwise.counts import RowGroups
from cutwise.criteria import Divergence, ExpectedDivergence, Psi, SplitDivergence
from cutwise.discretize.attributes import Method
from cutwise.discretize.base import BaseDiscretizer, read_target
from cutwise.discretize.split import deal_rows
from cutwise.discretize.validate import check_parts
from cutwise.search import ExactSearch, GreedySearch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.discretize.validate import CheckedTable

TRAINING, VALIDATION = 0, 1


class MRmDDiscretizer(BaseDiscretizer):
    """Cut each numeric column where the class changes and the cut holds on new rows.

    MRmD (max-relevance-min-divergence) adds cuts as long as

        Psi = exp(-cuts / n_d) * I(bins; class) - J(bins)

    rises. I is the mutual information between bins and class, over all rows. J is the
    Jensen-Shannon divergence between the bins of training rows and those of validation
    rows: cuts that fit the accidents of one sample cost more than they bring.

    Parameters
    ----------
    n_d : float, default=50.0
        How slowly the weight of the relevance falls with the number of cuts. Smaller
        values give fewer cuts.
    validation : {"expected", "crossfit", "holdout"}, default="expected"
        Which rows are the validation part. "expected" takes the mean of J over every
        possible part of that size, in closed form: nothing is drawn at random and the
        order of rows does not matter. "crossfit" deals the rows into n_splits parts and
        holds out each in turn. "holdout" holds out one such part, as the paper does.
    n_splits : int, default=9
        The validation part is one n_splits-th of the rows.
    search : {"greedy", "exact"}, default="greedy"
        "greedy" adds the best cut again and again. "exact" finds the set of cuts with the
        highest Psi of all; its cost grows with the square of the number of values.
    max_candidates : int, default=2000
        The exact search looks at no more than this many groups of neighbouring values.
    encode : {"ordinal", "onehot", "onehot-dense", "label"}, default="ordinal"
        What ``transform`` returns: codes from 0 on, 0/1 columns (sparse or not), or the
        interval as text.
    place : {"midpoint", "readable", "value"}, default="midpoint"
        Where in the gap between two values a cut is put: in the middle, at the shortest
        decimal, or at the lower value. The training rows of each bin are the same.
    missing : {"code", "bin"}, default="code"
        Missing values and unseen categories get the code -1, or a bin of their own after
        the last one.
    random_state : int, RandomState instance or None, default=None
        Deals the rows into parts for "crossfit" and "holdout".
    n_jobs : int or None, default=None
        Columns learned at the same time, in threads. The result does not depend on it.

    Attributes
    ----------
    scheme_ : Scheme
        Bins, counts, scores and the search's steps, as data.
    cuts_ : list of ndarray
        The cuts of each column; empty where there is none. Bin i holds
        ``cuts[i - 1] < x <= cuts[i]``.
    classes_ : ndarray
        The class labels.
    n_bins_ : ndarray of int
        The number of bins of each column, without the one for missing values.
    bin_edges_ : ndarray of object
        For each numeric column its smallest value, the cuts and its largest value.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        Their names, if all of them are texts.

    See Also
    --------
    MaxRelevanceDiscretizer : The same search without divergence and discount.

    References
    ----------
    Wang, Ren, Bai, Yao and Jiang, "A Max-Relevance-Min-Divergence Criterion for Data
    Discretization with Applications on Naive Bayes", Pattern Recognition 149, 2024.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from cutwise import MRmDDiscretizer
    >>> X, y = load_iris(return_X_y=True)
    >>> discretizer = MRmDDiscretizer(place="readable").fit(X, y)
    >>> discretizer.scheme_["x3"].labels
    ('(-inf, 0.8]', '(0.8, 1.7]', '(1.7, inf)')
    >>> discretizer.transform(X[:2])
    array([[0, 4, 0, 0],
           [0, 3, 0, 0]], dtype=int32)
    """

    method_name: ClassVar[str] = "MRmD"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseDiscretizer._parameter_constraints,  # noqa: SLF001
        "n_d": [Interval(Real, 0, None, closed="neither")],
        "validation": [StrOptions({"expected", "crossfit", "holdout"})],
        "n_splits": [Interval(Integral, 2, None, closed="left")],
        "search": [StrOptions({"greedy", "exact"})],
        "max_candidates": [Interval(Integral, 2, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_d: float = 50.0,
        *,
        validation: str = "expected",
        n_splits: int = 9,
        search: str = "greedy",
        max_candidates: int = 2000,
        encode: str = "ordinal",
        place: str = "midpoint",
        missing: str = "code",
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_d = n_d
        self.validation = validation
        self.n_splits = n_splits
        self.search = search
        self.max_candidates = max_candidates
        self.encode = encode
        self.place = place
        self.missing = missing
        self.random_state = random_state
        self.n_jobs = n_jobs

    @with_callbacks
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, parts: Any = None) -> Self:
        """Find the cuts.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            A numpy array or a pandas, polars or pyarrow table. Numeric columns are cut;
            texts, categories and booleans become one bin for each category.
        y : array-like of shape (n_samples,)
            The class of each row.
        parts : array-like of int of shape (n_samples,), optional
            The part of each row, instead of a random one. With "holdout" 1 marks the
            validation rows and 0 the others; with "crossfit" each number is a part.

        Returns
        -------
        self
        """
        table, classes, groups, divergence = self._read(X, y, parts)
        search = GreedySearch() if self.search == "greedy" else ExactSearch(self.max_candidates)
        method = Method(Psi(self.n_d, divergence), search)
        parameters = {"n_d": float(self.n_d), "validation": self.validation, "search": self.search}
        if parts is None:
            parameters["n_splits"] = int(self.n_splits)
        if self.search == "exact":
            parameters["max_candidates"] = int(self.max_candidates)
        return self._learn(table, classes, groups, [method] * table.n_features, parameters)

    def _read(self, X: Any, y: Any, parts: Any) -> tuple[CheckedTable, NDArray[Any], RowGroups, Divergence]:
        """Check the input; return the table, the class labels, the rows in groups, and J."""
        table, classes, codes = read_target(self, X, y)
        row_parts = self._row_parts(codes, parts)
        if row_parts is None:
            return table, classes, RowGroups(codes, classes.size), ExpectedDivergence(self.n_splits)
        if self.validation == "holdout":
            groups = RowGroups(codes, classes.size, row_parts, 2)
            return table, classes, groups, SplitDivergence((VALIDATION,))
        n_parts = int(row_parts.max()) + 1
        groups = RowGroups(codes, classes.size, row_parts, n_parts)
        return table, classes, groups, SplitDivergence(tuple(range(n_parts)))

    def _row_parts(self, codes: NDArray[np.int64], parts: Any) -> NDArray[np.int64] | None:
        """Return the part of each row, 0 to n_parts - 1; None if no split is needed."""
        if self.validation == "expected":
            if parts is not None:
                message = (
                    "validation='expected' averages over every split and takes no 'parts'. "
                    "Choose validation='holdout' or 'crossfit', or leave 'parts' out."
                )
                raise ValueError(message)
            return None
        if parts is None:
            dealt = deal_rows(codes, self.n_splits, check_random_state(self.random_state))
            return dealt if self.validation == "crossfit" else np.where(dealt == 0, VALIDATION, TRAINING)
        given = check_parts(parts, codes.size)
        if self.validation == "crossfit":
            return np.unique(given, return_inverse=True)[1]
        if not np.isin(given, (TRAINING, VALIDATION)).all():
            other = given[~np.isin(given, (TRAINING, VALIDATION))][0]
            message = f"With validation='holdout', 'parts' marks validation rows by 1 and others by 0; got {other}."
            raise ValueError(message)
        return given
