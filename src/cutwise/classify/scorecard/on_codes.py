"""The scorecard of codes: what a scorecard learns behind its scheme."""

from __future__ import annotations

from dataclasses import dataclass, replace
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np
from sklearn.base import BaseEstimator
from threadpoolctl import threadpool_limits

from cutwise import kernels
from cutwise.classify.additive.learning import CodedColumns, begin_fit, learn_shapes
from cutwise.classify.bayes.contributions import AdditiveModel, AdditivePart
from cutwise.classify.bayes.minimize import SEARCH_FIELDS
from cutwise.classify.bayes.sample import first_cells, read_codes, read_sample
from cutwise.classify.bayes.tables import CellCounts, ProbabilityTables, count_sample, sum_scores
from cutwise.classify.predicting import PredictsProbabilities
from cutwise.classify.scorecard import selection
from cutwise.classify.scorecard.selection import FATES, Evidence, Fates, evidence_of
from cutwise.estimator import Choices, estimator
from cutwise.persist import CodeModel, LearnedField
from cutwise.persist.strict import require
from cutwise.scikit_learn import Interval
from cutwise.threads import interruptible
from cutwise.validation import set_fitted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from cutwise.classify.bayes.sample import CodedRows

LOGISTIC, ADDITIVE = "logistic", "additive"
# The pull of the logistic regression, unless another one is asked for.
PULL = 1.0

TABLES = {
    "class_counts": LearnedField(("classes",), low=0.0),
    "cell_counts": LearnedField(("cells", "classes"), low=0.0),
    "event": LearnedField(kind="count", high=1),
    "intercept": LearnedField(),
    "coefficients": LearnedField(("attributes",), optional=True),
    "scores": LearnedField(("cells",), optional=True),
    "fates": LearnedField(("attributes",), kind="text", choices=FATES),
    "figures": LearnedField(("attributes",)),
    "partners": LearnedField(("attributes",), kind="count"),
}


class CardColumns(NamedTuple):
    """What is known of each column.

    Parameters
    ----------
    n_bins : list of int
        The number of bins.
    event : int
        The place of the event among the two classes.
    n_ordered, directions : list of int
        For the additive model, see `CodedColumns`.
    """

    n_bins: list[int]
    event: int
    n_ordered: list[int]
    directions: list[int]


@dataclass(frozen=True, eq=False)
class LearnedCard:
    """What a fit has learned.

    Parameters
    ----------
    counts : CellCounts
    event : int
        The place of the event among the two classes.
    intercept : float
        The log-odds of the other class before any column is known.
    coefficients : ndarray of shape (n_attributes,) or None
        What the weights of evidence of each column are multiplied with; 0 for a column that is not used. None for the
        additive model.
    scores : ndarray of shape (n_cells,) or None
        What each bin adds to the log-odds of the other class; None where coefficients say it.
    fates : Fates
        What became of each column.
    """

    counts: CellCounts
    event: int
    intercept: float
    coefficients: NDArray[np.float64] | None
    scores: NDArray[np.float64] | None
    fates: Fates

    # Made anew each time: a model that is read computes nothing, and a fitted one is only read.
    @property
    def evidence(self) -> Evidence:
        """The weights of evidence of all bins."""
        return evidence_of(self.counts, self.event)

    @property
    def log_odds(self) -> NDArray[np.float64]:
        """What each bin adds to the log-odds of the other class."""
        if self.scores is not None:
            return self.scores
        return np.asarray(np.repeat(np.asarray(self.coefficients), self.counts.n_bins) * self.evidence.weights)

    @property
    def tables(self) -> ProbabilityTables:
        """The scores of both classes, whose sum is 0."""
        signs = np.array([0.5, 0.5])
        signs[self.event] = -0.5
        return ProbabilityTables(self.counts, self.intercept * signs, self.log_odds[:, None] * signs)


