"""The joint discretizer: penalised jumps of a logistic model of bins."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from cutwise import DiscretizedClassifier, JointDiscretizer, NaiveBayesClassifier, Scheme


def signal(n_rows=600, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 4))
    return X, (X[:, 0] + (X[:, 1] > 0.5) + rng.normal(size=n_rows) > 0).astype(int)


def test_columns_of_noise_get_no_cut():
    rng = np.random.default_rng(1)
    fitted = JointDiscretizer().fit(rng.normal(size=(2000, 100)), rng.integers(0, 2, 2000))
    assert sum(cuts.size > 0 for cuts in fitted.cuts_) <= 3


def test_the_path_is_learned():
    X, y = signal()
    fitted = JointDiscretizer().fit(X, y)
    assert fitted.penalty_ in fitted.penalties_
    place = fitted.penalties_.tolist().index(fitted.penalty_)
    assert fitted.path_cuts_[place] == sum(cuts.size for cuts in fitted.cuts_) > 0
    assert fitted.path_losses_.shape == fitted.path_errors_.shape == fitted.penalties_.shape
    assert fitted.path_losses_[place] < fitted.path_losses_[0]
    least = JointDiscretizer(choice="min").fit(X, y)
    assert least.penalty_ == least.penalties_[np.argmin(least.path_losses_)]
    assert least.penalty_ <= fitted.penalty_


def test_the_scheme_says_when_each_cut_entered():
    X, y = signal()
    scheme = JointDiscretizer().fit(X, y).scheme_
    first = scheme["x0"]
    assert scheme.criterion == "entry penalty"
    assert first.stop == "penalty"
    assert sorted(step.cut for step in first.steps) == list(first.cuts)
    assert first.score == first.steps[0].score == max(step.score for step in first.steps)
    assert 0 < first.refused.score < first.score
    assert Scheme.from_json(scheme.to_json()) == scheme


def test_a_number_of_cuts_is_kept_over_all_columns():
    X, y = signal()
    for number in (0, 1, 5):
        fitted = JointDiscretizer(number).fit(X, y)
        assert sum(cuts.size for cuts in fitted.cuts_) == number
        assert fitted.path_losses_.size == 0


def test_categories_missing_and_special_values_take_part():
    rng = np.random.default_rng(2)
    group = rng.choice(["a", "b", "c"], 500)
    x = rng.normal(size=500)
    y = (group == "a") ^ (rng.random(500) < 0.1)
    # Without the group, x tells of the class.
    frame = pd.DataFrame({"group": group, "x": x + 2 * (group == "a")})
    frame.loc[::17, "x"] = np.nan
    frame.loc[::19, "x"] = -999
    together = JointDiscretizer(special_values={"x": [-999]}).fit(frame, y)
    alone = JointDiscretizer(special_values=[-999]).fit(frame[["x"]], y)
    assert together.cuts_[1].size < alone.cuts_[0].size
    assert together.scheme_["group"].score > together.scheme_["x"].score
    assert together.scheme_["group"].stop == "nominal"


@pytest.mark.parametrize("direction", ["increasing", "decreasing", "auto"])
def test_class_rates_never_turn(direction):
    X, y = signal()
    X[:, 2] = -X[:, 0] + 0.5 * X[:, 2]
    fitted = JointDiscretizer(monotonic=direction).fit(X, y)
    for attribute in fitted.scheme_.attributes:
        rates = [counts[1] / sum(counts) for counts in attribute.class_counts]
        assert rates in (sorted(rates), sorted(rates, reverse=True))
    renamed = JointDiscretizer(monotonic=direction).fit(X, np.array(["no", "yes"])[y])
    assert [cuts.tolist() for cuts in renamed.cuts_] == [cuts.tolist() for cuts in fitted.cuts_]


def test_a_direction_needs_two_classes():
    X, y = signal()
    with pytest.raises(ValueError, match="the target y has 3 classes"):
        JointDiscretizer(monotonic="auto").fit(X, y + (X[:, 3] > 1))


def test_few_rows_have_no_cut():
    fitted = JointDiscretizer().fit([[1.0], [2.0], [3.0]], [0, 1, 1])
    assert fitted.cuts_[0].size == 0
    assert fitted.penalty_ == fitted.penalties_[0]


def repeated_evidence(n_rows=600, seed=0):
    """One signal, told by five columns."""
    rng = np.random.default_rng(seed)
    signal = rng.normal(size=(n_rows, 1))
    return signal + 0.1 * rng.normal(size=(n_rows, 5)), (signal[:, 0] + rng.normal(size=n_rows) > 0).astype(int)


def test_cuts_that_tell_naive_bayes_the_same_again_are_dropped():
    X, y = repeated_evidence()
    every, pruned = (JointDiscretizer(prune_for=name).fit(X, y) for name in (None, "naive_bayes"))
    assert all(set(few) <= set(many) for few, many in zip(pruned.cuts_, every.cuts_, strict=True))
    assert 0 < sum(cuts.size for cuts in pruned.cuts_) < sum(cuts.size for cuts in every.cuts_)
    assert pruned.penalty_ == every.penalty_
    assert pruned.path_cuts_.tolist() == every.path_cuts_.tolist()
    new_X, new_y = repeated_evidence(4000, seed=1)
    losses = []
    for discretizer in (every, pruned):
        model = DiscretizedClassifier(discretizer, NaiveBayesClassifier()).fit(X, y)
        losses.append(-model.predict_log_proba(new_X)[np.arange(new_y.size), new_y].mean())
    assert losses[1] < losses[0] - 0.02


def test_the_scheme_tells_what_was_dropped():
    X, y = repeated_evidence()
    every, pruned = (JointDiscretizer(prune_for=name).fit(X, y).scheme_ for name in (None, "naive_bayes"))
    assert "prune_for" not in every.parameters
    assert pruned.parameters["prune_for"] == "naive_bayes"
    assert Scheme.from_json(pruned.to_json()) == pruned
    shorter = [
        (one, other) for one, other in zip(pruned.attributes, every.attributes, strict=True) if one.cuts != other.cuts
    ]
    assert shorter
    for one, other in shorter:
        assert one.stop == "pruned"
        assert sorted(step.cut for step in one.steps) == list(one.cuts)
        first_dropped = next(step for step in other.steps if step.cut not in one.cuts)
        assert (one.refused.cut, one.refused.score) == (first_dropped.cut, first_dropped.score)
    assert all(
        one == other for one, other in zip(pruned.attributes, every.attributes, strict=True) if one.cuts == other.cuts
    )


def test_limits_hold_for_what_is_left():
    X, y = repeated_evidence()
    settings = {"max_bins": 4, "min_bin_size": 0.1, "monotonic": "increasing", "event": 1}
    every, pruned = (JointDiscretizer(prune_for=name, **settings).fit(X, y) for name in (None, "naive_bayes"))
    assert sum(cuts.size for cuts in pruned.cuts_) < sum(cuts.size for cuts in every.cuts_)
    for attribute in pruned.scheme_.attributes:
        rates = [counts[1] / sum(counts) for counts in attribute.class_counts]
        assert rates == sorted(rates)
        assert min(map(sum, attribute.class_counts)) >= 60
        assert len(attribute.cuts) < 4


def test_a_system_keeps_for_whom_cuts_are_dropped():
    X, y = repeated_evidence()
    model = DiscretizedClassifier(JointDiscretizer(prune_for="naive_bayes"), NaiveBayesClassifier()).fit(X, y)
    again = DiscretizedClassifier.from_json(model.to_json())
    assert again.discretizer.prune_for == "naive_bayes"
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))
    assert "prune_for" not in DiscretizedClassifier(JointDiscretizer(), NaiveBayesClassifier()).fit(X, y).to_json()


def test_an_unknown_classifier_is_refused_with_a_hint():
    with pytest.raises(ValueError, match=r"'prune_for' parameter .* Did you mean 'naive_bayes'"):
        JointDiscretizer(prune_for="naive-bayes").fit([[1.0], [2.0]], [0, 1])
