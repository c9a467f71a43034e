"""MRmD with N_D chosen inside the training rows."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedKFold

from cutwise import MRmDDiscretizer, NaiveBayesClassifier
from cutwise.paper.n_d import GIVEN
from cutwise.paper.tuned_mrmd import N_FOLDS, tuned_mrmd


def test_the_choice_is_that_of_plain_loops():
    X, y = load_breast_cancer(return_X_y=True)
    X = X[::3, :6]
    y = y[::3]
    means = []
    for n_d in GIVEN:
        hits = []
        for train, test in StratifiedKFold(N_FOLDS, shuffle=True, random_state=4).split(X, y):
            bins = MRmDDiscretizer(n_d, validation="holdout", random_state=4).fit(X[train], y[train])
            classifier = NaiveBayesClassifier(n_bins=bins.n_bins_).fit(bins.transform(X[train]), y[train])
            hits.append(np.mean(classifier.predict(bins.transform(X[test])) == y[test]))
        means.append(np.mean(hits))
    chosen = tuned_mrmd(NaiveBayesClassifier(), X, y, seed=4)
    assert np.ptp(means) > 0
    assert chosen.n_d == [*GIVEN][int(np.argmax(means))]
    assert (chosen.validation, chosen.random_state) == ("holdout", 4)
