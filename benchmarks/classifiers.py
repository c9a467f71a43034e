"""How fast the classifiers are, as ratios to scikit-learn's on the same codes in the same run.

The table is penbased (10,992 x 16, 10 classes), read from CUTWISE_DATA (by default
../shared/datasets) and cut by MRmD.
"""

from __future__ import annotations

from timing import Stopwatch

# isort: split
import argparse
import csv
import os
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import CategoricalNB
from sklearn.preprocessing import OneHotEncoder

import cutwise
from fit import print_machine, print_noise
from tables import duration, print_section, print_table, ratio

DATA = Path(os.environ.get("CUTWISE_DATA", Path(__file__).parents[2] / "shared" / "datasets"))
HEADERS = ("classifier", "time", "yardstick", "ratio", "at most")


def load_codes(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the codes of a table of numbers, and the classes."""
    with (DATA / f"{name}.csv").open(newline="") as file:
        _, *rows = csv.reader(file)
    y = np.unique([row[-1] for row in rows], return_inverse=True)[1]
    return cutwise.MRmDDiscretizer().fit_transform(np.array([row[:-1] for row in rows], dtype=float), y), y


def compare(watch: Stopwatch, title: str, action, yardstick, at_most: float | None) -> list[str]:
    """Time an action beside a yardstick and return the cells of a row."""
    times = watch.race(title, {"ours": action, "yardstick": yardstick})
    share = times["ours"] / times["yardstick"]
    limit = "" if at_most is None else ratio(at_most) + ("" if share <= at_most else " (missed)")
    return [title, duration(times["ours"]), duration(times["yardstick"]), ratio(share), limit]


def naive_bayes(watch: Stopwatch, title: str, codes: np.ndarray, y: np.ndarray) -> list[list[str]]:
    """Compare naive Bayes with CategoricalNB."""
    ours = cutwise.NaiveBayesClassifier().fit(codes, y)
    theirs = CategoricalNB(min_categories=ours.n_bins_).fit(codes, y)
    pairs = {
        "fit": (lambda: ours.fit(codes, y), lambda: theirs.fit(codes, y)),
        "predict": (lambda: ours.predict(codes), lambda: theirs.predict(codes)),
        "predict_proba": (lambda: ours.predict_proba(codes), lambda: theirs.predict_proba(codes)),
    }
    return [compare(watch, f"NaiveBayes.{what}, {title}", *pair, 1.0) for what, pair in pairs.items()]


def weighted(watch: Stopwatch, codes: np.ndarray, y: np.ndarray) -> list[list[str]]:
    """Compare the fits of the weighted classifiers with logistic regression on 0/1 columns."""
    columns = OneHotEncoder(handle_unknown="ignore").fit_transform(codes)
    models = {
        "RNB": (cutwise.RNBClassifier(), 3.0),
        "RNB (published)": (cutwise.RNBClassifier("published"), None),
        "WANBIA": (cutwise.WANBIAClassifier(), None),
        "CAWNB": (cutwise.CAWNBClassifier(), None),
        "PreconditionedLogistic": (cutwise.PreconditionedLogisticClassifier(), None),
    }
    return [
        compare(watch, f"{name}.fit", lambda: model.fit(codes, y), lambda: logistic_regression(columns, y), at_most)  # noqa: B023
        for name, (model, at_most) in models.items()
    ]


def logistic_regression(columns, y: np.ndarray) -> None:
    """Fit logistic regression in at most 100 steps; that it may not have converged is no concern here."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        LogisticRegression(max_iter=100).fit(columns, y)


def read_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, epilog="Results are Markdown tables on standard output.")
    parser.add_argument("--repeats", type=int, default=5, metavar="N", help="best of so many runs (default: 5)")
    return parser.parse_args()


def main() -> None:
    """Time every classifier."""
    watch = Stopwatch(read_arguments().repeats)
    print_machine()
    codes, y = load_codes("penbased")
    print_section(
        "Naive Bayes", "Yardstick: scikit-learn's CategoricalNB with the same codes. Ratio: time / yardstick's time."
    )
    small = slice(None, None, 100)
    rows = naive_bayes(watch, "penbased", codes, y) + naive_bayes(watch, "110 rows", codes[small], y[small])
    print_table(HEADERS, rows)
    print_section(
        "Weighted classifiers on penbased", "Yardstick: LogisticRegression(max_iter=100) on sparse 0/1 columns."
    )
    print_table(HEADERS, weighted(watch, codes, y))
    print_noise(watch)


if __name__ == "__main__":
    main()
