"""Where does it help to cut all columns together? MDmD against MRmD on the paper's data sets.

Both see the same ten stratified folds; everything is fitted inside the training folds.
The codes, missing values as a bin of their own, go to naive Bayes, which looks at each
column alone, and to a decision tree, which can use columns together. Generated tables
show the extremes. The data sets are read from CUTWISE_DATA, by default ../shared/datasets.
"""

from __future__ import annotations

import argparse
import json
import time

import numpy as np
from scipy.stats import wilcoxon
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import CategoricalNB
from sklearn.tree import DecisionTreeClassifier

from cutwise import MDmDDiscretizer, MRmDDiscretizer
from data import Case, make
from validation import DATA, load

METHODS = {"MRmD": MRmDDiscretizer, "MDmD": MDmDDiscretizer}
FIELDS = ("bayes", "tree", "cuts", "cells", "seconds")
SEED = 0


def evaluate(X, y, method, options):
    """Return accuracy of both classifiers, cuts, cells of the training rows, and processor seconds of a fit."""
    found = np.zeros(len(FIELDS))
    splits = StratifiedKFold(10, shuffle=True, random_state=SEED)
    for train, test in splits.split(X, y):
        start = time.process_time()
        bins = METHODS[method](missing="bin", **options).fit(X[train], y[train])
        seconds = time.process_time() - start
        codes, new = bins.transform(X[train]), bins.transform(X[test])
        models = (
            CategoricalNB(min_categories=(bins.n_bins_ + 1).tolist()),
            DecisionTreeClassifier(min_samples_leaf=5, random_state=SEED),
        )
        right = [(model.fit(codes, y[train]).predict(new) == y[test]).sum() * 1000 / y.size for model in models]
        n_cuts = sum(cuts.size for cuts in bins.cuts_)
        cut = [j for j, cuts in enumerate(bins.cuts_) if cuts.size]
        n_cells = len(np.unique(codes[:, cut], axis=0)) if cut else 1
        found += [*right, n_cuts, n_cells, seconds]
    return found / 10


def data_sets(names):
    manifest = json.loads((DATA / "manifest.json").read_text())["datasets"]
    for name in names or sorted(manifest):
        yield name, *load(name, set(manifest[name]["nominal_columns"]))


def generated():
    """Give tables in which two columns are informative only jointly, beside columns of noise."""
    rng = np.random.default_rng(SEED)
    for noise, flipped in ((0, 0.0), (4, 0.0), (14, 0.0), (4, 0.1), (14, 0.1)):
        X = rng.random((2000, 2 + noise))
        y = (X[:, 0] > 0.5) ^ (X[:, 1] > 0.3) ^ (rng.random(2000) < flipped)
        yield f"exclusive or, {noise} noise columns, {flipped:.0%} of classes turned", X, y
    X = rng.random((4000, 6))
    yield "4 x 4 chessboard, 4 noise columns", X, (np.floor(4 * X[:, 0]) + np.floor(4 * X[:, 1])) % 2
    X = rng.normal(size=(4000, 6))
    yield "disc inside a ring, 4 noise columns", X, X[:, 0] ** 2 + X[:, 1] ** 2 < 1.4
    yield "noise, 2 classes", rng.random((2000, 8)), rng.integers(0, 2, 2000)
    yield "noise, 3 classes", rng.random((2000, 8)), rng.integers(0, 3, 2000)


def compare(tables, options):
    """Print one line for each table and return figures[table, method, field]."""
    print("| table | rows | columns | classes | bayes | | tree | | cuts | | cells | | s | |")
    print("|---|---|---|---|" + "---|---|" * len(FIELDS))
    rows, facts = [], []
    for name, X, y in tables:
        both = np.array([evaluate(X, y, method, options[method]) for method in METHODS])
        size = (*X.shape, np.unique(y).size)
        cells = [f"{one:.{digits}f}" for pair, digits in zip(both.T, (2, 2, 1, 0, 2), strict=True) for one in pair]
        print(f"| {name} | " + " | ".join([*map(str, size), *cells]) + " |", flush=True)
        rows.append(both)
        facts.append(size)
    return np.array(rows), np.array(facts)


def summarize(title, rows):
    """Print the means and whether the accuracies differ."""
    if len(rows) < 2:
        return
    mrmd, mdmd = rows.mean(axis=0)
    print(f"\n{title}: {len(rows)} data sets")
    for i, field in enumerate(FIELDS):
        line = f"  {field}: MRmD {mrmd[i]:.2f}, MDmD {mdmd[i]:.2f}"
        gap = rows[:, 1, i] - rows[:, 0, i]
        if field in {"bayes", "tree"} and np.any(gap):
            p = wilcoxon(gap).pvalue
            line += f"; MDmD better {int((gap > 0).sum())}, worse {int((gap < 0).sum())}, Wilcoxon p = {p:.3f}"
        print(line)


def timing():
    """Print the processor time of a fit, the kernels being compiled."""
    rng = np.random.default_rng(SEED)
    for mode in ("expected", "crossfit", "holdout"):
        MDmDDiscretizer(validation=mode, random_state=0).fit(rng.random((50, 2)), rng.integers(0, 2, 50))
    cases = [(Case(10_000, 16), "expected"), (Case(10_000, 16), "crossfit"), (Case(10_000, 16), "holdout")]
    cases += [(Case(10_000, 64), "expected"), (Case(100_000, 16), "expected")]
    for case, mode in cases:
        X, y = make(case)
        wall, start = time.perf_counter(), time.process_time()
        MDmDDiscretizer(validation=mode, random_state=0).fit(X, y)
        used, passed = time.process_time() - start, time.perf_counter() - wall
        print(f"{case.name}, {mode}: {used:.1f} s of processor time, {passed:.1f} s passed", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", help="these data sets only")
    parser.add_argument("--n-d", type=float, default=50.0, help="N_D of MDmD; MRmD keeps 50")
    parser.add_argument("--generated", action="store_true", help="the generated tables instead")
    parser.add_argument("--timing", action="store_true", help="the time of a fit instead")
    given = parser.parse_args()
    if given.timing:
        timing()
        return
    options = {"MRmD": {}, "MDmD": {"n_d": given.n_d}}
    if given.generated:
        compare(generated(), options)
        return
    if not (DATA / "manifest.json").exists():
        parser.exit(2, f"The data sets are not at {DATA}. Set CUTWISE_DATA to their folder.\n")
    rows, facts = compare(data_sets(given.only), options)
    columns, classes = facts[:, 1], facts[:, 2]
    summarize("all", rows)
    summarize("two classes", rows[classes == 2])
    summarize("more classes", rows[classes > 2])
    summarize("at most eight columns", rows[columns <= 8])
    summarize("more columns", rows[columns > 8])


if __name__ == "__main__":
    main()
