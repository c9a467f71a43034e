"""Scorecards on new rows, beside optbinning's: AUC, Gini, time.

All get the same tables, the same limits (at most eight bins, none below 5 % of the rows, columns with an information
value from 0.02 on) and the same ten splits, seven tenths of the rows for learning. Ours are two: confirmed cuts with
weights of evidence, and eight bins of equal frequency with additive shapes. The first table is made up:
30,000 loans with skewed and bounded numbers, a rate that rises and falls, codes, missing values, sixty regions and
columns of noise. The others are the paper's data sets of two classes with at least 600 rows, read from CUTWISE_DATA, by
default ../shared/datasets. optbinning is installed by `make bench-peers`.
"""

from __future__ import annotations

import argparse
import os
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split

from cutwise import EqualFrequencyDiscretizer, MRmDDiscretizer, ScorecardClassifier
from cutwise.paper.datasets.catalogue import paper_catalogue
from cutwise.paper.datasets.loading import load
from tables import print_table

if TYPE_CHECKING:
    from collections.abc import Callable

    Fitted = Callable[[pd.DataFrame], np.ndarray]

os.environ.setdefault("CUTWISE_DATA", str(Path(__file__).parents[2] / "shared" / "datasets"))
MOST_BINS, LEAST_SHARE, LEAST_IV = 8, 0.05, 0.02
LEAST_ROWS, N_SPLITS, TEST_SHARE = 600, 10, 0.3
HEAD = ("table", "rows", "columns", "", "AUC", "Gini", "over optbinning", "time")


class Table(NamedTuple):
    """A table of two classes; the event is 1."""

    name: str
    X: pd.DataFrame
    y: np.ndarray


def loans(n_rows: int = 30_000, seed: int = 0) -> Table:
    """Return a table of loans that is made up."""
    rng = np.random.default_rng(seed)
    region_risk = rng.normal(0.0, 0.35, 60)
    region = rng.integers(0, 60, n_rows)
    purpose = rng.choice(["car", "house", "card", "study", "trip", "other"], n_rows, p=[0.2, 0.3, 0.25, 0.1, 0.1, 0.05])
    income = rng.lognormal(10.3, 0.6, n_rows).round(-2)
    age = rng.integers(19, 80, n_rows)
    months = rng.exponential(60, n_rows).round()
    used = rng.beta(1.2, 2.0, n_rows).round(3)
    asked = rng.poisson(1.3, n_rows)
    late = rng.poisson(0.4, n_rows)
    risk = -2.1 - 0.55 * (np.log(income) - 10.3) + 0.0012 * (age - 48.0) ** 2 / 3 - 0.006 * months
    risk += 2.2 * (used - 0.4) + 0.22 * asked + 0.7 * np.minimum(late, 3) + region_risk[region]
    risk += 0.45 * (purpose == "trip") - 0.35 * (purpose == "house")
    y = (rng.random(n_rows) < 1 / (1 + np.exp(-risk))).astype(int)
    table = pd.DataFrame(
        {
            "income": np.where(rng.random(n_rows) < 0.06, np.nan, income),
            "age": age,
            "months": np.where(rng.random(n_rows) < 0.1, np.nan, months),
            "used": used,
            "asked": asked,
            "late": late,
            "purpose": purpose,
            "region": [f"region {k}" for k in region],
            **{f"noise {k}": rng.normal(size=n_rows).round(3) for k in range(4)},
        }
    )
    return Table("loans (made up)", table, y)


def real_tables() -> list[Table]:
    """Return the paper's data sets of two classes with rows enough."""
    found = []
    for name in paper_catalogue().names():
        data = load(name, frame="pandas")
        labels, y = np.unique(np.asarray(data.y), return_inverse=True)
        if labels.size == 2 and y.size >= LEAST_ROWS:
            found.append(Table(name, data.X, 1 - y if y.mean() > 0.5 else y))
    return found


def confirmed(X: pd.DataFrame, y: np.ndarray) -> Fitted:
    """Return the probability of the event by weights of evidence of confirmed bins."""
    bins = MRmDDiscretizer(
        max_bins=MOST_BINS, min_bin_size=LEAST_SHARE, confirm=0.01, nominal="group", missing="bin", place="readable"
    )
    return _ours(ScorecardClassifier(bins, event=1, min_iv=LEAST_IV), X, y)


