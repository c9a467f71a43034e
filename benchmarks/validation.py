"""Which validation mode should be the default? Naive Bayes accuracy on the paper's data sets.

Every mode and search sees the same stratified folds; everything is fitted inside the
training folds. Codes go to scikit-learn's CategoricalNB with Laplace smoothing, missing
values as a bin of their own. The data sets are read from CUTWISE_DATA, by default
../shared/datasets.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import time
from pathlib import Path

import numpy as np
from scipy.stats import wilcoxon
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import CategoricalNB

from cutwise import MRmDDiscretizer

DATA = Path(os.environ.get("CUTWISE_DATA", Path(__file__).parents[2] / "shared" / "datasets"))
GREEDY = [("holdout", "greedy"), ("crossfit", "greedy"), ("expected", "greedy")]
EXACT = [("holdout", "exact"), ("crossfit", "exact"), ("expected", "exact")]


def load(name, nominal):
    """Return the columns as an object array, NaN or None where a value is missing, and the classes."""
    with (DATA / f"{name}.csv").open(newline="") as file:
        header, *rows = csv.reader(file)
    X = np.empty((len(rows), len(header) - 1), dtype=object)
    for j, column in enumerate(header[:-1]):
        values = [row[j] for row in rows]
        if column in nominal:
            X[:, j] = [value or None for value in values]
        else:
            X[:, j] = [float(value) if value else np.nan for value in values]
    return X, np.array([row[-1] for row in rows])


def evaluate(X, y, mode, search, seed):
    """Return the accuracy, the number of cuts and the seconds of ten folds."""
    correct = cuts = 0
    start = time.perf_counter()
    for train, test in StratifiedKFold(10, shuffle=True, random_state=seed).split(X, y):
        bins = MRmDDiscretizer(validation=mode, search=search, missing="bin", random_state=seed)
        codes = bins.fit_transform(X[train], y[train])
        model = CategoricalNB(min_categories=(bins.n_bins_ + 1).tolist()).fit(codes, y[train])
        correct += (model.predict(bins.transform(X[test])) == y[test]).sum()
        cuts += sum(c.size for c in bins.cuts_) / 10
    return 100 * correct / y.size, cuts, time.perf_counter() - start


def run(variants, repeats, names, manifest):
    """Return accuracy[data set][variant], averaged over the repeats, and print it."""
    print("| data set |" + "".join(f" {mode}, {search} |" for mode, search in variants))
    print("|---|" + "---|" * len(variants))
    rows = []
    for name in names:
        X, y = load(name, set(manifest[name]["nominal_columns"]))
        found = [np.mean([evaluate(X, y, *v, seed) for seed in range(repeats)], axis=0) for v in variants]
        rows.append(found)
        print(f"| {name} |" + "".join(f" {accuracy:.2f} ({cuts:.1f}) |" for accuracy, cuts, _ in found), flush=True)
    return np.array(rows)


def summarize(rows, variants):
    accuracy, cuts, seconds = rows[:, :, 0], rows[:, :, 1], rows[:, :, 2]
    print("| mean accuracy |" + "".join(f" **{mean:.2f}** |" for mean in accuracy.mean(axis=0)))
    print("| mean cuts |" + "".join(f" {mean:.1f} |" for mean in cuts.mean(axis=0)))
    print("| seconds |" + "".join(f" {total:.0f} |" for total in seconds.sum(axis=0)))
    print()
    for i, first in enumerate(variants):
        for j in range(i + 1, len(variants)):
            gap = accuracy[:, i] - accuracy[:, j]
            p = wilcoxon(gap).pvalue if np.any(gap) else 1.0
            wins, losses = int((gap > 0).sum()), int((gap < 0).sum())
            print(
                f"{first} - {variants[j]}: mean {gap.mean():+.2f}, wins {wins}, losses {losses}, Wilcoxon p = {p:.2f}"
            )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=2, help="how often the ten folds are dealt anew")
    parser.add_argument("--exact", action="store_true", help="run the exact search too (much slower)")
    parser.add_argument("--only", nargs="+", help="these data sets only")
    options = parser.parse_args()
    if not (DATA / "manifest.json").exists():
        parser.exit(2, f"The data sets are not at {DATA}. Set CUTWISE_DATA to their folder.\n")
    manifest = json.loads((DATA / "manifest.json").read_text())["datasets"]
    variants = GREEDY + EXACT if options.exact else GREEDY
    summarize(run(variants, options.repeats, options.only or sorted(manifest), manifest), variants)


if __name__ == "__main__":
    main()
