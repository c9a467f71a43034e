"""MRmD with N_D chosen inside the training rows."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedKFold

from cutwise import MRmDDiscretizer, NaiveBayesClassifier
from cutwise.paper.table import GIVEN
from cutwise.paper.yardsticks import N_FOLDS, tuned_mrmd


@pytest.mark.parametrize("seed", range(4))
def test_the_choice_is_that_of_plain_loops(seed):
    X, y = load_breast_cancer(return_X_y=True)
    X, y = X[seed::4, :6], y[seed::4]
    means = []
    for n_d in GIVEN:
        hits = []
        for train, test in StratifiedKFold(N_FOLDS, shuffle=True, random_state=seed).split(X, y):
            bins = MRmDDiscretizer(n_d, validation="holdout", random_state=seed).fit(X[train], y[train])
            classifier = NaiveBayesClassifier(n_bins=bins.n_bins_).fit(bins.transform(X[train]), y[train])
            hits.append(np.mean(classifier.predict(bins.transform(X[test])) == y[test]))
        means.append(np.mean(hits))
    chosen = tuned_mrmd(NaiveBayesClassifier(), X, y, seed)
    assert np.ptp(means) > 0
    assert chosen.n_d == [*GIVEN][int(np.argmax(means))]
    assert (chosen.validation, chosen.random_state) == ("holdout", seed)
