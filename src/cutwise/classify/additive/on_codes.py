"""The additive model of codes: what a system learns behind its scheme."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, cast

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from cutwise import kernels
from cutwise.classify.additive.learning import LearnedShapes, learn_shapes
from cutwise.classify.bayes.contributions import AdditiveModel, AdditivePart
from cutwise.classify.bayes.minimize import SEARCH_FIELDS
from cutwise.classify.bayes.sample import first_cells, read_codes, read_sample
from cutwise.classify.bayes.tables import CellCounts, ProbabilityTables, count_sample, sum_scores
from cutwise.estimator import estimator
from cutwise.persist import CodeModel, LearnedField
from cutwise.persist.strict import require
from cutwise.threads import interruptible
from cutwise.validation import set_fitted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from cutwise.classify.bayes.sample import CodedRows

TABLES = {
    "n_ordered": LearnedField(("attributes",), kind="count"),
    "class_counts": LearnedField(("classes",), low=0.0),
    "cell_counts": LearnedField(("cells", "classes"), low=0.0),
    "start": LearnedField(("classes",)),
    "scores": LearnedField(("cells", "classes")),
}


class CodedColumns(NamedTuple):
    """What a scheme tells of each column.

    Parameters
    ----------
    n_bins : list of int
        The number of bins.
    n_ordered : list of int
        How many of them are neighbours; the others stand alone.
    directions : list of int
        1 for scores that only rise, -1 for such that only fall, 2 for either, else 0.
    """

    n_bins: list[int]
    n_ordered: list[int]
    directions: list[int]


@dataclass(frozen=True, eq=False)
class ShapeCounts(CellCounts):
    """Counts of cells of which the first of each attribute may be ordered.

    Parameters
    ----------
    n_ordered : ndarray of int
        How many of each attribute's cells are neighbours.
    """

    n_ordered: NDArray[np.int64]

    @property
    def has_rows(self) -> NDArray[np.bool_]:
        """Whether each cell has a row, or neighbours that have: a jump to an empty bin is none."""
        place = np.arange(self.offsets[-1]) - np.repeat(self.offsets[:-1], self.n_bins)
        return np.asarray(super().has_rows | (place < np.repeat(self.n_ordered, self.n_bins)))


@estimator
class AdditiveOnCodes(CodeModel, AdditiveModel, ClassifierMixin, BaseEstimator):
    """The classifier of codes inside an ``AdditiveClassifier``.

    Parameters
    ----------
    alpha : float or None
        The strength of the pull, chosen inside the rows by default.
    weights : {"count", "relative"}
        What sample weights mean.
    """

    _learned: ClassVar[Mapping[str, LearnedField]] = {
        "errors_": LearnedField(("cells",), low=0.0),
        "alpha_": LearnedField(low=0.0),
        "tried_alphas_": LearnedField(("trials",), low=0.0),
        "tried_losses_": LearnedField(("trials",)),
        **SEARCH_FIELDS,
    }

    alpha: float | None = None
    weights: str = "count"

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, columns: CodedColumns) -> Self:
        """Learn from codes and classes."""
        sample = read_sample(self, X, y, sample_weight, n_bins=columns.n_bins)
        found = interruptible(learn_shapes, sample, columns.n_ordered, self.alpha, columns.directions)
        n_ordered = np.array(columns.n_ordered, dtype=np.int64)
        set_fitted(self, sample.codes.shape[1], sample.feature_names, _attributes(sample, n_ordered, found))
        return self

    def importances(self) -> NDArray[np.float64]:
        """Return how much each attribute moves the scores of the training rows, as shares of 1."""
        tables = self.tables_
        moved = np.abs(tables.log_likelihood).mean(axis=1) * tables.counts.of_cell.sum(axis=1)
        sums = np.add.reduceat(moved, tables.offsets[:-1])
        total = float(sums.sum())
        return np.asarray(sums / total if total > 0.0 else np.zeros(sums.size))

    def _log_proba(self, codes: NDArray[np.int32]) -> NDArray[np.float64]:
        tables = self.tables_
        scores = sum_scores(codes, tables.offsets, tables.log_likelihood, tables.log_prior)
        kernels.bayes.losses.shift_rows(scores)
        kernels.bayes.losses.to_log_shares(scores)
        return scores

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the logarithm of each class's probability."""
        return self._log_proba(read_codes(self, X))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each class."""
        return np.asarray(kernels.elementary.exp_of(self.predict_log_proba(X)))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each row."""
        return np.asarray(self.classes_[self.predict_log_proba(X).argmax(axis=1)])

    def _parts(self) -> tuple[AdditivePart, ...]:
        return (AdditivePart(self.tables_.log_prior, self.tables_.log_likelihood),)

    @classmethod
    def _fields(cls) -> Mapping[str, LearnedField]:
        return {**TABLES, **super()._fields()}

    def _get_learned(self) -> dict[str, Any]:
        tables = self.tables_
        counts = cast("ShapeCounts", tables.counts)
        values = (counts.n_ordered, counts.of_class, counts.of_cell, tables.log_prior, tables.log_likelihood)
        return {**dict(zip(TABLES, values, strict=True)), **super()._get_learned()}

    def _set_learned(self, learned: dict[str, Any]) -> None:
        n_ordered = learned["n_ordered"]
        require(bool((n_ordered <= self.n_bins_).all()), "'n_ordered' is larger than 'n_bins'.")
        counts = ShapeCounts(learned["class_counts"], learned["cell_counts"], first_cells(self.n_bins_), n_ordered)
        self.tables_ = ProbabilityTables(counts, learned["start"], learned["scores"])
        super()._set_learned({name: value for name, value in learned.items() if name not in TABLES})


def _attributes(sample: CodedRows, n_ordered: NDArray[np.int64], found: LearnedShapes) -> dict[str, Any]:
    """Return the fitted attributes by name."""
    counts = count_sample(sample)
    shaped = ShapeCounts(counts.of_class, counts.of_cell, counts.offsets, n_ordered)
    return {
        "classes_": sample.classes,
        "n_bins_": counts.n_bins,
        "tables_": ProbabilityTables(shaped, found.start, found.scores),
        "errors_": found.errors,
        "alpha_": found.alpha,
        "tried_alphas_": np.array([trial.alpha for trial in found.tried]),
        "tried_losses_": np.array([trial.loss for trial in found.tried]),
        "loss_": found.loss,
        "n_iter_": found.n_iter,
        "converged_": found.converged,
    }
