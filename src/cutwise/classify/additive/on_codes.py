"""The additive model of codes: what a system learns behind its scheme."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, cast

import numpy as np
from sklearn.base import BaseEstimator
from threadpoolctl import threadpool_limits

from cutwise import kernels
from cutwise.classify.additive import on_disk
from cutwise.classify.additive.grids import PairGrids
from cutwise.classify.additive.learning import (
    LearnedPairs,
    Settled,
    begin_fit,
    learn_shapes,
    scores_left_out,
)
from cutwise.classify.bayes.contributions import AdditiveModel, AdditivePart, LogOdds
from cutwise.classify.bayes.minimize import SEARCH_FIELDS
from cutwise.classify.bayes.sample import first_cells, read_codes, read_sample
from cutwise.classify.bayes.tables import CellCounts, ProbabilityTables, find_cells, sum_scores
from cutwise.classify.predicting import PredictsProbabilities
from cutwise.estimator import estimator
from cutwise.export.contents import PairTerms
from cutwise.persist import CodeModel, LearnedField
from cutwise.persist.strict import require
from cutwise.threads import interruptible
from cutwise.validation import set_fitted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from cutwise.classify.additive.learning import BegunFit, CodedColumns, LearnedShapes
    from cutwise.classify.additive.on_disk import RowsOnDisk
    from cutwise.classify.bayes.sample import CodedRows

T = TypeVar("T")

TABLES = {
    "n_ordered": LearnedField(("attributes",), kind="count"),
    "class_counts": LearnedField(("classes",), low=0.0),
    "cell_counts": LearnedField(("cells", "classes"), low=0.0),
    "start": LearnedField(("classes",)),
    "scores": LearnedField(("cells", "classes")),
    "pairs": LearnedField(("pairs", "two"), kind="count"),
    "groups": LearnedField(("cells",), kind="count"),
    "pair_scores": LearnedField(("grid cells", "classes")),
    "pair_errors": LearnedField(("grid cells",), low=0.0),
    "pair_rows": LearnedField(("grid cells",), low=0.0),
}


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
class AdditiveOnCodes(CodeModel, AdditiveModel, PredictsProbabilities, BaseEstimator):
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
        "pair_pull_": LearnedField(low=0.0),
        "tried_alphas_": LearnedField(("trials",), low=0.0),
        "tried_losses_": LearnedField(("trials",)),
        **SEARCH_FIELDS,
    }

    alpha: float | None = None
    weights: str = "count"

    def fit(  # type: ignore[override]  # codes alone do not say which bins are neighbours
        self, X: Any, y: Any, sample_weight: Any = None, *, columns: CodedColumns
    ) -> Self:
        """Learn from codes and classes."""
        return self.finish(self.begin(X, y, sample_weight, columns=columns))

    def begin(
        self, X: Any, y: Any, sample_weight: Any = None, *, columns: CodedColumns, near: float | None = None
    ) -> BegunFit:
        """Choose the strength of the pull for codes and classes; see `begin_fit`."""
        sample = read_sample(self, X, y, sample_weight, n_bins=columns.n_bins)
        # Several threads of the linear algebra would add up in another order.
        with threadpool_limits(1, user_api="blas"):
            begun: BegunFit = interruptible(begin_fit, sample, columns, self.alpha, near)
        return begun

    def begin_best(self, candidates: Iterable[tuple[T, CodedRows, CodedColumns]]) -> tuple[T, BegunFit]:
        """Choose between bins of the same rows by the log loss of rows that were left out.

        The candidates are names of any kind, each with the codes of the rows. Of equal ones the first is taken.
        """
        begun: list[tuple[T, BegunFit]] = []
        first: NDArray[np.int32] | None = None
        for name, rows, columns in candidates:
            if first is not None and np.array_equal(rows.codes, first):
                continue
            first = rows.codes if first is None else first
            near = begun[0][1].alpha if begun else None
            target = rows.classes[rows.labels]
            begun.append((name, self.begin(rows.codes, target, rows.weights, columns=columns, near=near)))
        return min(begun, key=lambda one: one[1].loss)

    def finish(self, begun: BegunFit, pairs: int | None = None) -> Self:
        """Learn the scores of all bins; `pairs` is instead of those of the columns."""
        if pairs is not None:
            begun = replace(begun, columns=begun.columns._replace(pairs=pairs))
        sample, columns, counts = begun.sample, begun.columns, begun.counts
        with threadpool_limits(1, user_api="blas"):
            found = interruptible(learn_shapes, begun)
        cells = PairGrids(found.pairs, counts.offsets).cells_of(sample.codes)
        weights = np.broadcast_to(sample.row_weights[:, None], cells.shape)[cells >= 0]
        in_cells = np.bincount(cells[cells >= 0], weights, minlength=len(found.pairs.scores)).astype(np.float64)
        n_ordered = np.array(columns.n_ordered, dtype=np.int64)
        learned = _attributes(sample.classes, counts, n_ordered, found, in_cells)
        set_fitted(self, sample.codes.shape[1], sample.feature_names, learned)
        return self

    def fit_rows(self, rows: RowsOnDisk, columns: CodedColumns) -> Self:
        """Learn from codes and classes on disk; from all of them in memory, if there are few."""
        if rows.n_rows <= on_disk.MOST_IN_MEMORY:
            return self.finish(self.begin_best([(None, rows.sample(rows.n_rows), columns)])[1])
        if self.weights == "relative":
            rows = rows.relative()
        with threadpool_limits(1, user_api="blas"):
            found, in_cells = on_disk.learn_from_disk(rows, columns, self.alpha)
        n_ordered = np.array(columns.n_ordered, dtype=np.int64)
        learned = _attributes(rows.classes, rows.counts, n_ordered, found, in_cells)
        set_fitted(self, rows.n_bins.size, None, learned)
        return self

    def proba_left_out(
        self, sample: CodedRows, dealt: Sequence[NDArray[np.float64]]
    ) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
        """Return the probabilities of the rows of each fold by models that learned without them.

        There is one of columns alone and one with as many pairs as this model has; their pulls are those of this model.

        Parameters
        ----------
        sample : CodedRows
            Some or all of the rows.
        dealt : sequence of ndarray
            The weight of each row that belongs to each fold.
        """
        counts = cast("ShapeCounts", self.tables_.counts)
        settled = Settled(float(self.alpha_), self.grids_.n_pairs, float(self.pair_pull_))
        with threadpool_limits(1, user_api="blas"):
            found = interruptible(scores_left_out, sample, counts, counts.n_ordered.tolist(), settled, dealt)
        return [(to_shares(alone), to_shares(paired)) for alone, paired in found]

    def term_importances(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return how much columns, and pairs of them, move the scores of the training rows in the mean."""
        tables, grids = self.tables_, self.grids_
        rows = float(tables.counts.of_class.sum())
        moved = np.abs(tables.log_likelihood).mean(axis=1) * tables.counts.of_cell.sum(axis=1) / rows
        paired = np.abs(grids.learned.scores).mean(axis=1) * self.pair_rows_ / rows
        return np.add.reduceat(moved, tables.offsets[:-1]), np.add.reduceat(np.append(paired, 0.0), grids.firsts)[:-1]

    def column_importances(self) -> NDArray[np.float64]:
        """Return how much each column moves the scores in the mean; a pair counts half for each of its columns."""
        sums, paired = self.term_importances()
        for (one, two), moved in zip(self.grids_.learned.pairs, paired, strict=True):
            sums[[one, two]] += 0.5 * moved
        return sums

    def _log_proba(self, codes: NDArray[np.int32]) -> NDArray[np.float64]:
        tables = self.tables_
        scores = sum_scores(codes, tables.offsets, tables.log_likelihood, tables.log_prior)
        if self.grids_.n_pairs:
            cells = self.grids_.cells_of(codes).astype(np.int32)
            whole = np.array([0, len(self.grids_.learned.scores)])
            for pair in range(cells.shape[1]):
                column = np.ascontiguousarray(cells[:, pair : pair + 1])
                kernels.bayes.losses.sum_cells(find_cells(column, whole), self.grids_.learned.scores, scores)
        return to_log_shares(scores)

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:  # noqa: D102
        return self._log_proba(read_codes(self, X))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:  # noqa: D102
        return np.asarray(kernels.elementary.exp_of(self.predict_log_proba(X)))

    def log_odds(self, X: Any, target: int, against: int) -> LogOdds:
        """Return the log-odds of one class against another, split by attribute and, behind these, by pair."""
        alone = super().log_odds(X, target, against)
        cells = self.grids_.cells_of(read_codes(self, X))
        apart = self.grids_.learned.scores[:, target] - self.grids_.learned.scores[:, against]
        return LogOdds(alone.prior, np.hstack([alone.terms, np.append(apart, 0.0)[cells]]))

    def contributions(self, X: Any) -> NDArray[np.float64]:
        """Return what each attribute and, behind these, each pair adds to each class's score."""
        cells = self.grids_.cells_of(read_codes(self, X))
        scores = np.vstack([self.grids_.learned.scores, np.zeros((1, self.classes_.size))])
        return np.concatenate([super().contributions(X), scores[cells].transpose(0, 2, 1)], axis=2)

    def _parts(self) -> tuple[AdditivePart, ...]:
        return (AdditivePart(self.tables_.log_prior, self.tables_.log_likelihood),)

    def _pairs(self) -> tuple[PairTerms, ...]:
        return tuple(PairTerms(*self.grids_.described(pair)) for pair in range(self.grids_.n_pairs))

    @classmethod
    def _fields(cls) -> Mapping[str, LearnedField]:
        return {**TABLES, **super()._fields()}

    def _get_learned(self) -> dict[str, Any]:
        tables = self.tables_
        counts = cast("ShapeCounts", tables.counts)
        values = (counts.n_ordered, counts.of_class, counts.of_cell, tables.log_prior, tables.log_likelihood)
        found = self.grids_.learned
        paired = (found.pairs, found.groups, found.scores, found.errors, self.pair_rows_)
        return {**dict(zip(TABLES, (*values, *paired), strict=True)), **super()._get_learned()}

    def _set_learned(self, learned: dict[str, Any]) -> None:
        n_ordered = learned["n_ordered"]
        require(bool((n_ordered <= self.n_bins_).all()), "'n_ordered' is larger than 'n_bins'.")
        counts = ShapeCounts(learned["class_counts"], learned["cell_counts"], first_cells(self.n_bins_), n_ordered)
        self.tables_ = ProbabilityTables(counts, learned["start"], learned["scores"])
        scores = learned["pair_scores"].reshape(-1, self.classes_.size)
        paired = (learned["pairs"].reshape(-1, 2), learned["groups"], scores, learned["pair_errors"])
        self.grids_ = PairGrids(LearnedPairs(*paired), counts.offsets)
        self.grids_.check()
        self.pair_rows_ = learned["pair_rows"]
        super()._set_learned({name: value for name, value in learned.items() if name not in TABLES})


