"""The methods by name, which of them are run together, and on what."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from cutwise import discretize
from cutwise.classify import bayes
from cutwise.classify.trees import C45Classifier
from cutwise.paper import yardsticks
from cutwise.paper.datasets.loading import load
from cutwise.paper.evaluate.cells import RAW, CellTask
from cutwise.paper.evaluate.measure import Measure, NamedMethods
from cutwise.paper.table import AUTO, CHOSEN, GIVEN
from cutwise.paper.yardsticks import tuned_mrmd

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cutwise.paper.evaluate.measure import FoldProtocol


def _cut(make: Callable[..., Any], X: Any, y: Any, seed: int) -> Any:  # noqa: ARG001 every maker takes them
    """Return a discretizer that uses no random numbers."""
    return make()


def _cut_seeded(make: Callable[..., Any], X: Any, y: Any, seed: int) -> Any:  # noqa: ARG001
    """Return a discretizer with its random numbers begun."""
    return make(random_state=seed)


def mr_t(X: Any, y: Any, seed: int) -> Any:
    """Return maximal relevance limited, in each attribute, to twice the cuts of MRmD on the same rows."""
    found = _MRMD(validation="holdout", random_state=seed).fit(X, y)
    return _MAX_RELEVANCE(max_cuts=[2 * cuts.size for cuts in found.cuts_])


def _classify(make: Callable[..., Any], n_bins: list[int], seed: int) -> Any:  # noqa: ARG001
    """Return a classifier that knows the numbers of bins."""
    return make(n_bins=n_bins)


def c45_on_codes(n_bins: list[int], seed: int) -> Any:  # noqa: ARG001
    """Return C4.5 with a branch for each bin."""
    return C45Classifier(nominal="all")


# The paper tests no cut.
_MRMD = partial(discretize.MRmDDiscretizer, confirm=None)
_MAX_RELEVANCE = partial(discretize.MaxRelevanceDiscretizer, confirm=None)
DISCRETIZERS: dict[str, Callable[[Any, Any, int], Any]] = {
    "mrmd": partial(_cut_seeded, partial(_MRMD, validation="holdout")),
    "mrmd-crossfit": partial(_cut_seeded, partial(_MRMD, validation="crossfit")),
    "mrmd-expected": partial(_cut, partial(_MRMD, validation="expected")),
    "mrmd-exact": partial(_cut_seeded, partial(_MRMD, validation="holdout", search="exact")),
    "mrmd-crossfit-exact": partial(_cut_seeded, partial(_MRMD, validation="crossfit", search="exact")),
    "mrmd-expected-exact": partial(_cut, partial(_MRMD, validation="expected", search="exact")),
    "mdmd": partial(_cut, discretize.MDmDDiscretizer),
    # The paper ran KEEL's default, which goes on until there are as many bins as classes.
    "ameva": partial(_cut, partial(discretize.AmevaDiscretizer, all_classes=True, confirm=None)),
    "ameva-plain": partial(_cut, partial(discretize.AmevaDiscretizer, confirm=None)),
    "caim": partial(_cut, partial(discretize.CAIMDiscretizer, confirm=None)),
    "cacc": partial(_cut, partial(discretize.CACCDiscretizer, confirm=None)),
    "mdlp": partial(_cut, partial(discretize.MDLPDiscretizer, confirm=None)),
    "chimerge": partial(_cut, discretize.ChiMergeDiscretizer),
    "modified-chi2": partial(_cut, discretize.ModifiedChi2Discretizer),
    "pkid": partial(_cut, discretize.PKIDDiscretizer),
    "equal-frequency": partial(_cut, partial(discretize.EqualFrequencyDiscretizer, 10)),
    "equal-width": partial(_cut, partial(discretize.EqualWidthDiscretizer, 10)),
    "modl": partial(_cut, partial(discretize.MODLDiscretizer, confirm=None)),
    "cadd": partial(_cut, discretize.CADDDiscretizer),
    "emd": partial(_cut_seeded, discretize.EMDDiscretizer),
    "mr-o": partial(_cut, _MAX_RELEVANCE),
    "mr-c": partial(_cut, partial(_MAX_RELEVANCE, max_cuts="classes")),
    "mr-t": mr_t,
}
# MRmD with other weights of the number of cuts, given and chosen inside the training rows.
OTHER_MRMD: dict[str, Callable[[Any, Any, int], Any]] = {
    **{name: partial(_cut_seeded, partial(_MRMD, n_d=value, validation="holdout")) for value, name in GIVEN.items()},
    CHOSEN["nb"]: partial(tuned_mrmd, bayes.NaiveBayesClassifier()),
    CHOSEN["c45"]: partial(tuned_mrmd, C45Classifier(nominal="all")),
    AUTO["nb"]: partial(_cut, partial(_MRMD, n_d="auto")),
    AUTO["c45"]: partial(yardsticks.auto_mrmd, C45Classifier(nominal="all")),
}
# What the paper did not have.
NEWER: dict[str, Callable[[Any, Any, int], Any]] = {
    "joint": partial(_cut, discretize.JointDiscretizer),
    "joint-nb": partial(_cut, partial(discretize.JointDiscretizer, prune_for="naive_bayes")),
}
CLASSIFIERS: dict[str, Callable[[list[int], int], Any]] = {
    "nb": partial(_classify, bayes.NaiveBayesClassifier),
    "nb-m": partial(_classify, partial(bayes.NaiveBayesClassifier, smoothing="m")),
    "c45": c45_on_codes,
    "wanbia": partial(_classify, bayes.WANBIAClassifier),
    "cawnb": partial(_classify, bayes.CAWNBClassifier),
    "aiwnb-l": partial(_classify, partial(bayes.AIWNBClassifier, mode="lazy")),
    "aiwnb-e": partial(_classify, partial(bayes.AIWNBClassifier, mode="eager")),
    "rnb": partial(_classify, bayes.RNBClassifier),
    "rnb-published": partial(_classify, partial(bayes.RNBClassifier, gradient="published")),
    "aode": partial(_classify, bayes.AODEClassifier),
    "plr": partial(_classify, bayes.PreconditionedLogisticClassifier),
}
RAW_CLASSIFIERS: dict[str, Callable[[int], Any]] = {
    "c45": yardsticks.c45,
    "forest": yardsticks.forest,
    "forest-500": partial(yardsticks.forest, n_trees=500),
    "boosting": yardsticks.boosting,
    "boosting-tuned": yardsticks.boosting_tuned,
    "ebm": yardsticks.ebm,
    "average": yardsticks.average,
    "rvfl": yardsticks.rvfl,
    "rvfl-tuned": yardsticks.rvfl_tuned,
    "resnet": yardsticks.resnet,
    "ftt": yardsticks.ftt,
    "additive": yardsticks.additive,
    "additive-pairs": partial(yardsticks.additive, pairs=20),
    "cutwise": yardsticks.cutwise,
    "cutwise-exportable": partial(yardsticks.cutwise, exportable=True),
}
METHODS = NamedMethods(DISCRETIZERS | OTHER_MRMD | NEWER, CLASSIFIERS, RAW_CLASSIFIERS)

# Which classifiers are measured on which bins, besides naive Bayes and C4.5 on all of them.
_MORE = {
    "mdlp": ("nb-m", "wanbia", "cawnb", "aiwnb-l", "aiwnb-e", "rnb"),
    "mrmd": ("nb-m", "rnb", "aode", "plr"),
}
# Networks and tuned yardsticks, which take hours.
SLOW = ("forest-500", "boosting-tuned", "ebm", "rvfl-tuned", "resnet", "ftt")
# The library's own classifiers of raw tables, which are no part of the paper.
OWN = ("additive", "additive-pairs", "cutwise", "cutwise-exportable")
PLAN: dict[str, tuple[str, ...]] = {
    **{name: ("nb", "c45", *_MORE.get(name, ())) for name in DISCRETIZERS},
    RAW: tuple(name for name in RAW_CLASSIFIERS if name not in (*SLOW, *OWN)),
}
# Measured only when they are named, or when a pattern fits nothing else.
REQUEST_PLAN: dict[str, tuple[str, ...]] = {
    RAW: (*SLOW, *OWN),
    "mdlp": ("rnb-published",),
    "mrmd": ("rnb-published",),
    "emd": ("rnb", "aode", "plr"),
    **dict.fromkeys(OTHER_MRMD, ("nb", "c45", "rnb")),
    **dict.fromkeys(NEWER, ("nb", "c45", "rnb", "aode", "plr")),
}
# Small data sets, and what takes too long even on them: EMD and the yardsticks on raw tables.
QUICK = ("appendicitis", "bupa", "glass", "haberman", "hayes", "heart", "iris", "newthyroid", "tae", "wine")
NOT_QUICK = ("emd", "average", "boosting", "forest", "rvfl")


def work(protocol: FoldProtocol) -> Measure:
    """Return what measures a task; tables come as pandas frames, which all methods take."""
    return Measure(partial(load, frame="pandas"), METHODS, protocol)


def tasks(
    datasets: Sequence[str], plan: Mapping[str, tuple[str, ...]] = PLAN, repeats: int = 1, n_folds: int = 10
) -> list[CellTask]:
    """Return all that there is to do, tasks of one fold beside each other."""
    return [
        CellTask(dataset, discretizer, repeat, fold, classifiers)
        for dataset in datasets
        for repeat in range(repeats)
        for fold in range(n_folds)
        for discretizer, classifiers in plan.items()
    ]
