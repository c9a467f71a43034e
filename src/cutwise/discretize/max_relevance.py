"""Maximal relevance alone: the ablations MR-O, MR-C and MR-T of the paper."""

from __future__ import annotations

from dataclasses import field
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from cutwise.criteria import Psi
from cutwise.discretize.plan import Plan
from cutwise.discretize.supervised import SupervisedDiscretizer
from cutwise.estimator import Choices, estimator
from cutwise.search import GreedySearch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cutwise.discretize.seen import SeenTable


@estimator
class MaxRelevanceDiscretizer(SupervisedDiscretizer):
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
    {constraints}
    {common}

    {attributes}

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
        "max_cuts": [None, Interval(Integral, 0, None, closed="left"), Choices("classes"), "array-like"],
    }

    max_cuts: Any = field(default=None, kw_only=False)

    def _plan(self, seen: SeenTable) -> list[Plan]:
        most = self._most_cuts(len(seen.names), len(seen.classes))
        criterion, limits, settings = Psi(), self._limits(seen), self._settings()
        if self.max_cuts is not None and not isinstance(self.max_cuts, str | Integral):
            settings["max_cuts"] = tuple(most)
        return [Plan(criterion, GreedySearch(number), limits, settings) for number in most]

    def _most_cuts(self, n_features: int, n_classes: int) -> Sequence[int | None]:
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
