"""Tables: the probabilities of the classes, and of each attribute's bins in each class; how they are written."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from cutwise import kernels
from cutwise.classify.bayes.sample import first_cells
from cutwise.persist import CodeModel, LearnedField

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from cutwise.classify.bayes.sample import CodedRows

SMOOTHINGS = ("laplace", "m")


@dataclass(frozen=True, eq=False)
class CellCounts:
    """How many rows each class has, in all and in each cell.

    A cell is one bin of one attribute: bin v of attribute j is the cell ``offsets[j] + v``.

    Parameters
    ----------
    of_class : ndarray of shape (n_classes,)
    of_cell : ndarray of shape (n_cells, n_classes)
        Only rows whose value is known.
    offsets : ndarray of int, of shape (n_attributes + 1,)
        The first cell of each attribute; at the end the number of cells.
    """

    of_class: NDArray[np.float64]
    of_cell: NDArray[np.float64]
    offsets: NDArray[np.int64]

    @property
    def n_bins(self) -> NDArray[np.int64]:
        """The number of bins of each attribute."""
        return np.diff(self.offsets)

    @property
    def has_rows(self) -> NDArray[np.bool_]:
        """Whether each cell has a row of any class."""
        return np.asarray((self.of_cell > 0.0).any(axis=1))

    def with_bins(self, n_bins: NDArray[np.int64]) -> CellCounts:
        """Return the same counts with room for more bins."""
        offsets = first_cells(n_bins)
        of_cell = np.zeros((offsets[-1], self.of_class.size))
        moved = np.repeat(offsets[:-1] - self.offsets[:-1], self.n_bins)
        of_cell[np.arange(self.offsets[-1]) + moved] = self.of_cell
        return CellCounts(self.of_class, of_cell, offsets)

    def __add__(self, other: CellCounts) -> CellCounts:
        return CellCounts(self.of_class + other.of_class, self.of_cell + other.of_cell, self.offsets)


@dataclass(frozen=True, eq=False)
class ProbabilityTables:
    """Log-probabilities; the score of a row is a sum of entries.

    Parameters
    ----------
    counts : CellCounts
    log_prior : ndarray of shape (n_classes,)
    log_likelihood : ndarray of shape (n_cells, n_classes)
        Zeros for a cell without rows: it is no evidence for any class.
    """

    counts: CellCounts
    log_prior: NDArray[np.float64]
    log_likelihood: NDArray[np.float64]

    @property
    def offsets(self) -> NDArray[np.int64]:
        """The first cell of each attribute; at the end the number of cells."""
        return self.counts.offsets

    @property
    def attribute_of_cell(self) -> NDArray[np.int64]:
        """The attribute that each cell belongs to."""
        n_bins = self.counts.n_bins
        return np.repeat(np.arange(n_bins.size), n_bins)


def empty_counts(n_classes: int, n_bins: NDArray[np.int64]) -> CellCounts:
    """Return the counts of no rows."""
    offsets = first_cells(n_bins)
    return CellCounts(np.zeros(n_classes), np.zeros((offsets[-1], n_classes)), offsets)


def count_sample(sample: CodedRows, n_bins: NDArray[np.int64] | None = None) -> CellCounts:
    """Count the rows of a sample by class and cell."""
    offsets = first_cells(sample.n_bins if n_bins is None else n_bins)
    of_class, of_cell = _count(sample, sample.weights, offsets)
    if sample.rests is not None:
        more_of_class, more_of_cell = _count(sample, sample.rests, offsets)
        of_class, of_cell = of_class + more_of_class, of_cell + more_of_cell
    return CellCounts(of_class, of_cell, offsets)


def _count(
    sample: CodedRows, weights: NDArray[np.float64] | None, offsets: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the weight of each class, and of each class in each cell."""
    n_classes = sample.classes.size
    of_cell = np.zeros((offsets[-1], n_classes))
    given = np.empty(0) if weights is None else weights
    kernels.bayes.losses.count_cells(sample.codes, offsets, sample.labels, given, of_cell)
    of_class = np.bincount(sample.labels, weights=weights, minlength=n_classes).astype(np.float64)
    return of_class, of_cell


