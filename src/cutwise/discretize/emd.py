"""EMD: the cuts of all columns together, by evolution."""

from __future__ import annotations

import os
from dataclasses import field
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state

from cutwise.criteria import SharedValue
from cutwise.discretize.attributes import JointOutcome, JointPlan
from cutwise.discretize.joint import WholeRowsDiscretizer
from cutwise.estimator import estimator
from cutwise.scikit_learn import Interval
from cutwise.search import GeneticSearch, GeneticSettings
from cutwise.search.fitness import PUBLISHED, named_classifiers
from cutwise.threads import thread_count

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from cutwise.counts import JointTable
    from cutwise.discretize.seen import SeenTable
    from cutwise.search import BinLimits, GeneticProgress

FITNESS = "negative fitness"
# The steps of a progress bar.
N_STEPS = 100


@estimator
class EMDDiscretizer(WholeRowsDiscretizer):
    """Choose the cuts of all numeric columns together: few cuts, few training errors.

    EMD (evolutionary multivariate discretizer) looks for the set of cuts with the smallest

        fitness = (cut_weight * cuts + (1 - cut_weight) * errors) / candidates

    by the genetic algorithm CHC. The candidates are the gaps at which the class changes, in
    all columns. The errors are those that classifiers make on the training rows when each
    value is replaced by its bin. With cut_weight = 0.7 a cut must save more than 2.3 errors.

    As in the article, the errors of naive Bayes and of C4.5 are added, unless ``classifiers`` says
    otherwise. The tree is that of
    :class:`~cutwise.C45Classifier` on the bins. The estimates of naive Bayes are smoothed by the
    number of bins of the chosen cuts; the published program took the number of candidates
    instead. A row for which k classes win alike counts (k - 1) / k of an error, so that the names
    of the classes do not matter.

    If there are so few candidates that max_evaluations suffices for every set of cuts, all
    of them are tried.

    Parameters
    ----------
    cut_weight : float, default=0.7
        The weight of the number of cuts against that of the errors.
    population : int, default=50
        The number of sets of cuts that evolve together.
    max_evaluations : int, default=10_000
        How many sets of cuts are judged. The search ends earlier when five restarts in a row
        find nothing better.
    classifiers : tuple or list of {"naive_bayes", "c45"}, default=("naive_bayes", "c45")
        Whose errors are added. One that is named twice counts twice. Naive Bayes alone is many times
        faster; ``("naive_bayes", "naive_bayes")`` keeps the balance of errors and cuts.
    max_seconds : float or None, default=None
        After this time the search ends with the best cuts so far; the scheme says so
        (``stop`` is "deadline").
    checkpoint : str, path or None, default=None
        A file that keeps the state of the search. A fit that finds the file there goes on from
        it and ends with the same cuts as a fit without a break; one with other data or
        parameters refuses it. A process that is killed loses the generation at work and up to
        half a second before it. The file is left in place at the end.
    random_state : int, RandomState instance or None, default=None
        Random seed. None draws a new one each time.
    {sizes}
    {common}

    {attributes}

    Notes
    -----
    Sets of cuts are judged in ``n_jobs`` threads. A set that breaks ``min_bin_size`` loses
    the cuts that close too small a bin, from left to right; one with more than ``max_bins``
    in a column keeps evenly spread cuts. Special values and categories are bins of their own
    for the classifiers. The score of every column is the negative fitness of the whole.

    Of sets with the same fitness the one with more cuts is taken, as published. With more than
    2,000 candidates, half of them, those used least, are dropped after each tenth of the
    evaluations.

    References
    ----------
    Ramírez-Gallego, García, Benítez and Herrera, "Multivariate discretization based on
    evolutionary cut points selection for classification", IEEE Transactions on Cybernetics
    46(3), 2016.

    Examples
    --------
    >>> from cutwise import EMDDiscretizer
    >>> X = [[1], [2], [3], [4], [5], [6], [7], [8], [9], [10], [11], [12]]
    >>> y = [0, 0, 0, 1, 0, 1, 1, 1, 2, 2, 1, 2]
    >>> EMDDiscretizer(random_state=0).fit(X, y).cuts_
    [array([3.5, 8.5])]
    """

    method_name: ClassVar[str] = "EMD"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "cut_weight": [Interval(Real, 0, 1, closed="both")],
        "population": [Interval(Integral, 2, None, closed="left")],
        "max_evaluations": [Interval(Integral, 1, None, closed="left")],
        "classifiers": [tuple, list],
        "max_seconds": [None, Interval(Real, 0, None, closed="left")],
        "checkpoint": [None, str, os.PathLike],
        "random_state": ["random_state"],
    }

    cut_weight: float = field(default=0.7, kw_only=False)
    population: int = 50
    max_evaluations: int = 10_000
    classifiers: Any = PUBLISHED
    max_seconds: float | None = None
    checkpoint: Any = None
    random_state: Any = None

    def _plan(self, seen: SeenTable) -> JointPlan:
        search = self._search()

        def evolve(joint: JointTable, limits: Sequence[BinLimits]) -> JointOutcome:
            with self._steps("evaluations", N_STEPS) as step:
                found = search.run(
                    joint,
                    limits,
                    max_seconds=self.max_seconds,
                    n_threads=thread_count(self.n_jobs),
                    checkpoint=self.checkpoint,
                    report=_reporter(step),
                )
            value = found[0].score.value if found and found[0].score else 0.0
            return JointOutcome(found, SharedValue(FITNESS, value))

        return JointPlan(SharedValue(FITNESS, 0.0), evolve, self._limits(seen), self._recorded())

    def _search(self) -> GeneticSearch:
        seed = None
        if self.random_state is not None:
            seed = int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
        rules = GeneticSettings(population=int(self.population), max_evaluations=int(self.max_evaluations))
        return GeneticSearch(float(self.cut_weight), rules, seed, named_classifiers(self.classifiers))

    def _recorded(self) -> dict[str, Any]:
        """Return the settings for the scheme."""
        settings = self._settings("checkpoint")
        if isinstance(self.random_state, Integral):
            settings["random_state"] = int(self.random_state)
        settings["classifiers"] = tuple(self.classifiers)
        return settings


def _reporter(step: Callable[[], AbstractContextManager[None]]) -> Callable[[GeneticProgress], None]:
    """Return what tells the callbacks how far the search has come."""
    n_told = 0

    def report(progress: GeneticProgress) -> None:
        nonlocal n_told
        while n_told < N_STEPS * progress.evaluations // progress.max_evaluations:
            with step():
                n_told += 1

    return report
