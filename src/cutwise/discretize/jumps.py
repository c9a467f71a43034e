"""The cuts of all columns together, by a penalty on the jumps of an additive model."""

from __future__ import annotations

from dataclasses import field, replace
from functools import partial
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar

from cutwise.criteria import SharedValue
from cutwise.discretize.attributes import JointOutcome, JointPlan
from cutwise.discretize.joint import WholeRowsDiscretizer
from cutwise.discretize.limits import MONOTONIC_CONSTRAINTS, TURNED, check_two_classes, checked_by_column
from cutwise.estimator import Choices, estimator
from cutwise.scheme import NumericAttribute
from cutwise.scikit_learn import Interval
from cutwise.search import JumpSearch
from cutwise.search.jumps import ENTRY, MAX_PENALTIES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cutwise.counts import JointTable
    from cutwise.discretize.seen import SeenTable
    from cutwise.scheme import Attribute
    from cutwise.search import BinLimits, JumpFound


@estimator
class JointDiscretizer(WholeRowsDiscretizer):
    """Choose the cuts of all numeric columns together: the jumps that a logistic model of bins needs.

    On a grid of equally filled bins, an additive model gives each class the score

        intercept + sum over columns of f(bin)

    and minimises

        log loss + penalty * sum over candidate cuts of the length of the jump of f there

    where the jump is a vector with one number for each class, or one number for two classes. That is convex, so there
    is one answer, and most jumps are exactly zero. The others are the cuts. A column that adds nothing to the
    others gets none. Categories, missing and special values take part with a jump of their own each.

    The penalty is chosen by cross-validation within the training rows, by log loss, or so that there are
    ``n_cuts`` cuts.

    Parameters
    ----------
    n_cuts : int or None, default=None
        The largest number of cuts of all columns together. None lets cross-validation decide.
    choice : {"one_se", "min"}, default="one_se"
        How cross-validation decides. "min" takes the penalty with the smallest loss on held-out rows; "one_se" the
        largest penalty whose loss is at most one standard error above that, which gives fewer cuts.
    grid_bins : int, default=32
        The number of equally filled bins of each column between which cuts may lie.
    n_folds : int, default=5
        The number of parts of the cross-validation. Rows are dealt by a rule, not by chance.
    prune_for : {"naive_bayes"} or None, default=None
        The classifier that will use the bins. Naive Bayes takes columns for independent and so counts the evidence of
        related ones several times. Cuts are dropped for it, those that entered last first, if it then predicts
        the training rows better, each of them left out of its counts in turn: if the sum of their log losses
        falls by more than one standard error of the difference. Other classifiers of bins do about as well with half
        the cuts. None keeps all of them.
    {monotonic}
    {sizes}
    {common}

    {attributes}
    penalty_ : float
        The penalty that was chosen.
    penalties_ : ndarray
        All penalties that were tried, in descending order; the first leaves no cut.
    path_cuts_ : ndarray of int
        The number of cuts with each of these penalties, before any are dropped.
    path_losses_, path_errors_ : ndarray
        The mean log loss on held-out rows with each of these penalties, and its standard error; empty if ``n_cuts`` is
        given.

    See Also
    --------
    MRmDDiscretizer : Looks at one column at a time.
    MDmDDiscretizer : Finds cuts that are informative only jointly.

    Notes
    -----
    The fit at the chosen penalty misses the conditions of the minimum by at most 1e-6 for each row, those on the way
    by 1e-4. In the scheme, the steps of a column are its cuts in the order in which they enter as the penalty falls,
    each with the penalty at which it does; the refused cut is the one that would be next, or of those that
    ``prune_for`` drops the one that entered first (``stop`` is "pruned").

    With ``min_bin_size`` the grid has no smaller bins. With ``max_bins`` the cuts that enter first are kept. With
    ``monotonic`` the jumps have one sign, "auto" takes that of the column's trend, and cuts at
    which the class rate of the bins turns nevertheless are dropped.

    References
    ----------
    Alaya, Bussy, Gaïffas and Guilloux, "Binarsity: a penalization for one-hot encoded features in linear supervised
    learning", Journal of Machine Learning Research 20, 2019.

    Examples
    --------
    >>> import numpy as np
    >>> from cutwise import JointDiscretizer
    >>> X = np.random.default_rng(0).integers(0, 10, (1000, 3))
    >>> y = (X[:, 0] > 4) + 2 * (X[:, 1] > 2)
    >>> JointDiscretizer().fit(X, y).cuts_
    [array([4.5]), array([2.5]), array([], dtype=float64)]

    The same column twice is the same evidence twice, which naive Bayes does better without.

    >>> X = np.random.default_rng(0).normal(size=(1000, 1)) + [0, 0]
    >>> y = X[:, 0] + np.random.default_rng(1).normal(size=1000) > 0
    >>> [cuts.size for cuts in JointDiscretizer().fit(X, y).cuts_]
    [16, 7]
    >>> [cuts.size for cuts in JointDiscretizer(prune_for="naive_bayes").fit(X, y).cuts_]
    [8, 0]
    """

    method_name: ClassVar[str] = "Joint"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_cuts": [None, Interval(Integral, 0, None, closed="left")],
        "choice": [Choices("one_se", "min")],
        "grid_bins": [Interval(Integral, 2, None, closed="left")],
        "n_folds": [Interval(Integral, 2, None, closed="left")],
        "prune_for": [None, Choices("naive_bayes")],
        **MONOTONIC_CONSTRAINTS,
    }

    n_cuts: int | None = field(default=None, kw_only=False)
    choice: str = "one_se"
    grid_bins: int = 32
    n_folds: int = 5
    prune_for: str | None = None
    monotonic: Any = None

    def _plan(self, seen: SeenTable) -> JointPlan:
        n_cuts = None if self.n_cuts is None else int(self.n_cuts)
        n_bins, n_folds = int(self.grid_bins), int(self.n_folds)
        search = JumpSearch(n_cuts, self.choice, n_bins, n_folds, prune_for=self.prune_for, n_jobs=self.n_jobs)

        def find(joint: JointTable, limits: Sequence[BinLimits]) -> JointOutcome:
            with self._steps("penalty", MAX_PENALTIES) as step:
                found = search.run(joint, limits, step)
            return JointOutcome(found.columns, SharedValue(ENTRY, 0.0), partial(_finish, found))

        # A scheme records what was dropped for, if anything was.
        settings = self._settings("prune_for") if self.prune_for is None else self._settings()
        return JointPlan(SharedValue(ENTRY, 0.0), find, self._limits(seen), settings)

    def _limits(self, seen: SeenTable) -> list[BinLimits]:
        words = checked_by_column(self, "monotonic", seen.names)
        check_two_classes("monotonic", next(filter(None, words), None), seen)
        if seen.event == 0:
            words = [TURNED.get(word, word) for word in words]
        return [replace(own, trend=word) for own, word in zip(super()._limits(seen), words, strict=True)]


def _finish(found: JumpFound, attributes: list[Attribute]) -> tuple[list[Attribute], dict[str, Any]]:
    """Give the nominal columns the penalty at which they enter; return also the path."""
    nominal = iter(found.nominal)
    marked = [
        attribute if isinstance(attribute, NumericAttribute) else replace(attribute, score=next(nominal))
        for attribute in attributes
    ]
    path = found.path
    learned = {
        "penalty_": float(path.penalties[path.chosen]) if path.penalties.size else 0.0,
        "penalties_": path.penalties,
        "path_cuts_": path.n_cuts,
        "path_losses_": path.losses,
        "path_errors_": path.errors,
    }
    return marked, learned