def to_log_shares(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Turn the scores of rows into the logarithms of probabilities, in place."""
    kernels.bayes.losses.shift_rows(scores)
    kernels.bayes.losses.to_log_shares(scores)
    return scores


def to_shares(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probabilities that the scores of rows stand for."""
    return np.asarray(kernels.elementary.exp_of(to_log_shares(scores.copy())))


def _attributes(
    classes: NDArray[Any],
    counts: CellCounts,
    n_ordered: NDArray[np.int64],
    found: LearnedShapes,
    pair_rows: NDArray[np.float64],
) -> dict[str, Any]:
    """Return the fitted attributes by name."""
    shaped = ShapeCounts(counts.of_class, counts.of_cell, counts.offsets, n_ordered)
    return {
        "classes_": classes,
        "n_bins_": counts.n_bins,
        "tables_": ProbabilityTables(shaped, found.start, found.scores),
        "grids_": PairGrids(found.pairs, counts.offsets),
        "pair_rows_": pair_rows,
        "pair_pull_": found.pair_pull,
        "errors_": found.errors,
        "alpha_": found.alpha,
        "tried_alphas_": np.array([trial.alpha for trial in found.tried]),
        "tried_losses_": np.array([trial.loss for trial in found.tried]),
        "loss_": found.loss,
        "n_iter_": found.n_iter,
        "converged_": found.converged,
    }