def additive(X: pd.DataFrame, y: np.ndarray) -> Fitted:
    """Return the probability of the event by additive shapes of bins of equal frequency."""
    bins = EqualFrequencyDiscretizer(MOST_BINS, missing="bin", place="readable")
    return _ours(ScorecardClassifier(bins, event=1, min_iv=LEAST_IV, model="additive"), X, y)


def _ours(card: ScorecardClassifier, X: pd.DataFrame, y: np.ndarray) -> Fitted:
    place = card.fit(X, y).classes_.tolist().index(1)
    return lambda new: card.predict_proba(new)[:, place]


def theirs(X: pd.DataFrame, y: np.ndarray) -> Fitted:
    """Return the probability of the event by optbinning's scorecard."""
    from optbinning import BinningProcess, Scorecard

    texts = [name for name in X if not pd.api.types.is_numeric_dtype(X[name])]
    process = BinningProcess(
        list(X),
        categorical_variables=texts,
        max_n_bins=MOST_BINS,
        min_bin_size=LEAST_SHARE,
        selection_criteria={"iv": {"min": LEAST_IV}},
    )
    card = Scorecard(process, LogisticRegression(max_iter=1000)).fit(_for_them(X, texts), y)
    return lambda new: card.predict_proba(_for_them(new, texts))[:, 1]


def _for_them(X: pd.DataFrame, texts: list[str]) -> pd.DataFrame:
    """Return a table whose texts are objects and whose numbers are floats, as optbinning wants them."""
    return X.astype({name: object if name in texts else float for name in X})


CARDS: dict[str, Callable[[pd.DataFrame, np.ndarray], Fitted]] = {
    "cutwise, confirmed": confirmed,
    "cutwise, additive": additive,
    "optbinning": theirs,
}


def measure(table: Table, n_splits: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the AUC and the seconds of each split and card."""
    aucs, seconds = [], []
    for seed in range(n_splits):
        X, new, y, truth = train_test_split(table.X, table.y, test_size=TEST_SHARE, random_state=seed, stratify=table.y)
        for fit in CARDS.values():
            began = time.process_time()
            predict = fit(X, y)
            seconds.append(time.process_time() - began)
            aucs.append(roc_auc_score(truth, predict(new)))
    shape = (n_splits, len(CARDS))
    return np.reshape(aucs, shape), np.reshape(seconds, shape)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Scorecards on new rows, beside optbinning's.")
    parser.add_argument("--splits", type=int, default=N_SPLITS)
    parser.add_argument("--rows", type=int, default=30_000, help="rows of the table that is made up")
    settings = parser.parse_args()
    warnings.simplefilter("ignore")
    rows: list[tuple[str, ...]] = []
    means = []
    for table in (loans(settings.rows), *real_tables()):
        confirmed(table.X, table.y)
        additive(table.X, table.y)
        aucs, seconds = measure(table, settings.splits)
        means.append(aucs.mean(axis=0))
        gaps = 200 * (aucs - aucs[:, -1:])
        errors = gaps.std(axis=0, ddof=min(1, len(gaps) - 1)) / np.sqrt(len(gaps))
        about = (table.name, f"{len(table.X):,}", str(table.X.shape[1]))
        for k, name in enumerate(CARDS):
            over = "" if name == "optbinning" else f"{gaps[:, k].mean():+.2f} ± {errors[k]:.2f}"
            auc = means[-1][k]
            found = (name, f"{auc:.4f}", f"{200 * auc - 100:.2f}", over, f"{seconds[:, k].mean():.2f} s")
            rows.append((*(about if k == 0 else ("", "", "")), *found))
        print(".", end="", flush=True)
    print()
    for k, (name, auc) in enumerate(zip(CARDS, np.mean(means, axis=0), strict=True)):
        about = ("mean", "", "") if k == 0 else ("", "", "")
        over = "" if name == "optbinning" else f"{200 * (auc - np.mean(means, axis=0)[-1]):+.2f}"
        rows.append((*about, name, f"{auc:.4f}", f"{200 * auc - 100:.2f}", over, ""))
    print_table(HEAD, rows)


if __name__ == "__main__":
    main()