def estimate(counts: CellCounts, smoothing: str, alpha: float) -> ProbabilityTables:
    """Turn counts into log-probabilities.

    "laplace" adds `alpha` to every count of a bin and leaves the classes' shares as they
    are. "m" adds `alpha` rows that are spread evenly over the bins, or over the classes.
    A bin without rows counts among the bins, but has no probability of its own: smoothing
    alone would favour the classes with few rows.
    """
    n_classes = counts.of_class.size
    n_bins = counts.n_bins
    known = np.add.reduceat(counts.of_cell, counts.offsets[:-1], axis=0)
    total = math.fsum(counts.of_class.tolist())  # whatever the order of the classes
    if smoothing == "laplace":
        per_bin, per_attribute = np.full(n_bins.size, alpha), alpha * n_bins
        prior = counts.of_class / total
    else:
        per_bin, per_attribute = alpha / n_bins, np.full(n_bins.size, alpha)
        prior = (counts.of_class + alpha / n_classes) / (total + alpha)
    smoothed = counts.of_cell + np.repeat(per_bin, n_bins)[:, None]
    log = kernels.elementary.log_of
    log_likelihood = log(smoothed) - np.repeat(log(known + per_attribute[:, None]), n_bins, axis=0)
    log_likelihood[~counts.has_rows] = 0.0
    # A class that was announced but not seen yet has the prior 0 and the logarithm -inf.
    return ProbabilityTables(counts, log(prior), log_likelihood)


def sum_scores(
    codes: NDArray[np.int32],
    offsets: NDArray[np.int64],
    table: NDArray[np.float64],
    start: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return, for each row, the start plus the table's entries of its cells; unknown codes add nothing."""
    scores = np.empty((codes.shape[0], table.shape[1]))
    scores[:] = start
    kernels.bayes.losses.sum_cells(find_cells(codes, offsets), table, scores)
    return scores


def find_cells(codes: NDArray[np.int32], offsets: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the cell of each code; -1 for an unknown one."""
    cells = np.empty(codes.shape, dtype=np.int32)
    kernels.bayes.losses.find_cells(codes, offsets, cells)
    return cells


def added_rows(
    smoothing: str, alpha: float, n_values: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what is added to the count of each value, and to all of them together.

    Examples
    --------
    >>> import numpy as np
    >>> added_rows("laplace", 1.0, np.array([2, 4]))
    (array([1., 1.]), array([2., 4.]))
    >>> added_rows("m", 1.0, np.array([2, 4]))
    (array([0.5 , 0.25]), array([1., 1.]))
    """
    values = np.asarray(n_values, dtype=np.float64)
    same = np.full(values.shape, float(alpha))
    return (same, same * values) if smoothing == "laplace" else (same / values, same)


def log_shares(counts: NDArray[np.float64], smoothing: str, alpha: float) -> NDArray[np.float64]:
    """Return the logarithm of the smoothed share of each class; the classes are the last axis.

    Examples
    --------
    >>> import numpy as np
    >>> np.exp(log_shares(np.array([3.0, 0.0]), "laplace", 1.0))
    array([0.8, 0.2])
    """
    add, in_all = added_rows(smoothing, alpha, np.array(counts.shape[-1]))
    log = kernels.elementary.log_of
    return np.asarray(log(counts + add) - log(counts.sum(axis=-1, keepdims=True) + in_all))


# A class that was announced but never seen has the prior probability 0, written as null.
TABLES = {
    "class_counts": LearnedField(("classes",), low=0.0),
    "cell_counts": LearnedField(("cells", "classes"), low=0.0),
    "log_prior": LearnedField(("classes",), high=0.0, null=-math.inf),
    "log_likelihood": LearnedField(("cells", "classes")),
}


class BayesModel(CodeModel):
    """The base of the naive Bayes classifiers that are written to JSON.

    A subclass lists in ``_learned`` what it learns beyond the tables.
    """

    tables_: ProbabilityTables

    _learned: ClassVar[Mapping[str, LearnedField] | None] = None

    @classmethod
    def _fields(cls) -> Mapping[str, LearnedField]:
        return {**TABLES, **super()._fields()}

    def _get_learned(self) -> dict[str, Any]:
        tables = self.tables_
        values = (tables.counts.of_class, tables.counts.of_cell, tables.log_prior, tables.log_likelihood)
        return {**dict(zip(TABLES, values, strict=True)), **super()._get_learned()}

    def _set_learned(self, learned: dict[str, Any]) -> None:
        counts = CellCounts(learned["class_counts"], learned["cell_counts"], first_cells(self.n_bins_))
        log_likelihood = np.where(counts.has_rows[:, None], learned["log_likelihood"], 0.0)
        self.tables_ = ProbabilityTables(counts, learned["log_prior"], log_likelihood)
        super()._set_learned({name: value for name, value in learned.items() if name not in TABLES})
