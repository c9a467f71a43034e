"""The explainable boosting machine of `interpret`, whose default settings may ask for days on a small table."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

# A stalled loss is higher than the least one by a tenth, and could not come back even if it fell ten times as fast.
DISTANCE, PACE = 1.1, 10


class StallWatch:
    """Tells when boosting pairs of columns has stalled: it goes on, but its best model is behind it.

    Trees on pairs may fit few training rows so well that no leaf is split any more. Each step then moves
    constants only, by so little that the loss of the validation rows, though far above the least one, falls for
    millions of steps, and early stopping waits for a rise. Or scores become so large that the loss is no number any
    more, which early stopping never ends. What is kept in the end is the model with the least loss.

    Stalled is what found no split for as many rounds as early stopping waits, if a loss that fell
    ten times as fast as in these would still be a tenth above the least one after the last step allowed.

    Parameters
    ----------
    n_terms : int
        The steps of a round.
    max_rounds, smoothing_rounds, early_stopping_rounds : int
        The settings of the machine; in the first rounds, which smooth, splits are at random.
    """

    def __init__(self, n_terms: int, max_rounds: int, smoothing_rounds: int, early_stopping_rounds: int) -> None:
        self.has_stalled = False
        self._last = max_rounds * n_terms
        self._smoothing = smoothing_rounds * n_terms
        self._patience = early_stopping_rounds * n_terms
        self._step = 0
        self._least = np.inf
        self._without_split: tuple[int, float] | None = None  # since which step, and the loss then

    def tried(self, gain: float) -> None:
        """Take note of a tree and what its splits gain."""
        if gain > 0:
            self._without_split = None

    def stepped(self, loss: float) -> None:
        """Take note of a step and the loss of the validation rows after it."""
        self._step += 1
        loss = np.inf if np.isnan(loss) else loss
        self._least = min(self._least, loss)
        if self._step <= self._smoothing:
            return
        if self._without_split is None:
            self._without_split = self._step, loss
            return
        start, loss_then = self._without_split
        if self._step - start >= self._patience:
            fall = max(loss_then - loss, 0.0) if loss < np.inf else 0.0
            at_last = loss - PACE * fall * (self._last - self._step) / (self._step - start)
            self.has_stalled = at_last > DISTANCE * self._least
            self._without_split = self._step, loss


class _WatchedBooster:
    """A booster of `interpret` that has no more to do once it has stalled, and then lets early stopping end it."""

    def __init__(self, booster: Any, watch: StallWatch) -> None:
        self._booster = booster
        self._watch = watch

    def __enter__(self) -> Self:
        self._booster.__enter__()
        return self

    def __exit__(self, *error: object) -> Any:
        return self._booster.__exit__(*error)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._booster, name)

    def generate_term_update(self, *arguments: Any, **options: Any) -> float:
        if self._watch.has_stalled:
            return 0.0
        gain: float = self._booster.generate_term_update(*arguments, **options)
        self._watch.tried(gain)
        return gain

    def get_term_update(self) -> Any:
        return None if self._watch.has_stalled else self._booster.get_term_update()

    def set_term_update(self, *arguments: Any) -> None:
        if not self._watch.has_stalled:
            self._booster.set_term_update(*arguments)

    def apply_term_update(self) -> float:
        if self._watch.has_stalled:
            return float(np.inf)
        loss: float = self._booster.apply_term_update()
        self._watch.stepped(loss)
        return loss


class ExplainableBoosting(ClassifierMixin, BaseEstimator):
    """`ExplainableBoostingClassifier` with its default settings; bags whose pairs have stalled end at once.

    The model is the same, as each bag keeps that of its least validation loss, and nothing is drawn at random after the
    pairs. It reaches into `interpret` 0.7, which has no setting for this: a callback ends all bags.
    """

    def __init__(self, random_state: int = 0, max_rounds: int = 50_000) -> None:
        self.random_state = random_state
        self.max_rounds = max_rounds

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from a table."""
        from interpret.glassbox import ExplainableBoostingClassifier  # noqa: PLC0415  # on request only
        from interpret.glassbox._ebm import _boost  # noqa: PLC0415

        model = ExplainableBoostingClassifier(max_rounds=self.max_rounds, random_state=self.random_state, n_jobs=1)
        plain = _boost.Booster

        def watched(*arguments: Any, **options: Any) -> Any:
            booster = plain(*arguments, **options)
            terms = booster.term_features
            if all(len(columns) == 1 for columns in terms):
                return booster
            rounds = model.max_rounds, model.interaction_smoothing_rounds, model.early_stopping_rounds
            return _WatchedBooster(booster, StallWatch(len(terms), *rounds))

        _boost.Booster = watched
        try:
            self.model_ = model.fit(X, y, sample_weight=sample_weight)
        finally:
            _boost.Booster = plain
        self.classes_ = self.model_.classes_
        return self

    def predict_proba(self, X: Any) -> Any:
        """Return the class probabilities."""
        return self.model_.predict_proba(X)

    def predict(self, X: Any) -> Any:
        """Return the most probable class."""
        return self.model_.predict(X)
