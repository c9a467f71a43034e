"""The methods by name, which of them are run together, and on what; and classifiers of raw tables to compare with."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier, VotingClassifier
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder

from cutwise import discretize
from cutwise.classify import DiscretizedClassifier, bayes
from cutwise.classify.bayes import AODEClassifier, PreconditionedLogisticClassifier
from cutwise.classify.networks import RVFLClassifier
from cutwise.classify.trees import C45Classifier
from cutwise.discretize import EqualFrequencyDiscretizer, MDLPDiscretizer, MRmDDiscretizer
from cutwise.paper.datasets.loading import load
from cutwise.paper.evaluate.cells import RAW, CellTask
from cutwise.paper.evaluate.measure import Measure, NamedMethods
from cutwise.paper.table import CHOSEN, GIVEN

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cutwise.paper.evaluate.measure import FoldProtocol


def forest(seed: int) -> Any:
    """Return scikit-learn's random forest; categories, and a missing one, become 0/1 columns."""
    encoder = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), make_column_selector(dtype_exclude="number")),
        remainder="passthrough",
    )
    return make_pipeline(encoder, RandomForestClassifier(random_state=seed))


def boosting(seed: int) -> Any:
    """Return scikit-learn's histogram gradient boosting; categories are told to it as such."""
    encoder = make_column_transformer(
        (
            OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1),
            make_column_selector(dtype_exclude="number"),
        ),
        remainder="passthrough",
        verbose_feature_names_out=False,
    )
    return make_pipeline(encoder, HistGradientBoostingClassifier(random_state=seed))


