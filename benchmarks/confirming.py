"""What confirmed cuts cost and bring: MRmD with `confirm` at several levels, on the paper's data sets.

Holding: a method is fitted on a random half of each two-class set; a cut holds if the class rate moves in the same
direction across it in the other half. Noise: columns of normal numbers that tell nothing of the class. Predicting:
naive Bayes and C4.5 on the codes, in ten folds. The data sets are read from CUTWISE_DATA (../shared/datasets).
"""

from __future__ import annotations

import argparse
import json

import numpy as np
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold

from cutwise import C45Classifier, MDLPDiscretizer, MODLDiscretizer, MRmDDiscretizer
from cutwise.classify import NaiveBayesClassifier
from validation import DATA, load

LEVELS = (None, 0.2, 0.05, 0.01)
METHODS = {
    **{f"MRmD, confirm={level}": (MRmDDiscretizer, {"confirm": level}) for level in LEVELS},
    "MDLP": (MDLPDiscretizer, {}),
    "MODL": (MODLDiscretizer, {}),
}


def holding_cuts(scheme, X, y):
    """Return the cuts of numeric columns across which the class rate moves as in training, and all of them."""
    held = total = 0
    first = np.unique(y)[0]
    for j, attribute in enumerate(scheme.attributes):
        if attribute.kind != "numeric" or not attribute.cuts:
            continue
        values = X[:, j].astype(float)
        codes = np.searchsorted(attribute.cuts, values, side="left")
        for i in range(len(attribute.cuts)):
            learned = [counts[0] / sum(counts) for counts in attribute.class_counts[i : i + 2]]
            new = [y[(codes == code) & ~np.isnan(values)] == first for code in (i, i + 1)]
            total += 1
            if all(part.size for part in new):
                held += (new[1].mean() - new[0].mean()) * (learned[1] - learned[0]) > 0
    return held, total


def hold(names, manifest, repeats):
    """Print how many cuts hold in the other half of the rows."""
    rng = np.random.default_rng(0)
    found = dict.fromkeys(METHODS, (0, 0, 0))
    for name in names:
        X, y = load(name, set(manifest[name]["nominal_columns"]))
        if np.unique(y).size != 2:
            continue
        for _ in range(repeats):
            is_first = rng.random(y.size) < 0.5
            for method, (make, settings) in METHODS.items():
                scheme = make(**settings).fit(X[is_first], y[is_first]).scheme_
                held, total = holding_cuts(scheme, X[~is_first], y[~is_first])
                found[method] = tuple(np.add(found[method], (held, total, 1)))
    return found


def noise(n_columns, n_rows):
    """Return how many columns of noise each method cuts."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(n_rows, n_columns)), rng.integers(0, 2, n_rows)
    return {name: int((make(**settings).fit(X, y).n_bins_ > 1).sum()) for name, (make, settings) in METHODS.items()}


def predict(X, y, make, settings):
    """Return accuracy and log loss of naive Bayes and of C4.5, cuts, and bins of a numeric column, in ten folds."""
    classes = np.unique(y)
    rows = []
    for train, test in StratifiedKFold(10, shuffle=True, random_state=0).split(X, y):
        bins = make(**settings, missing="bin").fit(X[train], y[train])
        codes, new = bins.transform(X[train]), bins.transform(X[test])
        cuts = [cuts.size for cuts in bins.cuts_]
        row = [sum(cuts), 1 + np.mean(cuts)]
        for model in (NaiveBayesClassifier(n_bins=(bins.n_bins_ + 1).tolist()), C45Classifier(nominal="all")):
            model.fit(codes, y[train])
            shares = np.full((test.size, classes.size), 1e-6)
            shares[:, np.searchsorted(classes, model.classes_)] += model.predict_proba(new)
            row += [100 * np.mean(model.predict(new) == y[test])]
            row += [log_loss(y[test], shares / shares.sum(axis=1, keepdims=True), labels=classes)]
        rows.append(row)
    return np.mean(rows, axis=0)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--datasets", nargs="*")
    options = parser.parse_args()
    manifest = json.loads((DATA / "manifest.json").read_text())["datasets"]
    names = options.datasets or sorted(manifest)
    found, cut = hold(names, manifest, options.repeats), noise(200, 2000)
    print("| method | cuts a set | hold | noise columns cut, of 200 |\n|---|---|---|---|")
    for method, (held, total, runs) in found.items():
        print(f"| {method} | {total / runs:.1f} | {held / max(total, 1):.1%} | {cut[method]} |", flush=True)
    print()
    table = {method: [] for method in METHODS}
    for name in sorted(names, key=lambda name: (DATA / f"{name}.csv").stat().st_size):
        X, y = load(name, set(manifest[name]["nominal_columns"]))
        for method, (make, settings) in METHODS.items():
            table[method].append(predict(X, y, make, settings))
        print(name, [np.round(rows[-1], 3).tolist() for rows in table.values()], flush=True)
    print("\n| method | cuts | bins a column | NB accuracy | NB log loss | C4.5 accuracy | C4.5 log loss |")
    print("|---|---|---|---|---|---|---|")
    for method, rows in table.items():
        print(f"| {method} |" + "".join(f" {number:.3f} |" for number in np.mean(rows, axis=0)))


if __name__ == "__main__":
    main()
