"""Which classifiers are averaged, and how each is learned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.classify.additive.additive import AdditiveClassifier
from cutwise.classify.additive.on_codes import AdditiveOnCodes
from cutwise.classify.base import code_counts
from cutwise.classify.bayes.aode import AODEClassifier
from cutwise.classify.bayes.pairs import BYTES_A_COUNT
from cutwise.classify.bayes.weighted import PreconditionedLogisticClassifier
from cutwise.classify.trees.forest import ForestOnCodes
from cutwise.discretize.mdlp import MDLPDiscretizer
from cutwise.discretize.mrmd import MRmDDiscretizer
from cutwise.discretize.unsupervised import FrequencyGrid
from cutwise.scheme import NumericAttribute, Scheme, encode_columns

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from cutwise.persist import ClassifierModel

# What a member may be, by the name of its class.
KINDS: dict[str, type[ClassifierModel]] = {
    kind.__name__: kind for kind in (AdditiveOnCodes, AODEClassifier, PreconditionedLogisticClassifier, ForestOnCodes)
}
# The bins of equal frequency beside those of MRmD and MDLP.
FREQUENCIES = (3, 5, 7, 10)
# The grid of the trees.
FINE_GRID = 255
N_TREES = 100
N_PAIRS = 20
# A mean of members that differ as much as trees and sums do is less sure than it might be: a power of it is not.
SHARPNESS = 1.25
# AODE's tables of pairs may take so many bytes together; else logistic regression stands in.
MAX_PAIR_BYTES = 2**28


@dataclass(frozen=True, eq=False)
class Member:
    """A classifier of the codes of a scheme, and its share of the mean.

    Parameters
    ----------
    name : str
        What it is, in a few words.
    share : float
        Those of all members add up to 1.
    scheme : Scheme
        The bins that it learned from.
    classifier : ClassifierModel
        Fitted.
    """

    name: str
    share: float
    scheme: Scheme
    classifier: Any

    @property
    def group(self) -> str:
        """What it has in common with other members: its name without its bins."""
        return self.name.split(" on ")[0]

    @property
    def is_sum(self) -> bool:
        """Whether its score is a sum over columns and pairs of columns."""
        return isinstance(self.classifier, AdditiveOnCodes | PreconditionedLogisticClassifier)


@dataclass(frozen=True, eq=False)
class LearningRows:
    """What the members learn from.

    Parameters
    ----------
    X : table or array
        As it came.
    data : table or array
        Checked.
    names : sequence of str
        The names of its columns.
    target : ndarray
        The class of each row.
    weights : ndarray or None
        How often each row counts.
    settings : mapping
        The parameters that all discretizers share.
    """

    X: Any
    data: Any
    names: Any
    target: NDArray[Any]
    weights: NDArray[np.float64] | None
    settings: Mapping[str, Any]

    @property
    def options(self) -> dict[str, Any]:
        """What ``fit`` is told beside table and classes."""
        return {} if self.weights is None else {"sample_weight": self.weights}

    def cut(self, discretizer: Any) -> CodedTable:
        """Return the bins that a discretizer finds, and the codes of the rows."""
        scheme = discretizer.set_params(**self.settings).fit(self.X, self.target, **self.options).scheme_
        return CodedTable(scheme, encode_columns(scheme, self.data, self.names))


@dataclass(frozen=True, eq=False)
class CodedTable:
    """A scheme and the codes of the training rows."""

    scheme: Scheme
    codes: NDArray[np.int32]


def learn_members(rows: LearningRows, *, exportable: bool, random_state: int) -> tuple[Member, ...]:
    """Return the members: every group has the same share, and every member of a group."""
    groups = [_additive(rows, "additive"), _additive(rows, "additive with pairs", pairs=N_PAIRS)]
    tables = {
        "MRmD": rows.cut(MRmDDiscretizer()),
        "MDLP": rows.cut(MDLPDiscretizer()),
        **{f"{n} bins": rows.cut(FrequencyGrid(n)) for n in FREQUENCIES},
    }
    n_classes = np.unique(rows.target).size
    use_pairs = (
        not exportable and sum(_pair_bytes(table.scheme, n_classes) for table in tables.values()) <= MAX_PAIR_BYTES
    )
    kind = AODEClassifier if use_pairs else PreconditionedLogisticClassifier
    groups.append([_on_bins(rows, name, table, kind) for name, table in tables.items()])
    if not exportable:
        fine = rows.cut(FrequencyGrid(FINE_GRID))
        groups += [[_forest(rows, fine, kind, random_state)] for kind in ("extra", "forest")]
    return tuple(
        Member(name, 1.0 / (len(groups) * len(group)), scheme, classifier)
        for group in groups
        for name, scheme, classifier in group
    )


Learned = tuple[str, Scheme, Any]


def _additive(rows: LearningRows, name: str, **settings: Any) -> list[Learned]:
    model = AdditiveClassifier(**rows.settings, **settings).fit(rows.X, rows.target, **rows.options)
    return [(name, model.scheme_, model.classifier_)]


def _on_bins(rows: LearningRows, name: str, table: CodedTable, kind: type[Any]) -> Learned:
    classifier = kind(n_bins=code_counts(table.scheme), weights=rows.settings["weights"])
    words = "AODE" if kind is AODEClassifier else "logistic regression"
    return f"{words} on {name}", table.scheme, classifier.fit(table.codes, rows.target, **rows.options)


def _forest(rows: LearningRows, table: CodedTable, kind: Any, random_state: int) -> Learned:
    scheme = table.scheme
    ordered = [len(a.cuts) + 1 if isinstance(a, NumericAttribute) else 0 for a in scheme.attributes]
    forest = ForestOnCodes(kind=kind, n_trees=N_TREES, random_state=random_state, weights=rows.settings["weights"])
    forest.fit(table.codes, rows.target, **rows.options, n_bins=code_counts(scheme), n_ordered=ordered)
    return {"extra": "extremely randomised trees", "forest": "random forest"}[kind], scheme, forest


def _pair_bytes(scheme: Scheme, n_classes: int) -> int:
    """Return the bytes of AODE's table of pairs."""
    n_bins = np.array(code_counts(scheme), dtype=np.float64)
    return int((n_bins.sum() ** 2 - (n_bins**2).sum()) / 2 * n_classes * BYTES_A_COUNT)
