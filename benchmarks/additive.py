"""How fast the additive classifier and the average are, as ratios of processor time in one run.

- fit of many rows in 20 columns and two classes, beside ``np.argsort`` of the columns: at most 20;
- predict of the same rows, beside ``np.searchsorted`` of the columns in its cuts: at most 5; that of the average,
  beside the same in the cuts of every member;
- with --wide, fits of tables with few rows and many columns beside those of a forest of 100 trees;
- with --sets, fits of the data sets in CUTWISE_DATA (by default ../shared/datasets), each whole, beside those of a
  forest of 100 trees: at most 3 for the sum, and 20 for the average;
- with --ebm, fits of single data sets beside those of the explainable boosting machine: at most 1/30.
"""

from __future__ import annotations

import timing  # noqa: F401  sets the sizes of thread pools, before numpy is loaded

# isort: split
import argparse
import os
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier

from cutwise import AdditiveClassifier, CutwiseClassifier
from cutwise.paper.datasets.loading import load
from cutwise.paper.yardsticks import forest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cutwise import Scheme

DATA = Path(os.environ.get("CUTWISE_DATA", Path(__file__).parents[2] / "shared" / "datasets"))
N_COLUMNS = 20
N_PAIRS = 20
# The average learns from so many of many rows.
LEARNED = 100_000
# Rows, columns and classes; of more than a hundred columns pairs are chosen in two steps.
WIDE = ((200, 500, 2), (200, 2_000, 2), (200, 2_000, 5), (100, 10_000, 2), (2_000, 500, 2))
FEW = 120
FIT_LIMIT, PREDICT_LIMIT, FOREST_LIMIT, AVERAGE_LIMIT, EBM_LIMIT = 20.0, 5.0, 3.0, 20.0, 1.0 / 30.0


def cost(action: Callable[[], Any]) -> float:
    """Return the processor time of an action in seconds."""
    start = time.process_time()
    action()
    return time.process_time() - start


def report(what: str, own: float, other: float, limit: float | None = None) -> None:
    """Print a ratio, and the largest one that is allowed."""
    aim = "" if limit is None else f"  at most {limit:.2g}"
    print(f"{what:40s} {own:8.3f} s  {other:8.2f} s  ratio {own / other:7.3g}{aim}", flush=True)


def many_rows(n_rows: int) -> None:
    """Compare fit and predict with sorting and searching the same columns."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, N_COLUMNS))
    y = X[:, 0] + np.sin(2.0 * X[:, 1]) + 0.5 * X[:, 2] * X[:, 3] + rng.logistic(size=n_rows) > 0
    model = AdditiveClassifier().fit(X[:1000], y[:1000])  # compiles
    model.predict(X[:1000])
    sort = cost(lambda: [np.argsort(column) for column in X.T])
    report(f"fit of {n_rows:,} x {N_COLUMNS}", cost(lambda: model.fit(X, y)), sort, FIT_LIMIT)
    search = searching(model.scheme_, X)
    report(f"predict of {n_rows:,} x {N_COLUMNS}", cost(lambda: model.predict(X)), search, PREDICT_LIMIT)
    for exportable in (False, True):
        average = CutwiseClassifier(exportable=exportable).fit(X[:LEARNED], y[:LEARNED])
        average.predict(X[:1000])  # compiles
        search = sum(searching(member.scheme, X) for member in average.members_)
        what = f"predict, the average{' to export' if exportable else ''}"
        report(what, cost(lambda model=average: model.predict(X)), search, PREDICT_LIMIT)


def searching(scheme: Scheme, X: np.ndarray) -> float:
    """Return what it costs to search for all values among the cuts of their columns."""
    return cost(lambda: [np.searchsorted(own.cuts, column) for own, column in zip(scheme.attributes, X.T, strict=True)])


def costs_of_fits(X: Any, y: Any, models: Sequence[Any]) -> list[float]:
    """Return what fits of a table cost."""
    return [cost(lambda model=model: model.fit(X, y)) for model in models]


def fits(name: str, *models: Any) -> list[float]:
    """Return what fits of a data set cost."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        table = load(name, "pandas", folder=DATA)
        return costs_of_fits(table.X, table.y, models)


def data_sets() -> None:
    """Compare fits of all data sets with those of a forest."""
    names = [path.stem for path in sorted(DATA.glob("*.csv"))]
    models = (AdditiveClassifier(), AdditiveClassifier(pairs=N_PAIRS), CutwiseClassifier(), forest(0))
    fits(names[0], *models)  # compiles
    single, pairs, average, trees = np.sum([fits(name, *models) for name in names], axis=0)
    report("all data sets", single, trees, FOREST_LIMIT)
    report(f"all data sets, pairs={N_PAIRS}", pairs, trees, AVERAGE_LIMIT)
    report("all data sets, CutwiseClassifier", average, trees, AVERAGE_LIMIT)


def wide_tables() -> None:
    """Compare fits of wide tables of noise with those of a forest."""
    rng = np.random.default_rng(0)
    models = (AdditiveClassifier(), AdditiveClassifier(pairs=N_PAIRS), CutwiseClassifier(), RandomForestClassifier())
    for n_rows, n_columns, n_classes in WIDE:
        X, y = rng.normal(size=(n_rows, n_columns)), rng.integers(0, n_classes, n_rows)
        costs_of_fits(X[:, :FEW], y, models)  # compiles
        *own, trees = costs_of_fits(X, y, models)
        for name, seconds in zip(("additive", f"pairs={N_PAIRS}", "the average"), own, strict=True):
            report(f"{n_rows:,} x {n_columns:,}, {n_classes} classes, {name}", seconds, trees)


def boosting_machine(names: list[str]) -> None:
    """Compare fits of single data sets with those of the explainable boosting machine."""
    from interpret.glassbox import ExplainableBoostingClassifier

    models = (AdditiveClassifier(), AdditiveClassifier(pairs=N_PAIRS))
    fits(names[0], *models)  # compiles
    for name in names:
        single, pairs, machine = fits(name, *models, ExplainableBoostingClassifier(n_jobs=1))
        report(f"{name}, beside EBM", single, machine, EBM_LIMIT)
        report(f"{name}, pairs={N_PAIRS}, beside EBM", pairs, machine, EBM_LIMIT)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--sets", action="store_true", help="the data sets, too")
    parser.add_argument("--wide", action="store_true", help="wide tables, too")
    parser.add_argument("--ebm", nargs="+", default=[], metavar="SET", help="data sets beside EBM (needs interpret)")
    chosen = parser.parse_args()
    many_rows(chosen.rows)
    if chosen.sets:
        data_sets()
    if chosen.wide:
        wide_tables()
    if chosen.ebm:
        boosting_machine(chosen.ebm)
