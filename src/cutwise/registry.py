"""The public estimators, one line each, and names of packages that are loaded when they are first used.

The names that packages export, those of the command line, the reader of models, the API page and the
lists of the tests are made from here. Nothing is loaded before it is asked for.
"""

from __future__ import annotations

import importlib
import re
import sys
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping


class Entry(NamedTuple):
    """A public estimator.

    Parameters
    ----------
    name : str
        The name of the class.
    module : str
        Where the class is defined, below ``cutwise``.
    alias : str
        The name on the command line; empty if it cannot be chosen there.
    group : str
        A key of ``DISCRETIZERS`` or ``CLASSIFIERS``.
    text : str
        What it does, in a few words.
    extra : str, default=""
        The optional dependencies that it needs. It is then no part of ``__all__``.
    """

    name: str
    module: str
    alias: str
    group: str
    text: str
    extra: str = ""


# The groups, with their titles on the API page.
DISCRETIZERS = {
    "supervised": "Discretizers that look at the class, one column at a time",
    "joint": "Discretizers that look at all columns at once",
    "unsupervised": "Discretizers that do not look at the class",
    "given": "Discretizers with given cuts",
}
CLASSIFIERS = {
    "codes": "Classifiers for codes",
    "tables": "Classifiers for raw tables of mixed types",
}

ESTIMATORS: tuple[Entry, ...] = (
    Entry("MRmDDiscretizer", "discretize.mrmd", "mrmd", "supervised", "relevance against divergence"),
    Entry("MaxRelevanceDiscretizer", "discretize.mrmd", "max-relevance", "supervised", "relevance alone"),
    Entry("MDLPDiscretizer", "discretize.mdlp", "mdlp", "supervised", "minimum description length"),
    Entry("MODLDiscretizer", "discretize.mdlp", "modl", "supervised", "the most probable bins"),
    Entry("CAIMDiscretizer", "discretize.caim", "caim", "supervised", "largest class of each bin"),
    Entry("CACCDiscretizer", "discretize.caim", "cacc", "supervised", "contingency coefficient"),
    Entry("AmevaDiscretizer", "discretize.caim", "ameva", "supervised", "chi-square by number of bins"),
    Entry("ChiMergeDiscretizer", "discretize.chi2", "chimerge", "supervised", "merging by chi-square"),
    Entry("CADDDiscretizer", "discretize.caim", "cadd", "supervised", "class-attribute dependence"),
    Entry("Chi2Discretizer", "discretize.chi2", "chi2", "joint", "merging while the rows stay consistent"),
    Entry("ModifiedChi2Discretizer", "discretize.chi2", "modified-chi2", "joint", "Chi2 without a parameter"),
    Entry("ExtendedChi2Discretizer", "discretize.chi2", "extended-chi2", "joint", "Chi2 with bounded minorities"),
    Entry("EMDDiscretizer", "discretize.emd", "emd", "joint", "few cuts and few errors, by evolution"),
    Entry("MDmDDiscretizer", "discretize.mdmd", "mdmd", "joint", "cuts that are informative only jointly"),
    Entry("JointDiscretizer", "discretize.jumps", "joint", "joint", "the jumps that a logistic model of bins needs"),
    Entry("PKIDDiscretizer", "discretize.unsupervised", "pkid", "unsupervised", "as many bins as rows in a bin"),
    Entry(
        "FixedFrequencyDiscretizer",
        "discretize.unsupervised",
        "fixed-frequency",
        "unsupervised",
        "a given number of rows in a bin",
    ),
    Entry(
        "EqualFrequencyDiscretizer", "discretize.unsupervised", "equal-frequency", "unsupervised", "bins of equal size"
    ),
    Entry("EqualWidthDiscretizer", "discretize.unsupervised", "equal-width", "unsupervised", "bins of equal width"),
    Entry("FixedCutsDiscretizer", "discretize.fixed", "fixed-cuts", "given", "cuts that you give"),
    Entry("FixedSchemeDiscretizer", "discretize.fixed", "", "given", "a whole scheme as it is"),
    Entry("RNBClassifier", "classify.bayes.regularised", "rnb", "codes", "a mixture of both weightings"),
    Entry("NaiveBayesClassifier", "classify.bayes.naive", "nb", "codes", "naive Bayes"),
    Entry("WANBIAClassifier", "classify.bayes.weighted", "wanbia", "codes", "a weight for each attribute"),
    Entry("CAWNBClassifier", "classify.bayes.weighted", "cawnb", "codes", "a weight for each class and attribute"),
    Entry("AIWNBClassifier", "classify.bayes.instance_weighted", "aiwnb", "codes", "weights of attributes and rows"),
    Entry("AODEClassifier", "classify.bayes.aode", "aode", "codes", "averaged one-dependence estimators"),
    Entry(
        "PreconditionedLogisticClassifier",
        "classify.bayes.weighted",
        "plr",
        "codes",
        "logistic regression from the point of naive Bayes",
    ),
    Entry("C45Classifier", "classify.trees.c45", "c45", "tables", "a tree as Weka's J48 grows it"),
    Entry(
        "CutwiseClassifier", "classify.average.cutwise", "cutwise", "tables", "the mean of members that err differently"
    ),
    Entry("MRmDRNBClassifier", "classify.discretized", "", "tables", "the paper's system: MRmD, then RNB"),
    Entry(
        "AdditiveClassifier", "classify.additive.additive", "additive", "tables", "one shape for each column, together"
    ),
    Entry("ScorecardClassifier", "classify.scorecard.scorecard", "", "tables", "points that add up to a score"),
    Entry("DiscretizedClassifier", "classify.discretized", "", "tables", "any discretizer with any classifier"),
    Entry("RVFLClassifier", "classify.networks.rvfl", "", "tables", "ensemble deep RVFL"),
    Entry("ResNetClassifier", "classify.networks.deep.architectures", "", "tables", "a residual network", "networks"),
    Entry("FTTransformerClassifier", "classify.networks.deep.architectures", "", "tables", "a transformer", "networks"),
)


