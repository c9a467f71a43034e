"""MDLP and MODL: bins that shorten the description of the classes."""

from __future__ import annotations

from dataclasses import field
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar

from cutwise.criteria import MDL, ModlCriterion
from cutwise.discretize.attributes import Plan
from cutwise.discretize.base import ConfirmingDiscretizer
from cutwise.estimator import estimator
from cutwise.scikit_learn import Interval
from cutwise.search import ModlSearch, TopDownSearch

if TYPE_CHECKING:
    from cutwise.discretize.seen import SeenTable


@estimator
class MDLPDiscretizer(ConfirmingDiscretizer):
    """Cut each numeric column where a cut shortens the description of the classes.

    MDLP (minimum description length principle) of Fayyad and Irani takes the cut with the
    largest information gain, keeps it if the gain pays for writing the cut down, and goes
    on in both halves. A column with little information about the class gets no cut.

    Parameters
    ----------
    {confirm}
    {constraints}
    {common}

    {attributes}

    References
    ----------
    Fayyad and Irani, "Multi-interval discretization of continuous-valued attributes for
    classification learning", IJCAI 1993.

    Examples
    --------
    >>> from cutwise import MDLPDiscretizer
    >>> X = [[1], [2], [3], [4], [5], [6], [7], [8], [9], [10], [11], [12]]
    >>> y = [0, 0, 0, 1, 0, 1, 1, 1, 2, 2, 1, 2]
    >>> MDLPDiscretizer().fit(X, y).cuts_
    [array([5.5])]
    """

    method_name: ClassVar[str] = "MDLP"

    def _plan(self, seen: SeenTable) -> Plan:
        return Plan(MDL(), TopDownSearch(), self._limits(seen))


@estimator
class MODLDiscretizer(ConfirmingDiscretizer):
    """Cut each numeric column into the bins that are most probable given the classes.

    MODL of Boullé weighs every partition: how probable are its number of bins, their ends
    and the shares of the classes in them, and how probable are the classes of the rows
    then. The partition with the highest product, that is with the lowest cost in nats, is
    taken. A column with little information about the class gets no cut.

    If labels are missing in y (None or NaN), the rows without one count, too: they show
    where values lie close together, and so where bins may end. Such rows are no class of
    the scheme.

    Parameters
    ----------
    max_candidates : int, default=1000
        Up to this many values, runs of values of one class counted as one, the best of all
        partitions is found. In columns with more, neighbouring values are merged step by
        step, and the result is improved by small changes. With ``monotonic`` or missing
        labels, a column with more values is searched on a grid of as many groups (at most
        500 with ``monotonic``).
    {confirm}
    {constraints}
    {common}

    {attributes}

    References
    ----------
    Boullé, "MODL: a Bayes optimal discretization method for continuous attributes", Machine
    Learning 65, 2006. Bondu, Boullé and Lemaire, "A non-parametric semi-supervised
    discretization method", Knowledge and Information Systems 24, 2010.

    Examples
    --------
    >>> from cutwise import MODLDiscretizer
    >>> X = [[1], [2], [3], [4], [5], [6], [7], [8], [9], [10], [11], [12]]
    >>> y = [0, 0, 0, 1, 0, 1, 1, 1, 2, 2, 1, 2]
    >>> MODLDiscretizer().fit(X, y).cuts_
    [array([5.5])]
    """

    method_name: ClassVar[str] = "MODL"
    takes_unlabelled: ClassVar[bool] = True
    groups_categories: ClassVar[bool] = False

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "max_candidates": [Interval(Integral, 2, None, closed="left")],
    }

    max_candidates: int = field(default=1000, kw_only=False)

    def _plan(self, seen: SeenTable) -> Plan:
        return Plan(ModlCriterion(seen.has_unlabelled), ModlSearch(int(self.max_candidates)), self._limits(seen))
