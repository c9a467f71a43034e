"""The fitness of a choice of cuts: few cuts, few training errors."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, Self

import numpy as np

from cutwise import kernels
from cutwise.search.genetic_cells import NO_CELL
from cutwise.threads import TaskThreads, result_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from cutwise.counts import JointTable
    from cutwise.search.genetic_cells import CandidateCells
    from cutwise.search.result import BinLimits


# Costs are compared in whole units, 2**20 of them for one cut or row, fewer where costs would not fit into 64
# bits: what differs by less is equal.
UNIT_BITS, ROOM_BITS = 20, 61
MAX_REMEMBERED = 1 << 16


def cost_of(n_cuts: NDArray[np.int64] | int, errors: NDArray[np.float64] | float, alpha: float) -> NDArray[np.float64]:
    """Return the fitness times the number of candidates."""
    return np.asarray(alpha * n_cuts + (1.0 - alpha) * errors)


class FitnessCache:
    """Judge choices of cuts in several threads; a choice seen before is not judged again.

    Use it in a ``with`` block: the threads end with it.

    Parameters
    ----------
    cells : CandidateCells
    alpha : float
        The weight of the number of cuts; the errors have the weight ``1 - alpha``.
    classifiers : sequence of Classifier
    n_threads : int
    is_late : callable
        Returns whether the time is over. Choices not begun by then are left out.

    Attributes
    ----------
    units : float
        How many units a cost of one has.
    """

    def __init__(
        self,
        cells: CandidateCells,
        alpha: float,
        classifiers: Sequence[Classifier],
        n_threads: int = 1,
        is_late: Callable[[], bool] = lambda: False,
    ) -> None:
        self._cells = cells
        self._alpha = alpha
        self._counters = [(kind(cells), times) for kind, times in classifiers]
        largest = cells.n_candidates + float(cells.weights.sum() * cells.unit) * sum(times for _, times in classifiers)
        self.units = math.ldexp(1.0, min(UNIT_BITS, ROOM_BITS - math.frexp(largest)[1]))
        self._is_late = is_late
        self._errors: dict[bytes, float] = {}
        self._threads = TaskThreads(n_threads)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._threads.close()

    def value(self, chosen: NDArray[np.bool_]) -> float:
        """Return the fitness of one choice; the smaller the better."""
        cost = cost_of(int(chosen.sum()), self._errors_of(chosen), self._alpha)
        return float(cost) / self._cells.n_candidates

    def costs(self, choices: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the cost of each choice [choice, candidate] in whole units.

        The result ends before the first choice that was too late, but it has at least one cost.
        """
        keys = [np.packbits(chosen).tobytes() for chosen in choices]
        if len(self._errors) > MAX_REMEMBERED:
            self._errors = {}
        new = {key: chosen for key, chosen in zip(keys, choices, strict=True) if key not in self._errors}
        futures = {key: self._threads.submit(self._errors_of, chosen) for key, chosen in new.items()}
        for key, future in futures.items():
            if self._is_late():
                # All of them, because a thread begins the next choice at once.
                for other, one in futures.items():
                    if other != keys[0]:
                        one.cancel()
            if not future.cancelled():
                self._errors[key] = result_of(future)
        n_judged = next((i for i, key in enumerate(keys) if key not in self._errors), len(keys))
        errors = np.array([self._errors[key] for key in keys[:n_judged]])
        cost = cost_of(choices[:n_judged].sum(axis=1), errors, self._alpha)
        return np.rint(cost * self.units).astype(np.int64)

    def _errors_of(self, chosen: NDArray[np.bool_]) -> float:
        ends = self._cells.ends(chosen)
        return sum(times * counter.errors(ends) for counter, times in self._counters)


class LimitRepair:
    """Drop cuts from a choice until it satisfies the limits.

    From left to right, a cut stays if the bin to its left has enough rows; then the last
    ones go until the bin to their right has. Of more cuts than a column may have, some that
    are evenly spread over them stay.
    """

    def __init__(self, cells: CandidateCells, joint: JointTable, limits: Sequence[BinLimits]) -> None:
        self._is_needed = any(own.max_bins is not None or own.min_rows > 0 for own in limits)
        self._first_candidates = cells.first_candidates
        self._rows_before = cells.rows_before
        self._n_rows = np.array([table.n_rows for table in joint.tables], dtype=np.int64)
        columns = list(zip(limits, joint.tables, strict=True))
        self._max_cuts = np.array([own.max_cuts(table) for own, table in columns], dtype=np.int64)
        self._min_counts = np.array([own.min_count(table) for own, table in columns], dtype=np.int64)

    def __call__(self, choices: NDArray[np.bool_]) -> None:
        """Change choices [choice, candidate] in place."""
        if not self._is_needed:
            return
        for chosen in choices:
            kernels.joint.genetic.keep_allowed(
                chosen, self._first_candidates, self._rows_before, self._n_rows, self._min_counts, self._max_cuts
            )


# The defaults of C45Classifier.
CONFIDENCE = 0.25
C45_SETTINGS: dict[str, Any] = {
    "min_leaf": 2,
    "min_gap": 0.0,
    "use_mdl": True,
    "is_collapsed": True,
    "pruning": (CONFIDENCE, NormalDist().inv_cdf(1.0 - CONFIDENCE), True),
}


