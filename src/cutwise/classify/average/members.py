"""Which classifiers are averaged, and how each is learned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.classify.additive.additive import AdditiveClassifier
from cutwise.classify.additive.on_codes import AdditiveOnCodes
from cutwise.classify.base import code_counts
from cutwise.classify.bayes.aode import AODEClassifier
from cutwise.classify.bayes.logistic import PreconditionedLogisticClassifier
from cutwise.classify.bayes.pairs import BYTES_A_COUNT
from cutwise.classify.trees.forest import ForestOnCodes
from cutwise.discretize.mdlp import MDLPDiscretizer
from cutwise.discretize.mrmd import MRmDDiscretizer
from cutwise.discretize.unsupervised import EqualFrequencyDiscretizer
from cutwise.scheme import NumericAttribute, encode_columns

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from cutwise.persist import ClassifierModel
    from cutwise.scheme import Scheme

# What a member may be.
KINDS: tuple[type[ClassifierModel], ...] = (
    AdditiveOnCodes,
    AODEClassifier,
    PreconditionedLogisticClassifier,
    ForestOnCodes,
)
FREQUENCIES = (3, 5, 7, 10)
FINE_GRID = 255
# AODE is left out where its table of pairs would take more.
MAX_PAIR_BYTES = 2**27


@dataclass(frozen=True, eq=False)
class Member:
    """A classifier and its share of the mean.

    Parameters
    ----------
    name : str
    share : float
    scheme : Scheme
        The bins that it learned from.
    classifier : ClassifierModel
        A fitted classifier of their codes.
    """

    name: str
    share: float
    scheme: Scheme
    classifier: Any

    @property
    def is_sum(self) -> bool:
        """Whether its score is a sum over columns."""
        return not isinstance(self.classifier, AODEClassifier | ForestOnCodes)


@dataclass(frozen=True, eq=False)
class LearningRows:
    """What the members learn from, and how columns are cut for them."""

    X: Any
    data: Any
    names: list[str]
    target: NDArray[Any]
    weights: NDArray[np.float64] | None
    settings: Mapping[str, Any]
    seed: int

    @property
    def options(self) -> dict[str, Any]:
        """What ``fit`` is told beside table and classes."""
        return {} if self.weights is None else {"sample_weight": self.weights}


Group = list[tuple[str, "Scheme", Any]]


def learn_members(rows: LearningRows, *, exportable: bool, report: Callable[[str], None]) -> tuple[Member, ...]:
    """Return the members; each group has the same share, and so has each member of a group."""
    groups: list[Group] = [_additive(rows, "additive"), _additive(rows, "additive with pairs", pairs=PAIRS)]
    report("additive")
    schemes = _schemes(rows)
    if exportable:
        groups.append(_on_bins(rows, schemes, PreconditionedLogisticClassifier, "logistic regression"))
    else:
        groups += _forests(rows)
        report("trees")
        groups.append(_on_bins(rows, schemes, AODEClassifier, "AODE"))
    kept = [group for group in groups if group]
    return tuple(
        Member(name, 1.0 / (len(kept) * len(group)), scheme, classifier)
        for group in kept
        for name, scheme, classifier in group
    )
