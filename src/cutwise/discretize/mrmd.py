"""MRmD: maximal relevance, minimal divergence; and maximal relevance alone, the paper's MR-O, MR-C and MR-T."""

from __future__ import annotations

import math
from contextlib import closing
from dataclasses import field
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np

from cutwise import kernels
from cutwise.counts.dealing import deal_counts, with_counts
from cutwise.criteria import ExpectedDivergence, Psi
from cutwise.discretize.attributes import Plan, check_grouping, check_special_values
from cutwise.discretize.base import ConfirmingDiscretizer
from cutwise.discretize.groups import find_groups
from cutwise.discretize.seen import PART_CONSTRAINTS, divergence_of_parts
from cutwise.estimator import Choices, estimator
from cutwise.scikit_learn import Interval
from cutwise.search import ExactSearch, GreedySearch, HeldOutLosses
from cutwise.search.result import first_of_best
from cutwise.threads import in_threads

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from cutwise.counts import ColumnCounts
    from cutwise.discretize.attributes import Grouping
    from cutwise.discretize.limits import Trials
    from cutwise.discretize.seen import CountedColumn, SeenTable


@estimator
class MRmDDiscretizer(ConfirmingDiscretizer):
    """Cut each numeric column where the class changes and the cut holds on new rows.

    MRmD (max-relevance-min-divergence) adds cuts as long as

        Psi = exp(-cuts / n_d) * I(bins; class) - J(bins)

    rises. I is the mutual information between bins and class, over all rows. J is the
    Jensen-Shannon divergence between the bins of training rows and those of validation
    rows: cuts that fit the accidents of one sample cost more than they bring.

    Parameters
    ----------
    n_d : float or "auto", default=50.0
        How slowly the weight of the relevance falls with the number of cuts. Smaller
        values give fewer cuts. "auto" chooses one of 2, 5, 10, 20, 50, 100 and 200 for the
        table: see Notes.
    {validation}
    search : {"greedy", "exact"}, default="greedy"
        "greedy" adds the best cut again and again. "exact" finds the set of cuts with the
        highest Psi of all; its cost grows with the square of the number of values.
    max_candidates : int, default=2000
        The exact search looks at no more than this many groups of neighbouring values.
    random_state : int, RandomState instance or None, default=None
        Deals the rows into parts for "crossfit" and "holdout".
    {confirm}
    {constraints}
    {common}

    {attributes}
    n_d_ : float
        The given or chosen n_d.

    See Also
    --------
    MaxRelevanceDiscretizer : The same search without divergence and discount.

    Notes
    -----
    With ``n_d="auto"`` the rows of each column are dealt into five folds, and each fold is
    predicted from the class rates of the bins that the others give. The n_d with the least
    log loss, added up over all numeric columns, is taken, and of equally good ones the
    smallest. Nothing is drawn at random: the folds follow from the counts of the column, so
    the order of rows does not matter, and ``fit_table``, ``fit_counts`` and ``partial_fit``
    choose as ``fit`` does. The choice always takes J in its "expected" form. Other columns
    have a say: without some of them another n_d may be chosen.

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
        "n_d": [Interval(Real, 0, None, closed="neither"), Choices("auto")],
        **PART_CONSTRAINTS,
        "search": [Choices("greedy", "exact")],
        "max_candidates": [Interval(Integral, 2, None, closed="left")],
    }

    n_d: Any = field(default=50.0, kw_only=False)
    validation: str = "expected"
    n_splits: int = 9
    search: str = "greedy"
    max_candidates: int = 2000
    random_state: Any = None

    @property
    def n_d_(self) -> float:
        """The given or chosen n_d."""
        return cast("float", self.scheme_.parameters["n_d"])

    def _plan(self, seen: SeenTable) -> Plan:
        search = GreedySearch() if self.search == "greedy" else ExactSearch(self.max_candidates)
        limits = self._limits(seen)
        unused = ["n_splits"] if seen.has_given_parts else []
        unused += ["max_candidates"] if self.search != "exact" else []
        settings = self._settings(*unused)
        if self.n_d == "auto":
            losses = HeldOutLosses(search, ExpectedDivergence(self.n_splits))
            settings |= {"n_d": self._chosen(seen, losses, limits), "n_d_chosen_by": "held-out log loss"}
        criterion = Psi(settings["n_d"], divergence_of_parts(self, seen.n_parts))
        return Plan(criterion, search, limits, settings)

    def _chosen(self, seen: SeenTable, losses: HeldOutLosses, limits: Sequence[Trials]) -> float:
        """Return the N_D with the least loss over all columns."""
        special = check_special_values(self.special_values, seen.names)
        grouping = check_grouping(self, seen.names)
        tasks = [
            (count, losses, values, trials, groups)
            for count, values, trials, groups in zip(seen.columns, special, limits, grouping, strict=True)
        ]
        with closing(in_threads(_losses_of_column, tasks, self.n_jobs)) as found:
            by_n_d = list(zip(*found, strict=True))
        return float(losses.n_ds[first_of_best(np.array([-math.fsum(column) for column in by_n_d]))])


def _losses_of_column(
    count: Callable[[], CountedColumn],
    losses: HeldOutLosses,
    special_values: NDArray[np.float64],
    trials: Trials,
    grouping: Grouping | None,
) -> list[float]:
    """Count a column and return its held-out losses; single categories are the same bins for every N_D."""
    column = count()
    if column.categories is not None:
        return [0.0] * len(losses.n_ds) if grouping is None else _losses_of_groups(column, losses, trials, grouping)
    table, _ = column.table.set_apart(special_values)
    # A trend with a turn holds what one without a turn does, and would always be taken.
    return losses.of(table, trials[:2])


def _losses_of_groups(column: CountedColumn, losses: HeldOutLosses, trials: Trials, grouping: Grouping) -> list[float]:
    """Return the log losses in bits of a column's groups, added up over its rows, one for each N_D."""
    table, terms = column.table, [[0.0] for _ in losses.n_ds]
    share = 1.0 - 1.0 / losses.n_folds
    # A trend with a turn holds what one without a turn does, and would always be taken.
    limits = tuple(own.scaled(share) for own in trials[:2])
    for held_out in deal_counts(table, losses.n_folds) if table.n_values > 1 else ():
        left, places = with_counts(table, table.by_class.counts - held_out)
        for n_d, loss in zip(losses.n_ds, terms, strict=True):
            plan, most = Plan(Psi(float(n_d), losses.divergence), losses.search), grouping.max_categories
            found = find_groups(left, plan, limits, is_ordered=column.is_ordered, max_categories=most)
            codes = np.full(table.n_values, -1)
            codes[places] = found.codes
            loss.extend(_losses_by_group(table, held_out, codes))
    return [math.fsum(loss) for loss in terms]


