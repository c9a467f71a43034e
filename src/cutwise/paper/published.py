"""What the paper published: accuracies, cut counts and rank sums, as printed; and where they contradict each other.

Printed accuracies are rounded to two decimals, and the rank sums were made of the figures
before rounding. So a printed rank sum is held against all sums that are possible: R+ is half of
the number of pairs of data sets (each with itself included) whose differences add up to
zero plus the number of those that add up to more, so it never falls when a difference rises,
and the largest and smallest differences give its bounds.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cutwise.paper.evaluate.cells import RAW
from cutwise.paper.evaluate.summary import MethodPair
from cutwise.paper.evaluate.wilcoxon import rank_sums, signed_rank_test

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

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
    methods : tuple of MethodPair
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
        raise ValueError(f"The paper has no table {name!r}. Choose one of {', '.join(map(repr, TITLES))}.")
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


ROUNDING = 0.005
SLACK = 1e-9


class Inconsistency(NamedTuple):
    """Two published figures that cannot both be right.

    Parameters
    ----------
    table : str
        The table that holds the figure.
    place : str
        Where in the table.
    printed : float
    expected : str
        What the other figures say.
    """

    table: str
    place: str
    printed: float
    expected: str


class Reproduced(NamedTuple):
    """How many published rank sums of a table a rule for zero differences gives."""

    table: str
    rule: str
    n_equal: int
    n_sums: int


def inconsistencies() -> list[Inconsistency]:
    """Return all contradictions within and between the published tables.

    Examples
    --------
    >>> from cutwise.paper import inconsistencies
    >>> [found.place for found in inconsistencies() if found.table == "ablation"]
    ['cuts of MR-T on cleveland']
    """
    tables = [published_tables(name) for name in TITLES]
    found = [each for table in tables for check in (_averages, _sums) for each in check(table)]
    return [*found, *_shared_method(), *_cuts()]


def reproduced_rank_sums(rule: str = "split") -> list[Reproduced]:
    """Return how many of the printed rank sums follow from the printed accuracies.

    Parameters
    ----------
    rule : {"split", "drop-odd", "pratt", "drop"}, default="split"
        What becomes of equal accuracies.

    Examples
    --------
    >>> from cutwise.paper import reproduced_rank_sums
    >>> reproduced_rank_sums()[0]
    Reproduced(table='naive-bayes', rule='split', n_equal=36, n_sums=42)
    """
    counts = []
    for table in map(published_tables, TITLES):
        if table.rank_sums is not None:
            ours = rank_sums(table.accuracy, rule)
            equal = np.abs(ours - table.rank_sums) < SLACK
            k = len(table.names)
            counts.append(Reproduced(table.name, rule, int(equal.sum()), k * (k - 1)))
    return counts


def possible_rank_sums(differences: NDArray[np.float64]) -> tuple[float, float]:
    """Return the least and the largest R+ of differences of rounded accuracies."""
    low, high = (np.round(differences + side * 2 * ROUNDING, 9) for side in (-1, 1))
    return signed_rank_test(low, p_value="normal").r_plus, signed_rank_test(high, p_value="normal").r_plus


def _averages(table: PublishedTable) -> Iterator[Inconsistency]:
    pairs = [("average accuracy", table.accuracy, table.average)]
    if table.cuts is not None and table.cuts_average is not None:
        pairs.append(("average cuts", table.cuts, table.cuts_average))
    for what, figures, printed in pairs:
        for name, mean, average in zip(table.names, figures.mean(axis=0), printed, strict=True):
            if abs(mean - average) > 2 * ROUNDING + SLACK:
                yield Inconsistency(table.name, f"{what} of {name}", float(average), f"{mean:.2f}")


def _sums(table: PublishedTable) -> Iterator[Inconsistency]:
    if table.rank_sums is None:
        return
    n = len(table.datasets)
    whole = n * (n + 1) / 2
    for i, j in combinations(range(len(table.names)), 2):
        low, high = possible_rank_sums(table.accuracy[:, i] - table.accuracy[:, j])
        there, back = float(table.rank_sums[i, j]), float(table.rank_sums[j, i])
        first, second = table.names[i], table.names[j]
        if not low - SLACK <= there <= high + SLACK:
            place = f"rank sum of {first} over {second}"
            yield Inconsistency(table.name, place, there, f"{low:g} to {high:g} by the accuracies")
        if not whole - high - SLACK <= back <= whole - low + SLACK:
            expected = f"{whole - high:g} to {whole - low:g} by the accuracies"
            yield Inconsistency(table.name, f"rank sum of {second} over {first}", back, expected)
        if there + back != whole:
            place = f"rank sums of {first} and {second}, together"
            yield Inconsistency(table.name, place, there + back, f"{whole:g}")


def _shared_method() -> Iterator[Inconsistency]:
    """Compare MRmD with naive Bayes, which stands in two tables."""
    first, second = published_tables("naive-bayes"), published_tables("ablation")
    before = first.accuracy[:, first.names.index("MRmD")]
    after = second.accuracy[:, second.names.index("MRmD")]
    for dataset, expected, printed in zip(first.datasets, before, after, strict=True):
        if printed != expected:
            place = f"accuracy of MRmD on {dataset}"
            yield Inconsistency("ablation", place, float(printed), f"{expected:.2f} as in naive-bayes")


def _cuts() -> Iterator[Inconsistency]:
    """MR-T may take twice the cuts of MRmD, and relevance alone never stops earlier than MRmD."""
    table = published_tables("ablation")
    if table.cuts is None:
        return
    few, many = table.cuts[:, table.names.index("MRmD")], table.cuts[:, table.names.index("MR-T")]
    for dataset, low, printed in zip(table.datasets, few, many, strict=True):
        if not low - SLACK <= printed <= 2 * low + 2 * ROUNDING:
            yield Inconsistency("ablation", f"cuts of MR-T on {dataset}", float(printed), f"{low:g} to {2 * low:g}")