class TwoOnCodes(ClassifierMixin, BaseEstimator):
    """The mean of the probabilities of AODE and of preconditioned logistic regression on the same codes."""

    def __init__(self, n_bins: Any = None) -> None:
        self.n_bins = n_bins

    def fit(self, X: Any, y: Any) -> Self:
        """Learn both."""
        members = AODEClassifier(n_bins=self.n_bins), PreconditionedLogisticClassifier(n_bins=self.n_bins)
        self.members_ = [member.fit(X, y) for member in members]
        self.classes_ = self.members_[0].classes_
        return self

    def predict_proba(self, X: Any) -> Any:
        """Return the mean."""
        return np.mean([member.predict_proba(X) for member in self.members_], axis=0)

    def predict(self, X: Any) -> Any:
        """Return the most probable class."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def average(seed: int) -> Any:
    """Return the mean of AODE's and preconditioned logistic regression's posteriors over six discretizations."""
    discretizers = {
        "mrmd": MRmDDiscretizer(random_state=seed),
        "mdlp": MDLPDiscretizer(),
        **{f"frequency{n}": EqualFrequencyDiscretizer(n) for n in (3, 5, 7, 10)},
    }
    members = [(name, DiscretizedClassifier(discretizer, TwoOnCodes())) for name, discretizer in discretizers.items()]
    return VotingClassifier(members, voting="soft")


def c45(seed: int) -> Any:  # noqa: ARG001 every maker takes a seed
    """Return C4.5 with its own binary questions about numbers."""
    return C45Classifier()


def rvfl(seed: int) -> Any:
    """Return ensemble deep RVFL with its default settings."""
    return RVFLClassifier(random_state=seed)


def rvfl_tuned(seed: int) -> Any:
    """Return ensemble deep RVFL, tuned by cross-validation inside the training rows."""
    return RVFLClassifier(tune=True, random_state=seed)


def resnet(seed: int) -> Any:
    """Return ResNet with its default settings."""
    from cutwise import ResNetClassifier  # noqa: PLC0415  # loads PyTorch

    return ResNetClassifier(random_state=seed)


def ftt(seed: int) -> Any:
    """Return FT-Transformer with its default settings."""
    from cutwise import FTTransformerClassifier  # noqa: PLC0415  # loads PyTorch

    return FTTransformerClassifier(random_state=seed)


N_TUNING_FOLDS = 5


def tuned_mrmd(classifier: Any, X: Any, y: Any, seed: int) -> MRmDDiscretizer:
    """Return MRmD with the N_D whose bins let a classifier predict best rows that it did not learn from.

    Of equally good ones the smallest is taken, which cuts least.
    """
    bins = MRmDDiscretizer(validation="holdout", random_state=seed)
    folds = StratifiedKFold(N_TUNING_FOLDS, shuffle=True, random_state=seed)
    search = GridSearchCV(
        DiscretizedClassifier(bins, classifier), {"discretizer__n_d": [*GIVEN]}, cv=folds, refit=False
    )
    bins.n_d = search.fit(X, y).best_params_["discretizer__n_d"]
    return bins


def _cut(make: Callable[..., Any], X: Any, y: Any, seed: int) -> Any:  # noqa: ARG001 every maker takes them
    """Return a discretizer that uses no random numbers."""
    return make()


def _cut_seeded(make: Callable[..., Any], X: Any, y: Any, seed: int) -> Any:  # noqa: ARG001
    """Return a discretizer with its random numbers begun."""
    return make(random_state=seed)


def mr_t(X: Any, y: Any, seed: int) -> Any:
    """Return maximal relevance limited, in each attribute, to twice the cuts of MRmD on the same rows."""
    found = discretize.MRmDDiscretizer(validation="holdout", random_state=seed).fit(X, y)
    return discretize.MaxRelevanceDiscretizer(max_cuts=[2 * cuts.size for cuts in found.cuts_])


def _classify(make: Callable[..., Any], n_bins: list[int], seed: int) -> Any:  # noqa: ARG001
    """Return a classifier that knows the numbers of bins."""
    return make(n_bins=n_bins)


def c45_on_codes(n_bins: list[int], seed: int) -> Any:  # noqa: ARG001
    """Return C4.5 with a branch for each bin."""
    return C45Classifier(nominal="all")


_MRMD = discretize.MRmDDiscretizer
DISCRETIZERS: dict[str, Callable[[Any, Any, int], Any]] = {
    "mrmd": partial(_cut_seeded, partial(_MRMD, validation="holdout")),
    "mrmd-crossfit": partial(_cut_seeded, partial(_MRMD, validation="crossfit")),
    "mrmd-expected": partial(_cut, partial(_MRMD, validation="expected")),
    "mrmd-exact": partial(_cut_seeded, partial(_MRMD, validation="holdout", search="exact")),
    "mrmd-crossfit-exact": partial(_cut_seeded, partial(_MRMD, validation="crossfit", search="exact")),
    "mrmd-expected-exact": partial(_cut, partial(_MRMD, validation="expected", search="exact")),
    "mdmd": partial(_cut, discretize.MDmDDiscretizer),
    # The paper ran KEEL's default, which goes on until there are as many bins as classes.
    "ameva": partial(_cut, partial(discretize.AmevaDiscretizer, all_classes=True)),
    "ameva-plain": partial(_cut, discretize.AmevaDiscretizer),
    "caim": partial(_cut, discretize.CAIMDiscretizer),
    "cacc": partial(_cut, discretize.CACCDiscretizer),
    "mdlp": partial(_cut, discretize.MDLPDiscretizer),
    "chimerge": partial(_cut, discretize.ChiMergeDiscretizer),
    "modified-chi2": partial(_cut, discretize.ModifiedChi2Discretizer),
    "pkid": partial(_cut, discretize.PKIDDiscretizer),
    "equal-frequency": partial(_cut, partial(discretize.EqualFrequencyDiscretizer, 10)),
    "equal-width": partial(_cut, partial(discretize.EqualWidthDiscretizer, 10)),
    "modl": partial(_cut, discretize.MODLDiscretizer),
    "cadd": partial(_cut, discretize.CADDDiscretizer),
    "emd": partial(_cut_seeded, discretize.EMDDiscretizer),
    "mr-o": partial(_cut, discretize.MaxRelevanceDiscretizer),
    "mr-c": partial(_cut, partial(discretize.MaxRelevanceDiscretizer, "classes")),
    "mr-t": mr_t,
}
# MRmD with other weights of the number of cuts, given and chosen inside the training rows.
OTHER_MRMD: dict[str, Callable[[Any, Any, int], Any]] = {
    **{name: partial(_cut_seeded, partial(_MRMD, value, validation="holdout")) for value, name in GIVEN.items()},
    CHOSEN["nb"]: partial(tuned_mrmd, bayes.NaiveBayesClassifier()),
    CHOSEN["c45"]: partial(tuned_mrmd, C45Classifier(nominal="all")),
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
    "c45": c45,
    "forest": forest,
    "boosting": boosting,
    "average": average,
    "rvfl": rvfl,
    "rvfl-tuned": rvfl_tuned,
    "resnet": resnet,
    "ftt": ftt,
}
METHODS = NamedMethods(DISCRETIZERS | OTHER_MRMD, CLASSIFIERS, RAW_CLASSIFIERS)

# Which classifiers are measured on which bins, besides naive Bayes and C4.5 on all of them.
_MORE = {
    "mdlp": ("nb-m", "wanbia", "cawnb", "aiwnb-l", "aiwnb-e", "rnb"),
    "mrmd": ("nb-m", "rnb", "aode", "plr"),
}
# Networks, which take hours without a GPU.
NETWORKS = ("rvfl-tuned", "resnet", "ftt")
PLAN: dict[str, tuple[str, ...]] = {
    **{name: ("nb", "c45", *_MORE.get(name, ())) for name in DISCRETIZERS},
    RAW: tuple(name for name in RAW_CLASSIFIERS if name not in NETWORKS),
}
# Measured only when they are named, or when a pattern fits nothing else.
REQUEST_PLAN: dict[str, tuple[str, ...]] = {
    RAW: NETWORKS,
    "mdlp": ("rnb-published",),
    "mrmd": ("rnb-published",),
    **dict.fromkeys(OTHER_MRMD, ("nb", "c45", "rnb")),
}
# Small data sets, and what takes too long even on them: EMD and the classifiers for raw tables.
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
