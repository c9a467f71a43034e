"""Every estimator of the registry with some settings, for the tests of what they all promise."""

from __future__ import annotations

from cutwise.classify.bayes.contributions import AdditiveModel
from cutwise.registry import DISCRETIZERS, entries, load


def instances(groups, **settings):
    """Estimators of some groups, each with all of its settings: as it is where none are given, not at all for []."""
    return [load(entry)(**kinds) for entry in entries(groups) for kinds in settings.get(entry.name, [{}])]


def is_additive(classifier):
    """Whether the score of a class is a sum over attributes."""
    return isinstance(classifier, AdditiveModel) and type(classifier)._parts is not AdditiveModel._parts


def for_two_classes(estimator):
    """Whether it learns from rows of two classes only."""
    tags = estimator.__sklearn_tags__().classifier_tags
    return tags is not None and not tags.multi_class


def discretizers(*groups):
    return instances(
        groups,
        MRmDDiscretizer=[{}, {"search": "exact"}],
        AmevaDiscretizer=[{"all_classes": True}],
        MODLDiscretizer=[{}, {"max_candidates": 3}],
        EqualWidthDiscretizer=[{"n_bins": 4}],
        EqualFrequencyDiscretizer=[{"n_bins": 3}],
        FixedFrequencyDiscretizer=[{"size": 5}],
        FixedCutsDiscretizer=[{"cuts": [-1.5, 0.0, 12.0]}],
        # It learns nothing.
        FixedSchemeDiscretizer=[],
        Chi2Discretizer=[{"max_inconsistency": 0.1}],
        JointDiscretizer=[{}, {"prune_for": "naive_bayes"}],
        EMDDiscretizer=[{"population": 10, "max_evaluations": 300, "random_state": 0}],
    )


# One column at a time, from the class.
SUPERVISED = discretizers("supervised")
# Without a look at the class.
UNSUPERVISED = discretizers("unsupervised")
# Not learned.
BY_HAND = discretizers("given")
# All columns at once.
JOINT = discretizers("joint")

ONE_BY_ONE = [*SUPERVISED, *UNSUPERVISED, *BY_HAND]
EVERY = discretizers(*DISCRETIZERS)
