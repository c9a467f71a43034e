"""MDLP: cut where it shortens the description."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from cutwise.criteria import MDL
from cutwise.discretize.supervised import SupervisedDiscretizer
from cutwise.search import TopDownSearch


@dataclass(eq=False, repr=False, kw_only=True)
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

    def _criterion(self) -> MDL:
        return MDL()

    def _search(self) -> TopDownSearch:
        return TopDownSearch()
