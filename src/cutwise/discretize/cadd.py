"""CADD: bins that depend on the class."""

from __future__ import annotations

from dataclasses import field
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar

from sklearn.utils._param_validation import Interval

from cutwise.criteria import CairCriterion
from cutwise.discretize.plan import Plan
from cutwise.discretize.supervised import SupervisedDiscretizer
from cutwise.estimator import estimator
from cutwise.search import CaddSearch

if TYPE_CHECKING:
    from cutwise.discretize.seen import SeenTable


@estimator
class CADDDiscretizer(SupervisedDiscretizer):
    """Move the cuts of equal frequencies to where the class changes, and keep those that matter.

    CADD (class-attribute dependent discretizer) of Ching, Wong and Chan starts with bins of
    about three rows for each class. It moves one cut at a time by one value as long as
    CAIR rises, the mutual information between bins and class over their joint entropy.
    Then neighbouring bins are joined unless they differ significantly.

    Each pair of bins is tested by itself, after the cuts were moved to where bins differ
    most. So columns that tell nothing of the class get cuts, too, the more of them the
    more rows there are; ``max_bins``, or a much smaller `alpha`, keeps their number down.

    Parameters
    ----------
    alpha : float, default=0.01
        The level of significance. Smaller values give fewer cuts.
    {constraints}
    {common}

    {attributes}

    References
    ----------
    Ching, Wong and Chan, "Class-dependent discretization for inductive learning from
    continuous and mixed-mode data", IEEE Transactions on Pattern Analysis and Machine
    Intelligence 17(7), 1995.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from cutwise import CADDDiscretizer
    >>> X, y = load_iris(return_X_y=True)
    >>> CADDDiscretizer().fit(X[:, [3]], y).cuts_
    [array([0.8 , 1.75])]
    """

    method_name: ClassVar[str] = "CADD"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"alpha": [Interval(Real, 0, 1, closed="neither")]}

    alpha: float = field(default=0.01, kw_only=False)

    def _plan(self, seen: SeenTable) -> Plan:
        return Plan(CairCriterion(), CaddSearch(float(self.alpha)), self._limits(seen))
