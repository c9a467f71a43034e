"""ChiMerge and the Chi2 family: merge neighbouring values until the bins differ, or the rows become inconsistent."""

from __future__ import annotations

from dataclasses import field
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar

from cutwise.criteria import (
    BoundedInconsistency,
    ChiSquare,
    ColumnFreedom,
    KeptMajorities,
    KeptPurity,
    PairFreedom,
    ScaledPairFreedom,
)
from cutwise.discretize.attributes import JointOutcome, JointPlan, Plan
from cutwise.discretize.base import SupervisedDiscretizer
from cutwise.discretize.joint import WholeRowsDiscretizer
from cutwise.estimator import estimator
from cutwise.scikit_learn import Interval
from cutwise.search import LevelSearch, MergeSearch
from cutwise.threads import interruptible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cutwise.counts import JointTable
    from cutwise.discretize.seen import SeenTable
    from cutwise.search import BinLimits


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


@estimator
class Chi2Discretizer(WholeRowsDiscretizer):
    """Merge neighbouring values as long as few rows with the same bins differ in class.

    Chi2 of Liu and Setiono merges as ChiMerge does, at lower and lower levels of
    significance: first all columns at the same level, then each column at a level of its
    own. Merging ends where more than a given share of the rows would be inconsistent, that
    is, not of the most frequent class among the rows with the same bins in every column.
    A column that ends up with a single bin is not needed to separate the classes.

    Parameters
    ----------
    max_inconsistency : float, default=0.02
        The largest share of inconsistent rows. If the table has more before anything is
        merged, that share is the limit.
    {sizes}
    {common}

    {attributes}

    See Also
    --------
    ModifiedChi2Discretizer : Keeps the rows consistent that are so at first; no parameter.
    ChiMergeDiscretizer : One level, given, and each column by itself.

    Notes
    -----
    {levels}

    References
    ----------
    Liu and Setiono, "Chi2: feature selection and discretization of numeric attributes",
    IEEE International Conference on Tools with Artificial Intelligence, 1995.

    Examples
    --------
    >>> from cutwise import Chi2Discretizer
    >>> X = [[1, 5], [2, 1], [3, 4], [4, 2], [5, 6], [6, 3], [7, 9], [8, 7], [9, 8], [10, 10]]
    >>> y = [0, 0, 0, 1, 1, 0, 1, 1, 1, 1]
    >>> Chi2Discretizer(max_inconsistency=0.1).fit(X, y).cuts_
    [array([], dtype=float64), array([5.5])]
    """

    method_name: ClassVar[str] = "Chi2"
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "max_inconsistency": [Interval(Real, 0, 1, closed="left")]
    }

    max_inconsistency: float = field(default=0.02, kw_only=False)

    def _plan(self, seen: SeenTable) -> JointPlan:
        return _plan_of_levels(
            self, seen, LevelSearch(ColumnFreedom(), BoundedInconsistency(float(self.max_inconsistency)))
        )


@estimator
class ModifiedChi2Discretizer(WholeRowsDiscretizer):
    """Merge neighbouring values as long as no consistent row becomes inconsistent.

    Modified Chi2 of Tay and Shen differs from Chi2 in three points. As many rows as at
    first stay in groups of a single class, where a group has the same bins in every column.
    The critical value of two bins depends on the classes that they have, not on those of
    the column. And the two bins that are furthest below their critical value are merged
    first.

    Parameters
    ----------
    {sizes}
    {common}

    {attributes}

    See Also
    --------
    Chi2Discretizer : Allows a share of inconsistent rows.
    ExtendedChi2Discretizer : Bounds the largest minority of a group instead.

    Notes
    -----
    {levels}

    References
    ----------
    Tay and Shen, "A modified Chi2 algorithm for discretization", IEEE Transactions on
    Knowledge and Data Engineering 14, 2002.

    Examples
    --------
    >>> from cutwise import ModifiedChi2Discretizer
    >>> X = [[1, 5], [2, 1], [3, 4], [4, 2], [5, 6], [6, 3], [7, 9], [8, 7], [9, 8], [10, 10]]
    >>> y = [0, 0, 0, 1, 1, 0, 1, 1, 1, 1]
    >>> ModifiedChi2Discretizer().fit(X, y).cuts_
    [array([3.5, 5.5, 6.5]), array([], dtype=float64)]
    """

    method_name: ClassVar[str] = "Modified Chi2"

    def _plan(self, seen: SeenTable) -> JointPlan:
        return _plan_of_levels(self, seen, LevelSearch(PairFreedom(), KeptPurity()))


@estimator
class ExtendedChi2Discretizer(WholeRowsDiscretizer):
    """Merge neighbouring values as long as no group of rows gets a larger minority.

    Extended Chi2 of Su and Hsu merges first the two bins that are furthest below their
    critical value in standard deviations of chi-square, sqrt(2 df). It ends where the
    largest minority would exceed the largest one at first. A minority is the share that a
    class has in a group, the rows with the same bins in every column, or that all other
    classes have there, whichever is less.

    Parameters
    ----------
    {sizes}
    {common}

    {attributes}

    See Also
    --------
    ModifiedChi2Discretizer : Keeps the number of rows in groups of a single class instead.

    Notes
    -----
    The article counts no minority where a class has exactly half of a group. So a group of
    two equal halves breaks nothing, and a small column may lose its only cut.

    {levels}

    References
    ----------
    Su and Hsu, "An extended Chi2 algorithm for discretization of real value attributes",
    IEEE Transactions on Knowledge and Data Engineering 17, 2005.

    Examples
    --------
    >>> from cutwise import ExtendedChi2Discretizer
    >>> X = [[1, 5], [2, 1], [3, 4], [4, 2], [5, 6], [6, 3], [7, 9], [8, 7], [9, 8], [10, 10]]
    >>> y = [0, 0, 0, 1, 1, 0, 1, 1, 1, 1]
    >>> ExtendedChi2Discretizer().fit(X, y).cuts_
    [array([3.5]), array([5.5])]
    """

    method_name: ClassVar[str] = "Extended Chi2"

    def _plan(self, seen: SeenTable) -> JointPlan:
        return _plan_of_levels(self, seen, LevelSearch(ScaledPairFreedom(), KeptMajorities()))


def _plan_of_levels(method: WholeRowsDiscretizer, seen: SeenTable, search: LevelSearch) -> JointPlan:
    """Return the plan of a method of the family: how alike bins are and what must be kept, the search says."""

    def merge(joint: JointTable, limits: Sequence[BinLimits]) -> JointOutcome:
        with method._steps():  # noqa: SLF001
            return JointOutcome(interruptible(search.run, joint, limits), ChiSquare())

    return JointPlan(ChiSquare(), merge, method._limits(seen))  # noqa: SLF001
