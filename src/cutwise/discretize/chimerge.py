"""ChiMerge: merge neighbouring values until the bins differ."""

from __future__ import annotations

from dataclasses import field
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar

from sklearn.utils._param_validation import Interval

from cutwise.criteria import ChiSquare
from cutwise.discretize.plan import Plan
from cutwise.discretize.supervised import SupervisedDiscretizer
from cutwise.estimator import estimator
from cutwise.search import MergeSearch

if TYPE_CHECKING:
    from cutwise.discretize.seen import SeenTable


@estimator
class ChiMergeDiscretizer(SupervisedDiscretizer):
    """Merge neighbouring values of each numeric column until the bins differ in class.

    ChiMerge of Kerber begins with a bin for each value and merges the two neighbours with
    the smallest chi-square, again and again, as long as it is below the critical value of
    a level of significance. A column with many values and little information can keep many
    cuts, because chance makes some of the small bins differ: a lower level, ``max_bins``
    or ``min_bin_size`` takes them away.

    Parameters
    ----------
    alpha : float, default=0.1
        The level of significance, between 0 and 1. Smaller values give fewer cuts; the
        article advises 0.01 to 0.1.
    {constraints}
    {common}

    {attributes}

    See Also
    --------
    Chi2Discretizer : Chooses the level for each column by the consistency of the table.

    References
    ----------
    Kerber, "ChiMerge: discretization of numeric attributes", AAAI 1992.

    Examples
    --------
    >>> from cutwise import ChiMergeDiscretizer
    >>> X = [[1], [2], [3], [4], [5], [6], [7], [8], [9], [10], [11], [12]]
    >>> y = [0, 0, 0, 1, 0, 1, 1, 1, 2, 2, 1, 2]
    >>> ChiMergeDiscretizer().fit(X, y).cuts_
    [array([5.5])]
    """

    method_name: ClassVar[str] = "ChiMerge"
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"alpha": [Interval(Real, 0, 1, closed="neither")]}

    alpha: float = field(default=0.1, kw_only=False)

    def _plan(self, seen: SeenTable) -> Plan:
        return Plan(ChiSquare(), MergeSearch(float(self.alpha)), self._limits(seen))
