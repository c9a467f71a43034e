"""MRmD: maximal relevance, minimal divergence."""

from __future__ import annotations

from dataclasses import field
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar

from sklearn.utils._param_validation import Interval

from cutwise.criteria import Psi
from cutwise.discretize.parts import divergence_of_parts
from cutwise.discretize.plan import Plan
from cutwise.discretize.supervised import SupervisedDiscretizer
from cutwise.estimator import Choices, estimator
from cutwise.search import ExactSearch, GreedySearch

if TYPE_CHECKING:
    from cutwise.discretize.seen import SeenTable


@estimator
class MRmDDiscretizer(SupervisedDiscretizer):
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
    random_state : int, RandomState instance or None, default=None
        Deals the rows into parts for "crossfit" and "holdout".
    {constraints}
    {common}

    {attributes}

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
    uses_parts: ClassVar[bool] = True

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_d": [Interval(Real, 0, None, closed="neither")],
        "validation": [Choices("expected", "crossfit", "holdout")],
        "n_splits": [Interval(Integral, 2, None, closed="left")],
        "search": [Choices("greedy", "exact")],
        "max_candidates": [Interval(Integral, 2, None, closed="left")],
        "random_state": ["random_state"],
    }

    n_d: float = field(default=50.0, kw_only=False)
    validation: str = "expected"
    n_splits: int = 9
    search: str = "greedy"
    max_candidates: int = 2000
    random_state: Any = None

    def _plan(self, seen: SeenTable) -> Plan:
        criterion = Psi(self.n_d, divergence_of_parts(self, seen.n_parts))
        search = GreedySearch() if self.search == "greedy" else ExactSearch(self.max_candidates)
        unused = ["n_splits"] if seen.has_given_parts else []
        unused += ["max_candidates"] if self.search != "exact" else []
        return Plan(criterion, search, self._limits(seen), self._settings(*unused))
