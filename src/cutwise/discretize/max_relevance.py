"""Maximal relevance alone: the ablations MR-O, MR-C and MR-T of the paper."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from sklearn.base import _fit_context
from sklearn.callback import with_callbacks
from sklearn.utils._param_validation import Interval, StrOptions

from cutwise.counts import RowGroups
from cutwise.criteria import Psi
from cutwise.discretize.attributes import Method
from cutwise.discretize.base import BaseDiscretizer, read_target
from cutwise.search import GreedySearch

if TYPE_CHECKING:
    from collections.abc import Sequence


class MaxRelevanceDiscretizer(BaseDiscretizer):
    """Cut each numeric column as long as the mutual information with the class rises.

    This is MRmD without the divergence and without the discount. It overfits by design:
    with no limit it cuts almost wherever the class changes. It shows what the other half
    of MRmD is good for.

    Parameters
    ----------
    max_cuts : None, int, "classes" or array-like of int, default=None
        The largest number of cuts: no limit (MR-O), the same for every column, the number
        of classes (MR-C), or one for each column (MR-T: twice the number of cuts that
        MRmD found).
    encode : {"ordinal", "onehot", "onehot-dense", "label"}, default="ordinal"
        What ``transform`` returns; see MRmDDiscretizer.
    place : {"midpoint", "readable", "value"}, default="midpoint"
        Where in the gap between two values a cut is put.
    missing : {"code", "bin"}, default="code"
        Missing values and unseen categories get the code -1, or a bin of their own.
    n_jobs : int or None, default=None
        Columns learned at the same time, in threads. The result does not depend on it.

    Attributes
    ----------
    scheme_ : Scheme
        Bins, counts, scores and the search's steps, as data.
    cuts_ : list of ndarray
        The cuts of each column; empty where there is none.
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
    MRmDDiscretizer : With divergence and discount.

    Notes
    -----
    Without a limit, time grows with the square of the number of cuts: a column of 50,000
    distinct values that tell nothing of the class gets about 25,000 of them.

    Examples
    --------
    >>> from cutwise import MaxRelevanceDiscretizer, MRmDDiscretizer
    >>> X = [[1], [2], [3], [4], [5], [6], [7], [8]]
    >>> y = [0, 0, 1, 0, 1, 1, 1, 1]
    >>> MaxRelevanceDiscretizer().fit(X, y).cuts_
    [array([2.5, 3.5, 4.5])]
    >>> limits = [2 * cuts.size for cuts in MRmDDiscretizer().fit(X, y).cuts_]
    >>> MaxRelevanceDiscretizer(max_cuts=limits).fit(X, y).cuts_
    [array([2.5, 4.5])]
    """

    method_name: ClassVar[str] = "MaxRelevance"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseDiscretizer._parameter_constraints,  # noqa: SLF001
        "max_cuts": [None, Interval(Integral, 0, None, closed="left"), StrOptions({"classes"}), "array-like"],
    }

    def __init__(
        self,
        max_cuts: Any = None,
        *,
        encode: str = "ordinal",
        place: str = "midpoint",
        missing: str = "code",
        n_jobs: int | None = None,
    ) -> None:
        self.max_cuts = max_cuts
        self.encode = encode
        self.place = place
        self.missing = missing
        self.n_jobs = n_jobs

    @with_callbacks
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any) -> Self:
        """Find the cuts.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            A numpy array or a pandas, polars or pyarrow table.
        y : array-like of shape (n_samples,)
            The class of each row.

        Returns
        -------
        self
        """
        table, classes, codes = read_target(self, X, y)
        limits = self._limits(table.n_features, classes.size)
        criterion = Psi()
        methods = [Method(criterion, GreedySearch(limit)) for limit in limits]
        stated = self.max_cuts
        if stated is not None and not isinstance(stated, str):
            stated = int(stated) if isinstance(stated, Integral) else tuple(limits)
        groups = RowGroups(codes, classes.size)
        return self._learn(table, classes, groups, methods, {"max_cuts": stated})

    def _limits(self, n_features: int, n_classes: int) -> Sequence[int | None]:
        """Return the largest number of cuts of each column."""
        if self.max_cuts is None:
            return [None] * n_features
        if isinstance(self.max_cuts, str):
            return [n_classes] * n_features
        if isinstance(self.max_cuts, Integral):
            return [int(self.max_cuts)] * n_features
        limits = np.asarray(self.max_cuts)
        if limits.dtype.kind not in "iu" or limits.shape != (n_features,) or (limits < 0).any():
            message = (
                f"'max_cuts' as an array needs one whole number from 0 on for each of the {n_features} columns; "
                f"got {self.max_cuts!r}."
            )
            raise ValueError(message)
        return [int(limit) for limit in limits]
