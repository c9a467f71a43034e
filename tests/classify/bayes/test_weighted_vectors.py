"""The vectors of the definitions: losses, slopes and minima of the weighted classifiers."""

from __future__ import annotations

import numpy as np
import pytest

from cutwise import CAWNBClassifier, PreconditionedLogisticClassifier, RNBClassifier, WANBIAClassifier
from cutwise.classify.bayes.blocks import LOSSES
from cutwise.classify.bayes.regularised import MixtureObjective
from cutwise.classify.bayes.weighted import AttributeObjective, CellObjective, ClassObjective
from tests.classify.bayes.fixture import QUERIES, X, Y

U = np.array([0.9, 0.4, 0.7])
V = np.array([0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.0])


@pytest.fixture(scope="module")
def learned():
    model = RNBClassifier()
    sample = model._read(X, Y, None)
    return sample, model._estimate(sample)


@pytest.mark.parametrize(
    ("loss", "value", "slopes"),
    [
        ("cll", 4.930603574770, [-3.4147808168, -0.2875081321, -0.9043596127]),
        ("mse", 1.266340589531, [-0.6939072835, -0.1147838662, -0.3285837284]),
    ],
)
def test_attribute_weights(learned, loss, value, slopes):
    found, found_slopes = AttributeObjective(*learned, LOSSES[loss])(U)
    assert found == pytest.approx(value, abs=1e-11)
    np.testing.assert_allclose(found_slopes, slopes, atol=1e-9)


@pytest.mark.parametrize(("loss", "value"), [("cll", 4.2517444523), ("mse", 1.0695630523)])
def test_the_best_attribute_weights_are_those_of_naive_bayes(loss, value):
    model = WANBIAClassifier(loss).fit(X, Y)
    assert model.attribute_weights_.tolist() == [1.0, 1.0, 1.0]
    assert model.loss_ == pytest.approx(value, abs=1e-9)
    assert model.converged_


@pytest.mark.parametrize(
    ("loss", "value", "slopes"),
    [
        ("cll", 8.983356667895, [-8.3514892173, -1.5775609247, -1.5775609247]),
        ("mse", 2.606180052110, [-3.3948252991, -0.720461482, -0.720461482]),
    ],
)
def test_class_weights(learned, loss, value, slopes):
    found, found_slopes = ClassObjective(*learned, LOSSES[loss])(V)
    assert found == pytest.approx(value, abs=1e-11)
    np.testing.assert_allclose(found_slopes[:3], slopes, atol=1e-9)


@pytest.mark.parametrize(
    ("loss", "value", "weights"),
    [
        ("cll", 4.2497925707, [1, 0.9895992, 0.9895992, 1, 0.9280639, 1, 1, 1, 1]),
        ("mse", 1.0691481389, [1, 0.967627, 0.967627, 1, 0.960237, 1, 1, 1, 1]),
    ],
)
def test_the_best_class_weights(loss, value, weights):
    model = CAWNBClassifier(loss).fit(X, Y)
    assert model.loss_ == pytest.approx(value, abs=1e-9)
    np.testing.assert_allclose(model.class_weights_.ravel(), weights, atol=1e-5)


def test_mixture(learned):
    value, slopes = MixtureObjective(*learned)(np.concatenate([U, V, [0.3]]))
    assert value == pytest.approx(1.518030002568, abs=1e-11)
    np.testing.assert_allclose(slopes[:3], [-0.6737510548, -0.0716934574, -0.2643423826], atol=1e-9)
    np.testing.assert_allclose(slopes[3:6], [-0.4922744908, -0.0897683067, -0.0897683067], atol=1e-9)
    assert slopes[-1] == pytest.approx(1.0536253183, abs=1e-9)


def test_mixture_at_the_start(learned):
    start = np.ones(13)
    start[-1] = 0.5
    value, slopes = MixtureObjective(*learned)(start)
    assert value == pytest.approx(1.069563052298, abs=1e-11)
    np.testing.assert_allclose(slopes[:3], [-0.2447636708, -0.0308071737, -0.1264800664], atol=1e-9)
    assert slopes[-1] == 0.0


def test_the_best_mixture():
    model = RNBClassifier().fit(X, Y)
    assert model.loss_ == pytest.approx(1.0691481389, abs=1e-9)
    assert model.mixing_ == pytest.approx(1.0, abs=1e-6)
    assert model.converged_
    assert model.attribute_weights_.tolist() == [1.0, 1.0, 1.0]  # they do not matter, and stay where they began
    np.testing.assert_allclose(model.predict_proba(QUERIES[:1]), [[0.100544241, 0.5533815082, 0.3460742508]], atol=1e-6)


def test_the_published_slopes_of_three_classes_end_early():
    """They are not those of the loss: where on the way down the search gives up is a matter of rounding."""
    model = RNBClassifier("published").fit(X, Y)
    assert 1.0691481389 < model.loss_ < 1.069563052298
    assert 0.5 < model.mixing_ < 0.51
    assert not model.converged_


def test_the_published_slopes_of_two_classes_reach_a_minimum():
    """They are the right ones, some of them halved."""
    published, exact = (RNBClassifier(gradient).fit(X, Y > 0) for gradient in ("published", "exact"))
    assert published.converged_
    assert published.loss_ == pytest.approx(exact.loss_, rel=1e-9)


def test_logistic(learned):
    objective = CellObjective(*learned, 0.1)
    listed = (1 + 0.1 * np.sin(np.arange(24))).reshape(3, 8)  # class by class, its cells and then its prior
    value, slopes = objective(np.roll(listed, 1, axis=1).T.ravel())
    assert value == pytest.approx(4.163279941915, abs=1e-11)
    expected = [0.0709535368, -0.5928659205, -0.5243157458, 0.0140262754]
    np.testing.assert_allclose(slopes.reshape(8, 3)[1:5, 0], expected, atol=1e-9)


def test_the_best_logistic_weights():
    model = PreconditionedLogisticClassifier(0.1, tol=1e-7).fit(X, Y)
    assert model.loss_ == pytest.approx(2.5591396497, abs=1e-9)