class ErrorCounter(Protocol):
    """A classifier, made once for a table, that tells its training errors for any choice of cuts.

    Several threads may ask at once.
    """

    name: ClassVar[str]

    def __init__(self, cells: CandidateCells) -> None: ...

    def errors(self, ends: NDArray[np.bool_]) -> float:
        """Return the weight of the wrong rows; ``ends`` tells with which cells a bin ends.

        A row that k classes win alike counts (k - 1) / k, so that no name of a class matters.
        """
        ...


class NaiveBayesErrors:
    """The training errors of naive Bayes.

    P(class) is the class's share of the rows, P(bin | class) is smoothed by one row for
    each bin of the column. Missing values say nothing; special values and categories are
    bins of their own.

    Parameters
    ----------
    cells : CandidateCells
    """

    name: ClassVar[str] = "naive Bayes"

    def __init__(self, cells: CandidateCells) -> None:
        self._cells = cells
        totals = np.bincount(cells.classes, weights=cells.weights, minlength=len(cells.counts))
        self._prior = np.array([kernels.joint.genetic.log_units(total) for total in totals], dtype=np.int64)

    def errors(self, ends: NDArray[np.bool_]) -> float:
        """Return the weight of the wrong rows."""
        cells = self._cells
        wrong = kernels.joint.genetic.count_errors(
            cells.rows,
            cells.classes,
            cells.weights,
            cells.counts,
            cells.starts,
            self._prior,
            cells.unit,
            ends,
            np.empty(cells.starts.size, dtype=np.int64),
            np.zeros(cells.counts.shape, dtype=np.int64),
            np.empty((self._prior.size, kernels.joint.genetic.BLOCK), dtype=np.int64),
        )
        return int(wrong) / float(kernels.joint.genetic.ERROR_UNITS) * cells.unit


class TreeErrors:
    """The training errors of C4.5, with the settings that it has by default.

    A bin is a branch. A row whose value is missing goes to all branches in part; special values
    and categories are bins of their own.

    Parameters
    ----------
    cells : CandidateCells
    """

    name: ClassVar[str] = "C4.5"

    def __init__(self, cells: CandidateCells) -> None:
        counted = cells.weights > 0
        self._rows = np.ascontiguousarray(cells.rows[:, counted])
        self._starts = cells.starts
        self._classes = cells.classes[counted].astype(np.int32)
        self._n_classes = len(cells.counts)
        self._counts = cells.weights[counted]
        self._weights = self._counts * cells.unit
        self._unit = cells.unit
        self._is_complete = bool((self._rows != NO_CELL).all())

    def errors(self, ends: NDArray[np.bool_]) -> float:
        """Return the weight of the wrong rows."""
        codes = np.empty(self._rows.shape, dtype=np.int32)
        sizes = np.empty(len(codes), dtype=np.int64)
        code_of = np.empty(ends.size, dtype=np.int32)
        n_columns = kernels.trees.predict.code_rows(self._rows, self._starts, ends, code_of, codes, sizes)
        codes, sizes = codes[:n_columns], sizes[:n_columns]
        attribute, _, first_child, n_children, weights = kernels.trees.c45.learn_tree(
            *(codes, self._classes, self._weights, self._n_classes, sizes, None, None), **C45_SETTINGS
        )
        if self._is_complete:
            leaves = weights[n_children == 0]
            # Of k classes that a leaf has alike, (k - 1) / k of the rows are wrong: all but the rows of one.
            return float((leaves.sum(axis=1) - leaves.max(axis=1)).sum())
        table = np.where(codes < 0, np.nan, codes)
        shares = np.zeros((self._classes.size, self._n_classes))
        no_thresholds = np.full(attribute.size, np.nan)
        kernels.trees.predict.spread_classes(table, attribute, no_thresholds, first_child, n_children, weights, shares)
        wrong = kernels.trees.predict.count_wrong(shares, self._classes, self._counts)
        return int(wrong) / float(kernels.joint.genetic.ERROR_UNITS) * self._unit


class Classifier(NamedTuple):
    """A kind of classifier, and how often its errors count in the fitness."""

    kind: type[ErrorCounter]
    times: int


KINDS: dict[str, type[ErrorCounter]] = {"naive_bayes": NaiveBayesErrors, "c45": TreeErrors}
# The article adds the errors of these two.
PUBLISHED = ("naive_bayes", "c45")


def named_classifiers(names: Sequence[str]) -> tuple[Classifier, ...]:
    """Return the classifiers with these names, whose order does not matter; one named twice counts twice.

    Examples
    --------
    >>> [(kind.name, times) for kind, times in named_classifiers(["c45", "naive_bayes", "c45"])]
    [('naive Bayes', 1), ('C4.5', 2)]
    """
    unknown = [name for name in names if not isinstance(name, str) or name not in KINDS]
    if unknown or not names:
        wrong = f"it has {unknown[0]!r}" if unknown else "it is empty"
        message = f"'classifiers' must name one or more of {', '.join(map(repr, KINDS))}, but {wrong}."
        raise ValueError(message)
    listed = list(names)
    return tuple(Classifier(kind, listed.count(name)) for name, kind in KINDS.items() if name in listed)


CLASSIFIERS = named_classifiers(PUBLISHED)
