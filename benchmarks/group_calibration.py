"""The share of noise columns of categories that get more than one group, for each level of ``confirm``.

    python benchmarks/group_calibration.py [--columns 1000] [--rows 5000]

Categories and classes are drawn independently of each other; the search is that of MRmD. A line of the table in
docs/confirmed-cuts.md is a line of the output.
"""

from __future__ import annotations

import argparse
import itertools
from typing import TYPE_CHECKING

import numpy as np

from cutwise.counts import ColumnCounts
from cutwise.criteria import ExpectedDivergence, Psi
from cutwise.criteria.category_chance import chance_of_difference
from cutwise.discretize.attributes import Plan
from cutwise.discretize.groups import find_groups, units_of
from cutwise.search import BinLimits, GreedySearch

if TYPE_CHECKING:
    from collections.abc import Callable

ALPHAS = (0.2, 0.05, 0.01)
CATEGORIES = (3, 10, 100, 500)
CLASSES = {"2": (0.5, 0.5), "2, one of 10 %": (0.9, 0.1), "2, one of 1 %": (0.99, 0.01), "4": (0.25,) * 4}
SIZES = {"alike": np.ones, "1, 1/2, 1/3, …": lambda k: 1.0 / np.arange(1, k + 1)}


def noise(rng: np.random.Generator, n_rows: int, sizes: np.ndarray, shares: tuple[float, ...]) -> ColumnCounts:
    """Return the counts of a column of random categories."""
    categories = rng.choice(sizes.size, n_rows, p=sizes / sizes.sum())
    cells = categories * len(shares) + rng.choice(len(shares), n_rows, p=shares)
    counts = np.bincount(cells, minlength=sizes.size * len(shares)).reshape(sizes.size, -1)
    counts = counts[counts.any(axis=1)]
    return ColumnCounts.from_dense(np.arange(len(counts)), counts)


def shares_grouped(table_of: Callable[[np.random.Generator], ColumnCounts], n_columns: int, seed: int) -> list[float]:
    """Return for each level the share of columns with more than one group.

    The first bin that is tested holds all categories, the rare ones as one, so only columns where these differ enough
    need a search.
    """
    rng = np.random.default_rng(seed)
    plan = Plan(Psi(50.0, ExpectedDivergence()), GreedySearch())
    limits = (BinLimits(confirm=max(ALPHAS)),)
    chances = []
    for _ in range(n_columns):
        table = table_of(rng)
        units = units_of(table, None, is_confirmed=True)
        counts = np.zeros((units.max() + 1, table.n_classes), dtype=np.int64)
        np.add.at(counts, units, table.class_counts)
        chance = chance_of_difference(counts)
        if chance <= max(ALPHAS):
            found = find_groups(table, plan, limits, is_ordered=False, max_categories=None)
            chances += [chance] if found.codes.max() > 0 else []
    return [sum(chance <= alpha for chance in chances) / n_columns for alpha in ALPHAS]


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--columns", type=int, default=4000)
    parser.add_argument("--rows", type=int, default=5000)
    asked = parser.parse_args()
    print(f"| categories | sizes | classes | {' | '.join(f'alpha {alpha}' for alpha in ALPHAS)} |")
    print("|" + "---|" * (3 + len(ALPHAS)))
    for k, (size_name, sizes), (class_name, shares) in itertools.product(CATEGORIES, SIZES.items(), CLASSES.items()):
        rates = shares_grouped(
            lambda rng, k=k, of=sizes, by=shares: noise(rng, asked.rows, of(k), by), asked.columns, k
        )
        print(f"| {k} | {size_name} | {class_name} | {' | '.join(f'{rate:.3f}' for rate in rates)} |", flush=True)


if __name__ == "__main__":
    main()
