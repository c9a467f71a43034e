"""The fitness of a choice of cuts: few cuts, few training errors."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Self

import numpy as np

from cutwise import kernels
from cutwise.threads import TaskThreads, result_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from cutwise.counts import JointTable
    from cutwise.search.cells import Cells
    from cutwise.search.limits import Limits
    from cutwise.search.training_errors import Classifier

# Costs are compared in whole units, 2**20 of them for one cut or row, fewer where costs would not fit into 64
# bits: what differs by less is equal.
UNIT_BITS, ROOM_BITS = 20, 61
MAX_REMEMBERED = 1 << 16


def cost_of(n_cuts: NDArray[np.int64] | int, errors: NDArray[np.float64] | float, alpha: float) -> NDArray[np.float64]:
    """Return the fitness times the number of candidates."""
    return np.asarray(alpha * n_cuts + (1.0 - alpha) * errors)


class Fitness:
    """Judge choices of cuts in several threads; a choice seen before is not judged again.

    Use it in a ``with`` block: the threads end with it.

    Parameters
    ----------
    cells : Cells
    alpha : float
        The weight of the number of cuts; the errors have the weight ``1 - alpha``.
    classifiers : sequence of Classifier
    n_threads : int
    is_late : callable
        Tells whether the time is over. Choices not begun by then are left out.

    Attributes
    ----------
    units : float
        How many units a cost of one has.
    """

    def __init__(
        self,
        cells: Cells,
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
            if self._is_late() and key != keys[0]:
                future.cancel()
            if not future.cancelled():
                self._errors[key] = result_of(future)
        n_judged = next((i for i, key in enumerate(keys) if key not in self._errors), len(keys))
        errors = np.array([self._errors[key] for key in keys[:n_judged]])
        cost = cost_of(choices[:n_judged].sum(axis=1), errors, self._alpha)
        return np.rint(cost * self.units).astype(np.int64)

    def _errors_of(self, chosen: NDArray[np.bool_]) -> float:
        ends = self._cells.ends(chosen)
        return sum(times * counter.errors(ends) for counter, times in self._counters)


class Repair:
    """Drop cuts from a choice until it satisfies the limits.

    From left to right, a cut stays if the bin to its left has enough rows; then the last
    ones go until the bin to their right has. Of more cuts than a column may have, some that
    are evenly spread over them stay.
    """

    def __init__(self, cells: Cells, joint: JointTable, limits: Limits) -> None:
        self._is_needed = limits.max_bins is not None or limits.min_rows > 0
        self._first_candidates = cells.first_candidates
        self._rows_before = cells.rows_before
        self._n_rows = np.array([table.n_rows for table in joint.tables], dtype=np.int64)
        self._max_cuts = np.array([limits.max_cuts(table) for table in joint.tables], dtype=np.int64)
        self._min_count = max((limits.min_count(table) for table in joint.tables), default=0)

    def __call__(self, choices: NDArray[np.bool_]) -> None:
        """Change choices [choice, candidate] in place."""
        if not self._is_needed:
            return
        for chosen in choices:
            kernels.genetic.keep_allowed(
                chosen, self._first_candidates, self._rows_before, self._n_rows, self._min_count, self._max_cuts
            )
