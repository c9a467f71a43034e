"""MDmD: maximal dependency, minimal divergence."""

from __future__ import annotations

from contextlib import closing
from dataclasses import field, replace
from functools import partial
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from cutwise.criteria import Psi, SharedValue
from cutwise.discretize.attributes import JointOutcome, JointPlan
from cutwise.discretize.joint import WholeRowsDiscretizer
from cutwise.discretize.seen import PART_CONSTRAINTS, divergence_of_parts
from cutwise.estimator import estimator
from cutwise.scheme import NumericAttribute
from cutwise.scikit_learn import Interval
from cutwise.search import JointSearch
from cutwise.threads import in_threads

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from cutwise.counts import JointTable
    from cutwise.discretize.seen import SeenTable
    from cutwise.scheme import Attribute
    from cutwise.search import BinLimits, JointFound


@estimator
class MDmDDiscretizer(WholeRowsDiscretizer):
    """Cut all numeric columns together, so that their joint cells are informative about the class.

    MDmD (max-dependency-min-divergence) looks for the cuts of all columns with the highest

        Psi = exp(-cuts / (n_d * columns)) * I(cells; class) - J(cells)

    A cell holds the rows that agree in all bins. I is the mutual information between cells
    and class, J the Jensen-Shannon divergence between the cells of training rows and those
    of validation rows. Columns that are informative only jointly are found, and columns
    that add nothing to the others get no cut. The classifier behind it must be able to use
    that: a tree can, naive Bayes cannot.

    A column without a cut takes no part in the cells. One that has cuts brings its missing
    and its special values along as codes of their own. A nominal column takes part as a
    whole or not at all, whichever is better; its categories are its codes in either case.

    Parameters
    ----------
    n_d : float, default=50.0
        How slowly the weight of I falls with the number of cuts. Smaller values give fewer
        cuts.
    {validation}
    grid_bins : int, default=8
        The search starts from grids of that many equally filled bins a column, half as
        many, and so on, and from the cuts of MRmD.
    max_attributes : int or None, default=64
        If there are more columns, those enter the search that add most to the best of all
        others; the rest get no cut.
    random_state : int, RandomState instance or None, default=None
        Deals the rows into parts for "crossfit" and "holdout".
    {sizes}
    {common}

    {attributes}
    in_cells_ : ndarray of bool
        Which columns take part in the cells.
    n_cells_ : int
        The number of cells that have rows.
    joint_score_ : Score
        Psi of the whole scheme, and I and J of its cells. The score of a column in
        ``scheme_`` is what Psi would lose without it; relevance and divergence there are
        those of the column alone.

    See Also
    --------
    MRmDDiscretizer : The same criterion for each column alone.

    References
    ----------
    Wang, Ren, Bai, Yao and Jiang, "A Max-Relevance-Min-Divergence Criterion for Data
    Discretization with Applications on Naive Bayes", Pattern Recognition 149, 2024.

    Examples
    --------
    >>> import numpy as np
    >>> from cutwise import MDmDDiscretizer
    >>> X = np.random.default_rng(0).random((1000, 3))
    >>> y = (X[:, 0] > 0.5) ^ (X[:, 1] > 0.3)
    >>> MDmDDiscretizer(place="readable").fit(X, y).cuts_
    [array([0.5]), array([0.3]), array([], dtype=float64)]
    """

    method_name: ClassVar[str] = "MDmD"
    uses_parts: ClassVar[bool] = True

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_d": [Interval(Real, 0, None, closed="neither")],
        **PART_CONSTRAINTS,
        "grid_bins": [Interval(Integral, 2, None, closed="left")],
        "max_attributes": [None, Interval(Integral, 1, None, closed="left")],
    }

    n_d: float = field(default=50.0, kw_only=False)
    validation: str = "expected"
    n_splits: int = 9
    grid_bins: int = 8
    max_attributes: int | None = 64
    random_state: Any = None

    def _plan(self, seen: SeenTable) -> JointPlan:
        divergence = divergence_of_parts(self, seen.n_parts)
        search = JointSearch(self.n_d, divergence, int(self.grid_bins), self.max_attributes)
        groups = seen.groups
        row_parts = groups.part_of_run[groups.run_of_row].astype(np.int64) if groups and groups.n_parts else None

        def find(joint: JointTable, limits: Sequence[BinLimits]) -> JointOutcome:
            found = search.find(joint, limits, row_parts, self._improve_each)
            return JointOutcome(found.columns, Psi(self.n_d, divergence), partial(_finish, found))

        settings = self._settings(*(["n_splits"] if seen.has_given_parts else []))
        return JointPlan(SharedValue("share of joint Psi", 0.0), find, self._limits(seen), settings)

    def _improve_each(self, improve: Callable[[Any], Any], starts: Iterable[Any]) -> Iterator[Any]:
        """Improve every start, in threads if n_jobs says so, and tell the callbacks of each."""
        tasks = [(start,) for start in starts]
        with self._steps("start", len(tasks)) as step, closing(in_threads(improve, tasks, self.n_jobs)) as results:
            for _ in tasks:
                with step():
                    yield next(results)


def _finish(found: JointFound, attributes: list[Attribute]) -> tuple[list[Attribute], dict[str, Any]]:
    """Give the nominal columns their share of Psi; return also what was learned of the cells."""
    marked: list[Attribute] = []
    in_cells = []
    n_nominal = 0
    for attribute in attributes:
        if isinstance(attribute, NumericAttribute):
            marked.append(attribute)
            in_cells.append(len(attribute.cuts) > 0)
        else:
            marked.append(replace(attribute, score=found.nominal.get(n_nominal, 0.0)))
            in_cells.append(n_nominal in found.nominal)
            n_nominal += 1
    learned = {"in_cells_": np.array(in_cells), "n_cells_": found.n_cells, "joint_score_": found.score}
    return marked, learned