def _losses_by_group(table: ColumnCounts, held_out: NDArray[np.int64], codes: NDArray[np.int64]) -> list[float]:
    """Return what each class and group adds to the log loss; categories of held-out rows only are in none."""
    entries = table.by_class
    groups = np.repeat(codes, np.diff(entries.starts))
    known = groups >= 0
    rows, learned = np.zeros((2, int(codes.max()) + 1, entries.n_labels))
    np.add.at(rows, (groups[known], entries.labels[known]), held_out[known] * table.unit)
    np.add.at(learned, (groups[known], entries.labels[known]), (entries.counts - held_out)[known] * table.unit)
    rates = (learned + 1.0) / (learned.sum(axis=1, keepdims=True) + entries.n_labels)
    losses: list[float] = (-rows.ravel() * kernels.elementary.log2_of(rates.ravel())).tolist()
    return losses


@estimator
class MaxRelevanceDiscretizer(ConfirmingDiscretizer):
    """Cut each numeric column as long as the mutual information with the class rises.

    This is MRmD without the divergence and without the discount. It overfits by design:
    with no limit it cuts almost wherever the class changes. It shows what the other half
    of MRmD is good for.

    Parameters
    ----------
    max_cuts : None, int, "classes" or array-like of int, default=None
        The largest number of cuts: no limit (MR-O), the same for every column, the number
        of classes (MR-C), or one for each column (MR-T: twice the number of cuts that
        MRmD found).
    {confirm}
    {constraints}
    {common}

    {attributes}

    See Also
    --------
    MRmDDiscretizer : With divergence and discount.

    Notes
    -----
    Without a limit there are very many cuts: a column of 50,000 distinct values that are
    independent of the class gets about 25,000 of them.

    Examples
    --------
    >>> from cutwise import MaxRelevanceDiscretizer, MRmDDiscretizer
    >>> X = [[1], [2], [3], [4], [5], [6], [7], [8]]
    >>> y = [0, 0, 1, 0, 1, 1, 1, 1]
    >>> MaxRelevanceDiscretizer().fit(X, y).cuts_
    [array([2.5, 3.5, 4.5])]
    >>> limits = [2 * cuts.size for cuts in MRmDDiscretizer().fit(X, y).cuts_]
    >>> MaxRelevanceDiscretizer(max_cuts=limits).fit(X, y).cuts_
    [array([2.5, 4.5])]
    """

    method_name: ClassVar[str] = "MaxRelevance"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "max_cuts": [None, Interval(Integral, 0, None, closed="left"), Choices("classes"), "array-like"],
    }

    max_cuts: Any = field(default=None, kw_only=False)

    def _plan(self, seen: SeenTable) -> list[Plan]:
        most = self._most_cuts(len(seen.names), len(seen.classes))
        criterion, limits, settings = Psi(), self._limits(seen), self._settings()
        if self.max_cuts is not None and not isinstance(self.max_cuts, str | Integral):
            settings["max_cuts"] = tuple(most)
        return [Plan(criterion, GreedySearch(number), limits, settings) for number in most]

    def _most_cuts(self, n_features: int, n_classes: int) -> Sequence[int | None]:
        """Return the largest number of cuts of each column."""
        if self.max_cuts is None:
            return [None] * n_features
        if isinstance(self.max_cuts, str):
            return [n_classes] * n_features
        if isinstance(self.max_cuts, Integral):
            return [int(self.max_cuts)] * n_features
        limits = np.asarray(self.max_cuts)
        if limits.dtype.kind not in "iu" or limits.shape != (n_features,) or (limits < 0).any():
            message = (
                f"'max_cuts' as an array needs one whole number from 0 on for each of the {n_features} columns; "
                f"got {self.max_cuts!r}."
            )
            raise ValueError(message)
        return [int(limit) for limit in limits]
