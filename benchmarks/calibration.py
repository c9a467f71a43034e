"""How often noise is cut: the share of columns whose best cut has a p-value up to alpha, over alpha.

Classes are dealt at random over the rows of a column. The numbers of rows by class and the places where a cut may lie
are drawn once for each line of the table, so that the p-value falls with the likelihood ratio of the best cut, and a
few p-values tell the share of all columns. Weighted rows are fitted one column after the other.
"""

from __future__ import annotations

import argparse

import numpy as np
from numba import njit
from scipy.special import xlogy
from scipy.stats import beta

from cutwise import MaxRelevanceDiscretizer
from cutwise.criteria import CutPlaces, chance_of_best

LEVELS = (0.2, 0.05, 0.01)
# A draw of the rows of a class takes as long as dealing so many rows.
STEPS_A_DRAW = 30


@njit
def deal(labels, state):
    """Put the labels into random order (Fisher and Yates, xorshift64*); return the generator's new state."""
    for i in range(labels.size - 1, 0, -1):
        state ^= state >> np.uint64(12)
        state ^= state << np.uint64(25)
        state ^= state >> np.uint64(27)
        high = (state * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(32)
        j = (high * np.uint64(i + 1)) >> np.uint64(32)
        labels[i], labels[j] = labels[j], labels[i]
    return state


@njit
def best_ratios(by_class, times, n_columns, seed):
    """Return the likelihood ratio of the best cut of each column."""
    n_rows = by_class.sum()
    terms = np.zeros(n_rows + 1)
    for count in range(1, n_rows + 1):
        terms[count] = count * np.log(count)
    labels = np.repeat(np.arange(by_class.size), by_class).astype(np.uint8)
    whole = terms[by_class].sum()
    best = np.zeros(n_columns)
    state = np.uint64(seed)
    for column in range(n_columns):
        state = deal(labels, state)
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


def best_ratios_of_few(by_class, times, n_columns, rng):
    """Return the same for few places: the rows of each class between two of them are drawn at once."""
    left = np.zeros((n_columns, by_class.size), dtype=np.int64)
    best = np.zeros(n_columns)
    for t, size in zip(times, np.diff(times, prepend=0), strict=True):
        rest = by_class - left
        others, wanted = rest.sum(axis=1), np.full(n_columns, size)
        for label in range(by_class.size):
            others -= rest[:, label]
            drawn = rng.hypergeometric(rest[:, label], others, wanted)
            left[:, label] += drawn
            wanted -= drawn
        inside = xlogy(left, left).sum(axis=1) + xlogy(by_class - left, by_class - left).sum(axis=1)
        rows = [float(xlogy(n, n).sum()) for n in (t, by_class.sum() - t, by_class, by_class.sum())]
        best = np.maximum(best, 2.0 * (inside - rows[0] - rows[1] - rows[2] + rows[3]))
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


def ratios_of_noise(places, options, rng):
    """Return the likelihood ratios of the best cuts of columns of noise, ascending."""
    rows = np.sort(places.class_rows)
    if STEPS_A_DRAW * places.times.size * rows.size < rows.sum():
        return np.sort(best_ratios_of_few(rows, places.times, options.columns, rng))
    n_columns = int(min(options.columns, options.steps / rows.sum()))
    return np.sort(best_ratios(rows, places.times, n_columns, int(rng.integers(1, 1 << 62))))


def numbers_cut(ratios, places):
    """Return for each level how many columns are cut."""
    found = []
    for level in LEVELS:
        low, high = 0, ratios.size
        while low < high:
            middle = (low + high) // 2
            if chance_of_best(float(ratios[middle]), places) <= level:
                high = middle
            else:
                low = middle + 1
        found.append(ratios.size - low)
    return found


def weighted_numbers(n_rows, n_columns, kind, rng):
    """Return the same for rows with relative weights."""
    X, y = rng.normal(size=(n_rows, n_columns)), rng.integers(0, 2, n_rows)
    draw = {
        "uniform": lambda: rng.uniform(0.2, 2.0, n_rows),
        "exponential": lambda: rng.exponential(size=n_rows) + 0.01,
    }
    bins = [MaxRelevanceDiscretizer(1, confirm=level, weights="relative") for level in LEVELS]
    weights = draw[kind]()
    return [int((one.fit(X, y, sample_weight=weights).n_bins_ > 1).sum()) for one in bins]


def line(n_rows, name, values, n_columns, numbers):
    """Return a line of the table: the shares over the levels, each with its interval of 95 % (Clopper and Pearson)."""
    cells = []
    for number, level in zip(numbers, LEVELS, strict=True):
        low = beta.ppf(0.025, number, n_columns - number + 1) if number else 0.0
        high = beta.ppf(0.975, number + 1, n_columns - number)
        cells.append(f"{number / n_columns / level:.2f} ({low / level:.2f} to {high / level:.2f})")
    return f"| {n_rows:,} | {name} | {values} | {n_columns:,} | " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="*", default=[50, 200, 1000, 10_000, 1_000_000])
    parser.add_argument("--columns", type=int, default=100_000, help="at most so many columns a line")
    parser.add_argument("--steps", type=float, default=5e9, help="at most so many rows dealt a line")
    parser.add_argument("--weighted", type=int, default=10_000, help="so many columns of weighted rows")
    options = parser.parse_args()
    print("| rows | classes | values | columns | 0.2 | 0.05 | 0.01 |\n|---|---|---|---|---|---|---|")
    for n_rows in options.rows:
        rng = np.random.default_rng(n_rows)
        for n_classes in (2, 3, 10, 50):
            for classes in ("even", "1 %"):
                for values in ("distinct", "5 values", "rounded"):
                    places = places_of(n_rows, n_classes, values, classes, rng)
                    if places.class_rows.size < 2:
                        continue
                    ratios = ratios_of_noise(places, options, rng)
                    name = f"{n_classes}, one of 1 %" if classes == "1 %" else str(n_classes)
                    print(line(n_rows, name, values, ratios.size, numbers_cut(ratios, places)), flush=True)
    if options.weighted:
        for kind in ("uniform", "exponential"):
            for n_rows in (200, 1000):
                numbers = weighted_numbers(n_rows, options.weighted, kind, np.random.default_rng(n_rows))
                print(line(n_rows, "2", f"distinct, {kind} relative weights", options.weighted, numbers), flush=True)


if __name__ == "__main__":
    main()
