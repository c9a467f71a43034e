"""How often noise is cut: the share of columns whose best cut has a p-value up to alpha, over alpha.

Classes are dealt at random over the rows of a column. The numbers of rows by class and the places where a cut may lie
are drawn once for each line of the table, so that the p-value falls with the likelihood ratio of the best cut, and a
few p-values tell the share of all columns. Weighted rows are fitted one column after the other.
"""

from __future__ import annotations

import argparse

import numpy as np
from numba import njit

from cutwise import MaxRelevanceDiscretizer
from cutwise.criteria import CutPlaces, chance_of_best

LEVELS = (0.2, 0.05, 0.01)


@njit
def best_ratios(by_class, times, n_columns, seed):
    """Return the likelihood ratio of the best cut of each column."""
    np.random.seed(seed)  # noqa: NPY002  # numba's own generator
    n_rows = by_class.sum()
    terms = np.zeros(n_rows + 1)
    for count in range(1, n_rows + 1):
        terms[count] = count * np.log(count)
    labels = np.repeat(np.arange(by_class.size), by_class)
    whole = terms[by_class].sum()
    best = np.zeros(n_columns)
    for column in range(n_columns):
        np.random.shuffle(labels)  # noqa: NPY002
        left = np.zeros(by_class.size, dtype=np.int64)
        inside = whole
        t = 0
        for time in times:
            while t < time:
                label = labels[t]
                few, more = left[label], by_class[label] - left[label]
                inside += terms[few + 1] - terms[few] + terms[more - 1] - terms[more]
                left[label] += 1
                t += 1
            ratio = 2.0 * (inside - terms[t] - terms[n_rows - t] - whole + terms[n_rows])
            best[column] = max(best[column], ratio)
    return best


def places_of(n_rows, n_classes, values, classes, rng):
    """Return the rows of each class and the places of cuts of a column."""
    shares = np.full(n_classes, 1 / n_classes)
    if classes == "1 %":
        shares = np.append(0.01, np.full(n_classes - 1, 0.99 / (n_classes - 1)))
    rows = rng.multinomial(n_rows, shares)
    column = {
        "distinct": lambda: np.arange(n_rows),
        "5 values": lambda: rng.integers(0, 5, n_rows),
        "rounded": lambda: rng.normal(size=n_rows).round(1),
    }[values]()
    return CutPlaces(rows[rows > 0], np.cumsum(np.unique(column, return_counts=True)[1])[:-1])


def shares_cut(places, n_columns, seed):
    """Return for each level the share of columns that are cut, over the level."""
    ratios = np.sort(best_ratios(np.sort(places.class_rows), places.times, n_columns, seed))
    found = []
    for level in LEVELS:
        low, high = 0, ratios.size
        while low < high:
            middle = (low + high) // 2
            if chance_of_best(float(ratios[middle]), places) <= level:
                high = middle
            else:
                low = middle + 1
        found.append((ratios.size - low) / ratios.size / level)
    return found


def weighted_shares(n_rows, n_columns, kind, rng):
    """Return the same for rows with relative weights."""
    X, y = rng.normal(size=(n_rows, n_columns)), rng.integers(0, 2, n_rows)
    draw = {
        "uniform": lambda: rng.uniform(0.2, 2.0, n_rows),
        "exponential": lambda: rng.exponential(size=n_rows) + 0.01,
    }
    bins = [MaxRelevanceDiscretizer(1, confirm=level, weights="relative") for level in LEVELS]
    weights = draw[kind]()
    return [float(np.mean(one.fit(X, y, sample_weight=weights).n_bins_ > 1)) / one.confirm for one in bins]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[50, 200, 1000, 10_000, 1_000_000])
    parser.add_argument("--columns", type=int, default=10_000, help="at most so many columns a line")
    parser.add_argument("--steps", type=float, default=1e8, help="about so many rows dealt a line")
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    print("| rows | classes | values | columns | 0.2 | 0.05 | 0.01 |\n|---|---|---|---|---|---|---|")
    for n_rows in options.rows:
        n_columns = int(min(options.columns, max(options.steps / n_rows, 200)))
        for n_classes in (2, 3, 10, 50):
            for classes in ("even", "1 %"):
                for values in ("distinct", "5 values", "rounded"):
                    places = places_of(n_rows, n_classes, values, classes, rng)
                    if places.class_rows.size < 2:
                        continue
                    shares = "".join(f" {share:.2f} |" for share in shares_cut(places, n_columns, 0))
                    name = f"{n_classes}, one of 1 %" if classes == "1 %" else str(n_classes)
                    print(f"| {n_rows:,} | {name} | {values} | {n_columns:,} |{shares}", flush=True)
    for kind in ("uniform", "exponential"):
        for n_rows in (200, 1000):
            shares = "".join(f" {share:.2f} |" for share in weighted_shares(n_rows, 2000, kind, rng))
            print(f"| {n_rows:,} | 2 | distinct, {kind} relative weights | 2,000 |{shares}", flush=True)


if __name__ == "__main__":
    main()
