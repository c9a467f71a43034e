"""How fast the classifiers are, as ratios to scikit-learn's in the same run.

The table is penbased (10,992 x 16, 10 classes), read from CUTWISE_DATA (by default
../shared/datasets) and cut by MRmD; a made one of the same size if it is not there.
"""

from __future__ import annotations

from timing import Stopwatch

# isort: split
import argparse
import csv
import os
import warnings
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import CategoricalNB
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

import cutwise
from cutwise.registry import entries
from data import Case, make
from fit import print_machine, print_noise
from tables import duration, print_section, print_table, ratio

DATA = Path(os.environ.get("CUTWISE_DATA", Path(__file__).parents[2] / "shared" / "datasets"))
HEADERS = ("classifier", "time", "yardstick", "ratio", "at most")
# The largest ratios of a fit.
LIMITS = {"RNBClassifier": 3.0}


@dataclass(frozen=True, eq=False)
class Table:
    """Numbers and classes, and what to call them."""

    name: str
    X: np.ndarray
    y: np.ndarray


def load(name: str, like: Case) -> Table:
    """Return a table of numbers, or a made one of the same size if it is not there."""
    path = DATA / f"{name}.csv"
    if not path.exists():
        return make_table(like)
    with path.open(newline="") as file:
        _, *rows = csv.reader(file)
    y = np.unique([row[-1] for row in rows], return_inverse=True)[1]
    return Table(name, np.array([row[:-1] for row in rows], dtype=float), y)


def make_table(case: Case) -> Table:
    """Return a table made from a seed, its rows contiguous."""
    X, y = make(case)
    return Table(case.name, np.ascontiguousarray(X), y)


def cut(table: Table) -> np.ndarray:
    """Return the codes of MRmD."""
    return cutwise.MRmDDiscretizer().fit_transform(table.X, table.y)


def compare(watch: Stopwatch, title: str, action, yardstick, *, at_most: float | None = None) -> list[str]:
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
    return [compare(watch, f"NaiveBayes.{what}, {title}", *pair, at_most=1.0) for what, pair in pairs.items()]


def others(watch: Stopwatch, table: Table, codes: np.ndarray) -> list[list[str]]:
    """Compare fits and predictions of the other classifiers with logistic regression on 0/1 columns."""
    y = table.y
    columns = OneHotEncoder(handle_unknown="ignore").fit_transform(codes)
    regression = fit_regression(columns, y)
    names = [entry.name for entry in entries(["codes"]) if entry.name != "NaiveBayesClassifier"]
    models = {
        **{name.removesuffix("Classifier"): (getattr(cutwise, name)(), codes, LIMITS.get(name)) for name in names},
        "RNB (published)": (cutwise.RNBClassifier("published"), codes, None),
        "AIWNB (lazy)": (cutwise.AIWNBClassifier("lazy"), codes, None),
        "RVFL (numbers)": (cutwise.RVFLClassifier(random_state=0), table.X, None),
    }
    rows = []
    for name, (model, X, at_most) in models.items():
        rows += [
            compare(
                watch, f"{name}.fit", partial(model.fit, X, y), partial(fit_regression, columns, y), at_most=at_most
            ),
            compare(watch, f"{name}.predict", partial(model.predict, X), partial(regression.predict, columns)),
        ]
    return rows


def fit_regression(columns, y: np.ndarray) -> LogisticRegression:
    """Fit logistic regression in at most 100 steps; that it may not have converged is no concern here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return LogisticRegression(max_iter=100).fit(columns, y)


def trees(watch: Stopwatch, tables: list[Table]) -> list[list[str]]:
    """Compare C4.5 with scikit-learn's tree, on numbers and on codes."""
    rows = []
    for table in tables:
        for kind, X, nominal in (("numbers", table.X, "auto"), ("codes", cut(table), "all")):
            ours, theirs = cutwise.C45Classifier(nominal=nominal), DecisionTreeClassifier(random_state=0)
            title = f"C4.5.{{}}, {kind} of {table.name}"
            fit = compare(
                watch, title.format("fit"), partial(ours.fit, X, table.y), partial(theirs.fit, X, table.y), at_most=3.0
            )
            pair = partial(ours.predict, X), partial(theirs.predict, X)
            leaves = [f"{ours.get_n_leaves():,}", f"{theirs.get_n_leaves():,}"]
            rows += [[*fit, *leaves], [*compare(watch, title.format("predict"), *pair, at_most=3.0), *leaves]]
    return rows


def read_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, epilog="Results are Markdown tables on standard output.")
    parser.add_argument("--repeats", type=int, default=5, metavar="N", help="best of so many runs (default: 5)")
    return parser.parse_args()


def main() -> None:
    """Time every classifier."""
    watch = Stopwatch(read_arguments().repeats)
    print_machine()
    table = load("penbased", Case(10_992, 16, 10))
    codes, few = cut(table), slice(None, None, 100)
    print_section(
        "Naive Bayes", "Yardstick: scikit-learn's CategoricalNB with the same codes. Ratio: time / yardstick's time."
    )
    rows = naive_bayes(watch, table.name, codes, table.y) + naive_bayes(watch, "110 rows", codes[few], table.y[few])
    print_table(HEADERS, rows)
    print_section("C4.5", "Yardstick: scikit-learn's DecisionTreeClassifier on the same columns.")
    large = make_table(Case(100_000, 10))
    print_table([*HEADERS, "leaves", "yardstick's leaves"], trees(watch, [table, large]))
    print_section(
        f"Other classifiers on {table.name}",
        "Yardstick: LogisticRegression(max_iter=100) on sparse 0/1 columns. RVFL gets the numbers, the others codes.",
    )
    print_table(HEADERS, others(watch, table, codes))
    print_noise(watch)


if __name__ == "__main__":
    main()
