"""CAIM, CACC, Ameva and CADD: discretizers that look at the table of bins by classes."""

from __future__ import annotations

from dataclasses import field
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar

from cutwise.criteria import CACC, CAIM, Ameva, CairCriterion
from cutwise.discretize.attributes import Plan
from cutwise.discretize.base import ConfirmingDiscretizer, SupervisedDiscretizer
from cutwise.estimator import estimator
from cutwise.scikit_learn import Interval, Options
from cutwise.search import CaddSearch, TopDownSearch

if TYPE_CHECKING:
    from cutwise.discretize.seen import SeenTable


@estimator
class CAIMDiscretizer(ConfirmingDiscretizer):
    """Cut each numeric column so that one class dominates each bin, with few bins.

    CAIM (class-attribute interdependence maximization) is the mean over the bins of
    max q**2 / M, with q the rows of a class and M all rows of the bin. Cuts are added while
    it rises, and in any case until there are as many bins as classes.

    Parameters
    ----------
    {confirm}
    {constraints}
    {common}

    {attributes}

    See Also
    --------
    CACCDiscretizer, AmevaDiscretizer : Chi-square in place of the largest class.

    References
    ----------
    Kurgan and Cios, "CAIM discretization algorithm", IEEE Transactions on Knowledge and
    Data Engineering 16, 2004.

    Examples
    --------
    >>> from cutwise import CAIMDiscretizer
    >>> X = [[1], [2], [3], [4], [5], [6], [7], [8], [9], [10], [11], [12]]
    >>> y = [0, 0, 0, 1, 0, 1, 1, 1, 2, 2, 1, 2]
    >>> CAIMDiscretizer().fit(X, y).cuts_
    [array([3.5, 8.5])]
    """

    method_name: ClassVar[str] = "CAIM"

    def _plan(self, seen: SeenTable) -> Plan:
        return Plan(CAIM(), TopDownSearch(), self._limits(seen))


@estimator
class CACCDiscretizer(ConfirmingDiscretizer):
    """Cut each numeric column so that bins and classes depend on each other most.

    CACC (class-attribute contingency coefficient) is sqrt(y / (y + N)) with
    y = chi-square / log(bins). Cuts are added while it rises, and in any case until there
    are as many bins as classes.

    Parameters
    ----------
    log_offset : {0, 1}, default=0
        0 is the article's formula. With 1 the logarithm is that of bins + 1, as KEEL and R
        have it, which accepts more cuts.
    {confirm}
    {constraints}
    {common}

    {attributes}

    See Also
    --------
    AmevaDiscretizer : Another price for each bin.

    References
    ----------
    Tsai, Lee and Yang, "A discretization algorithm based on class-attribute contingency
    coefficient", Information Sciences 178, 2008.

    Examples
    --------
    >>> from cutwise import CACCDiscretizer
    >>> X = [[1], [2], [3], [4], [5], [6], [7], [8], [9], [10], [11], [12]]
    >>> y = [0, 0, 0, 1, 0, 1, 1, 1, 2, 2, 1, 2]
    >>> CACCDiscretizer().fit(X, y).cuts_
    [array([5.5, 8.5])]
    """

    method_name: ClassVar[str] = "CACC"
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"log_offset": [Options(int, {0, 1})]}

    log_offset: int = 0

    def _plan(self, seen: SeenTable) -> Plan:
        return Plan(CACC(self.log_offset), TopDownSearch(), self._limits(seen))


@estimator
class AmevaDiscretizer(ConfirmingDiscretizer):
    """Cut each numeric column so that chi-square is large for the number of bins.

    Ameva is chi-square / (bins * (classes - 1)). Cuts are added while it rises.

    Parameters
    ----------
    all_classes : bool, default=False
        Add cuts in any case until there are as many bins as classes (Ameva-R).
    {confirm}
    {constraints}
    {common}

    {attributes}

    See Also
    --------
    CACCDiscretizer : Another price for each bin.

    References
    ----------
    Gonzalez-Abril, Cuberos, Velasco and Ortega, "Ameva: an autonomous discretization
    algorithm", Expert Systems with Applications 36, 2009.

    Examples
    --------
    >>> from cutwise import AmevaDiscretizer
    >>> X = [[1], [2], [3], [4], [5], [6], [7], [8], [9], [10], [11], [12]]
    >>> y = [0, 0, 0, 1, 0, 1, 1, 1, 2, 2, 1, 2]
    >>> AmevaDiscretizer().fit(X, y).cuts_
    [array([5.5, 8.5])]
    """

    method_name: ClassVar[str] = "Ameva"
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"all_classes": ["boolean"]}

    all_classes: bool = False

    def _plan(self, seen: SeenTable) -> Plan:
        return Plan(Ameva(bool(self.all_classes)), TopDownSearch(), self._limits(seen))


@estimator
class CADDDiscretizer(SupervisedDiscretizer):
    """Move the cuts of equal frequencies to where the class changes, and keep those that matter.

    CADD (class-attribute dependent discretizer) of Ching, Wong and Chan starts with bins of
    about three rows for each class. It moves one cut at a time by one value as long as
    CAIR rises, the mutual information between bins and class over their joint entropy.
    Then neighbouring bins are joined unless they differ significantly.

    Each pair of bins is tested by itself, after the cuts were moved to where bins differ
    most. So columns that are independent of the class get cuts, too, the more of them the
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
