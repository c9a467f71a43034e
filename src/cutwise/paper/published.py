"""What the paper published: accuracies, cut counts and rank sums, as printed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.paper.evaluate.cells import RAW
from cutwise.paper.evaluate.summary import MethodPair

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

N_FOLDS = 10
"""Folds behind each published figure."""

TITLES: Mapping[str, str] = MappingProxyType(
    {
        "naive-bayes": "Discretizers with naive Bayes",
        "c45": "Discretizers with C4.5",
        "classifiers": "Classifiers",
        "ablation": "Maximal relevance with other limits on the cuts, with naive Bayes",
    }
)
"""The paper's tables of accuracies, in its order."""

_DISCRETIZERS = MappingProxyType(
    {
        "Ameva": "ameva",
        "CAIM": "caim",
        "MDLP": "mdlp",
        "Modified Chi2": "modified-chi2",
        "PKID": "pkid",
        "EMD": "emd",
        "MRmD": "mrmd",
        "MR-C": "mr-c",
        "MR-T": "mr-t",
        "MR-O": "mr-o",
    }
)
_CLASSIFIERS = MappingProxyType(
    {
        "WANBIA": MethodPair("mdlp", "wanbia"),
        "CAWNB": MethodPair("mdlp", "cawnb"),
        "AIWNB-L": MethodPair("mdlp", "aiwnb-l"),
        "AIWNB-E": MethodPair("mdlp", "aiwnb-e"),
        "RNB": MethodPair("mdlp", "rnb"),
        "ResNet": MethodPair(RAW, "resnet"),
        "PWedRVFL": MethodPair(RAW, "rvfl-tuned"),
        "FTT": MethodPair(RAW, "ftt"),
        "MRmD-RNB": MethodPair("mrmd", "rnb"),
    }
)


@dataclass(frozen=True, eq=False)
class PublishedTable:
    """One of the paper's tables of accuracies, with the rank sums that belong to it.

    The standard deviations of the methods that were run in KEEL (all discretizers but MRmD)
    divide by the number of folds, those of the others by one less: on transfusion, where many
    methods predict the larger class in each fold, the former are 0.41 and the latter 0.43.

    Parameters
    ----------
    name : str
        A key of `TITLES`.
    datasets : tuple of str
        The names of the data sets' files, sorted.
    names : tuple of str
        The methods as the paper calls them, in its order.
    methods : tuple of Method
        The same in the names of the registry.
    accuracy, accuracy_std : ndarray of shape (n_datasets, n_methods)
        In percent, over ten folds.
    average : ndarray of shape (n_methods,)
        The printed averages of the accuracies.
    cuts, cuts_std : ndarray of shape (n_datasets, n_methods) or None
        Numbers of cuts, if the table has them.
    cuts_average : ndarray of shape (n_methods,) or None
        The printed averages of the numbers of cuts.
    rank_sums : ndarray of shape (n_methods, n_methods) or None
        The printed Wilcoxon rank sums, NaN on the diagonal.
    """

    name: str
    datasets: tuple[str, ...]
    names: tuple[str, ...]
    methods: tuple[MethodPair, ...]
    accuracy: NDArray[np.float64]
    accuracy_std: NDArray[np.float64]
    average: NDArray[np.float64]
    cuts: NDArray[np.float64] | None = None
    cuts_std: NDArray[np.float64] | None = None
    cuts_average: NDArray[np.float64] | None = None
    rank_sums: NDArray[np.float64] | None = None

    @property
    def title(self) -> str:
        """What the table compares."""
        return TITLES[self.name]


@cache
def published_tables(name: str) -> PublishedTable:
    """Return a published table; its arrays are read-only.

    Parameters
    ----------
    name : {"naive-bayes", "c45", "classifiers", "ablation"}

    Examples
    --------
    >>> from cutwise.paper import published_tables
    >>> table = published_tables("naive-bayes")
    >>> table.names[-1], str(table.methods[-1]), float(table.average[-1])
    ('MRmD', 'mrmd + nb', 79.16)
    """
    if name not in TITLES:
        message = f"The paper has no table {name!r}. Choose one of {', '.join(map(repr, TITLES))}."
        raise ValueError(message)
    content = _content()[name]
    names = tuple(content["methods"])
    figures = _frozen(list(content["figures"].values()))
    average = _frozen(content["average"])
    has_cuts = figures.shape[2] == 4
    return PublishedTable(
        name,
        tuple(content["figures"]),
        names,
        tuple(_method(name, each) for each in names),
        figures[:, :, 0],
        figures[:, :, 1],
        average[:, 0],
        cuts=figures[:, :, 2] if has_cuts else None,
        cuts_std=figures[:, :, 3] if has_cuts else None,
        cuts_average=average[:, 1] if has_cuts else None,
        rank_sums=_frozen(content["rank_sums"]) if "rank_sums" in content else None,
    )


@cache
def _content() -> dict[str, Any]:
    text = files("cutwise.paper").joinpath("published.json").read_text(encoding="utf-8")
    content: dict[str, Any] = json.loads(text)
    return content


def _method(table: str, name: str) -> MethodPair:
    if table == "classifiers":
        return _CLASSIFIERS[name]
    return MethodPair(_DISCRETIZERS[name], "c45" if table == "c45" else "nb")


def _frozen(values: list[Any]) -> NDArray[np.float64]:
    array = np.array(values, dtype=np.float64)
    array.flags.writeable = False
    return array
