"""MDLP: cut where it shortens the description."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from cutwise.criteria import MDL
from cutwise.discretize.plan import Plan
from cutwise.discretize.supervised import SupervisedDiscretizer
from cutwise.estimator import estimator
from cutwise.search import TopDownSearch

if TYPE_CHECKING:
    from cutwise.discretize.seen import SeenTable


@estimator
class MDLPDiscretizer(SupervisedDiscretizer):
    """Cut each numeric column where a cut shortens the description of the classes.

    MDLP (minimum description length principle) of Fayyad and Irani takes the cut with the
    largest information gain, keeps it if the gain pays for writing the cut down, and goes
    on in both halves. A column that tells little about the class gets no cut.

    Parameters
    ----------
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