def entries(groups: Collection[str], *, extras: bool = False) -> list[Entry]:
    """Return the estimators of some groups; those that need an extra only if they are asked for."""
    return [entry for entry in ESTIMATORS if entry.group in groups and (extras or not entry.extra)]


def find(name: object, groups: Collection[str]) -> type[Any] | None:
    """Return the class of this name if one of the groups has it; those that need an extra are not found."""
    found = [entry for entry in entries(groups) if entry.name == name]
    return load(found[0]) if found else None


def load(entry: Entry) -> type[Any]:
    """Return the class of an entry."""
    found: type[Any] = getattr(importlib.import_module(f"cutwise.{entry.module}"), entry.name)
    return found


def homes(package: str = "", *, extras: bool = False) -> dict[str, str]:
    """Return the module of every estimator below a package, as seen from there.

    Parameters
    ----------
    package : str, default=""
        A package below ``cutwise``; empty for ``cutwise`` itself.
    extras : bool, default=False
        Return those that need an extra, not the others.

    Examples
    --------
    >>> homes("classify.trees")
    {'C45Classifier': 'c45'}
    """
    start = f"{package}." if package else ""
    chosen = [entry for entry in ESTIMATORS if entry.module.startswith(start) and bool(entry.extra) == extras]
    return {entry.name: entry.module.removeprefix(start) for entry in chosen}


def aliases(groups: Collection[str]) -> dict[str, Entry]:
    """Return the estimators of some groups by their names on the command line."""
    return {entry.alias: entry for entry in entries(groups) if entry.alias}


def all_discretizers() -> list[tuple[str, type[Any]]]:
    """Return every discretizer of the library.

    Returns
    -------
    list of (str, type)
        The name and the class of each, sorted by name.

    Examples
    --------
    >>> from cutwise import all_discretizers
    >>> [name for name, _ in all_discretizers()][:3]
    ['AmevaDiscretizer', 'CACCDiscretizer', 'CADDDiscretizer']
    """
    return _loaded(DISCRETIZERS)


def all_classifiers() -> list[tuple[str, type[Any]]]:
    """Return every classifier of the library.

    Classifiers that need an extra are listed where it is installed.

    Returns
    -------
    list of (str, type)
        The name and the class of each, sorted by name.

    Examples
    --------
    >>> from cutwise import all_classifiers
    >>> [name for name, _ in all_classifiers()][:3]
    ['AIWNBClassifier', 'AODEClassifier', 'AdditiveClassifier']
    """
    return _loaded(CLASSIFIERS)


def _loaded(groups: Collection[str]) -> list[tuple[str, type[Any]]]:
    found = []
    for entry in entries(groups, extras=True):
        try:
            found.append((entry.name, load(entry)))
        except ImportError:
            if not entry.extra:
                raise
    return sorted(found, key=lambda pair: pair[0])


def lazy_names(
    package: str,
    homes: Mapping[str, str] | None = None,
    modules: Iterable[str] = (),
    extras: Mapping[str, str] = MappingProxyType({}),
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return the ``__getattr__``, ``__dir__`` and ``__all__`` of a package.

    Parameters
    ----------
    package : str
        Its ``__name__``.
    homes : mapping of str to str, optional
        The module of each public name, below the package; by default as its stub, ``__init__.pyi``, imports them.
    modules : iterable of str
        Modules and folders of the package that are found by their name, too.
    extras : mapping of str to str
        The same as ``homes`` for names that need an optional dependency: they are found, but not in
        ``__all__``.

    Examples
    --------
    >>> get, listed, public = lazy_names("cutwise", {"Scheme": "scheme"}, modules=["errors"])
    >>> get("Scheme").__name__, get("errors").__name__, public
    ('Scheme', 'cutwise.errors', ['Scheme'])
    >>> get("Shceme")
    Traceback (most recent call last):
    AttributeError: module 'cutwise' has no attribute 'Shceme'
    """
    submodules = frozenset(modules)
    own = _homes_in_stub(package) if homes is None else homes
    known = {**own, **extras}

    def get(name: str) -> Any:
        if name in known:
            return getattr(importlib.import_module(f"{package}.{known[name]}"), name)
        if name in submodules:
            return importlib.import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def listed() -> list[str]:
        return sorted({*own, *submodules, *vars(importlib.import_module(package))})

    return get, listed, sorted(own)


def _homes_in_stub(package: str) -> dict[str, str]:
    with open(f"{sys.modules[package].__file__}i", encoding="utf-8") as stub:  # noqa: PTH123  # pathlib loads slowly
        found = re.findall(rf"^from {re.escape(package)}\.(\S+) import (\w+) as ", stub.read(), re.MULTILINE)
    return {name: module for module, name in found}
