"""Where the published figures contradict each other.

Printed accuracies are rounded to two decimals, and the rank sums were made of the figures
before rounding. So a printed rank sum is held against all sums that are possible: R+ is half of
the number of pairs of data sets (each with itself included) whose differences add up to
zero plus the number of those that add up to more, so it never falls when a difference rises,
and the largest and smallest differences give its bounds.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cutwise.paper.evaluate.wilcoxon import rank_sums, signed_rank_test
from cutwise.paper.published import TITLES, PublishedTable, published_tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

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
