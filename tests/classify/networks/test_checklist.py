"""The checklist of the definitions for RVFL: the lines that are not tested elsewhere in this folder.

Five hundred attributes, a single class, one row for each class, values never seen, renamed classes and
reordered rows are in `test_rvfl.py`. A moved or an added column meets other random weights, so that neither
is the same model; there are no weights between 0 and 1 to learn, and the classes are those of the rows.
"""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris

from cutwise import RVFLClassifier
from cutwise.classify.networks.layers import ridge
from tests.classify.bayes import plain


def ridge_loss(D, Y, weights, c, beta):
    errors = Y - D @ beta
    return 0.5 * (weights[:, None] * errors**2).sum() + 0.5 / c * (beta**2).sum()


@pytest.mark.parametrize("shape", [(30, 4), (6, 9)], ids=["more rows", "more columns"])
def test_the_layers_weights_have_no_slope(shape):
    """Central differences of the penalised errors vanish where the weights were put, and a step away costs."""
    rng = np.random.default_rng(0)
    D, Y, weights, c = rng.normal(size=shape), np.eye(2)[rng.integers(0, 2, shape[0])], rng.random(shape[0]) + 0.1, 3.0
    beta = ridge(D, Y, weights, c)

    def loss(flat):
        return ridge_loss(D, Y, weights, c, flat.reshape(beta.shape))

    np.testing.assert_allclose(plain.slopes(loss, beta.ravel()), 0.0, atol=1e-7)
    assert loss(beta.ravel() + 0.01 * rng.normal(size=beta.size)) > loss(beta.ravel())


@pytest.mark.parametrize("weighting", [None, "confidence"])
def test_one_attribute(weighting):
    X, y = load_iris(return_X_y=True)
    model = RVFLClassifier(n_hidden=30, weighting=weighting, random_state=0).fit(X[:, 2:3], y)
    p = model.predict_proba(X[:, 2:3])
    assert np.isfinite(p).all()
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    assert model.score(X[:, 2:3], y) > 0.9