@estimator
class ScorecardOnCodes(CodeModel, AdditiveModel, PredictsProbabilities, BaseEstimator):
    """The classifier of codes inside a ``ScorecardClassifier``, whose parameters it has."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "model": [Choices(LOGISTIC, ADDITIVE)],
        "alpha": [None, Interval(Real, 0, 1e300, closed="both")],
        "min_iv": [Interval(Real, 0, 1e300, closed="both")],
        "max_correlation": [Interval(Real, 0, 1, closed="right")],
        "selection": [None, Choices("forward")],
        "signs": ["boolean"],
    }
    _learned: ClassVar[Mapping[str, LearnedField]] = SEARCH_FIELDS

    model: str = LOGISTIC
    alpha: float | None = None
    min_iv: float = 0.02
    max_correlation: float = 0.9
    selection: str | None = None
    signs: bool = True
    weights: str = "count"

    def fit(  # type: ignore[override]  # codes alone do not say which class is the event
        self, X: Any, y: Any, sample_weight: Any = None, *, columns: CardColumns
    ) -> Self:
        """Learn from codes and classes."""
        sample = read_sample(self, X, y, sample_weight, n_bins=columns.n_bins)
        # Several threads of the linear algebra would add up in another order.
        with threadpool_limits(1, user_api="blas"):
            learned = interruptible(self._learn, sample, columns)
        learned |= {"classes_": sample.classes, "n_bins_": learned["card_"].counts.n_bins}
        set_fitted(self, sample.codes.shape[1], sample.feature_names, learned)
        return self

    def _learn(self, sample: CodedRows, columns: CardColumns) -> dict[str, Any]:
        counts = count_sample(sample)
        evidence = evidence_of(counts, columns.event)
        fates = Fates.of(counts.n_bins.size)
        distinct = sample.distinct()
        rows = selection.card_rows(distinct, counts, evidence, columns.event)
        alpha = PULL if self.alpha is None or self.model == ADDITIVE else float(self.alpha)
        selection.drop_weak(fates, counts, evidence, self.min_iv)
        selection.drop_alike(fates, rows, evidence, self.max_correlation)
        if self.selection == "forward":
            left_out = selection.left_out_weights(distinct, counts, columns.event)
            selection.drop_unselected(fates, selection.Forward(rows, left_out, alpha, self.signs))
        shapes = self._learn_shapes(sample, counts, columns, fates) if self.model == ADDITIVE else None
        if shapes is not None:
            return shapes
        found = selection.fit_with_signs(fates, rows, alpha, signs=self.signs)
        coefficients = np.zeros(counts.n_bins.size)
        coefficients[fates.kept] = found.coefficients
        card = LearnedCard(counts, columns.event, float(found.weights[0]), coefficients, None, fates)
        return _learned(card, found.loss, found.n_iter, found.converged)

    def _learn_shapes(
        self, sample: CodedRows, counts: CellCounts, columns: CardColumns, fates: Fates
    ) -> dict[str, Any] | None:
        """Learn a score for each bin; a column whose scores speak against its evidence is dropped.

        None if no column is left.
        """
        evidence = evidence_of(counts, columns.event)
        rows = counts.of_cell.sum(axis=1)
        while kept := fates.kept:
            part = replace(sample, codes=np.ascontiguousarray(sample.codes[:, kept]), n_bins=sample.n_bins[kept])
            of_columns = (columns.n_bins, columns.n_ordered, columns.directions)
            n_bins, n_ordered, directions = ([each[j] for j in kept] for each in of_columns)
            found = learn_shapes(begin_fit(part, CodedColumns(n_bins, n_ordered, directions), self.alpha))
            of_bin = found.scores[:, 1 - columns.event] - found.scores[:, columns.event]
            own = _cells_of(counts.offsets, kept)
            means = _means_by_column(of_bin, rows[own], part.offsets)
            centred = np.where(rows[own] > 0.0, of_bin - np.repeat(means, part.n_bins), 0.0)
            slopes = _means_by_column(centred * evidence.weights[own], rows[own], part.offsets)
            if not self.signs or slopes.min() > 0.0:
                scores = np.zeros(len(rows))
                scores[own] = centred
                start = float(found.start[1 - columns.event] - found.start[columns.event] + means.sum())
                card = LearnedCard(counts, columns.event, start, None, scores, fates)
                return _learned(card, found.loss, found.n_iter, found.converged)
            worst = int(slopes.argmin())
            fates.drop(kept[worst], selection.TURNED, float(slopes[worst]))
        return None

    def only(self, places: list[int]) -> ScorecardOnCodes:
        """Return the same with some of the columns, which are used."""
        card = self.card_
        own = _cells_of(card.counts.offsets, places)
        n_bins = card.counts.n_bins[places]
        counts = CellCounts(card.counts.of_class, card.counts.of_cell[own], first_cells(n_bins))
        coefficients = None if card.coefficients is None else card.coefficients[places]
        scores = None if card.scores is None else card.scores[own]
        part = LearnedCard(counts, card.event, card.intercept, coefficients, scores, Fates.of(len(places)))
        other = ScorecardOnCodes(**self.get_params(deep=False))
        learned = {"classes_": self.classes_, "n_bins_": n_bins}
        set_fitted(other, len(places), None, {**learned, **_learned(part, self.loss_, self.n_iter_, self.converged_)})
        return other

    @property
    def tables_(self) -> ProbabilityTables:  # type: ignore[override]
        """The scores of both classes."""
        return self.card_.tables

    def _log_proba(self, codes: NDArray[np.int32]) -> NDArray[np.float64]:
        tables = self.tables_
        scores = sum_scores(codes, tables.offsets, tables.log_likelihood, tables.log_prior)
        kernels.bayes.losses.shift_rows(scores)
        kernels.bayes.losses.to_log_shares(scores)
        return scores

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:  # noqa: D102
        return self._log_proba(read_codes(self, X))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:  # noqa: D102
        return np.asarray(kernels.elementary.exp_of(self.predict_log_proba(X)))

    def _parts(self) -> tuple[AdditivePart, ...]:
        tables = self.tables_
        return (AdditivePart(tables.log_prior, tables.log_likelihood),)

    @classmethod
    def _fields(cls) -> Mapping[str, LearnedField]:
        return {**TABLES, **super()._fields()}

    def _get_learned(self) -> dict[str, Any]:
        card = self.card_
        counts = (card.counts.of_class, card.counts.of_cell)
        fates = (card.fates.words, card.fates.figures, card.fates.partners)
        values = (*counts, card.event, card.intercept, card.coefficients, card.scores, *fates)
        return {**dict(zip(TABLES, values, strict=True)), **super()._get_learned()}

    def _set_learned(self, learned: dict[str, Any]) -> None:
        counts = CellCounts(learned["class_counts"], learned["cell_counts"], first_cells(self.n_bins_))
        words, partners = learned["fates"].tolist(), learned["partners"].tolist()
        coefficients, scores = learned["coefficients"], learned["scores"]
        require(self.classes_.size == 2, "A scorecard has two classes.")
        require(max(partners) < len(partners), "'partners' names a column that is not there.")
        require((coefficients is None) != (scores is None), "There must be either 'coefficients' or 'scores'.")
        fates = Fates(words, learned["figures"].tolist(), partners)
        unused = [place for place in range(len(words)) if words[place] != selection.KEPT]
        if scores is not None:
            idle = np.concatenate([_cells_of(counts.offsets, unused), np.flatnonzero(~counts.has_rows)])
            require(not scores[idle].any(), "A bin without rows, or of a column that is not used, has a score.")
        else:
            require(not coefficients[unused].any(), "A column that is not used has a coefficient.")
        self.card_ = LearnedCard(counts, learned["event"], learned["intercept"], coefficients, scores, fates)
        super()._set_learned({name: value for name, value in learned.items() if name not in TABLES})


def _learned(card: LearnedCard, loss: float, n_iter: int, converged: bool) -> dict[str, Any]:  # noqa: FBT001
    return {"card_": card, "loss_": float(loss), "n_iter_": int(n_iter), "converged_": bool(converged)}


def _cells_of(offsets: NDArray[np.int64], places: list[int]) -> NDArray[np.int64]:
    """Return the cells of some columns, one after the other."""
    spans = [np.arange(offsets[place], offsets[place + 1]) for place in places]
    return np.concatenate([*spans, np.empty(0, dtype=np.int64)])


def _means_by_column(
    numbers: NDArray[np.float64], rows: NDArray[np.float64], offsets: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the mean of the cells of each column over their rows."""
    return np.asarray(np.add.reduceat(numbers * rows, offsets[:-1]) / np.add.reduceat(rows, offsets[:-1]))
