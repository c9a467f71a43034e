"""Which classifiers are averaged, and how each is learned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.classify.additive.additive import AdditiveClassifier
from cutwise.classify.additive.on_codes import AdditiveOnCodes
from cutwise.classify.average.shares import choose_shares, fit_codes
from cutwise.classify.base import code_counts
from cutwise.classify.bayes.aode import AODEClassifier
from cutwise.classify.bayes.pairs import BYTES_A_COUNT
from cutwise.classify.bayes.weighted import PreconditionedLogisticClassifier
from cutwise.classify.trees.forest import ForestOnCodes
from cutwise.discretize.mdlp import MDLPDiscretizer
from cutwise.discretize.mrmd import MRmDDiscretizer
from cutwise.discretize.unsupervised import FrequencyGrid
from cutwise.scheme import Scheme, encode_columns

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from cutwise.classify.average.on_disk import RowsOfTable
    from cutwise.classify.average.shares import Learned
    from cutwise.persist import ClassifierModel

# What a member may be, by the name of its class.
KINDS: dict[str, type[ClassifierModel]] = {
    kind.__name__: kind for kind in (AdditiveOnCodes, AODEClassifier, PreconditionedLogisticClassifier, ForestOnCodes)
}
# Bins cut by the classes, and the numbers of those of equal frequency beside them.
BY_CLASS = {"MRmD": MRmDDiscretizer, "MDLP": MDLPDiscretizer}
FREQUENCIES = (3, 5, 7, 10)
# The grid of the trees, and its name among the bins.
FINE_GRID, FINE = 255, "fine grid"
N_TREES = 100
N_PAIRS = 20
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

    def cut(self, discretizer: Any) -> Scheme:
        """Return the bins that a discretizer finds."""
        found: Scheme = discretizer.set_params(**self.settings).fit(self.X, self.target, **self.options).scheme_
        return found

    def codes(self, scheme: Scheme) -> NDArray[np.int32]:
        """Return the codes of the rows."""
        return encode_columns(scheme, self.data, self.names)

    def additive(self) -> tuple[Learned, Learned]:
        """Return an additive model, and one with pairs on the same bins."""
        model = AdditiveClassifier(**self.settings)
        _, discretizer, begun = model._begin(self.X, self.target, self.weights)  # noqa: SLF001
        meaning = self.settings["weights"]
        return additive_members(
            discretizer.scheme_, lambda pairs: AdditiveOnCodes(weights=meaning).finish(begun, pairs)
        )


def discretizers(*, exportable: bool) -> dict[str, Any]:
    """Return those whose bins the members have beside the additive models, by name."""
    by_class = {name: discretizer() for name, discretizer in BY_CLASS.items()}
    few = {**by_class, **{f"{n} bins": FrequencyGrid(n) for n in FREQUENCIES}}
    return few if exportable else {**few, FINE: FrequencyGrid(FINE_GRID)}


def learn_members(
    rows: LearningRows | RowsOfTable, schemes: Mapping[str, Scheme], random_state: int
) -> tuple[tuple[Member, ...], float]:
    """Return the members, those of a group with the same share each, and the power of their mean."""
    groups = [[member] for member in rows.additive()]
    few = {name: scheme for name, scheme in schemes.items() if name != FINE}
    n_classes = np.unique(rows.target).size
    use_pairs = FINE in schemes and sum(_pair_bytes(scheme, n_classes) for scheme in few.values()) <= MAX_PAIR_BYTES
    kind = AODEClassifier if use_pairs else PreconditionedLogisticClassifier
    groups.append([_on_bins(rows, name, scheme, kind) for name, scheme in few.items()])
    if FINE in schemes:
        groups += [[_forest(rows, schemes[FINE], kind, random_state)] for kind in ("extra", "forest")]
    # Bins that were cut by the classes of all rows know those that are left out.
    knowing = [schemes[name] for name in BY_CLASS]
    chosen = choose_shares(rows, groups, knowing, sharpen=FINE in schemes)
    members = tuple(
        Member(name, share / len(group), scheme, classifier)
        for share, group in zip(chosen.shares, groups, strict=True)
        for name, scheme, classifier in group
    )
    return members, chosen.sharpness


def additive_members(scheme: Scheme, learn: Callable[[int], AdditiveOnCodes]) -> tuple[Learned, Learned]:
    """Return an additive model, and one with pairs on the same bins; where no pair is found, the two are one."""
    paired = learn(N_PAIRS)
    plain = learn(0) if paired.grids_.n_pairs else paired
    return ("additive", scheme, plain), ("additive with pairs", scheme, paired)


def _on_bins(rows: LearningRows | RowsOfTable, name: str, scheme: Scheme, kind: type[Any]) -> Learned:
    classifier = kind(n_bins=code_counts(scheme), weights=rows.settings["weights"])
    words = "AODE" if kind is AODEClassifier else "logistic regression"
    return f"{words} on {name}", scheme, _fitted(rows, scheme, classifier)


def _forest(rows: LearningRows | RowsOfTable, scheme: Scheme, kind: Any, random_state: int) -> Learned:
    forest = ForestOnCodes(kind=kind, n_trees=N_TREES, random_state=random_state, weights=rows.settings["weights"])
    name = {"extra": "extremely randomised trees", "forest": "random forest"}[kind]
    return name, scheme, _fitted(rows, scheme, forest)


def _fitted(rows: LearningRows | RowsOfTable, scheme: Scheme, classifier: Any) -> Any:
    return fit_codes(classifier, scheme, rows.codes(scheme), rows.target, rows.options.get("sample_weight"))


def _pair_bytes(scheme: Scheme, n_classes: int) -> int:
    """Return the bytes of AODE's table of pairs."""
    n_bins = np.array(code_counts(scheme), dtype=np.float64)
    return int((n_bins.sum() ** 2 - (n_bins**2).sum()) / 2 * n_classes * BYTES_A_COUNT)
