"""Totals of weights are rounded once, whatever the order (promises 3 and 4)."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cutwise import MRmDDiscretizer, kernels
from cutwise.bayes.tables import Counts, estimate
from cutwise.counts import whole_weights
from cutwise.counts.weights import N_BITS

# Just below the middle between two doubles: sums of pairs, numpy's and those with one correction give 1.
BELOW_ONE = [1.0 - 2.0**-53, 2.0**-54 - 2.0**-107, 2.0**-108]
# One of them is rounded up with the first number, all together make more.
ABOVE_ONE = [1.0 - 2.0**-53, 2.0**-54, 2.0**-120]
WEIGHTS = st.lists(st.floats(2.0**-60, 8.0, allow_subnormal=False), min_size=1, max_size=5)


def exact_unit(weights):
    total = float(sum(map(Fraction, weights)))
    return math.ldexp(1.0, math.frexp(total)[1] - N_BITS)


@given(WEIGHTS)
@example(BELOW_ONE)
@example(ABOVE_ONE)
@example([0.1] * 10)
@example([0.3, 0.1, 0.6, 1.0])
def test_the_unit_is_that_of_the_exact_total(weights):
    if all(weight.is_integer() for weight in weights):
        return
    for order in itertools.islice(itertools.permutations(weights), 30):
        assert whole_weights(np.array(order))[1] == exact_unit(weights)


@pytest.mark.filterwarnings("ignore::cutwise.errors.WeightsWarning")
@pytest.mark.parametrize("weights", [BELOW_ONE, ABOVE_ONE])
def test_a_scheme_does_not_depend_on_the_order_of_weights(weights):
    x, y, w = np.arange(12) % 5, np.array([0, 1, 1] * 4), np.array(weights * 4) / 4
    schemes = set()
    for seed in range(20):
        order = np.random.default_rng(seed).permutation(12)
        fitted = MRmDDiscretizer().fit(x[order, None], y[order], sample_weight=w[order])
        schemes.add(fitted.scheme_.to_json())
    assert len(schemes) == 1


@pytest.mark.parametrize("smoothing", ["laplace", "m"])
@pytest.mark.parametrize("weights", [[0.1, 0.2, 0.3], [1.0, 2.0**-53, 2.0**-53], [*BELOW_ONE]])
def test_the_shares_of_classes_do_not_depend_on_their_order(weights, smoothing):
    total = float(sum(map(Fraction, weights)))
    for order in itertools.permutations(weights):
        of_class = np.array(order)
        tables = estimate(Counts(of_class, of_class[np.newaxis], np.array([0, 1])), smoothing, 1.0)
        shares = of_class / total if smoothing == "laplace" else (of_class + 1.0 / 3) / (total + 1.0)
        assert tables.log_prior.tobytes() == kernels.elementary.log_of(shares).tobytes()
