"""MODL: the cost of describing the classes by the bins, in nats."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from cutwise import kernels
from cutwise.criteria.score import Score, mutual_information
from cutwise.kernels.inputs import FactorialTerms

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from cutwise.counts import ColumnCounts


def modl_cost(counts: ArrayLike, unit: float = 1.0) -> float:
    """Return the MODL cost in nats of a table [bin, class].

    Parameters
    ----------
    counts : array-like of int
        Rows by bin and class, no bin empty. Classes without a row do not matter.
    unit : float
        The weight of a count of one.

    Examples
    --------
    >>> from cutwise.criteria import modl_cost
    >>> round(modl_cost([[4, 0, 0], [1, 3, 1], [0, 1, 2]]), 6)
    19.145268
    """
    rows = np.asarray(counts, dtype=np.float64) * unit
    n_classes = int((rows.sum(axis=0) > 0).sum())
    bins = rows.sum(axis=1)
    terms = [_structure_cost(bins, n_classes), *(-_log_factorials(rows))]
    return math.fsum(terms)


def unlabelled_modl_cost(counts: ArrayLike, unlabelled: ArrayLike, unit: float = 1.0) -> float:
    """Return the MODL cost in nats of bins in which some rows have no label.

    The rows of each class, labelled or not, are a part of the description; the cost is that
    of the cheapest choice of them. With fractional weights the unlabelled rows are
    shared out in proportion to the labelled ones.

    Parameters
    ----------
    counts : array-like of int
        The labelled rows by bin and class.
    unlabelled : array-like of int
        The rows without a label of each bin.
    unit : float
        The weight of a count of one.

    Examples
    --------
    >>> from cutwise.criteria import unlabelled_modl_cost
    >>> round(unlabelled_modl_cost([[3, 0], [1, 2]], [3, 3]), 6)
    10.551114
    """
    labelled = np.asarray(counts, dtype=np.int64)
    others = np.asarray(unlabelled, dtype=np.int64)
    shares = _share_out(labelled, others, unit)
    rows = np.asarray(labelled * unit, dtype=np.float64)
    n_classes = int((rows.sum(axis=0) > 0).sum())
    costs = [
        -_log_factorials(np.asarray(others * unit, dtype=np.float64)),
        -_log_factorials(shares),
        _log_factorials(np.maximum(shares - rows, 0)),
    ]
    return math.fsum([_structure_cost(rows.sum(axis=1) + others * unit, n_classes), *np.concatenate(costs)])


def _structure_cost(bins: NDArray[np.float64], n_classes: int) -> float:
    """Return the cost of the bins' ends, and log (n + J - 1)! / (J - 1)! of each bin of n rows."""
    total = math.fsum(bins)
    if total == 0.0:
        return 0.0
    others = max(n_classes - 1, 0)
    log, log_gamma = kernels.elementary.log, kernels.elementary.log_gamma
    ends = log_gamma(total + bins.size) - log_gamma(float(bins.size)) - log_gamma(total + 1.0)
    return math.fsum([log(total), ends, *(_log_factorials(bins + others) - log_gamma(others + 1.0))])


def _log_factorials(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return log(n!) of every number that is not zero, in one row."""
    seen, places = np.unique(rows[rows > 0], return_inverse=True)
    return np.array([kernels.elementary.log_gamma(n + 1.0) for n in seen.tolist()])[places]


def _share_out(labelled: NDArray[np.int64], others: NDArray[np.int64], unit: float) -> NDArray[np.float64]:
    """Return how many rows of each bin each class has when the unlabelled ones are shared out."""
    shares = np.zeros(labelled.shape)
    for i, (by_label, rest) in enumerate(zip(labelled, others.tolist(), strict=True)):
        n_labelled = int(by_label.sum())
        if n_labelled and unit == 1.0:
            seats = np.zeros(by_label.size, dtype=np.int64)
            kernels.modl.modl.share_out(by_label, n_labelled + rest, n_labelled, seats)
            shares[i] = seats
        elif n_labelled:
            shares[i] = by_label * unit * ((n_labelled + rest) / n_labelled)
    return shares


@dataclass(frozen=True)
class ModlCriterion:
    """The share of the cost of one bin for all that a partition saves.

    1 - cost / cost of one bin: 0 without a cut, negative where the bins save less
    than they cost to describe.

    Parameters
    ----------
    unlabelled : bool
        Whether the last class of a table stands for the rows without a label.

    Examples
    --------
    >>> from cutwise.counts import ColumnCounts
    >>> from cutwise.criteria import ModlCriterion
    >>> table = ColumnCounts.from_dense([1, 2, 3, 4], [[6, 0], [6, 0], [0, 6], [0, 6]])
    >>> round(ModlCriterion().score(table, [1]).value, 4)
    0.4565
    """

    name: ClassVar[str] = "level"

    unlabelled: bool = False

    def cost(self, table: ColumnCounts, gaps: NDArray[np.int64] | list[int]) -> float:
        """Return the cost in nats of the partition with a cut in each of these gaps."""
        counts = table.by_class.by_bin(table.bin_ends(np.asarray(gaps, dtype=np.int64)))
        if self.unlabelled:
            return unlabelled_modl_cost(counts[:, :-1], counts[:, -1], table.unit)
        return modl_cost(counts, table.unit)

    def score(self, table: ColumnCounts, gaps: NDArray[np.int64] | list[int]) -> Score:
        """Return the level of the partition with a cut in each of these gaps."""
        counts = table.by_class.by_bin(table.bin_ends(np.asarray(gaps, dtype=np.int64)))
        relevance = mutual_information(counts[:, :-1] if self.unlabelled else counts)
        whole = self.cost(table, [])
        if len(gaps) == 0 or whole <= 0.0:
            return Score(0.0, relevance, 0.0)
        return Score(1.0 - self.cost(table, gaps) / whole, relevance, 0.0)

    def terms(self, table: ColumnCounts) -> FactorialTerms:
        """Return the log-factorials that the compiled searches take."""
        totals = table.by_class.totals()
        n_classes = int(np.count_nonzero(totals[:-1] if self.unlabelled else totals))
        n_rows, unit = int(totals.sum()), float(table.unit)
        scale = kernels.modl.modl.choose_scale(n_rows * unit, n_classes)
        others = kernels.elementary.log_gamma(float(max(n_classes, 1)))
        counts = kernels.modl.modl.fill_log_factorials(n_rows + n_classes, unit, scale)
        return FactorialTerms(counts, unit, scale, n_classes, others, n_rows * unit)
